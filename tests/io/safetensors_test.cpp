#include "io/arrays/safetensors.h"

#include <cmath>
#include <doctest/doctest.h>

#include "broken_input.h"
#include "core/error.h"
#include "example_trace.h"
#include "io/arrays/array_file.h"
#include "io/open_document.h"
#include "temporary_folder.h"

namespace headlight::safetensors_test {
namespace {

NamedMatrices parse(const std::string& bytes) {
    return read_safetensors(bytes, "input.safetensors");
}

std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); });
}

std::string length_bytes(std::uint64_t length) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(length >> 8 * i & 0xFF);
    return bytes;
}

std::string file(const std::string& header, const std::string& data = "") {
    return length_bytes(header.size()) + header + data;
}

std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& offsets) {
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}";
}

const std::string kOne = tensor("a", "F32", "[1,1]", "[0,4]");
const std::string kFour(4, '\0');

}  // namespace

TEST_CASE("safetensors: a written file is read back by name, bit for bit") {
    const Trace trace = example_trace();
    const Matrix &scores = *trace.at("scores").value, &weights = *trace.at("W").value;
    const std::string bytes = write_safetensors({{"b \"é", scores}, {"a", weights}});
    CHECK((8 + static_cast<unsigned char>(bytes[0])) % 8 == 0);
    const NamedMatrices again = parse(bytes);
    REQUIRE(again.size() == 2);
    CHECK(again[0].first == "a");
    CHECK(same_values(again[0].second, weights));
    CHECK(again[1].first == "b \"é");
    CHECK(same_values(again[1].second, scores));
    CHECK(parse(write_safetensors({})).empty());
}

TEST_CASE("safetensors: a file that is cut off within its header, or whose length is damaged") {
    const std::string whole = write_safetensors({{"a", Matrix::Ones(2, 2)}});
    const TemporaryFolder folder;
    const auto message = [&](const std::string& bytes) -> std::string {
        try {
            open_document(folder.with("r.safetensors", bytes));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(message(whole.substr(0, 40)).find("the header of this safetensors file should have ") !=
          std::string::npos);
    CHECK(message(length_bytes(std::uint64_t{1} << 60) + whole.substr(8))
              .find("is a damaged safetensors file: a header of 1152921504606846976 bytes") !=
          std::string::npos);
    const std::string text = "digraph { a -> b; }";  // the ninth character is a brace
    CHECK_FALSE(array_format(text, text.size()));
}

TEST_CASE("safetensors: a header may be as long as the first bytes of a pickle or of gzip say") {
    for (const std::size_t length : {0x280u, 0x380u, 0x480u, 0x580u, 0x8B1Fu}) {
        CAPTURE(length);
        std::string header = "{" + kOne + "}";
        header.resize(length, ' ');
        CHECK(parse(file(header, kFour)).size() == 1);
    }
    CHECK(contains(refusal("\x80\x04\x95"), "this is a Python pickle"));
}

TEST_CASE("safetensors: the bytes are those of the reference library") {
    Matrix one(1, 1);
    one << 1;
    const std::string header = R"({"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}})";
    CHECK(write_safetensors({{"a", one}}) == file(header, std::string("\x00\x00\x80\x3F", 4)));
    CHECK(header.size() % 8 == 0);
}

TEST_CASE("safetensors: F64, F16 and BF16, scalars, vectors and empty tensors are read") {
    const std::string header =
        "{" + tensor("d", "F64", "[1]", "[0,8]") + "," + tensor("h", "F16", "[]", "[8,10]") + "," +
        tensor("b", "BF16", "[2]", "[10,14]") + "," + tensor("e", "F32", "[2,0]", "[14,14]") +
        R"(,"__metadata__":{"format":"pt"}})";
    const std::string data("\x00\x00\x00\x00\x00\x00\xF8\x3F\x00\x3C\xC0\x3F\x80\xFF", 14);
    const NamedMatrices matrices = parse(file(header, data));
    REQUIRE(matrices.size() == 4);
    CHECK(matrices[0].second(0, 0) == 1.5f);
    CHECK(matrices[1].second(0, 0) == 1);
    CHECK(matrices[2].second.rows() == 2);
    CHECK(matrices[2].second(0, 0) == 1.5f);
    CHECK(matrices[2].second(1, 0) == kMasked);
    CHECK(matrices[3].second.rows() == 2);
    CHECK(matrices[3].second.size() == 0);
}

TEST_CASE("safetensors: white space around the header is accepted") {
    CHECK(parse(file("  {" + kOne + "}   ", kFour)).size() == 1);
    CHECK(parse(file(R"({"__metadata__":{}})")).empty());
}

