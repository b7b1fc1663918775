#include "io/text/json_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "io/text/json_text.h"
#include "text/printable.h"

namespace headlight {
namespace {

/// "layer.n_heads", "edits.embed.cells[3]": how to get from `from` to `to`; false if it is not
/// inside. Slow, but only a refused file needs it.
bool append_path(const JsonValue& from, const JsonValue& to, std::string& path) {
    if (&from == &to) return true;
    const std::size_t length = path.size();
    if (const JsonObject* object = from.object()) {
        for (const auto& [key, value] : *object) {
            path += (length == 0 ? "" : ".") + printable(key);
            if (append_path(value, to, path)) return true;
            path.resize(length);
        }
    } else if (const JsonArray* array = from.array()) {
        for (std::size_t i = 0; i < array->size(); ++i) {
            path += "[" + std::to_string(i) + "]";
            if (append_path((*array)[i], to, path)) return true;
            path.resize(length);
        }
    }
    return false;
}

/// What a value is, as a message shows it.
struct Describe {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return number_text(number); }
    std::string operator()(const std::unique_ptr<std::string>& text) const {
        return "the text " + in_quotes(*text);
    }
    std::string operator()(const std::unique_ptr<JsonArray>&) const { return "a list"; }
    std::string operator()(const std::unique_ptr<JsonObject>&) const { return "an object"; }
};

std::string type_error(const std::string& wanted, const JsonValue& value) {
    return "must be " + wanted + ", not " + std::visit(Describe(), value.value);
}

std::optional<Scalar> infinity_named(const std::string* text) {
    if (text && *text == "-inf") return -std::numeric_limits<Scalar>::infinity();
    if (text && *text == "inf") return std::numeric_limits<Scalar>::infinity();
    return std::nullopt;
}

}  // namespace

void JsonView::fail(const std::string& what) const {
    std::string path;
    append_path(source_->root, *value_, path);
    const std::string& within = source_->within;
    if (!within.empty()) path = path.empty() ? within : within + "." + path;
    throw Error({source_->name, value_->line, path}, what);
}

void JsonView::fail_type(const std::string& wanted) const {
    fail(type_error(wanted, *value_));
}

void JsonView::fail_choice(std::span<const std::string_view> names) const {
    const std::string near = is_text() ? suggestion(*value_->text(), names) : "";
    fail(type_error("one of " + list_in_quotes(names), *value_) + near);
}

const JsonObject& JsonView::object() const {
    if (!value_->object()) fail_type("an object { … }");
    return *value_->object();
}

const JsonArray& JsonView::array() const {
    if (!value_->array()) fail_type("a list [ … ]");
    return *value_->array();
}

void JsonView::expect_keys(std::span<const std::string_view> known) const {
    for (const auto& [key, value] : object()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string near = suggestion(key, known);
        JsonView(*source_, value)
            .fail("unknown key" + (near.empty() ? "; known here: " + list_in_quotes(known) : near));
    }
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
    const auto it = object().find(key);
    if (it == object().end()) return std::nullopt;
    return JsonView(*source_, it->second);
}

JsonView JsonView::at(std::string_view key) const {
    if (const auto found = find(key)) return *found;
    fail("the key " + in_quotes(key) + " is missing");
}

bool JsonView::flag() const {
    if (const bool* flag = std::get_if<bool>(&value_->value)) return *flag;
    fail_type("true or false");
}

const std::string& JsonView::text() const {
    if (!is_text()) fail_type("a text between \"quotes\"");
    return *value_->text();
}

std::int64_t JsonView::integer(std::int64_t low, std::int64_t high) const {
    if (const auto* number = std::get_if<std::int64_t>(&value_->value);
        number && *number >= low && *number <= high)
        return *number;
    if (const auto* number = std::get_if<std::uint64_t>(&value_->value);
        number && std::cmp_greater_equal(*number, low) && std::cmp_less_equal(*number, high))
        return static_cast<std::int64_t>(*number);
    fail_type("a whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

std::uint64_t JsonView::unsigned_integer() const {
    if (const auto* number = std::get_if<std::uint64_t>(&value_->value)) return *number;
    fail_type("a whole number from 0 to " +
              std::to_string(std::numeric_limits<std::uint64_t>::max()));
}

Scalar JsonView::number(Infinity infinity) const {
    const auto& value = value_->value;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<Scalar>(*number);
    if (const auto* number = std::get_if<std::uint64_t>(&value))
        return static_cast<Scalar>(*number);
    if (const auto* number = std::get_if<double>(&value)) {
        const auto scalar = static_cast<Scalar>(*number);
        if (!std::isfinite(scalar)) fail_type("a number of at most 3.4e38 in size");
        return scalar;
    }
    if (infinity == Infinity::Refused) fail_type("a number");
    const auto infinite = infinity_named(value_->text());
    if (infinity == Infinity::Negative) {
        if (infinite && *infinite < 0) return *infinite;
        fail_type("a number or \"-inf\"");
    }
    if (infinite) return *infinite;
    fail_type("a number, \"-inf\" or \"inf\"");
}

Scalar JsonView::number(Scalar low, Scalar high) const {
    const Scalar number = this->number();
    if (!(number >= low && number <= high))
        fail_type("a number from " + number_text(low) + " to " + number_text(high));
    return number;
}

double JsonView::real(double low, double high) const {
    const auto& value = value_->value;
    double number = std::numeric_limits<double>::quiet_NaN();
    if (const auto* whole = std::get_if<std::int64_t>(&value)) number = static_cast<double>(*whole);
    if (const auto* whole = std::get_if<std::uint64_t>(&value))
        number = static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) number = *real;
    if (!(number >= low && number <= high))
        fail_type("a number from " + number_text(low) + " to " + number_text(high));
    return number;
}

}  // namespace headlight
