#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "haptics/recording/record_ring.hpp"
#include "haptics/recording/recording_file.hpp"
#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// What a stream's records are.
struct StreamLayout {
  std::string name;    ///< e.g. "hand.left"
  std::string fields;  ///< e.g. "f64 position_m[3], f32 force_n[3]": kept in meta for whoever reads
  std::size_t recordBytes = 0;
};

enum class RecorderPace : std::uint8_t {
  OwnThread,  ///< writes every kDrainMilliseconds, while the loop runs in real time
  ByDriver,   ///< the driver calls drain(), between ticks that nobody waits for
};

/// An event or a change of a parameter as the tick can tell it: plain and of fixed size.
struct RecorderNote {
  std::array<char, 32> name{};   ///< of the event or the parameter, cut off and ended by a zero
  std::array<char, 160> text{};  ///< of an event
  double before = 0.0, after = 0.0;
  bool isParameter = false;
};

/// Takes every tick's records from the loop and brings them to the disk.
///
/// push() and note() are for the loop's thread: they wait for nothing, and what there is no room
/// for is counted. Chunks end after kChunkTicks, at a missing tick, and whenever the ring was
/// emptied; each emptying is one commit. So after a kill at most two emptyings are missing: what
/// came since the last one, and one whose commit was under way.
///
/// A disk that fails ends the recording, not the loop: failure() says it, everything later counts
/// as dropped.
class Recorder {
 public:
  static constexpr std::uint32_t kChunkTicks = 50;
  // Two of these and a commit stay below the 100 ms that may be lost.
  static constexpr int kDrainMilliseconds = 25;
  // The disk may stand still for as long as that many ticks: two seconds.
  static constexpr std::size_t kRingTicks = 2048;
  static constexpr std::size_t kRingNotes = 1024;

  [[nodiscard]] static models::Result<std::unique_ptr<Recorder>> start(
      const std::filesystem::path& file, bool overwrites,
      const std::map<std::string, std::string>& meta, std::vector<StreamLayout> streams,
      RecorderPace pace);

  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  /// One record of a stream, of its recordBytes; ticks only grow.
  void push(std::size_t stream, const RecordRing::Stamp& stamp, const void* record) noexcept;
  void note(const RecordRing::Stamp& stamp, const RecorderNote& what) noexcept;

  /// Writes what has come. Only with RecorderPace::ByDriver, and from one thread.
  void drain();
  /// Writes the rest and closes the file; the sentence if something has failed. Once, by the owner,
  /// when nobody pushes any more.
  [[nodiscard]] models::Result<models::Done> finish();

  [[nodiscard]] std::uint64_t records() const noexcept;  ///< that were pushed and had room
  [[nodiscard]] std::uint64_t dropped() const noexcept;
  [[nodiscard]] bool hasFailed() const noexcept { return hasFailed_.load(); }

 private:
  struct Stream {
    StreamLayout layout;
    std::unique_ptr<RecordRing> ring;
    std::vector<RecordRing::Stamp> stamps;
    std::vector<std::byte> bytes;
  };

  Recorder(RecordingWriter writer, std::vector<StreamLayout> streams);
  void drainStream(Stream& stream);
  void drainNotes();
  void work();

  RecordingWriter writer_;
  std::vector<Stream> streams_;
  RecordRing notes_;
  std::atomic<std::uint64_t> lost_{0};  ///< taken from a ring after the disk had failed
  std::atomic<bool> hasFailed_{false}, ends_{false};
  std::thread thread_;
  bool isFinished_ = false;
};

}  // namespace tactus::haptics
