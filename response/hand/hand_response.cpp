#include "response/hand/hand_response.hpp"

#include <limits>

namespace tactus::response {
namespace {

/// To whom an error of the coupling's energy is booked; the first that applies.
EnergyPort causeOf(const HandInputs& inputs, bool haveParametersMoved, const WorkspacePose& hand) {
  if (inputs.wasListStale) return EnergyPort::StaleList;
  if (inputs.wasCut) return EnergyPort::Budget;
  if (haveParametersMoved) return EnergyPort::Parameters;
  return hand.isMoved ? EnergyPort::Workspace : EnergyPort::Coupling;
}

}  // namespace

HandResponse::HandResponse(const HandSetup& setup, const Eigen::Isometry3d& sceneFromTool,
                           const ForceParameters& parameters) noexcept
    : setup_(setup),
      parameters_(withinRanges(parameters, ForceParameters{})),
      map_(sceneFromTool * setup.toolFromGrip),
      massless_(sceneFromTool),
      massive_(sceneFromTool),
      sceneFromTool_(sceneFromTool) {}

WorkspaceSettings HandResponse::workspaceSettings() const noexcept {
  WorkspaceSettings settings = setup_.workspace;
  settings.level = parameters_.level;
  settings.scale = deviceScale(parameters_);
  settings.isTurnClutched = parameters_.isTurnClutched;
  settings.isRateControlled = parameters_.isRateControlled;
  settings.buttonSpin = parameters_.buttonSpin;
  settings.edgeStiffness = parameters_.edgeStiffness;
  settings.mostRate = parameters_.mostRate;
  return settings;
}

HandTick HandResponse::tick(const HandInputs& inputs, const ForceParameters& wanted,
                            const ContactQuery& contact, double dt) noexcept {
  HandTick out;

  // parameters, slowly; another kind of tool takes over where the old one is
  const ToolKind before = parameters_.tool;
  const bool haveSlewed = slewParameters(parameters_, wanted, isFree_, dt);
  const bool haveMoved = haveSlewed || hasFactorMoved_;
  if (parameters_.tool != before) {
    massless_.placeAt(sceneFromTool_);
    massive_.placeAt(sceneFromTool_);
  }

  // the hand in the scene
  VelocitySettings velocity = setup_.velocity;
  velocity.method = parameters_.velocity;
  velocity.cutoffHertz = parameters_.cutoffHertz;
  out.velocity = velocity_.tick(inputs.position, inputs.orientation, inputs.vendorVelocity,
                                velocity, dt * (1.0 + inputs.skippedTicks));
  const WorkspaceSettings workspace = workspaceSettings();
  const bool isLetGo = inputs.isClutchPressed || wantsRezero_;
  out.hand = map_.tick({.position = inputs.position,
                        .orientation = inputs.orientation,
                        .velocity = out.velocity,
                        .isClutched = isLetGo,
                        .buttons = inputs.buttons,
                        .contactForce = contactForce_,
                        .sceneFromToolGrip = sceneFromTool_ * setup_.toolFromGrip},
                       workspace, dt);

  // the tool in its contacts
  const ToolShape shape{
      pivotOf(parameters_.level, setup_.centreInTool, setup_.toolFromGrip.translation()),
      setup_.reach, setup_.thinnestPart};
  const HandMotion motion = handMotion(out.hand, setup_.toolFromGrip, shape.pivotInTool);
  const CouplingGains gains = couplingGains(parameters_, setup_.device.peak);
  if (parameters_.tool == ToolKind::QuasiStatic) {
    out.tool = massless_.tick(motion, gains, shape, contact, {});
  } else {
    const ToolInertia inertia{.mass = parameters_.toolMass,
                              .centreInTool = setup_.centreInTool,
                              .inertia = parameters_.toolMass * setup_.inertiaPerMass,
                              .drag = parameters_.toolDrag,
                              .turnDrag = parameters_.toolTurnDrag};
    out.tool = massive_.tick(motion, gains, shape, inertia, {}, contact, {}, dt);
  }
  sceneFromTool_ = out.tool.sceneFromTool;
  isFree_ = out.tool.contact.energy == 0.0 && out.tool.contact.wrench.force.isZero(0.0);
  const double factorBefore = ratio_.factor();
  out.contactFactor = ratio_.tick(out.tool.stiffnessRatio, contactRatioBand(parameters_), dt);
  hasFactorMoved_ = out.contactFactor != factorBefore;

  // at the device
  const PortedWrench split = ported(
      parameters_.level, onDevice(out.tool.onHand, motion, shape.pivotInTool, out.hand, workspace));
  contactForce_ = split.driven.force;
  SafetyInputs safety;
  safety.position = inputs.position;
  safety.orientation = inputs.orientation;
  safety.velocity = out.velocity;
  safety.isConnected = inputs.isConnected;
  safety.isEmergencyStop = inputs.isEmergencyStop;
  safety.isReset = inputs.isReset;
  safety.isDeadManHeld = inputs.isDeadManHeld;
  safety.isClutched = inputs.isClutchPressed;
  safety.skippedTicks = inputs.skippedTicks;
  safety.coupling = {split.driven.force + out.hand.edge.force, split.driven.torque};
  safety.unactuated = split.unactuated;
  safety.storedEnergy = workspace.scale.ofEnergy() * out.tool.storedEnergy + out.hand.edgeEnergy;
  safety.couplingAge = inputs.contactAge;
  safety.cause = causeOf(inputs, haveMoved, out.hand);
  if (!out.tool.isFinite) {
    // the tool has caught it; the chain has to know, and stops
    safety.coupling.force.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  out.safe = safeWrench(safety_, safetySettings(parameters_, setup_.device), safety, dt);
  wantsRezero_ = out.safe.wantsRezero;

  out.shiftAdvice = adviceFor(setup_.shifts, parameters_.stiffness, parameters_.damping);
  out.turnAdvice = adviceFor(setup_.turns, parameters_.turnStiffness, parameters_.turnDamping);
  return out;
}

}  // namespace tactus::response
