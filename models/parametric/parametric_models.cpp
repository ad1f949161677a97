#include "models/parametric/parametric_models.hpp"

#include <array>

#include "models/parametric/bolt_and_nut.hpp"
#include "models/parametric/boxes.hpp"
#include "models/parametric/gears.hpp"
#include "models/parametric/pins_and_holes.hpp"
#include "models/parametric/round_solids.hpp"
#include "models/parametric/well.hpp"

namespace tactus::models {
namespace {

// Sizes in words stand beside the constants that they repeat in the tests.
constexpr std::array kModels{
    ParametricModel{"sphere", "ball of 60 mm diameter", makeSphere},
    ParametricModel{"box", "box of 60 x 40 x 20 mm", makeBox},
    ParametricModel{"cylinder", "cylinder of 60 mm diameter, 80 mm high", makeCylinder},
    ParametricModel{"cone", "cone of 60 mm diameter, 60 mm high", makeCone},
    ParametricModel{"torus", "ring of 90 mm diameter, its tube 26 mm thick", makeTorus},
    ParametricModel{"block", "block of 120 x 40 x 60 mm", makeBlock},
    ParametricModel{"plate", "thin plate of 100 x 100 mm, 2 mm thick", makePlate},
    ParametricModel{"block-with-holes",
                    "block of 120 x 60 x 60 mm with a square and a round hole of 20 mm",
                    makeBlockWithHoles},
    ParametricModel{"pins",
                    "base of 120 x 60 x 20 mm with a square and a round pin that fill the holes of "
                    "block-with-holes exactly",
                    makePins},
    ParametricModel{"loose-pins", "the same with 0.3 mm between the pins and the holes",
                    makeLoosePins},
    ParametricModel{"bolt", "hexagon bolt M24 x 3, 36 mm under a head of 36 mm across flats",
                    makeBolt},
    ParametricModel{"nut", "hexagon nut M24 x 3, 22 mm high, 0.2 mm radial clearance on bolt",
                    makeNut},
    ParametricModel{"gear", "spur gear of 24 teeth, 65 mm diameter, 10 mm wide", makeGear},
    ParametricModel{"gear-mate",
                    "spur gear of 16 teeth, 45 mm diameter, that meshes with gear at 50 mm",
                    makeGearMate},
    ParametricModel{"well", "bowl of 160 mm inner diameter, 80 mm high", makeWell},
};

}  // namespace

std::span<const ParametricModel> parametricModels() {
  return kModels;
}

}  // namespace tactus::models
