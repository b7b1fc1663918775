// JSON as a tree in which every value knows the line it stands on.
//
// Goals: hostile files end in an Error with line and reason; numbers keep every bit; small nodes.
// Not goals: editing, writing (json_text.h), typed access (json_view.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headlight {

struct JsonValue;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::map<std::string, JsonValue, std::less<>>;

/// null, a flag, a whole number in its range, any other number, a text, a list, an object.
/// A double here, cast to Scalar, is the Scalar nearest to the digits in the file.
struct JsonValue {
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double,
                 std::unique_ptr<std::string>, std::unique_ptr<JsonArray>,
                 std::unique_ptr<JsonObject>>
        value;
    std::uint32_t line = 0;  // from 1, where the value begins

    const std::string* text() const;
    const JsonArray* array() const;
    const JsonObject* object() const;
};

struct JsonLimits {
    int depth = 64;
    std::size_t values = 50'000'000;
};

/// The one value that `bytes` hold, between white space. Throws Error, with `source` and the line,
/// for what is not JSON (RFC 8259: no comments, no NaN), not UTF-8, or beyond the limits; for
/// repeated keys, zero bytes and numbers too large for a double.
JsonValue parse_json(std::string_view bytes, const std::string& source, const JsonLimits& = {});

}  // namespace headlight
