#include "io/pictures/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <optional>
#include <spng.h>
#include <string>
#include <turbojpeg.h>

#include "core/error.h"
#include "core/matrix.h"
#include "figure/color.h"

namespace headlight {
namespace {

/// Throws Error, with `source`, if a side is 0 or the picture is larger than the limits.
void check_picture_size(std::uint64_t width, std::uint64_t height, const std::string& source) {
    const std::string size = fmt::format("{} × {} pixels", width, height);
    if (width == 0 || height == 0) throw Error(source, "is empty: {}", size);
    if (width > kMaxPictureSide || height > kMaxPictureSide || width * height > kMaxPicturePixels)
        throw Error(
            source,
            "has {}; at most 16,384 a side and 64 million are read. Shrink it, and open it again",
            size);
}

/// Returns the number of a picture for the light: the inverse of linear_light.
double encoded_light(double light) {
    return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

const std::array<double, 256>& lights() {
    static const std::array<double, 256> table = [] {
        std::array<double, 256> all;
        for (int k = 0; k < 256; ++k) all[static_cast<std::size_t>(k)] = linear_light(k / 255.0);
        return all;
    }();
    return table;
}

struct Size {
    int width, height;
};

/// Keeps the size of small pictures; others fit a square of kMaxImageSide in whole patches.
Size size_for(const Pixels& picture, int patch) {
    const int longest = std::max(picture.width, picture.height);
    if (longest <= kMaxImageSide) return {picture.width, picture.height};
    const auto shrunk = [&](int side) {
        const double exact = static_cast<double>(side) * kMaxImageSide / longest;
        return std::max(patch, static_cast<int>(std::lround(exact / patch)) * patch);
    };
    return {shrunk(picture.width), shrunk(picture.height)};
}

/// Pixels begin … end − 1 of a side that become pixel `at` of `small` ones; at least one.
struct Span {
    int begin, end;

    Span(int at, int small, int large)
        : begin(static_cast<int>(std::int64_t{at} * large / small)),
          end(std::max(begin + 1, static_cast<int>(std::int64_t{at + 1} * large / small))) {}
};

float mean(const Pixels& picture, Span rows, Span columns, int channel) {
    double sum = 0;
    for (int y = rows.begin; y < rows.end; ++y)
        for (int x = columns.begin; x < columns.end; ++x) {
            const std::uint8_t* pixel = picture.at(x, y);
            const double alpha = pixel[3] / 255.0;
            sum += alpha * lights()[pixel[channel]] + (1 - alpha);
        }
    const double count = double(rows.end - rows.begin) * (columns.end - columns.begin);
    return static_cast<float>(std::lround(encoded_light(sum / count) * 1000) / 1000.0);
}

}  // namespace

ImageStudy image_study(const Pixels& picture) {
    constexpr int kPatch = 4;
    const Size size = size_for(picture, kPatch);
    ImageStudy study{
        .rows = size.height, .columns = size.width, .channels = 3, .pixels = {}, .layer = {}};
    for (int row = 0; row < size.height; ++row)
        for (int column = 0; column < size.width; ++column)
            for (int channel = 0; channel < 3; ++channel)
                study.pixels.push_back(mean(picture, Span(row, size.height, picture.height),
                                            Span(column, size.width, picture.width), channel));
    const bool is_shrunk = size.width != picture.width || size.height != picture.height;
    if (is_shrunk) study.layer.patch = kPatch;
    return study;
}

namespace {

constexpr std::size_t kMaxChunkBytes = std::size_t{16} << 20, kMaxKeptBytes = std::size_t{32} << 20;

void check_spng(int error, const std::string& source) {
    if (error == SPNG_OK) return;
    if (error == SPNG_ECHUNK_LIMITS)
        throw Error(source,
                    "has texts or colour profiles of more than 16 MB beside its pixels; "
                    "save it without them");
    throw Error(source, "is not a sound PNG picture: {}; the file is incomplete or damaged",
                spng_strerror(error));
}

/// Reads width and height, which have fixed places, before the library reads anything.
void check_png_size(std::string_view bytes, const std::string& source) {
    if (bytes.empty()) throw Error(source, "is empty");
    if (bytes.size() < 24 || bytes.substr(12, 4) != "IHDR") return;
    const auto number = [&](std::size_t at) {
        std::uint64_t value = 0;
        for (const char c : bytes.substr(at, 4)) value = value << 8 | static_cast<std::uint8_t>(c);
        return value;
    };
    check_picture_size(number(16), number(20), source);
}

/// Returns the size before compression, from the header: no row can be missing.
std::uint64_t unpacked_bytes(const spng_ihdr& header) {
    constexpr std::uint64_t kChannels[] = {1, 0, 3, 1, 2, 0, 4};
    const std::uint64_t bits = kChannels[header.color_type] * header.bit_depth;
    return (header.width * bits + 7) / 8 * header.height;
}

}  // namespace

Pixels read_png(std::string_view bytes, const std::string& source) {
    check_png_size(bytes, source);
    const std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)> context(spng_ctx_new(0),
                                                                      spng_ctx_free);
    if (!context) throw std::bad_alloc();
    check_spng(spng_set_chunk_limits(context.get(), kMaxChunkBytes, kMaxKeptBytes), source);
    check_spng(spng_set_png_buffer(context.get(), bytes.data(), bytes.size()), source);
    spng_ihdr header{};
    check_spng(spng_get_ihdr(context.get(), &header), source);
    constexpr std::uint64_t kMostPacked = 1032;  // deflate makes nothing smaller
    if (unpacked_bytes(header) / kMostPacked > bytes.size())
        throw Error(source, "is too short for its {} pixels; the file is incomplete or damaged",
                    shape_text(header.width, header.height));
    std::size_t size = 0;
    check_spng(spng_decoded_image_size(context.get(), SPNG_FMT_RGBA8, &size), source);
    Pixels picture{static_cast<int>(header.width), static_cast<int>(header.height), {}};
    picture.rgba.resize(size);
    check_spng(spng_decode_image(context.get(), picture.rgba.data(), size, SPNG_FMT_RGBA8,
                                 SPNG_DECODE_TRNS),
               source);
    return picture;
}

namespace {

using namespace std::string_view_literals;

std::size_t big_endian_16(std::string_view bytes) {
    return static_cast<std::size_t>(static_cast<std::uint8_t>(bytes[0])) << 8 |
           static_cast<std::uint8_t>(bytes[1]);
}

/// The TIFF structure of an EXIF segment: an order of bytes, then tables of entries.
class Tiff {
  public:
    explicit Tiff(std::string_view bytes) : bytes_(bytes), is_big_(bytes.starts_with("MM")) {}

