// Pictures as textures, kept while frames show them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "paint/pixels.h"
#include "render/gl_handles.h"

namespace headlight {

class PixelTextures {
  public:
    /// Of these pixels, enlarged without smoothing; shrunk, a mean. Valid for this frame and the
    /// next one. Needs the context.
    const GlTexture& texture(const Pixels& pixels);

    void begin_frame();

    /// Of what the texture with that number shows; nothing if it is none of these.
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
