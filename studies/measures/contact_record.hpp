#pragma once
#include <cstdint>
#include <type_traits>

namespace tactus::studies {

/// Stream "contact.NAME" of a study's recording: what a hand's tool does with what is around it.
struct ContactRecord {
  float force[3] = {}, torque[3] = {};  ///< of all contacts on the tool, about its origin, scene's
  float volume = 0.0F;                  ///< shared with what it touches [m^3]
  std::uint16_t touches = 0;            ///< 1 while it touches something
  /// 0 before the start signal and after the end, 1 between. Of two presses 1 until the first has
  /// ended, 2 in the second, 3 in the tick after it.
  std::uint16_t stage = 0;
};
inline constexpr const char* kContactFields =
    "f32 force_n[3], f32 torque_nm[3], f32 volume_m3, u16 touches, u16 stage";
static_assert(sizeof(ContactRecord) == 32);
static_assert(std::is_trivially_copyable_v<ContactRecord>);

}  // namespace tactus::studies