    /// Returns 1 … 8, or 1 if there is no orientation.                      [EXIF 2.3, tag 0x0112]
    int orientation() const {
        constexpr std::size_t kEntryBytes = 12, kTag = 0x0112;
        const auto table = number(4, 4);
        const auto n_entries = table ? number(*table, 2) : std::nullopt;
        for (std::size_t k = 0; n_entries && k < *n_entries; ++k) {
            const std::size_t entry = *table + 2 + k * kEntryBytes;
            const auto tag = number(entry, 2), value = number(entry + 8, 2);
            if (!tag || !value) break;
            if (*tag == kTag && *value >= 1 && *value <= 8) return static_cast<int>(*value);
        }
        return 1;
    }

  private:
    std::optional<std::size_t> number(std::size_t at, std::size_t n_bytes) const {
        if (at > bytes_.size() || bytes_.size() - at < n_bytes) return std::nullopt;
        std::size_t value = 0;
        for (std::size_t k = 0; k < n_bytes; ++k) {
            const std::size_t from = is_big_ ? at + k : at + n_bytes - 1 - k;
            value = value << 8 | static_cast<std::uint8_t>(bytes_[from]);
        }
        return value;
    }

    std::string_view bytes_;
    bool is_big_;
};

struct Segments {
    int orientation = 1;
    int bits = 8;
};

/// Reads segments (marker, length, content) up to the first scan.
Segments read_segments(std::string_view bytes) {
    constexpr std::string_view kExif = "Exif\0\0"sv;
    Segments found;
    bytes.remove_prefix(std::min<std::size_t>(2, bytes.size()));
    while (bytes.size() >= 4 && bytes[0] == '\xFF') {
        const auto marker = static_cast<std::uint8_t>(bytes[1]);
        if (marker == 0xFF) {  // padding
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t length = big_endian_16(bytes.substr(2));
        if (marker == 0xDA || length < 2 || length + 2 > bytes.size()) break;
        const std::string_view content = bytes.substr(4, length - 2);
        const bool is_frame =
            marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (is_frame && !content.empty()) found.bits = static_cast<std::uint8_t>(content[0]);
        if (marker == 0xE1 && content.starts_with(kExif))
            found.orientation = Tiff(content.substr(kExif.size())).orientation();
        bytes.remove_prefix(length + 2);
    }
    return found;
}

/// Turns and mirrors a picture as its orientation says: 2 mirrored, 3 upside down, 6 turned right,
/// 8 left …
Pixels turned(const Pixels& from, int orientation) {
    const bool is_swapped = orientation >= 5;
    const bool flips_x =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool flips_y =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Pixels to{is_swapped ? from.height : from.width, is_swapped ? from.width : from.height, {}};
    to.rgba.reserve(from.rgba.size());
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x) {
            int column = is_swapped ? y : x, row = is_swapped ? x : y;
            if (flips_x) column = from.width - 1 - column;
            if (flips_y) row = from.height - 1 - row;
            const std::uint8_t* pixel = from.at(column, row);
            to.rgba.insert(to.rgba.end(), pixel, pixel + 4);
        }
    return to;
}

/// Returns an eighth, a quarter or a half, as long as enough pixels are left.
tjscalingfactor scale_for(int width, int height) {
    for (const int part : {8, 4, 2})
        if (std::max(width, height) / part >= 4 * kMaxImageSide) return {1, part};
    return {1, 1};
}

class JpegReader {
  public:
    JpegReader(std::string_view bytes, const std::string& source)
        : bytes_(bytes), source_(source), handle_(tjInitDecompress(), tjDestroy) {
        if (!handle_) throw std::bad_alloc();
    }

