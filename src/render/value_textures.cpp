#include "render/value_textures.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

#include "core/bits.h"

namespace headlight {
namespace {

constexpr std::int64_t kFramesKept = 240;
constexpr std::size_t kPicturesKept = 4;  // of one matrix

std::size_t block_bytes(const CellBlocks& blocks) {
    return blocks.values.size() * sizeof(float) + blocks.classes.size();
}

bool is_square(const PoolLevel& level) {
    return level.far_out == FarOut::Strongest && level.x == level.y;
}

/// True if the colours are the same: a picture moved by whole pixels keeps its colours, but sums
/// round.
bool looks_alike(const PixelAxis& a, const PixelAxis& b) {
    constexpr float kNear_px = 1e-3f;
    return a.count == b.count && std::abs(a.start - b.start) < kNear_px &&
           std::abs(a.size - b.size) < kNear_px && a.sampling.pool_steps == b.sampling.pool_steps;
}

bool looks_alike(const PictureLook& a, const PictureLook& b) {
    return a.far_out == b.far_out && looks_alike(a.x, b.x) && looks_alike(a.y, b.y);
}

bool looks_alike(const ColorScale& a, const ColorScale& b) {
    const auto numbers = [](const ColorScale& scale) {
        return std::tie(scale.low, scale.high, scale.steps, scale.floor, scale.nan_color,
                        scale.masked_color);
    };
    return numbers(a) == numbers(b) && a.colors == b.colors;
}

template <typename Picture>
Picture& oldest_or_new(std::vector<Picture>& pictures) {
    if (pictures.size() < kPicturesKept) return pictures.emplace_back();
    return *std::ranges::min_element(pictures, {}, &Picture::last_frame);
}

}  // namespace

const LevelTextures& ValueTextures::level(const MatrixPtr& matrix, PoolLevel level) {
    Entry& found = entry(matrix);
    found.last_frame = frame_;
    const auto existing = found.levels.find(level);
    if (existing != found.levels.end()) return existing->second;
    LevelTextures made = is_square(level) ? upload(square(found, *matrix, level.x))
                                          : upload(pooled(found, *matrix, level));
    return found.levels.emplace(level, std::move(made)).first->second;
}

const GlTexture& ValueTextures::picture(const MatrixPtr& matrix, const PictureLook& look,
                                        const ColorScale& scale) {
    Entry& found = entry(matrix);
    found.last_frame = frame_;
    for (Picture& picture : found.pictures)
        if (looks_alike(picture.look, look) && looks_alike(picture.scale, scale)) {
            picture.last_frame = frame_;
            return picture.texture;
        }
    const CellBlocks& texels = blocks(
        found, *matrix, {look.x.sampling.pool_steps, look.y.sampling.pool_steps, look.far_out});
    const std::vector<Color> pixels = heatmap_pixels(texels, look.x, look.y, scale, look.far_out);
    Picture& made = oldest_or_new(found.pictures);
    made = {look, scale, make_texture(kColorTexture, look.x.count, look.y.count, pixels.data()),
            frame_};
    ++n_uploads_;
    return made.texture;
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
    for (const auto& [level, made] : this->blocks) bytes += block_bytes(made);
    for (const auto& [level, textures] : levels) bytes += textures.size_bytes();
    for (const Picture& picture : pictures) bytes += picture.size_bytes();
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

CellBlocks ValueTextures::pooled(Entry& entry, const Matrix& matrix, PoolLevel level) {
    if (level.far_out == FarOut::Mean) return pool_means(cells(entry, matrix), level.x, level.y);
    const int common = std::min(level.x, level.y);
    return pool(square(entry, matrix, common), level.x - common, level.y - common);
}

const CellBlocks& ValueTextures::blocks(Entry& entry, const Matrix& matrix, PoolLevel level) {
    if (is_square(level)) return square(entry, matrix, level.x);
    const auto existing = entry.blocks.find(level);
    if (existing != entry.blocks.end()) return existing->second;
    return entry.blocks.emplace(level, pooled(entry, matrix, level)).first->second;
}

const GlTexture& PixelTextures::texture(const Pixels& pixels) {
    const std::uint64_t content = fnv1a(
        std::string_view(reinterpret_cast<const char*>(pixels.rgba.data()), pixels.rgba.size()));
    auto found = std::ranges::find_if(entries_, [&](const std::unique_ptr<Entry>& entry) {
        return entry->content == content && entry->width == pixels.width &&
               entry->height == pixels.height;
    });
    if (found == entries_.end()) {
        entries_.push_back(std::make_unique<Entry>(
            Entry{content, pixels.width, pixels.height,
                  make_texture(kColorTexture, pixels.width, pixels.height, pixels.rgba.data())}));
        found = entries_.end() - 1;
        glBindTexture(GL_TEXTURE_2D, (*found)->texture.id());
        glGenerateMipmap(GL_TEXTURE_2D);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    (*found)->unused_frames = 0;
    return (*found)->texture;
}

std::optional<std::uint64_t> PixelTextures::content(std::uint64_t number) const {
    for (const auto& entry : entries_)
        if (entry->texture.id() == number) return entry->content;
    return std::nullopt;
}

void PixelTextures::begin_frame() {
    for (const auto& entry : entries_) ++entry->unused_frames;
    std::erase_if(entries_, [](const auto& entry) { return entry->unused_frames > 2; });
}

}  // namespace headlight
