#include "io/text/numbers_text.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

#include "core/error.h"

namespace headlight::numbers_text_test {
namespace {

std::string error_of(const std::string& text) {
    try {
        static_cast<void>(read_numbers(text));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool same_bits(const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           std::memcmp(a.data(), b.data(), sizeof(Scalar) * static_cast<std::size_t>(a.size())) ==
               0;
}

/// A finite float or ±∞ with random bits.
Scalar any_number(std::mt19937& bits) {
    while (true) {
        const auto word = static_cast<std::uint32_t>(bits());
        float value;
        std::memcpy(&value, &word, sizeof value);
        if (!std::isnan(value)) return word % 11 == 0 ? kMasked : value;
    }
}

const Matrix kExample = Matrix{{0.5f, -1.25f}, {kMasked, 100}};

}  // namespace

TEST_CASE("numbers: numbers copied as TSV or NumPy are pasted bit for bit") {
    std::mt19937 bits(1);
    for (int round = 0; round < 200; ++round) {
        Matrix values(1 + round % 5, 1 + round % 7);
        for (Index k = 0; k < values.size(); ++k) values.data()[k] = any_number(bits);
        for (const NumbersFormat format : {NumbersFormat::Tsv, NumbersFormat::NumPy}) {
            const std::string text = write_numbers(values, format);
            INFO(text);
            CHECK(same_bits(read_numbers(text), values));
        }
    }
}

TEST_CASE("numbers: each format follows its usual style") {
    CHECK(write_numbers(kExample, NumbersFormat::Tsv) == "0.5\t-1.25\n-inf\t100\n");
    CHECK(write_numbers(kExample, NumbersFormat::NumPy) ==
          "np.array([[0.5, -1.25],\n          [-np.inf, 100]], dtype=np.float32)");
    CHECK(write_numbers(kExample, NumbersFormat::Latex) ==
          "\\begin{bmatrix}\n  0.500 & -1.25 \\\\\n  -\\infty & 100\n\\end{bmatrix}\n");
    CHECK(write_numbers(kExample, NumbersFormat::Markdown) ==
          "| 0 | 1 |\n|---:|---:|\n| 0.500 | −1.25 |\n| −∞ | 100 |\n");
}

TEST_CASE("numbers: a block is read with any separators") {
    const Matrix expected{{1.5f, -2}, {0.25f, 3}};
    for (const char* text :
         {"1.5\t-2\n0.25\t3\n", "1,5\t-2\r\n0,25\t3", "1.5;-2\n0.25;3", "1,5; −2\n0,25; 3",
          "1.5,-2\n.25,3\n\n", "1.5, -2\n0.25, 3", "1.5 -2\n0.25 3", "  1,5   -2\r 0,25  +3 ",
          "[[1.5, -2], [0.25, 3]]", "np.array([[1.5, -2.],\n [0.25, 3.]])",
          "array([[1.5 , -2.  ],\n       [0.25,  3.  ]], dtype=float32)",
          "[[ 1.5  -2.  ]\n [ 0.25  3.  ]]", "\"1.5\",\"-2\"\n\"0.25\",\"3\""}) {
        INFO(text);
        REQUIRE(error_of(text) == "");
        CHECK(read_numbers(text) == expected);
    }
    CHECK(read_numbers("0,5") == Matrix{{0, 5}});  // separated, as in a CSV file
    CHECK(read_numbers("7") == Matrix::Constant(1, 1, 7));
    CHECK(read_numbers("[1, 2, 3]") == Matrix{{1, 2, 3}});
    CHECK(read_numbers("−∞ inf -np.inf") == Matrix{{kMasked, -kMasked, kMasked}});
    CHECK(read_numbers("1e-60 0.0000000000000000000000000000000000000000000000000001") ==
          Matrix::Zero(1, 2));
}

TEST_CASE("numbers: an error states its place") {
    CHECK(error_of("1\t2\t3\t4\n1\t2\t3") == "[paste] row 2 has 3 numbers, the first row has 4");
    CHECK(error_of("1\tabc") ==
          "[paste] 'abc' in row 1, column 2 is not a number that a cell can have");
    CHECK(error_of("1;nan") ==
          "[paste] 'nan' in row 1, column 2 is not a number that a cell can have");
    CHECK(error_of("1 2\n1e99 3") ==
          "[paste] '1e99' in row 2, column 1 is not a number that a cell can have");
    CHECK(error_of("1.234,5\t2") ==
          "[paste] '1.234,5' in row 1, column 1 is not a number that a cell can have");
    CHECK(error_of("1\t\t3") == "[paste] row 1, column 2 is empty");
    CHECK(error_of(" \n\t\n") == "[paste] there is no number in the clipboard");
    CHECK(error_of("[]") == "[paste] there is no number in the clipboard");
    CHECK(error_of("[[1, 2], [3, 4]") == "[paste] a bracket [ is opened and not closed");
    CHECK(error_of("[[1, 2], 5, [3, 4]]") == "[paste] ', 5,' stands between the rows of the list");
}

TEST_CASE("numbers: any text is read or refused, never a crash") {
    std::mt19937 bits(2);
    const std::string letters = "0123456789.,;-+einfa[]() \t\n\r\"∞−np";
    for (int round = 0; round < 5000; ++round) {
        std::string text;
        for (unsigned n = bits() % 30; n > 0; --n) text += letters[bits() % letters.size()];
        try {
            const Matrix values = read_numbers(text);
            CHECK(!values.array().isNaN().any());
            CHECK(values.size() > 0);
        } catch (const Error& error) {
            CHECK(std::string(error.what()).starts_with("[paste] "));
        }
    }
}

TEST_CASE("numbers: a typed number may have a decimal comma; other text is refused") {
    CHECK(parse_typed_number("0,5") == Scalar(0.5));
    CHECK(parse_typed_number(" -1e-3 ") == Scalar(-1e-3f));
    CHECK(parse_typed_number("−inf") == kMasked);
    for (const char* text : {"", "-", "nan", "1,2,3", "1e999", "--1", "1x", "0x10", "1e", "e5"}) {
        INFO(text);
        CHECK(!parse_typed_number(text));
    }
}

}  // namespace headlight::numbers_text_test
