#include "response/hand/hand_response.hpp"

#include <limits>

namespace tactus::response {
namespace {

/// To whom an error of the coupling's energy is booked; the first that applies.
EnergyPort causeOf(const HandInputs& inputs, bool haveParametersMoved, const WorkspacePose& hand) {
  if (inputs.wasListStale) return EnergyPort::StaleList;
  if (inputs.wasCut) return EnergyPort::Budget;
  if (haveParametersMoved || inputs.haveMaterialsMoved) return EnergyPort::Parameters;
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

HandWish HandResponse::begin(const HandInputs& inputs, const ForceParameters& wanted,
                             double dt) noexcept {
  HandWish wish;

  // parameters, slowly; another kind of tool takes over where the old one is
  const ToolKind before = parameters_.tool;
  const bool haveSlewed = slewParameters(parameters_, wanted, isFree_, dt);
  wish.haveParametersMoved = haveSlewed || hasFactorMoved_;
  if (parameters_.tool != before) {
    massless_.placeAt(sceneFromTool_);
    massive_.placeAt(sceneFromTool_);
  }

  // the hand in the scene
  VelocitySettings velocity = setup_.velocity;
  velocity.method = parameters_.velocity;
  velocity.cutoffHertz = parameters_.cutoffHertz;
  wish.velocity = velocity_.tick(inputs.position, inputs.orientation, inputs.vendorVelocity,
                                 velocity, dt * (1.0 + inputs.skippedTicks));
  if (!inputs.isConnected) {
    // Where a lost device comes back it has been carried to: that was no motion to be damped.
    velocity_.forget();
    wish.velocity = {};
  }
  wish.workspace = workspaceSettings();
  const bool isLetGo = inputs.isClutchPressed || inputs.isPaused || wantsRezero_;
  wish.hand = map_.tick({.position = inputs.position,
                         .orientation = inputs.orientation,
                         .velocity = wish.velocity,
                         .isClutched = isLetGo,
                         .buttons = inputs.buttons,
                         .contactForce = contactForce_,
                         .sceneFromToolGrip = sceneFromTool_ * setup_.toolFromGrip},
                        wish.workspace, dt);

  // what it wants of the tool
  wish.kind = parameters_.tool;
  wish.shape = {pivotOf(parameters_.level, setup_.centreInTool, setup_.toolFromGrip.translation()),
                setup_.reach, setup_.thinnestPart};
  wish.motion = handMotion(wish.hand, setup_.toolFromGrip, wish.shape.pivotInTool);
  wish.gains = couplingGains(parameters_, setup_.device.peak);
  return wish;
}

CoupledTool HandResponse::settled(const HandWish& wish, const ContactQuery& contact, double dt,
                                  const ClearWay& way) noexcept {
  if (wish.kind == ToolKind::QuasiStatic)
    return massless_.tick(wish.motion, wish.gains, wish.shape, contact, {}, way);
  const ToolInertia inertia{.mass = parameters_.toolMass,
                            .centreInTool = setup_.centreInTool,
                            .inertia = parameters_.toolMass * setup_.inertiaPerMass,
                            .drag = parameters_.toolDrag,
                            .turnDrag = parameters_.toolTurnDrag};
  return massive_.tick(wish.motion, wish.gains, wish.shape, inertia, {}, contact, {}, dt);
}

HandTick HandResponse::end(const HandWish& wish, const CoupledTool& tool, const HandInputs& inputs,
                           double dt) noexcept {
  HandTick out;
  out.tool = tool;
  out.hand = wish.hand;
  out.velocity = wish.velocity;
  sceneFromTool_ = tool.sceneFromTool;
  isFree_ = tool.contact.energy == 0.0 && tool.contact.wrench.force.isZero(0.0);
  const double factorBefore = ratio_.factor();
  out.contactFactor = ratio_.tick(tool.stiffnessRatio, contactRatioBand(parameters_), dt);
  hasFactorMoved_ = out.contactFactor != factorBefore;

  // at the device
  const PortedWrench split =
      ported(parameters_.level,
             onDevice(tool.onHand, wish.motion, wish.shape.pivotInTool, wish.hand, wish.workspace));
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
  safety.isPaused = inputs.isPaused;
  safety.skippedTicks = inputs.skippedTicks;
  safety.coupling = {split.driven.force + out.hand.edge.force, split.driven.torque};
  safety.unactuated = split.unactuated;
  safety.storedEnergy = wish.workspace.scale.ofEnergy() * tool.storedEnergy + out.hand.edgeEnergy;
  safety.othersDeficit = inputs.othersDeficit;
  safety.couplingAge = inputs.contactAge;
  safety.cause = causeOf(inputs, wish.haveParametersMoved, out.hand);
  // who changes a contact's stiffness changes its energy, and moves nothing
  if (safety.cause != EnergyPort::Parameters)
    safety.broughtEnergy = wish.workspace.scale.ofEnergy() * tool.broughtEnergy;
  if (!tool.isFinite) {
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
