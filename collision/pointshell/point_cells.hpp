#pragma once
#include <cstddef>
#include <span>

#include "collision/contact/contact_cells.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"

namespace tactus::collision {

/// Contacts of points that are told apart; blocks of sixteen points are joined beyond.
inline constexpr std::size_t kPointContacts = 512;

/// The contacts of the last query of points as elements of cells in A's frame, so that
/// contactPatches() can tell what hangs together.
///
/// Source: the project's own. A block of points is one element: its force, where it acts, and of a
/// law with an energy half of force times depth, which is the mean of the force along the way in.
///
/// `found` is the answer of that query, which wanted contacts; if it has an area and no contact,
/// all is at the deepest point. What pushes nowhere is in no patch. `room` is for up to
/// kPointContacts.
void cellsOfPoints(const VoxmapPointshell& query, const PointForce& found, bool hasEnergy,
                   std::span<PointContact> room, ContactCells& cells) noexcept;

}  // namespace tactus::collision
