#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "haptics/tick/tick_records.hpp"
#include "studies/measures/contact_record.hpp"

namespace tactus::studies {

/// What is measured of hands in a trial, from the very records that a recording keeps: so that on
/// line and again from raw data give the same to the bit. Only ticks with a stage count.
///
/// Ways and turns come from positions and quaternions after a 20 Hz zero-phase filter, because the
/// jitter of encoders and of a tick's noise adds up; see measure_columns.cpp for each measure.
class HandMeasures {
 public:
  /// Makes room, so that add() allocates nothing.
  HandMeasures(std::size_t hands, std::size_t mostTicks, double tickSeconds);

  void add(std::size_t hand, const haptics::HandRecord& record,
           const ContactRecord& contact) noexcept;

  /// Of a player with these of the hands, by names of measureColumns(); what cannot be said is not
  /// there. Without a right hand the left one counts as the dominant one, and vice versa.
  [[nodiscard]] std::map<std::string, double> of(std::optional<std::size_t> left,
                                                 std::optional<std::size_t> right,
                                                 bool isRightHanded) const;
  /// Force over depth of a stage: the slope of the regression of force on the way of the device
  /// while it is pressed; nothing if it was not.
  [[nodiscard]] std::optional<double> displayedStiffness(std::size_t hand,
                                                         std::uint16_t stage) const;

 private:
  struct Sample {
    std::array<double, 3> device, tool;
    std::array<double, 4> turn;  // w x y z, of the tool
    std::array<double, 3> force;
    float torque, volume;
    std::uint16_t touches, stage;
  };
  struct Figures {
    double path = 0.0, devicePath = 0.0, turn = 0.0, euler = 0.0, smoothness = 0.0;
    std::vector<double> speeds;
  };
  [[nodiscard]] Figures figuresOf(const std::vector<Sample>& samples) const;

  std::vector<std::vector<Sample>> hands_;
  std::size_t mostTicks_;
  double dt_;
};

}  // namespace tactus::studies
