#include "render/value_textures.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr std::int64_t kFramesKept = 240;

std::size_t block_bytes(const CellBlocks& blocks) {
    return blocks.values.size() * sizeof(float) + blocks.classes.size();
}

}  // namespace

const LevelTextures& ValueTextures::level(const MatrixPtr& matrix, PoolLevel level) {
    Entry& found = entry(matrix);
    found.last_frame = frame_;
    const auto existing = found.levels.find(level);
    if (existing != found.levels.end()) return existing->second;

    if (level.far_out == FarOut::Mean)
        return found.levels
            .emplace(level, upload(pool_means(cells(found, *matrix), level.x, level.y)))
            .first->second;
    const int common = std::min(level.x, level.y);
    const CellBlocks& base = square(found, *matrix, common);
    const bool exact = level.x == common && level.y == common;
    LevelTextures made =
        exact ? upload(base) : upload(pool(base, level.x - common, level.y - common));
    return found.levels.emplace(level, std::move(made)).first->second;
}

void ValueTextures::end_frame() {
    for (auto& [address, entry] : entries_) entry.cells.reset();
    std::erase_if(entries_, [this](const auto& item) {
        return item.second.source.expired() || frame_ - item.second.last_frame > kFramesKept;
    });
    evict_to_budget();
    ++frame_;
}

void ValueTextures::evict_to_budget() {
    std::size_t held = size_bytes();
    while (held > budget_bytes_) {
        const auto oldest = std::min_element(
            entries_.begin(), entries_.end(),
            [](const auto& a, const auto& b) { return a.second.last_frame < b.second.last_frame; });
        if (oldest->second.last_frame == frame_) return;
        held -= oldest->second.size_bytes();
        entries_.erase(oldest);
    }
}

std::size_t ValueTextures::size_bytes() const {
    std::size_t bytes = 0;
    for (const auto& [address, entry] : entries_) bytes += entry.size_bytes();
    return bytes;
}

std::size_t ValueTextures::Entry::size_bytes() const {
    std::size_t bytes = cells ? block_bytes(*cells) : 0;
    for (const CellBlocks& blocks : squares) bytes += block_bytes(blocks);
    for (const auto& [level, textures] : levels) bytes += textures.size_bytes();
    return bytes;
}

ValueTextures::Entry& ValueTextures::entry(const MatrixPtr& matrix) {
    Entry& found = entries_[matrix.get()];
    // An expired owner means that the address has been given to another matrix since.
    if (found.source.expired()) {
        found = Entry{};
        found.source = matrix;
    }
    return found;
}

LevelTextures ValueTextures::upload(const CellBlocks& blocks) {
    LevelTextures textures;
    textures.rows = static_cast<int>(blocks.rows);
    textures.columns = static_cast<int>(blocks.columns);
    textures.values =
        make_texture(kFloatTexture, textures.columns, textures.rows, blocks.values.data());
    if (!blocks.classes.empty()) {
        textures.classes =
            make_texture(kByteTexture, textures.columns, textures.rows, blocks.classes.data());
    }
    ++n_uploads_;
    return textures;
}

const CellBlocks& ValueTextures::cells(Entry& entry, const Matrix& matrix) {
    if (!entry.cells) entry.cells = cell_blocks(matrix);
    return *entry.cells;
}

const CellBlocks& ValueTextures::square(Entry& entry, const Matrix& matrix, int steps) {
    if (steps == 0) return cells(entry, matrix);
    if (entry.squares.empty()) entry.squares.push_back(pool(cells(entry, matrix), 1, 1));
    while (static_cast<int>(entry.squares.size()) < steps) {
        entry.squares.push_back(pool(entry.squares.back(), 1, 1));
    }
    return entry.squares[steps - 1];
}

}  // namespace headlight
