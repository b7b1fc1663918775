#include "io/text/json_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"
#include "core/numeric/read_digits.h"
#include "io/recognise.h"
#include "io/text/json_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Appends the way from `from` to `to`: "layer.n_heads", "edits.embed.cells[3]"; false if `to` is
/// not inside. Slow, but only a refused file needs it.
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
            path += fmt::format("[{}]", i);
            if (append_path((*array)[i], to, path)) return true;
            path.resize(length);
        }
    }
    return false;
}

/// Describes a value for a message.
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
    return fmt::format("must be {}, not {}", wanted, std::visit(Describe(), value.value));
}

}  // namespace

void JsonView::fail(const std::string& what) const {
    std::string path;
    append_path(source_->root, *value_, path);
    const std::string& within = source_->within;
    if (!within.empty()) path = path.empty() ? within : fmt::format("{}.{}", within, path);
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
        if (is_among(key, known)) continue;
        const std::string near = suggestion(key, known);
        JsonView(*source_, value)
            .fail("unknown key{}", near.empty() ? "; known here: " + list_in_quotes(known) : near);
    }
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
    const auto it = object().find(key);
    if (it == object().end()) return std::nullopt;
    return JsonView(*source_, it->second);
}

JsonView JsonView::at(std::string_view key) const {
    if (const auto found = find(key)) return *found;
    fail(fmt::format("the key {} is missing", in_quotes(key)));
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
    fail_type(fmt::format("a whole number from {} to {}", low, high));
}

std::uint64_t JsonView::unsigned_integer() const {
    if (const auto* number = std::get_if<std::uint64_t>(&value_->value)) return *number;
    fail_type(
        fmt::format("a whole number from 0 to {}", std::numeric_limits<std::uint64_t>::max()));
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
    constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();
    const std::string* text = value_->text();
    if (text && *text == "-inf") return -kInfinity;
    if (infinity == Infinity::Negative) fail_type("a number or \"-inf\"");
    if (text && *text == "inf") return kInfinity;
    fail_type("a number, \"-inf\" or \"inf\"");
}

Scalar JsonView::number(Scalar low, Scalar high) const {
    const Scalar number = this->number();
    if (!(number >= low && number <= high))
        fail_type(fmt::format("a number from {} to {}", number_text(low), number_text(high)));
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
        fail_type(fmt::format("a number from {} to {}", number_text(low), number_text(high)));
    return number;
}

namespace {

/// The parser's place, counted as it takes the bytes.
struct ParsedBytes {
    std::uint32_t line = 1;
    char last = '\0';
};

class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, ParsedBytes* progress) : at_(at), progress_(progress) {}

    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        if (*at_ == '\n') ++progress_->line;
        progress_->last = *at_++;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator old = *this;
        ++*this;
        return old;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
    bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

  private:
    const char* at_;
    ParsedBytes* progress_;
};

/// Returns the double that becomes the right Scalar: `number` itself, except where rounding twice
/// (digits → double → Scalar) ends elsewhere than rounding once.
double rounded_once(double number, const std::string& digits) {
    Scalar scalar = 0;
    const auto [end, error] = read_digits(digits.data(), digits.data() + digits.size(), scalar);
    const bool is_read = error == std::errc() && end == digits.data() + digits.size();
    return !is_read || static_cast<Scalar>(number) == scalar ? number : scalar;
}

/// Returns the reason in nlohmann's text, "[json.exception.…] parse error at line 1, column 2:
/// reason".
std::string reason_in(std::string_view text) {
    const std::size_t begin = text.find("syntax error");
    if (begin != std::string_view::npos) return std::string(text.substr(begin));
    const std::size_t bracket = text.find("] ");
    return std::string(bracket == std::string_view::npos ? text : text.substr(bracket + 2));
}

class TreeBuilder {
  public:
    TreeBuilder(const std::string& source, const JsonLimits& limits, const ParsedBytes& progress)
        : source_(source), limits_(limits), progress_(progress) {}

    JsonValue take_root() { return std::move(root_); }

