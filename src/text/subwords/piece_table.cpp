#include "text/subwords/piece_table.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t kFewestSlots = 16;

/// Mixes the key so that every bit decides about the lowest bits [MurmurHash3, finalizer].
std::uint64_t mixed(std::uint64_t key) {
    key = (key ^ key >> 33) * 0xFF51AFD7ED558CCD;
    key = (key ^ key >> 33) * 0xC4CEB9FE1A85EC53;
    return key ^ key >> 33;
}

std::uint32_t piece_hash(std::string_view piece) {
    return static_cast<std::uint32_t>(mixed(std::hash<std::string_view>()(piece)));
}

}  // namespace

PieceTable::PieceTable(std::vector<std::optional<std::string>> pieces)
    : pieces_(std::move(pieces)) {
    slots_.resize(std::bit_ceil(std::max(kFewestSlots, 2 * pieces_.size())));
    for (std::size_t id = 0; id < pieces_.size(); ++id) {
        if (!pieces_[id]) continue;
        const std::uint32_t hash = piece_hash(*pieces_[id]);
        slots_[slot_index(*pieces_[id], hash)] = {hash, static_cast<std::uint32_t>(id + 1)};
        n_bytes_of_longest_ = std::max(n_bytes_of_longest_, pieces_[id]->size());
    }
}

std::size_t PieceTable::slot_index(std::string_view piece, std::uint32_t hash) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t index = hash & last;
    const auto is_other = [&](const Slot& slot) {
        return slot.id != 0 && (slot.hash != hash || *pieces_[slot.id - 1] != piece);
    };
    while (is_other(slots_[index])) index = (index + 1) & last;
    return index;
}

const std::string* PieceTable::find_piece(PieceId id) const {
    return id < pieces_.size() && pieces_[id] ? &*pieces_[id] : nullptr;
}

std::optional<PieceId> PieceTable::find_id(std::string_view piece) const {
    if (slots_.empty() || piece.size() > n_bytes_of_longest_) return std::nullopt;
    const Slot& slot = slots_[slot_index(piece, piece_hash(piece))];
    return slot.id == 0 ? std::nullopt : std::optional(slot.id - 1);
}

NumberTable::NumberTable(std::size_t n_expected)
    : slots_(std::bit_ceil(std::max(kFewestSlots, 2 * n_expected))) {}

std::size_t NumberTable::slot_index(std::uint64_t key) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t index = mixed(key) & last;
    while (slots_[index].key != key && slots_[index].key != kNoKey) index = (index + 1) & last;
    return index;
}

void NumberTable::set(std::uint64_t key, std::uint64_t value) {
    Slot& slot = slots_[slot_index(key)];
    if (slot.key == key) {
        slot.value = value;
        return;
    }
    slot = {key, value};
    if (++size_ * 2 <= slots_.size()) return;
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& moved : old)
        if (moved.key != kNoKey) slots_[slot_index(moved.key)] = moved;
}

const std::uint64_t* NumberTable::find(std::uint64_t key) const {
    const Slot& slot = slots_[slot_index(key)];
    return slot.key == key ? &slot.value : nullptr;
}

}  // namespace headlight
