#pragma once
#include <string>

#include "haptics/tick/haptic_tick.hpp"
#include "models/mesh/result.hpp"

namespace tactus::app {

/// Presets: parameters of the tick as TOML, one key a line, by the names of tick_parameters.hpp:
///
///     law = 0.0
///     [right]
///     stiffness = 1000.0
///
/// Only hands and materials that the scene has are written. What is of the moment (pause, steps) is
/// left out.
[[nodiscard]] std::string presetText(const haptics::TickParameters& parameters,
                                     const haptics::TickSetup& setup);

/// Sets what the text says and leaves the rest as it is. A key that is unknown is an error that
/// names the nearest known one, with file and line; so is what is no number. Then nothing is set.
[[nodiscard]] models::Result<models::Done> readPreset(const std::string& text,
                                                      const std::string& file,
                                                      haptics::TickParameters& parameters);

}  // namespace tactus::app