    // The functions that nlohmann's parser calls; they return true to go on.
    bool null() { return put(std::monostate()); }
    bool boolean(bool flag) { return put(flag); }
    bool number_integer(std::int64_t number) { return put(number, number_line()); }
    bool number_unsigned(std::uint64_t number) { return put(number, number_line()); }
    bool number_float(double number, const std::string& digits) {
        return put(rounded_once(number, digits), number_line());
    }
    bool string(std::string& text) { return put(std::make_unique<std::string>(std::move(text))); }
    bool binary(std::vector<std::uint8_t>&) { return false; }  // not in JSON text
    bool start_object(std::size_t) { return open(std::make_unique<JsonObject>()); }
    bool start_array(std::size_t) { return open(std::make_unique<JsonArray>()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        auto& object = *std::get<std::unique_ptr<JsonObject>>(open_.back()->value);
        const auto [it, is_new] = object.try_emplace(std::move(name));
        if (!is_new)
            fail(fmt::format("the key {} is here for the second time (first on line {}); keep one",
                             in_quotes(it->first), it->second.line));
        member_ = &it->second;
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const std::exception& exception) {
        const std::string reason = reason_in(exception.what());
        const bool is_cut = reason.find("unexpected end of input") != std::string::npos;
        fail(printable(reason) + (is_cut ? " (the file seems to be cut off)" : ""));
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error({source_, progress_.line}, what);
    }

    /// A number is only complete when the character after it has been taken.
    std::uint32_t number_line() const { return progress_.line - (progress_.last == '\n' ? 1 : 0); }

    template <typename Value>
    bool put(Value value) {
        return put(std::move(value), progress_.line);
    }

    template <typename Value>
    bool put(Value value, std::uint32_t line) {
        place().value = std::move(value);
        last_->line = line;
        return true;
    }

    template <typename Container>
    bool open(Container container) {
        if (open_.size() >= static_cast<std::size_t>(limits_.depth))
            fail(fmt::format("nested too deep; at most {} levels are read", limits_.depth));
        put(std::move(container));
        open_.push_back(last_);
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    /// Returns the node that the next value fills.
    JsonValue& place() {
        if (++count_ > limits_.values)
            fail(fmt::format("too many values; at most {} are read", limits_.values));
        if (open_.empty()) {
            last_ = &root_;
        } else if (auto* array = std::get_if<std::unique_ptr<JsonArray>>(&open_.back()->value)) {
            last_ = &(*array)->emplace_back();
        } else {
            last_ = member_;
        }
        return *last_;
    }

    const std::string& source_;
    const JsonLimits& limits_;
    const ParsedBytes& progress_;
    JsonValue root_;
    std::vector<JsonValue*> open_;  // an open list does not grow while one inside it is open
    JsonValue* member_ = nullptr;
    JsonValue* last_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace

const std::string* JsonValue::text() const {
    const auto* found = std::get_if<std::unique_ptr<std::string>>(&value);
    return found ? found->get() : nullptr;
}

const JsonArray* JsonValue::array() const {
    const auto* found = std::get_if<std::unique_ptr<JsonArray>>(&value);
    return found ? found->get() : nullptr;
}

const JsonObject* JsonValue::object() const {
    const auto* found = std::get_if<std::unique_ptr<JsonObject>>(&value);
    return found ? found->get() : nullptr;
}

JsonValue parse_json(std::string_view bytes, const std::string& source, const JsonLimits& limits) {
    // The parser would take such bytes, or refuse them without a clear reason.
    if (bytes.empty()) throw Error(source, "is empty");
    if (const std::string other = recognised_as(bytes); !other.empty())
        throw Error(source, "is not JSON{}", other);
    check_text(bytes, source);
    ParsedBytes progress;
    TreeBuilder builder(source, limits, progress);
    const char* end = bytes.data() + bytes.size();
    nlohmann::json::sax_parse(CountingIterator(bytes.data(), &progress),
                              CountingIterator(end, nullptr), &builder);
    return builder.take_root();
}

}  // namespace headlight
