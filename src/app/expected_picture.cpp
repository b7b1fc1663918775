#include "app/expected_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/error.h"
#include "core/matrix.h"
#include "io/files/file.h"
#include "io/pictures/picture.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

// The differences between versions of FreeType, Cairo and OpenGL stay well under this.
constexpr double kMostMean = 0.3, kMostWorst = 8;
constexpr int kBlock = 4;

void store(const std::filesystem::path& file, const Pixels& pixels) {
    write_file(file, write_pixels(pixels));
}

}  // namespace

Pixels shrunk(const Pixels& pixels, int by) {
    Pixels small{pixels.width / by, pixels.height / by, {}};
    small.rgba.reserve(4 * static_cast<std::size_t>(small.width) * small.height);
    for (int y = 0; y < small.height; ++y)
        for (int x = 0; x < small.width; ++x)
            for (int c = 0; c < 4; ++c) {
                int sum = 0;
                for (int dy = 0; dy < by; ++dy)
                    for (int dx = 0; dx < by; ++dx) sum += pixels.at(x * by + dx, y * by + dy)[c];
                small.rgba.push_back(static_cast<std::uint8_t>((sum + by * by / 2) / (by * by)));
            }
    return small;
}

PictureDifference difference(const Pixels& a, const Pixels& b) {
    PictureDifference result;
    for (int y = 0; y < a.height; y += kBlock)
        for (int x = 0; x < a.width; x += kBlock) {
            double sum = 0;
            int n = 0;
            for (int v = y; v < std::min(y + kBlock, a.height); ++v)
                for (int u = x; u < std::min(x + kBlock, a.width); ++u)
                    for (int c = 0; c < 3; ++c, ++n)
                        sum += std::abs(int(a.at(u, v)[c]) - int(b.at(u, v)[c]));
            result.worst = std::max(result.worst, sum / n);
            result.mean += sum;
        }
    result.mean /= 3.0 * a.width * a.height;
    return result;
}

bool is_slight(const PictureDifference& difference) {
    return difference.mean <= kMostMean && difference.worst <= kMostWorst;
}

void expect_picture(ScriptStage& stage, const std::string& name) {
    const std::filesystem::path file = stage.files.script.parent_path() / name;
    const Pixels window = shrunk(stage.driver.screenshot(), kShrink);
    if (stage.files.expected == ScriptFiles::Pictures::Accept) return store(file, window);
    const Pixels stored = read_png(read_file(file), path_text(file));
    const std::filesystem::path seen = stage.files.output / file.filename();
    if (stored.width != window.width || stored.height != window.height) {
        store(seen, window);
        throw Error("picture", "{} is {} pixels, a quarter of the window {}", path_text(file),
                    shape_text(stored.width, stored.height),
                    shape_text(window.width, window.height));
    }
    const PictureDifference apart = difference(window, {stored.width, stored.height, stored.rgba});
    if (is_slight(apart)) return;
    store(seen, window);
    throw Error("picture",
                "the window in {} differs from {} by {} on average, in one place by {} of 255",
                path_text(seen), path_text(file), format_value(static_cast<Scalar>(apart.mean), 2),
                format_value(static_cast<Scalar>(apart.worst), 1));
}

}  // namespace headlight
