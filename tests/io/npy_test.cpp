#include "io/arrays/npy.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "broken_input.h"
#include "example_trace.h"
#include "io/arrays/array_file.h"

namespace headlight::npy_test {
namespace {

Matrix parse(const std::string& bytes) {
    return read_npy(bytes, "input.npy");
}

std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); });
}

/// An NPY file of version 1.0 with this header and these data.
std::string npy(std::string header, const std::string& data) {
    header += '\n';
    std::string bytes = "\x93NUMPY\x01";
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header + data;
}

std::string header(const std::string& type, const std::string& shape,
                   const std::string& fortran_order = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape +
           "}";
}

std::string bytes_of(std::initializer_list<int> values) {
    std::string bytes;
    for (const int value : values) bytes += static_cast<char>(value);
    return bytes;
}

Matrix matrix(Index rows, Index columns, std::initializer_list<Scalar> values) {
    Matrix result(rows, columns);
    std::copy(values.begin(), values.end(), result.data());
    return result;
}

}  // namespace

TEST_CASE("npy: written values are read back, including NaN, −∞ and −0") {
    const Trace trace = example_trace();
    for (const char* path : {"scores", "W"}) {
        const Matrix& values = *trace.at(path).value;
        CHECK(same_values(parse(write_npy(values)), values));
    }
    CHECK(same_values(parse(write_npy(Matrix(0, 5))), Matrix(0, 5)));
}

TEST_CASE("npy: the written bytes are version 1.0, aligned to 64, little-endian") {
    const std::string bytes = write_npy(matrix(1, 2, {1, -2}));
    CHECK(bytes.size() == 128 + 8);
    CHECK(bytes.starts_with(std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }"));
    CHECK(bytes.substr(128) == bytes_of({0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}));
}

TEST_CASE("npy: floats of 2, 4 and 8 bytes in both byte orders") {
    CHECK(parse(npy(header("<f2", "(1, 2)"), bytes_of({0, 0x3C, 1, 0}))) ==
          matrix(1, 2, {1, std::ldexp(1.0f, -24)}));
    CHECK(parse(npy(header(">f4", "(1, 1)"), bytes_of({0x3F, 0xC0, 0, 0}))) ==
          matrix(1, 1, {1.5f}));
    CHECK(parse(npy(header("<f8", "(1, 1)"), bytes_of({0, 0, 0, 0, 0, 0, 0xF8, 0x3F}))) ==
          matrix(1, 1, {1.5f}));
}

TEST_CASE("npy: two bytes without a type are bfloat16, as ml_dtypes has them saved") {
    // numpy.save of numpy.array([1.5, -2], ml_dtypes.bfloat16)
    for (const char* type : {"<V2", "|V2"})
        CHECK(parse(npy(header(type, "(1, 2)"), bytes_of({0xC0, 0x3F, 0, 0xC0}))) ==
              matrix(1, 2, {1.5f, -2}));
    CHECK(parse(npy(header(">V2", "(1, 2)"), bytes_of({0x3F, 0xC0, 0xC0, 0}))) ==
          matrix(1, 2, {1.5f, -2}));
    const std::string bytes = npy(header("<V2", "(1, 1)"), bytes_of({0xC0, 0x3F}));
    const auto file = find_arrays(bytes_in_memory(bytes, "a.npy"), "a");
    REQUIRE(file->notes.size() == 1);
    CHECK(file->notes[0] ==
          "two-byte values without a type are taken for bfloat16, which ml_dtypes saves so: a");
}

TEST_CASE("npy: integers of every width and bool are read") {
    CHECK(parse(npy(header("|i1", "(1, 2)"), bytes_of({0xFF, 7}))) == matrix(1, 2, {-1, 7}));
    CHECK(parse(npy(header("|u1", "(1, 1)"), bytes_of({0xFF}))) == matrix(1, 1, {255}));
    CHECK(parse(npy(header(">i2", "(1, 1)"), bytes_of({0xFF, 0xFE}))) == matrix(1, 1, {-2}));
    CHECK(parse(npy(header("<u4", "(1, 1)"), bytes_of({0, 0, 0, 0x80}))) ==
          matrix(1, 1, {2147483648.0f}));
    CHECK(parse(npy(header("<i8", "(1, 1)"), std::string(8, '\xFF'))) == matrix(1, 1, {-1}));
    CHECK(parse(npy(header("|b1", "(1, 3)"), bytes_of({0, 1, 2}))) == matrix(1, 3, {0, 1, 1}));
}

TEST_CASE("npy: a scalar is 1 × 1, a vector one column, column order is transposed") {
    const std::string data = bytes_of({1, 2, 3, 4, 5, 6});
    CHECK(parse(npy(header("|u1", "()"), bytes_of({9}))) == matrix(1, 1, {9}));
    CHECK(parse(npy(header("|u1", "(6,)"), data)) == matrix(6, 1, {1, 2, 3, 4, 5, 6}));
    CHECK(parse(npy(header("|u1", "(2, 3)", "True"), data)) == matrix(2, 3, {1, 3, 5, 2, 4, 6}));
    CHECK(parse(npy(header("|u1", "(0, 4)"), "")).cols() == 4);
    CHECK(parse(npy("  {\"shape\" : ( 1 ,1, ) ,'fortran_order':False, 'descr':\"|u1\" , }   ",
                    bytes_of({5}))) == matrix(1, 1, {5}));
}

TEST_CASE("npy: versions 2 and 3 with their longer length field are read") {
    const std::string text = header("|u1", "(1, 1)") + "\n";
    for (const char version : {'\x02', '\x03'}) {
        std::string bytes = std::string("\x93NUMPY") + version + '\0';
        bytes += bytes_of({static_cast<int>(text.size()), 0, 0, 0}) + text + "\x05";
        CHECK(parse(bytes) == matrix(1, 1, {5}));
    }
}

TEST_CASE("npy: anything but a matrix of numbers is refused by name") {
    CHECK(contains(refusal(npy(header("|O", "(1,)"), "")), "holds Python objects"));
    for (const char* type :
         {"<U0", "|S0", "<c16", "|V8", "<M8[s]", "<f1", "<f3", "<i3", "f4", ""}) {
        INFO(type);
        CHECK(contains(refusal(npy(header(type, "(1,)"), "")), "only real numbers are read"));
    }
    CHECK(contains(refusal(npy(header("<U1", "(1,)"), bytes_of({'a', 0, 0, 0}))), "holds texts"));
    CHECK(contains(refusal(npy(header("|S2", "(1,)"), "ab")), "holds texts; only real numbers"));
    CHECK(
        contains(refusal(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "")),
                 "describes records with several fields"));
    CHECK(contains(refusal(npy(header("<f4", "(1, 1, 1)"), "1234")),
                   "has 3 dimensions, (1, 1, 1); a matrix has two"));
    const std::string many = "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)";
    CHECK(contains(refusal(npy(header("<f4", many), "1234")), "has 17 dimensions; at most 16"));
}

