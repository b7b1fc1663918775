#include "figure/number_format.h"

#include <algorithm>
#include <clocale>
#include <cmath>
#include <doctest/doctest.h>
#include <optional>
#include <random>
#include <utility>

namespace headlight::number_format_test {

TEST_CASE("format_value: a table of cases") {
    const std::pair<double, const char*> cases[] = {
        {0.781, "0.781"},   {-1.25, "−1.25"},  {27.94, "27.9"},  {1203, "1203"},
        {1.2e-5, "1.2e−5"}, {-1e-9, "−1e−9"},  {0, "0"},         {-0.0, "0"},
        {0.0004, "4e−4"},   {0.0006, "0.001"}, {9.999, "10.0"},  {1, "1.00"},
        {123456, "1.2e5"},  {0.9996, "1.00"},  {99999, "99999"}, {0.5, "0.500"},
        {-0.015, "−0.015"}};
    for (const auto& [value, text] : cases) CHECK(format_value(static_cast<Scalar>(value)) == text);
    CHECK(format_value(kMasked) == "−∞");
    CHECK(format_value(-kMasked) == "∞");
    CHECK(format_value(std::nanf("")) == "NaN");
    CHECK(format_value(Scalar(0.781), 2) == "0.78");
    CHECK(format_value(Scalar(-12.6), 1) == "−13");
}

TEST_CASE("format_listed: numbers of a list have two significant digits at least") {
    const std::pair<double, const char*> cases[] = {
        {0.00071, "0.00071"}, {0.00098, "0.00098"}, {0.0006, "0.00060"},
        {0.0042, "0.0042"},   {-0.0042, "−0.0042"}, {0.00042, "4.2e−4"},
        {0.0123, "0.012"},    {0.781, "0.781"},     {0, "0"},
        {1, "1.00"},          {0.00949, "0.0095"},  {0.0099, "0.010"}};
    for (const auto& [value, text] : cases)
        CHECK(format_listed(static_cast<Scalar>(value), 5) == text);
    CHECK(format_listed(std::nanf(""), 5) == "NaN");
}

TEST_CASE("format_listed: one rule of figures in a list, whatever is rounded to 1") {
    for (const double one : {1.0, 0.99996}) {
        CHECK(format_listed(static_cast<Scalar>(one), 1) == "1.000");
        CHECK(format_listed(static_cast<Scalar>(one), 5) == "1.00");
        CHECK(format_value(static_cast<Scalar>(one)) == "1.00");
    }
    CHECK(format_listed(Scalar(0.9994), 1) == "0.999");
}

TEST_CASE("digits_for: as many digits as a reader needs, and no more than two more") {
    const auto divided = [](Scalar above) {
        return digits_for("19.2", 3, 3,
                          [=](int digits) { return as_read(above, digits) / std::sqrt(32.0); });
    };
    CHECK(divided(Scalar(108.4)) == 4);
    CHECK(divided(Scalar(108.6)) == 4);
    CHECK(divided(Scalar(300)) == std::nullopt);
    CHECK(as_read(Scalar(-0.12345), 3) == doctest::Approx(-0.123));
    CHECK(as_read(kMasked, 3) == static_cast<double>(kMasked));
}

TEST_CASE("format_value: there is never a negative zero, an ASCII minus or a long text") {
    std::mt19937 random(3);
    std::normal_distribution<double> exponent(0, 6);
    for (int k = 0; k < 5000; ++k) {
        const double magnitude = std::pow(10, exponent(random));
        const std::string text =
            format_value(static_cast<Scalar>(random() % 2 ? magnitude : -magnitude), 1 + k % 4);
        CAPTURE(text);
        CHECK(text.find('-') == std::string::npos);
        CHECK(text.find_first_of("123456789") != std::string::npos);
        CHECK(text.size() <= 14);
    }
}

TEST_CASE("format_value: it is the same in every locale") {
    const char* set = std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
    CHECK(format_value(Scalar(0.5)) == "0.500");
    if (set) std::setlocale(LC_NUMERIC, "C");
}

TEST_CASE("format_cell: decimals are fixed, and a rounded zero has no sign") {
    CHECK(format_cell(Scalar(0.0449), 2) == "0.04");
    CHECK(format_cell(Scalar(-0.001), 2) == "0.00");
    CHECK(format_cell(Scalar(-1.5), 2) == "−1.50");
    CHECK(format_cell(0, 2) == "0");
    CHECK(format_cell(Scalar(-12.34), 2) == "−12.3");
    CHECK(format_cell(kMasked, 2) == "−∞");
}

TEST_CASE("format_fixed: long numbers have all decimals, and a rounded zero has no sign") {
    CHECK(format_fixed(Scalar(0.75), 4) == "0.7500");
    CHECK(format_fixed(Scalar(-12.34), 1) == "−12.3");
    CHECK(format_fixed(Scalar(1234567), 2) == "1234567.00");
    CHECK(format_fixed(Scalar(-1.6), 0) == "−2");
    CHECK(format_fixed(Scalar(-0.5), 0) == "0");
    CHECK(format_fixed(Scalar(-0.0004), 3) == "0.000");
    CHECK(format_fixed(0, 3) == "0");
    CHECK(format_fixed(kMasked, 3) == "−∞");
}

TEST_CASE("format_short_cell: three signs and a minus, rounded as the long form is") {
    CHECK(format_short_cell(Scalar(0.0449)) == ".04");
    CHECK(format_short_cell(Scalar(-0.718)) == "−.72");
    CHECK(format_short_cell(Scalar(-0.001)) == ".00");
    CHECK(format_short_cell(Scalar(0.994)) == ".99");
    CHECK(format_short_cell(Scalar(0.996)) == "1.0");
    CHECK(format_short_cell(Scalar(-1.53)) == "−1.5");
    CHECK(format_short_cell(Scalar(12.3)) == "12");
    CHECK(format_short_cell(0) == "0");
    CHECK(format_short_cell(kMasked) == "−∞");
}

TEST_CASE("format_count: digits are in groups of three") {
    CHECK(format_count(7) == "7");
    CHECK(format_count(1988) == "1,988");
    CHECK(format_count(1234567) == "1,234,567");
}

TEST_CASE(
    "ticks: they are inside the range, ascending, evenly spaced, and about as many as requested") {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> any(-50, 50), size(-4, 4);
    for (int k = 0; k < 500; ++k) {
        const Scalar low = any(random), high = low + std::pow(10.0f, size(random));
        const auto values = ticks(low, high, 5);
        CHECK(values.size() <= 7);
        for (std::size_t t = 0; t < values.size(); ++t) {
            CHECK(values[t] >= low);
            CHECK(values[t] <= high);
            if (t > 0) CHECK(values[t] > values[t - 1]);
        }
    }
    CHECK(ticks(0, 1, 5) == std::vector<Scalar>{0, 0.25, 0.5, 0.75, 1});
    CHECK(ticks(-2, 2, 5) == std::vector<Scalar>{-2, -1, 0, 1, 2});
    CHECK(ticks(3, 3, 5) == std::vector<Scalar>{3});
    CHECK(ticks(kMasked, 3, 5).size() == 1);
}

TEST_CASE("format_tick: there are as many decimals as the spacing needs") {
    const auto quarters = ticks(0, 1, 5);
    CHECK(format_tick(quarters[1], quarters) == "0.25");
    CHECK(format_tick(0, quarters) == "0");
    const auto whole = ticks(-2, 2, 5);
    CHECK(format_tick(-2, whole) == "−2");
    const auto tiny = ticks(0, Scalar(2e-6), 3);
    CHECK(format_tick(tiny.back(), tiny) == "2e−6");
}

}  // namespace headlight::number_format_test
