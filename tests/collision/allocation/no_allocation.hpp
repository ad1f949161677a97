#pragma once

namespace tactus::tests {

/// While one lives, an allocation or release of memory by its thread ends the program, with a line
/// that says by how much and in what.
///
/// The whole program's allocator is watched (malloc and its kin, on which operator new and Eigen
/// rest), whoever calls it; of other threads nothing is demanded.
class NoAllocation {
 public:
  /// `what` is for the line; it must outlive the object.
  explicit NoAllocation(const char* what) noexcept;
  NoAllocation(const NoAllocation&) = delete;
  NoAllocation& operator=(const NoAllocation&) = delete;
  ~NoAllocation();
};

}  // namespace tactus::tests
