#include "render/pixel_textures.h"

#include <algorithm>
#include <string_view>

#include "core/bits.h"

namespace headlight {

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
