#include "io/recognise.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/error.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

struct Signature {
    std::string_view first_bytes;
    std::string_view what;
    std::string_view later = {};  // bytes that must also stand …
    std::size_t later_at = 0;     // … here
};

using namespace std::string_view_literals;

constexpr std::string_view kHeic =
    "a HEIC picture, as telephones save them; PNG and JPEG pictures are read"sv;

constexpr auto kSignatures = std::to_array<Signature>({
    {"version https://git-lfs"sv,
     "a Git LFS pointer: the file itself was not downloaded, run `git lfs pull`"sv},
    {"<!DOCTYPE html"sv, "a web page, perhaps an error page of the download"sv},
    {"<!doctype html"sv, "a web page, perhaps an error page of the download"sv},
    {"<HTML"sv, "a web page, perhaps an error page of the download"sv},
    {"<html"sv, "a web page, perhaps an error page of the download"sv},
    {"PK\x03\x04"sv, "a zip archive"sv},
    {"\x1F\x8B"sv, "compressed with gzip"sv},
    {"\x80\x02\x8A\x0Al\xFC\x9C"sv, kTorchPickle},
    {"\x80\x02"sv, kPickle},
    {"\x80\x03"sv, kPickle},
    {"\x80\x04"sv, kPickle},
    {"\x80\x05"sv, kPickle},
    {"GGUF"sv,
     "a GGUF file of llama.cpp, whose weights are quantized as a rule; take the folder of "
     "the model that it was made from, with config.json and safetensors"sv},
    {"\x93NUMPY"sv, "an NPY file"sv},
    {"\x89PNG"sv, "a PNG picture"sv},
    {"\xFF\xD8\xFF"sv, "a JPEG picture"sv},
    {"\x89HDF"sv, "an HDF5 file"sv},
    {"%PDF"sv, "a PDF file"sv},
    {"GIF8"sv, "a GIF picture; PNG and JPEG pictures are read"sv},
    {"RIFF"sv, "a WebP picture; PNG and JPEG pictures are read"sv, "WEBP"sv, 8},
    {"BM"sv, "a BMP picture; PNG and JPEG pictures are read"sv, "\0\0\0\0"sv, 6},
    {"II*\0"sv, "a TIFF picture; PNG and JPEG pictures are read"sv},
    {"MM\0*"sv, "a TIFF picture; PNG and JPEG pictures are read"sv},
    {"<svg"sv, "an SVG drawing; PNG and JPEG pictures are read"sv},
    {""sv, kHeic, "ftypheic"sv, 4},
    {""sv, kHeic, "ftypheix"sv, 4},
    {""sv, kHeic, "ftypheim"sv, 4},
    {""sv, kHeic, "ftyphevc"sv, 4},
    {""sv, kHeic, "ftypmif1"sv, 4},
    {""sv, kHeic, "ftypmsf1"sv, 4},
    {""sv, "an AVIF picture; PNG and JPEG pictures are read"sv, "ftypavif"sv, 4},
    {"\0\0\0\x0CJXL "sv, "a JPEG XL picture; PNG and JPEG pictures are read"sv},
    {"\0\0\0\x0CjP  "sv, "a JPEG 2000 picture; PNG and JPEG pictures are read"sv},
    {"8BPS"sv, "a Photoshop file; PNG and JPEG pictures are read"sv},
    {"BZh"sv, "compressed with bzip2"sv, "1AY&SY"sv, 4},
    {"\xFD"
     "7zXZ"sv,
     "compressed with xz"sv},
    {"\x28\xB5\x2F\xFD"sv, "compressed with zstd"sv},
    {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive"sv},
    {"MATLAB 5.0"sv,
     "a MAT file of MATLAB; in Python this saves its arrays: numpy.savez('arrays.npz', **{k: v for "
     "k, v in scipy.io.loadmat('FILE').items() if k[0] != '_'})"sv},
});

}  // namespace

std::string torch_pickle_text(std::string_view file, std::string_view output) {
    const std::string text = replaced_all(kTorchPickle, "FILE", file);
    return replaced_all(text, "OUTPUT.safetensors", output);
}

std::string recognised_as(std::string_view bytes) {
    for (const Signature& signature : kSignatures)
        if (bytes.starts_with(signature.first_bytes) &&
            bytes.substr(std::min(signature.later_at, bytes.size())).starts_with(signature.later))
            return "; this is " + std::string(signature.what);
    return "";
}

void check_text(std::string_view bytes, const std::string& source) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        throw Error(source, "is in UTF-16; save it as UTF-8");
    if (const std::size_t zero = bytes.find('\0'); zero != std::string_view::npos)
        fail_at_byte(bytes, zero, source, "a zero byte; this is not a text file");
    if (const auto invalid = find_invalid_utf8(bytes))
        fail_at_byte(bytes, *invalid, source,
                     fmt::format("not UTF-8 at byte {}; save it as UTF-8", *invalid));
}

void fail_at_byte(std::string_view bytes, std::size_t offset, const std::string& source,
                  const std::string& what) {
    const std::string_view before = bytes.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw Error({source, line}, what);
}

}  // namespace headlight