TEST_CASE("npy: a header without exactly the three keys is refused") {
    CHECK(contains(refusal(npy("{}", "")), "needs 'descr', 'fortran_order' and 'shape'"));
    CHECK(contains(refusal(npy(header("<f4", "(-1,)"), "")), "needs whole numbers in 'shape'"));
    CHECK(contains(refusal(npy(header("<f4", "(1.0,)"), "")), "needs ,"));
    CHECK(contains(refusal(npy(header("<f4", "(1,", "False"), "")), "needs whole numbers"));
    CHECK(contains(refusal(npy(header("<f4", "()", "0"), "")), "needs True or False"));
    CHECK(contains(refusal(npy("__import__('os')", "")), "needs {"));
    CHECK(contains(refusal(npy("{'descr': '<f4', 'descr': '<f4'}", "")), "'descr' twice"));
    CHECK(contains(refusal(npy("{'extra': 1}", "")), "unknown key 'extra'"));
    CHECK(contains(refusal(npy(header("<f4", "()") + " x", "1234")), "more after its closing }"));
    CHECK(contains(refusal(npy(std::string(10'000, ' '), "")), "at most 10000 are read"));
}

TEST_CASE("npy: sizes that contradict the data are refused before allocation") {
    for (const char* shape :
         {"(3,)", "(1,)", "(4611686018427387904, 4)", "(2, 9223372036854775808)",
          "(0, 18446744073709551615)", "(18446744073709551616,)"}) {
        INFO(shape);
        const std::string error = refusal(npy(header("<f4", shape), std::string(8, '\0')));
        CHECK((contains(error, "does not fit the 8 bytes") || contains(error, "whole numbers")));
    }
}

TEST_CASE("npy: files of other types are called by their names") {
    CHECK(refusal("") == "[input.npy] is empty");
    CHECK(contains(refusal("\x89PNG\r\n"), "is not an NPY file; this is a PNG picture"));
    CHECK(contains(refusal(std::string("\x93NUMPY\x04\x00\x01\x00\x00\x00", 12)), "NPY version 4"));
}

TEST_CASE("npy: a truncated or corrupted file is read or refused, never a crash") {
    const std::string good = write_npy(matrix(2, 3, {1, 2, 3, 4, 5, 6}));
    check_every_truncation(good, parse);
    check_every_bit_flip(good, good.size(), parse);
}

}  // namespace headlight::npy_test
