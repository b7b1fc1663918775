#include "io/text/values_json.h"

#include <cmath>
#include <doctest/doctest.h>

#include "broken_input.h"
#include "example_trace.h"

namespace headlight::values_json_test {
namespace {

NamedMatrices parse(const std::string& bytes) {
    return read_values_json(bytes, "input.json");
}

std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); });
}

}  // namespace

TEST_CASE("values JSON: shape, equation and values, one row per line, exact digits") {
    const Trace trace = example_trace();
    CHECK(write_values_json({&trace.at("scores"), &trace.at("W")}) == R"({
  "scores": {
    "rows": 3,
    "columns": 3,
    "equation": "S = Q Kᵀ / √d_k",
    "values": [
      [0.1, -1.25, 3e+20],
      ["-inf", 0, -0.0],
      ["nan", 0.33333334, "inf"]
    ]
  },
  "W": {
    "rows": 3,
    "columns": 2,
    "equation": "W",
    "values": [
      [1, 2],
      [3, 4],
      [5, 6]
    ]
  }
}
)");
}

TEST_CASE("values JSON: written values are read back, bit for bit") {
    const Trace trace = example_trace();
    const Tensor &scores = trace.at("scores"), &weights = trace.at("W");
    const NamedMatrices again = parse(write_values_json({&scores, &weights}));
    REQUIRE(again.size() == 2);
    CHECK(again[0].first == "W");
    CHECK(same_values(again[0].second, *weights.value));
    CHECK(same_values(again[1].second, *scores.value));
    CHECK(parse(write_values_json({})).empty());
}

TEST_CASE("values JSON: inconsistent values are refused with line and path") {
    CHECK(contains(refusal("{\"a\":\n{\"rows\": 2, \"values\": [[1]]}}"),
                   "line 2, a.rows: does not agree with 'values', where it is 1"));
    CHECK(contains(refusal(R"({"a": {"values": [[1], [1, 2]]}})"),
                   "a.values[1]: this row has 2 values, the first has 1"));
    CHECK(contains(refusal(R"({"a": {"values": [["x"]]}})"), "must be a number, \"-inf\""));
    CHECK(contains(refusal(R"({"a": {"rows": 4294967296, "values": []}})"), "does not agree"));
    CHECK(contains(refusal(R"({"a": {}})"), "the key 'values' is missing"));
    CHECK(contains(refusal(R"([])"), "must be an object"));
}

TEST_CASE("values JSON: a truncated or corrupted file is read or refused") {
    const Trace trace = example_trace();
    std::string good = write_values_json({&trace.at("scores")});
    good.pop_back();
    check_every_truncation(good, parse);
    check_every_bit_flip(good, good.size(), parse);
}

}  // namespace headlight::values_json_test
