// Colour tables as textures: the 256 colours of a scale, then those of NaN and of masked cells.
#pragma once

#include <cstdint>
#include <vector>

#include "paint/figure.h"
#include "render/gl_handles.h"

namespace headlight {

class ColorTables {
  public:
    /// Valid until the next call. The scale has 256 colours.
    const GlTexture& texture(const ColorScale& scale);

  private:
    struct Table {
        std::vector<Color> colors;  // 258
        GlTexture texture;
        std::int64_t last_use = 0;
    };

    Table& oldest_or_new();

    std::vector<Table> tables_;
    std::int64_t n_uses_ = 0;
};

/// Throws Error unless the scale has 256 colours.
void check_colors(const ColorScale& scale);

/// Whether a cell may let the background shine through.
bool is_translucent(const ColorScale& scale);

}  // namespace headlight
