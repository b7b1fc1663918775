// PNG and JPEG.
#include <turbojpeg.h>

#include "bad/bad_inputs.h"
#include "bad/packing.h"

namespace headlight::bad {
namespace {

using namespace std::string_literals;

constexpr const char* kTooMuchText =
    "has texts or colour profiles of more than 16 MB beside its pixels; save it without them";

const std::string kSignature = "\x89PNG\r\n\x1A\n";

std::string big_endian(std::uint64_t number, std::size_t n_bytes) {
    std::string bytes = little_endian(number, n_bytes);
    return {bytes.rbegin(), bytes.rend()};
}

std::string chunk(const std::string& type, const std::string& data) {
    return big_endian(data.size(), 4) + type + data + big_endian(crc_32(type + data), 4);
}

struct Kind {
    int bits = 8,
        colours = 2;  // 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha
    int interlace = 0;
};

std::string header(std::uint64_t width, std::uint64_t height, Kind kind = {}) {
    return chunk("IHDR", big_endian(width, 4) + big_endian(height, 4) +
                             static_cast<char>(kind.bits) + static_cast<char>(kind.colours) +
                             "\0\0"s + static_cast<char>(kind.interlace));
}

/// Uncompressed data: one stored block.
std::string zlib_stored(const std::string& data) {
    const std::string length = little_endian(data.size(), 2);
    return "\x78\x01\x01" + length + little_endian(~data.size() & 0xFFFF, 2) + data +
           big_endian(adler_32(data), 4);
}

std::string png(const std::string& chunks) {
    return kSignature + chunks + chunk("IEND", "");
}

std::string pixels(std::size_t n_bytes) {
    return chunk("IDAT", zlib_stored(std::string(n_bytes, '\0')));
}

/// The control chunk of frame 0 or 1 of an animation of 2 × 2 pixels. [APNG 1.0]
std::string frame(std::uint64_t number) {
    return chunk("fcTL", big_endian(number, 4) + big_endian(2, 4) + big_endian(2, 4) +
                             std::string(8, '\0') + "\0\x01\0\x0A\0\0"s);
}

/// A picture of one colour.
std::string jpeg(int width, int height, int colours = TJPF_RGB, int flags = 0) {
    const std::vector<unsigned char> grey(static_cast<std::size_t>(width) * height * 4, 128);
    unsigned char* buffer = nullptr;
    unsigned long size = 0;
    const tjhandle handle = tjInitCompress();
    const int sampling = colours == TJPF_CMYK   ? TJSAMP_444
                         : colours == TJPF_GRAY ? TJSAMP_GRAY
                                                : TJSAMP_420;
    tjCompress2(handle, grey.data(), width, 0, height, colours, &buffer, &size, sampling, 75,
                flags);
    const std::string bytes(reinterpret_cast<const char*>(buffer), size);
    tjFree(buffer);
    tjDestroy(handle);
    return bytes;
}

/// A picture of three channels, with `count` scans of each.
std::string many_scans(std::size_t count) {
    const std::string grey = jpeg(8, 8, TJPF_GRAY), sound = jpeg(8, 8);
    const std::string data = grey.substr(grey.find("\xFF\xDA") + 10);
    std::string bytes = sound.substr(0, sound.find("\xFF\xDA"));
    for (char component = 1; component <= 3; ++component)
        bytes += repeated(
            "\xFF\xDA\0\x08\x01"s + component + "\0\0\x3F\0"s + data.substr(0, data.size() - 2),
            count);
    return bytes + "\xFF\xD9";
}

/// A progressive picture whose last scan is repeated.
std::string repeated_scan(std::size_t count) {
    const std::string once = jpeg(9, 5, TJPF_RGB, TJFLAG_PROGRESSIVE);
    const std::size_t last = once.rfind("\xFF\xDA"), end = once.size() - 2;
    return once.substr(0, last) + repeated(once.substr(last, end - last), count) + once.substr(end);
}

/// The picture with an EXIF segment after its start.
std::string with_exif(const std::string& bytes, const std::string& tiff) {
    const std::string content = "Exif\0\0"s + tiff;
    return bytes.substr(0, 2) + "\xFF\xE1" + big_endian(content.size() + 2, 2) + content +
           bytes.substr(2);
}

std::string orientation(int number) {
    return "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"s +
           little_endian(static_cast<std::uint64_t>(number), 4);
}

/// The picture with another size in its frame header.
std::string with_size(std::string bytes, std::uint64_t width, std::uint64_t height) {
    const std::size_t frame = bytes.find("\xFF\xC0");
    bytes.replace(frame + 5, 4, big_endian(height, 2) + big_endian(width, 2));
    return bytes;
}

}  // namespace

std::string good_png() {
    return png(header(2, 2) + pixels(14));
}

std::string good_jpeg() {
    return with_exif(jpeg(9, 5), orientation(6));
}

std::vector<BadInput> png_inputs() {
    std::string bad_sum = good_png();
    bad_sum[kSignature.size() + 8 + 14] ^= 1;
    std::string header_sum = good_png();
    header_sum[kSignature.size() + 8 + 2] ^= 1;
    const std::string zeros = zlib_deflated(std::string(100'000'000, '\0'));
    return {
        {"empty", "", "is empty"},
        {"signature only", kSignature,
         "is not a sound PNG picture: end of stream; the file is incomplete or damaged"},
        {"no end", kSignature + header(2, 2) + pixels(14), "read: 2 × 2"},
        {"a wrong sum of the header", header_sum,
         "is not a sound PNG picture: invalid chunk checksum; the file is incomplete or damaged"},
        {"a wrong sum of the pixels", bad_sum,
         "is not a sound PNG picture: invalid chunk checksum; the file is incomplete or damaged"},
        {"0 × 0", png(header(0, 0) + pixels(0)), "is empty: 0 × 0 pixels"},
        {"2^31 - 1 wide", png(header(0x7FFFFFFF, 1) + pixels(1)),
         "has 2147483647 × 1 pixels; at most 16,384 a side and 64 million are read. Shrink it, and "
         "open it again"},
        {"2^32 - 1 wide", png(header(0xFFFFFFFF, 1) + pixels(1)),
         "has 4294967295 × 1 pixels; at most 16,384 a side and 64 million are read. Shrink it, and "
         "open it again"},
        {"16,385 wide", png(header(16'385, 1) + pixels(1)),
         "has 16385 × 1 pixels; at most 16,384 a side and 64 million are read. Shrink it, and open "
         "it again"},
        {"16,384 × 16,384", png(header(16'384, 16'384) + pixels(1)),
         "has 16384 × 16384 pixels; at most 16,384 a side and 64 million are read. Shrink it, and "
         "open it again"},
        {"8000 × 8000 in 80 bytes", png(header(8'000, 8'000) + pixels(1)),
         "is too short for its 8000 × 8000 pixels; the file is incomplete or damaged"},
        {"a palette that is missing", png(header(2, 2, {.colours = 3}) + pixels(6)),
         "is not a sound PNG picture: missing PLTE for indexed image; the file is incomplete or "
         "damaged"},
        {"an index beyond the palette",
         png(header(1, 1, {.colours = 3}) + chunk("PLTE", "abc") +
             chunk("IDAT", zlib_stored("\0\x05"s))),
         "read: 1 × 1"},
        {"1 bit", png(header(2, 2, {.bits = 1, .colours = 0}) + pixels(4)), "read: 2 × 2"},
        {"16 bits with alpha", png(header(2, 2, {.bits = 16, .colours = 6}) + pixels(34)),
         "read: 2 × 2"},
        {"interlaced", png(header(1, 1, {.interlace = 1}) + pixels(4)), "read: 1 × 1"},
        {"3 bits", png(header(2, 2, {.bits = 3}) + pixels(14)),
         "is not a sound PNG picture: invalid bit depth; the file is incomplete or damaged"},
        {"colour type 5", png(header(2, 2, {.colours = 5}) + pixels(14)),
         "is not a sound PNG picture: invalid color type; the file is incomplete or damaged"},
        {"interlace 2", png(header(2, 2, {.interlace = 2}) + pixels(14)),
         "is not a sound PNG picture: invalid interlace method; the file is incomplete or damaged"},
        {"an unknown filter", png(header(1, 1) + chunk("IDAT", zlib_stored("\x09"s + "abc"))),
         "is not a sound PNG picture: invalid scanline filter; the file is incomplete or damaged"},
        {"too few pixels", png(header(2, 2) + pixels(10)),
         "is not a sound PNG picture: IDAT stream too short; the file is incomplete or damaged"},
        {"damaged deflate", png(header(2, 2) + chunk("IDAT", "\x78\x01\xFF\xFF\xFF")),
         "is not a sound PNG picture: IDAT stream error; the file is incomplete or damaged"},
        {"a chunk of 2^31 - 1 bytes",
         kSignature + header(2, 2) + big_endian(0x7FFFFFFF, 4) + "IDAT",
         "is not a sound PNG picture: end of stream; the file is incomplete or damaged"},
        {"a chunk of 17 MB of text",
         png(header(1, 1) + chunk("tEXt", "a" + std::string(17'000'000, '\0')) + pixels(4)),
         "read: 1 × 1"},
        {"two headers", png(header(2, 2) + header(2, 2) + pixels(14)),
         "is not a sound PNG picture: invalid chunk position; the file is incomplete or damaged"},
        {"the pixels first", png(pixels(14) + header(2, 2)),
         "is not a sound PNG picture: invalid IHDR chunk size; the file is incomplete or damaged"},
        {"an unknown chunk that must be known", png(header(2, 2) + chunk("ABCD", "") + pixels(14)),
         "is not a sound PNG picture: unknown critical chunk; the file is incomplete or damaged"},
        {"1 × 16,384", png(header(1, 16'384) + pixels(16'384 * 4 - 0x8000)),
         "is not a sound PNG picture: IDAT stream too short; the file is incomplete or damaged"},
        {"100 chunks of 1 MB of text",
         png(header(1, 1) + repeated(chunk("tEXt", "a" + std::string(1'000'000, '\0')), 100) +
             pixels(4)),
         kTooMuchText},
        {"a colour profile that inflates to 100 MB",
         png(header(1, 1) + chunk("iCCP", "a\0\0"s + zeros) + pixels(4)), kTooMuchText},
        {"a text that inflates to 100 MB",
         png(header(1, 1) + chunk("zTXt", "a\0\0"s + zeros) + pixels(4)), kTooMuchText},
        {"pixels that inflate to 100 MB", png(header(1, 1) + chunk("IDAT", zeros)), "read: 1 × 1"},
        {"an animation",
         png(header(2, 2) + chunk("acTL", big_endian(2, 4) + big_endian(0, 4)) + frame(0) +
             pixels(14) + frame(1) +
             chunk("fdAT", big_endian(2, 4) + zlib_stored(std::string(14, '\0')))),
         "read: 2 × 2"},
        {"1 × 16,384, all there",
         png(header(1, 16'384) + chunk("IDAT", zlib_deflated(std::string(16'384 * 4, '\0')))),
         "read: 1 × 16384"},
        {"bytes after the end", good_png() + "more", "read: 2 × 2"},
    };
}

std::vector<BadInput> jpeg_inputs() {
    const std::string good = jpeg(9, 5);
    std::string deep = good;
    deep[good.find("\xFF\xC0") + 4] = 12;
    return {
        {"empty", "", "is empty"},
        {"start only", "\xFF\xD8\xFF", "ends before its pixels; the file is incomplete"},
        {"no pixels", good.substr(0, good.find("\xFF\xDA")),
         "is not a sound JPEG picture: Invalid JPEG file structure: missing SOS marker; the file "
         "is incomplete or damaged"},
        {"half", good.substr(0, good.size() - 8),
         "is not a sound JPEG picture: Premature end of JPEG file; the file is incomplete or "
         "damaged"},
        {"12 bits", deep, "has 12 bits a colour; JPEG pictures of 8 are read"},
        {"CMYK", jpeg(8, 8, TJPF_CMYK), "is in CMYK, the colours of print; save it as RGB"},
        {"0 wide", with_size(good, 0, 5),
         "is not a sound JPEG picture: Empty JPEG image (DNL not supported); the file is "
         "incomplete or damaged"},
        {"65,535 × 65,535", with_size(good, 65'535, 65'535),
         "is not a sound JPEG picture: Maximum supported image dimension is 65500 pixels; the file "
         "is incomplete or damaged"},
        {"8000 × 8000 in some hundred bytes", with_size(good, 8'000, 8'000),
         "is too short for its 8000 × 8000 pixels; the file is incomplete or damaged"},
        {"progressive", jpeg(9, 5, TJPF_RGB, TJFLAG_PROGRESSIVE), "read: 9 × 5"},
        {"each colour a scan", many_scans(1), "read: 8 × 8"},
        {"3000 scans", many_scans(1000),
         "is not a sound JPEG picture: Progressive JPEG image has more than 500 scans; the file is "
         "incomplete or damaged"},
        {"progressive, the same scan 1000 times", repeated_scan(1000),
         "is not a sound JPEG picture: Inconsistent progression sequence for component 0 "
         "coefficient 1; the file is incomplete or damaged"},
        {"progressive, cut off", jpeg(64, 64, TJPF_RGB, TJFLAG_PROGRESSIVE).substr(0, 300),
         "is not a sound JPEG picture: Premature end of JPEG file; the file is incomplete or "
         "damaged"},
        {"held upright", with_exif(good, orientation(6)), "read: 5 × 9"},
        {"upside down", with_exif(good, orientation(3)), "read: 9 × 5"},
        {"orientation 9", with_exif(good, orientation(9)), "read: 9 × 5"},
        {"EXIF beyond the end", with_exif(good, "II*\0\xF0\xFF\xFF\xFF"s), "read: 9 × 5"},
        {"EXIF of 65,535 entries", with_exif(good, "MM\0*\0\0\0\x08\xFF\xFF"s), "read: 9 × 5"},
        {"a segment of length 0", good.substr(0, 2) + "\xFF\xE1\0\0"s + good.substr(2),
         "read: 9 × 5"},
        {"bytes after the end", good + "more", "read: 9 × 5"},
    };
}

std::vector<BadInput> script_inputs() {
    return {
        {"empty", "", "read: 0 steps"},
        {"comments only", "# a\n\n  # b", "read: 0 steps"},
        {"an unknown line", "undo\nclik here\n", "[input:2] no line begins with 'clik'"},
        {"a line without its text", "expect text\n",
         "[input:1] 'expect text' is not understood; write expect text TEXT"},
        {"NUL byte", "undo\0\n"s,
         "[input:1] no line begins with 'undo\\x00'; did you mean 'undo'?"},
        {"not UTF-8", "\xFF\n", "[input:1] no line begins with '�'"},
        {"UTF-16", "\xFF\xFEu\0"s, "[input:1] no line begins with '��u\\x00'"},
        {"a line of 10 million characters", repeated("a", 10'000'000),
         "[input:1] no line begins with "
         "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "aaaaaaaaaaaaaaaaaaaaaa…'"},
        {"10 million blanks", repeated(" ", 10'000'000) + "x", "[input:1] no line begins with 'x'"},
        {"an escape sequence", "\x1b[2J\n", "[input:1] no line begins with '\\x1b[2J'"},
        {"an arrow that turns", "expect \u202Etext\n",
         "[input:1] 'expect \\u202etext' is not understood; write expect text TEXT"},
        {"CR LF", "undo\r\nredo\r\n", "[input:2] no line begins with 'redo'; did you mean 'undo'?"},
    };
}

}  // namespace headlight::bad
