// The textures of matrices: made when first drawn, kept while they are drawn.
//
// Goals: a large matrix is uploaded once, whatever happens to its colours; only the levels that are
// seen exist; memory stays within a budget; the address of a matrix that is gone is never mistaken
// for a new one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "figure/figure.h"
#include "render/gl_handles.h"
#include "render/heatmap_pixels.h"

namespace headlight {

/// One texel for 2^x × 2^y cells.
struct PoolLevel {
    int x = 0, y = 0;
    FarOut far_out = FarOut::Strongest;  // matters only where a texel covers several cells

    auto operator<=>(const PoolLevel&) const = default;
};

struct LevelTextures {
    int rows = 0, columns = 0;  // texels
    GlTexture values, classes;  // classes: owns nothing when every cell is a number

    std::size_t size_bytes() const {
        return static_cast<std::size_t>(rows) * columns * (classes ? 5 : 4);
    }
};

/// The pixels of a picture that is coloured on the CPU.
struct PictureLook {
    PixelAxis x, y;
    FarOut far_out = FarOut::Strongest;
};

class ValueTextures {
  public:
    explicit ValueTextures(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

    /// Returns a level, valid until end_frame(). The matrix is not empty.
    const LevelTextures& level(const MatrixPtr& matrix, PoolLevel level);

    /// Returns the matrix in colours, a texel a pixel, valid until the next call. The matrix and
    /// the picture are not empty.
    const GlTexture& picture(const MatrixPtr& matrix, const PictureLook& look,
                             const ColorScale& scale);

    /// Forgets matrices that are gone, that have not been drawn for a while, and, above the
    /// budget, those that were drawn longest ago; never one that was drawn in this frame.
    void end_frame();

    std::size_t size_bytes() const;  // held now, on the GPU and beside it
    int n_matrices() const { return static_cast<int>(entries_.size()); }
    int n_uploads() const { return n_uploads_; }  // levels and pictures so far

  private:
    struct Picture {
        PictureLook look;
        ColorScale scale;
        GlTexture texture;
        std::int64_t last_frame = 0;

        std::size_t size_bytes() const { return std::size_t(4) * look.x.count * look.y.count; }
    };
    struct Entry {
        std::weak_ptr<const Matrix> source;
        std::optional<CellBlocks> cells;         // until the frame ends
        std::vector<CellBlocks> squares;         // [k]: blocks of 2^(k+1) × 2^(k+1) cells
        std::map<PoolLevel, CellBlocks> blocks;  // the other blocks that pictures were made of
        std::map<PoolLevel, LevelTextures> levels;
        std::vector<Picture> pictures;
        std::int64_t last_frame = 0;

        std::size_t size_bytes() const;
    };

    Entry& entry(const MatrixPtr& matrix);
    LevelTextures upload(const CellBlocks& blocks);
    static const CellBlocks& cells(Entry& entry, const Matrix& matrix);
    static const CellBlocks& square(Entry& entry, const Matrix& matrix, int steps);
    static CellBlocks pooled(Entry& entry, const Matrix& matrix, PoolLevel level);
    static const CellBlocks& blocks(Entry& entry, const Matrix& matrix, PoolLevel level);
    void evict_to_budget();

    std::size_t budget_bytes_;
    std::map<const Matrix*, Entry> entries_;
    std::int64_t frame_ = 0;
    int n_uploads_ = 0;
};

class PixelTextures {
  public:
    /// Returns a texture of these pixels, enlarged without smoothing; shrunk, a mean. Valid for
    /// this frame and the next one. Needs the context.
    const GlTexture& texture(const Pixels& pixels);

    void begin_frame();

    /// Returns a number for the content of the texture with that number; nothing if it is none of
    /// these.
    std::optional<std::uint64_t> content(std::uint64_t number) const;

  private:
    struct Entry {
        std::uint64_t content = 0;
        int width = 0, height = 0;
        GlTexture texture;
        int unused_frames = 0;
    };
    std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace headlight
