#include "io/recognise.h"

#include <array>

namespace headlight {
namespace {

struct Signature {
    std::string_view first_bytes;
    std::string_view what;
};

using namespace std::string_view_literals;

constexpr std::array<Signature, 14> kSignatures = {{
    {"version https://git-lfs"sv,
     "a Git LFS pointer: the file itself was not downloaded, run `git lfs pull`"sv},
    {"<!DOCTYPE html"sv, "a web page, perhaps an error page of the download"sv},
    {"<!doctype html"sv, "a web page, perhaps an error page of the download"sv},
    {"<html"sv, "a web page, perhaps an error page of the download"sv},
    {"PK\x03\x04"sv, "a zip archive"sv},
    {"\x1F\x8B"sv, "compressed with gzip"sv},
    {"\x80\x02"sv, "a Python pickle, which can run code; save safetensors or NPZ instead"sv},
    {"\x80\x03"sv, "a Python pickle, which can run code; save safetensors or NPZ instead"sv},
    {"\x80\x04"sv, "a Python pickle, which can run code; save safetensors or NPZ instead"sv},
    {"\x93NUMPY"sv, "an NPY file"sv},
    {"\x89PNG"sv, "a PNG picture"sv},
    {"\xFF\xD8\xFF"sv, "a JPEG picture"sv},
    {"\x89HDF"sv, "an HDF5 file"sv},
    {"%PDF"sv, "a PDF file"sv},
}};

}  // namespace

std::string recognised_as(std::string_view bytes) {
    for (const Signature& signature : kSignatures)
        if (bytes.starts_with(signature.first_bytes))
            return "; this is " + std::string(signature.what);
    return "";
}

}  // namespace headlight
