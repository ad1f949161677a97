#include "haptics/recording/recorder.hpp"

#include <chrono>
#include <span>
#include <utility>

#include "haptics/recording/chunk_codec.hpp"

namespace tactus::haptics {
namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;

std::string textOf(std::span<const char> characters) {
  std::string text;
  for (const char c : characters) {
    if (c == '\0') break;
    text += c;
  }
  return text;
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(const std::filesystem::path& file,
                                                  bool overwrites,
                                                  const std::map<std::string, std::string>& meta,
                                                  std::vector<StreamLayout> streams,
                                                  RecorderPace pace) {
  Result<RecordingWriter> writer = RecordingWriter::create(file, overwrites);
  if (!writer) return writer.error();
  for (const auto& [key, value] : meta)
    writer.value().putMeta(key, value);
  for (const StreamLayout& stream : streams)
    writer.value().putMeta("fields." + stream.name, stream.fields);
  if (!writer.value().commit()) return Error{Reason::CannotWrite, -1, writer.value().failure()};
  // not make_unique: the constructor is ours alone
  std::unique_ptr<Recorder> recorder(new Recorder(std::move(writer).value(), std::move(streams)));
  if (pace == RecorderPace::OwnThread)
    recorder->thread_ = std::thread([&r = *recorder] { r.work(); });
  return recorder;
}

Recorder::Recorder(RecordingWriter writer, std::vector<StreamLayout> streams)
    : writer_(std::move(writer)), notes_(sizeof(RecorderNote), kRingNotes) {
  streams_.reserve(streams.size());
  for (StreamLayout& layout : streams) {
    Stream& stream = streams_.emplace_back();
    stream.ring = std::make_unique<RecordRing>(layout.recordBytes, kRingTicks);
    stream.stamps.resize(kRingTicks);
    stream.bytes.resize(kRingTicks * layout.recordBytes);
    stream.layout = std::move(layout);
  }
}

Recorder::~Recorder() {
  if (!isFinished_) static_cast<void>(finish());
}

void Recorder::push(std::size_t stream, const RecordRing::Stamp& stamp,
                    const void* record) noexcept {
  streams_[stream].ring->push(stamp, record);
}

void Recorder::note(const RecordRing::Stamp& stamp, const RecorderNote& what) noexcept {
  notes_.push(stamp, &what);
}

void Recorder::drainStream(Stream& stream) {
  const std::size_t size = stream.layout.recordBytes;
  const std::size_t count =
      stream.ring->take(kRingTicks, stream.stamps.data(), stream.bytes.data());
  for (std::size_t first = 0; first < count;) {
    std::size_t end = first + 1;
    while (end < count && end - first < kChunkTicks &&
           stream.stamps[end].tick == stream.stamps[end - 1].tick + 1)
      ++end;
    const ChunkHead head = {stream.stamps[first].tick, static_cast<std::uint32_t>(end - first),
                            static_cast<std::uint32_t>(size)};
    const std::vector<std::byte> packed = packedChunk(
        head, std::span<const std::byte>(stream.bytes).subspan(first * size, (end - first) * size));
    if (!writer_.putChunk(stream.layout.name, head.firstTick, head.records,
                          stream.stamps[end - 1].wallNs, packed)) {
      lost_.fetch_add(count - first, std::memory_order_relaxed);
      return;
    }
    first = end;
  }
}

void Recorder::drainNotes() {
  std::array<RecordRing::Stamp, 64> stamps;
  std::array<RecorderNote, 64> notes;
  for (std::size_t count = 0;
       (count = notes_.take(stamps.size(), stamps.data(),
                            reinterpret_cast<std::byte*>(notes.data()))) != 0;) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool isWritten =
          notes[i].isParameter
              ? writer_.putParameter({stamps[i].tick, stamps[i].wallNs, textOf(notes[i].name),
                                      notes[i].before, notes[i].after})
              : writer_.putEvent({stamps[i].tick, stamps[i].wallNs, textOf(notes[i].name),
                                  textOf(notes[i].text)});
      if (!isWritten) lost_.fetch_add(1, std::memory_order_relaxed);
    }
  }
}

void Recorder::drain() {
  for (Stream& stream : streams_)
    drainStream(stream);
  drainNotes();
  if (!writer_.commit()) hasFailed_.store(true);
}

void Recorder::work() {
  while (!ends_.load(std::memory_order_acquire)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(kDrainMilliseconds));
    drain();
  }
}

Result<Done> Recorder::finish() {
  isFinished_ = true;
  ends_.store(true, std::memory_order_release);
  if (thread_.joinable()) thread_.join();
  drain();
  writer_.putMeta("records", std::to_string(records()));
  writer_.putMeta("dropped", std::to_string(dropped()));
  if (!writer_.close()) {
    hasFailed_.store(true);
    return Error{Reason::CannotWrite, -1, writer_.failure()};
  }
  return Done{};
}

std::uint64_t Recorder::records() const noexcept {
  std::uint64_t sum = notes_.written();
  for (const Stream& stream : streams_)
    sum += stream.ring->written();
  return sum - lost_.load(std::memory_order_relaxed);
}

std::uint64_t Recorder::dropped() const noexcept {
  std::uint64_t sum = notes_.dropped() + lost_.load(std::memory_order_relaxed);
  for (const Stream& stream : streams_)
    sum += stream.ring->dropped();
  return sum;
}

}  // namespace tactus::haptics