    Pixels read(const JpegOptions& options) {
        if (bytes_.empty()) throw Error(source_, "is empty");
        const Segments segments = read_segments(bytes_);
        if (segments.bits != 8)
            throw Error(source_, "has {} bits a colour; JPEG pictures of 8 are read",
                        segments.bits);
        int width = 0, height = 0, subsampling = 0, colours = 0;
        check(tjDecompressHeader3(handle_.get(), data(), bytes_.size(), &width, &height,
                                  &subsampling, &colours));
        if (width == 0 || height == 0)
            throw Error(source_, "ends before its pixels; the file is incomplete");
        if (colours == TJCS_CMYK || colours == TJCS_YCCK)
            throw Error(source_, "is in CMYK, the colours of print; save it as RGB");
        check_size(width, height);
        const tjscalingfactor scale =
            options.is_whole ? tjscalingfactor{1, 1} : scale_for(width, height);
        Pixels picture{TJSCALED(width, scale), TJSCALED(height, scale), {}};
        picture.rgba.resize(4 * static_cast<std::size_t>(picture.width) * picture.height);
        check(tjDecompress2(handle_.get(), data(), bytes_.size(), picture.rgba.data(),
                            picture.width, 0, picture.height, TJPF_RGBA,
                            TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING));
        return segments.orientation == 1 ? picture : turned(picture, segments.orientation);
    }

  private:
    const unsigned char* data() const {
        return reinterpret_cast<const unsigned char*>(bytes_.data());
    }

    void check(int status) const {
        if (status == 0) return;
        throw Error(source_, "is not a sound JPEG picture: {}; the file is incomplete or damaged",
                    tjGetErrorStr2(handle_.get()));
    }

    /// Throws Error if the bytes cannot fill the size: a block of 8 × 8 pixels takes some bits even
    /// where it is empty.
    void check_size(int width, int height) const {
        check_picture_size(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height),
                           source_);
        constexpr std::uint64_t kMostPacked = 2000;
        if (static_cast<std::uint64_t>(width) * height / kMostPacked > bytes_.size())
            throw Error(source_,
                        "is too short for its {} pixels; the file is incomplete or damaged",
                        shape_text(width, height));
    }

    std::string_view bytes_;
    const std::string& source_;
    std::unique_ptr<void, decltype(&tjDestroy)> handle_;
};

}  // namespace

Pixels read_jpeg(std::string_view bytes, const std::string& source, const JpegOptions& options) {
    return JpegReader(bytes, source).read(options);
}

}  // namespace headlight