TEST_CASE("safetensors: impossible header lengths are refused") {
    CHECK(refusal("") == "[input.safetensors] is empty");
    CHECK(contains(refusal("1234567"), "has 7 bytes; a safetensors file has 8 and a header"));
    for (const std::uint64_t length :
         {std::uint64_t{1} << 63, ~std::uint64_t{0}, std::uint64_t{100'000'001}})
        CHECK(contains(refusal(length_bytes(length) + "{}"), "at most 100000000 are read"));
    CHECK(contains(refusal(length_bytes(10) + "{}"), "the file ends after 2"));
    CHECK(contains(refusal(length_bytes(0)), "is empty"));
    CHECK(contains(refusal(file("{")), "line 1: "));
    CHECK(contains(refusal("version https://git-lfs.github.com/spec/v1\n"), "a Git LFS pointer"));
    CHECK(contains(refusal("<!DOCTYPE html><html>"), "a web page"));
    CHECK(contains(refusal("PK\x03\x04 archive"), "a zip archive"));
}

TEST_CASE("safetensors: malformed headers are refused") {
    CHECK(contains(refusal(file("[1]")), "the header is an object"));
    CHECK(contains(refusal(file("{\"\xFF\":1}")), "not UTF-8"));
    CHECK(contains(refusal(file("{" + kOne + "," + kOne + "}", kFour)),
                   "the key 'a' is here for the second time"));
    CHECK(contains(refusal(file(R"({"a":{"shape":[],"shape":[]}})")), "the key 'shape' is here"));
    CHECK(contains(refusal(file(R"({"a":{"dtype":"F32"}})")), "a: the key 'shape' is missing"));
    CHECK(contains(refusal(file(R"({"__metadata__":{"x":1}})")), "__metadata__.x: must be a text"));
    CHECK(contains(refusal(file("{" + tensor("", "F32", "[]", "[0,4]") + "}", kFour)),
                   "a tensor's name has 1 to 1024 bytes"));
    CHECK(contains(refusal(file("{" + tensor("a", "F8_E4M3", "[4]", "[0,4]") + "}", kFour)),
                   "not the text 'F8_E4M3'"));
    CHECK(contains(refusal(file("{" + tensor("a", "F32", "[1,1,1]", "[0,4]") + "}", kFour)),
                   "safetensors: a] has 3 dimensions, (1, 1, 1); a matrix has two"));
    CHECK(contains(
        refusal(file("{" + tensor("a", "F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,4]") + "}",
                     kFour)),
        "a.shape: has 17 dimensions; at most 16 are read"));
}

TEST_CASE("safetensors: impossible shapes and offsets are refused") {
    const auto with = [](const std::string& shape, const std::string& offsets) {
        return refusal(file("{" + tensor("a", "F32", shape, offsets) + "}", kFour));
    };
    CHECK(contains(with("[1]", "[4,0]"), "a.data_offsets: ends before it begins"));
    CHECK(contains(with("[1]", "[-1,4]"), "a.data_offsets[0]: must be a whole number"));
    CHECK(contains(with("[1]", "[0,4.0]"), "a.data_offsets[1]: must be a whole number"));
    CHECK(contains(with("[1]", "[0,4,8]"), "must be [begin, end]"));
    CHECK(contains(with("[2]", "[0,4]"), "the shape (2,) of 4-byte numbers does not take 4 bytes"));
    CHECK(
        contains(with("[2,18446744073709551614]", "[0,4]"), "a.shape[1]: must be a whole number"));
    CHECK(contains(with("[2,9223372036854775807]", "[0,4]"), "a.shape[1]: must be a whole number"));
    CHECK(contains(with("[2147483648,2147483648]", "[0,4]"), "does not take 4 bytes"));
}

TEST_CASE("safetensors: tensors must cover the data once, without gaps or extra bytes") {
    const std::string eight(8, '\0');
    const auto two = [&](const std::string& first, const std::string& second) {
        return refusal(file(
            "{" + tensor("a", "F32", "[1]", first) + "," + tensor("b", "F32", "[1]", second) + "}",
            eight));
    };
    CHECK(
        contains(two("[0,4]", "[0,4]"), "tensor 'b' begins at byte 0 of the data, the one before"));
    CHECK(contains(two("[0,4]", "[2,6]"), "tensor 'b' begins at byte 2"));
    CHECK(contains(two("[0,4]", "[5,9]"), "tensor 'b' begins at byte 5"));
    CHECK(contains(refusal(file("{" + kOne + "}", eight)), "4 bytes after the last tensor"));
    CHECK(contains(refusal(file("{" + kOne + "}", "12")),
                   "tensor 'a' ends at byte 4 of the data, but the file holds only 2; the download "
                   "is probably incomplete"));
}

TEST_CASE("safetensors: many tensors on the same bytes are refused") {
    std::string header = "{";
    for (int i = 0; i < 100'000; ++i)
        header += (i ? "," : "") + tensor(std::to_string(i), "F32", "[1]", "[0,4]");
    CHECK(contains(refusal(file(header + "}", kFour)), "input.safetensors"));
}

TEST_CASE("safetensors: a truncated or corrupted file is read or refused") {
    const std::string good =
        write_safetensors({{"a", Matrix::Ones(2, 2)}, {"b", Matrix::Ones(1, 3)}});
    check_every_truncation(good, parse);
    check_every_bit_flip(good, good.size(), parse);
}

}  // namespace headlight::safetensors_test
