// JSON as a tree in which every value knows its line, and strict, typed access to it: every refusal
// names source, line, path and what is allowed.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/matrix.h"

namespace headlight {

struct JsonValue;
// JSON as a tree in which every value knows the line it stands on.
//
// Goals: hostile files end in an Error with line and reason; numbers keep every bit; small nodes.
// Not goals: editing, writing (json_text.h), typed access (json_view.h).

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

/// Parses the one value in `bytes`, between white space. Throws Error, with `source` and the line,
/// for a text that is not JSON (RFC 8259: no comments, no NaN), not UTF-8, or beyond the limits;
/// for repeated keys, zero bytes and numbers too large for a double.
JsonValue parse_json(std::string_view bytes, const std::string& source, const JsonLimits& = {});

/// A file's tree and the name under which messages speak of it.
struct JsonSource {
    std::string name;
    JsonValue root;
    std::string within = {};  // the root's path in a larger file: "study"
};

/// The infinities that a number may be: none, "-inf", or also "inf".
enum class Infinity { Refused, Negative, Allowed };

/// A view of one value of a source, which must outlive it. Throws Error if the value is not of the
/// kind that is asked for.
class JsonView {
  public:
    explicit JsonView(const JsonSource& source) : JsonView(source, source.root) {}

    /// Throws Error with "[name] line 7, layer.n_heads: " and what is wrong.
    [[noreturn]] void fail(const std::string& what) const;
    /// `what` is a format of libfmt.
    template <typename First, typename... Rest>
    [[noreturn]] void fail(fmt::format_string<First, Rest...> what, First&& first,
                           Rest&&... rest) const {
        fail(fmt::format(what, std::forward<First>(first), std::forward<Rest>(rest)...));
    }

    /// Throws Error if an object has other members.
    void expect_keys(std::span<const std::string_view> known) const;
    void expect_keys(std::initializer_list<std::string_view> known) const {
        expect_keys(std::span(known.begin(), known.size()));
    }
    std::optional<JsonView> find(std::string_view key) const;
    JsonView at(std::string_view key) const;

    /// Calls visit(key, view of the value) for each member, or visit(view) for each element.
    template <typename Visit>
    void for_each_member(Visit visit) const {
        for (const auto& [key, value] : object()) visit(key, JsonView(*source_, value));
    }
    template <typename Visit>
    void for_each_element(Visit visit) const {
        for (const JsonValue& value : array()) visit(JsonView(*source_, value));
    }

    /// Returns the number of elements of a list.
    std::size_t size() const { return array().size(); }
    JsonView operator[](std::size_t index) const { return {*source_, array()[index]}; }

    void expect_object() const { static_cast<void>(object()); }
    bool is_object() const { return value_->object() != nullptr; }
    bool is_list() const { return value_->array() != nullptr; }
    bool is_text() const { return value_->text() != nullptr; }
    const JsonValue& value() const { return *value_; }

    bool flag() const;
    const std::string& text() const;
    std::int64_t integer(std::int64_t low, std::int64_t high) const;
    std::uint64_t unsigned_integer() const;  // any of 64 bits
    Scalar number(Infinity infinity = Infinity::Refused) const;
    Scalar number(Scalar low, Scalar high) const;
    double real(double low, double high) const;

    /// Returns the meaning of a text that is one of `words`: pairs of a text and a meaning.
    template <typename Words>
    auto choice(const Words& words) const {
        std::vector<std::string_view> names;
        for (const auto& [name, meaning] : words) {
            if (is_text() && *value_->text() == name) return meaning;
            names.push_back(name);
        }
        fail_choice(names);
    }

  private:
    JsonView(const JsonSource& source, const JsonValue& value) : source_(&source), value_(&value) {}

    const JsonObject& object() const;
    const JsonArray& array() const;
    [[noreturn]] void fail_choice(std::span<const std::string_view> names) const;
    [[noreturn]] void fail_type(const std::string& wanted) const;

    const JsonSource* source_;
    const JsonValue* value_;
};

}  // namespace headlight
