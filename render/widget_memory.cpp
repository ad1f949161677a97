#include "render/widget_memory.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "render/picture_tiles.hpp"

namespace tactus::render {

namespace {

constexpr int kSide = PictureTiles::kSide;

/// Steele and others' mixing of 64 bits ("Fast splittable pseudorandom number generators", 2014).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

template <typename Value>
std::uint64_t hashOf(std::uint64_t before, const Value& value) {
  std::array<std::uint64_t, (sizeof(Value) + 7) / 8> words{};
  std::memcpy(words.data(), &value, sizeof(Value));
  for (const std::uint64_t word : words)
    before = mixed(before ^ word) + 0x9e3779b97f4a7c15U;
  return before;
}

/// Of a picture: columns and rows from its upper left, as widgets count.
struct TileGrid {
  int columns, rows;
  std::vector<std::uint64_t>& tiles;

  void add(std::uint64_t hash, const ImVec4& box) {
    // Half a pixel more: where an edge is rounded to is the card's affair.
    const auto first = [](float from, int most) {
      return std::clamp(static_cast<int>(std::floor(from - 0.5F)) / kSide, 0, most);
    };
    const auto last = [](float to, int most) {
      return std::clamp(static_cast<int>(std::ceil(to + 0.5F)) / kSide, -1, most);
    };
    if (!(box.x < box.z && box.y < box.w) || box.z < 0.0F || box.w < 0.0F) return;
    for (int y = first(box.y, rows); y <= last(box.w, rows - 1); ++y) {
      for (int x = first(box.x, columns); x <= last(box.z, columns - 1); ++x) {
        std::uint64_t& tile =
            tiles[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(x)];
        tile = mixed(tile + hash);
      }
    }
  }
};

void addCommand(const ImDrawList& list, const ImDrawCmd& command, const ImDrawData& data,
                TileGrid& grid) {
  const ImVec2 origin = data.DisplayPos;
  const ImVec2 scale = data.FramebufferScale;
  const auto inPixels = [&](const ImVec4& box) {
    return ImVec4((box.x - origin.x) * scale.x, (box.y - origin.y) * scale.y,
                  (box.z - origin.x) * scale.x, (box.w - origin.y) * scale.y);
  };
  const ImVec4 clip = inPixels(command.ClipRect);
  const std::uint64_t begin =
      hashOf(hashOf(1, command.ClipRect), reinterpret_cast<std::uintptr_t>(command.TextureId));
  for (unsigned k = 0; k + 2 < command.ElemCount; k += 3) {
    std::uint64_t hash = begin;
    ImVec4 box(clip.z, clip.w, clip.x, clip.y);
    for (unsigned corner = 0; corner < 3; ++corner) {
      const unsigned index = list.IdxBuffer[static_cast<int>(command.IdxOffset + k + corner)];
      const ImDrawVert& vertex = list.VtxBuffer[static_cast<int>(command.VtxOffset + index)];
      hash = hashOf(hash, vertex);
      const ImVec4 at = inPixels({vertex.pos.x, vertex.pos.y, vertex.pos.x, vertex.pos.y});
      box = ImVec4(std::min(box.x, at.x), std::min(box.y, at.y), std::max(box.z, at.z),
                   std::max(box.w, at.w));
    }
    grid.add(hash, {std::max(box.x, clip.x), std::max(box.y, clip.y), std::min(box.z, clip.z),
                    std::min(box.w, clip.w)});
  }
}

}  // namespace

std::vector<PixelRect> WidgetMemory::changes(const ImDrawData* data, int width, int height) {
  PictureTiles changed(width, height);
  std::vector<std::uint64_t> now(changed.count());
  TileGrid grid{changed.columns(), changed.rows(), now};
  if (data != nullptr) {
    for (int k = 0; k < data->CmdListsCount; ++k) {
      const ImDrawList& list = *data->CmdLists[k];
      for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.UserCallback == nullptr) addCommand(list, command, *data, grid);
      }
    }
  }
  const bool knows = tiles_.size() == now.size() && width == width_ && height == height_;
  // Tiles here begin at the upper edge, those of pictures at the lower one.
  std::vector<PixelRect> rects;
  for (int y = 0; y < grid.rows; ++y) {
    for (int x = 0; x < grid.columns; ++x) {
      const auto tile = changed.tileAt(x, y);
      if (knows && tiles_[tile] == now[tile]) continue;
      const PixelRect rect{x * kSide, std::max(height - (y + 1) * kSide, 0),
                           std::min((x + 1) * kSide, width), height - y * kSide};
      // A run of a row.
      if (!rects.empty() && rects.back().right == rect.left && rects.back().top == rect.top) {
        rects.back().right = rect.right;
      } else {
        rects.push_back(rect);
      }
    }
  }
  tiles_ = std::move(now);
  width_ = width;
  height_ = height;
  return rects;
}

}  // namespace tactus::render
