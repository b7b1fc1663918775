// nlohmann-json reads; a handler builds the tree and an iterator counts the lines.
#include "io/text/json_tree.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"
#include "io/recognise.h"
#include "io/text/text_check.h"
#include "text/printable.h"

namespace headlight {
namespace {

std::string line_text(std::size_t line) {
    return "line " + std::to_string(line);
}

/// Where the parser is: counted as it takes the bytes.
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

/// The double that becomes the right Scalar: `number` itself, except where rounding twice (digits →
/// double → Scalar) ends elsewhere than rounding once.
double rounded_once(double number, const std::string& digits) {
    Scalar scalar = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), scalar);
    const bool is_read = error == std::errc() && end == digits.data() + digits.size();
    return !is_read || static_cast<Scalar>(number) == scalar ? number : scalar;
}

/// The reason in nlohmann's text, "[json.exception.…] parse error at line 1, column 2: reason".
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

    // What nlohmann's parser calls; true means go on.
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
            fail("the key " + in_quotes(it->first) + " is here for the second time (first on " +
                 line_text(it->second.line) + "); keep one");
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
            fail("nested too deep; at most " + std::to_string(limits_.depth) + " levels are read");
        put(std::move(container));
        open_.push_back(last_);
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    /// The node that the next value fills.
    JsonValue& place() {
        if (++count_ > limits_.values)
            fail("too many values; at most " + std::to_string(limits_.values) + " are read");
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

/// What the parser would take, or would blame without a clear word.
void check_bytes(std::string_view bytes, const std::string& source) {
    if (bytes.empty()) throw Error(source, "is empty");
    const std::string other = recognised_as(bytes);
    if (!other.empty()) throw Error(source, "is not JSON" + other);
    check_text(bytes, source);
}

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
    check_bytes(bytes, source);
    ParsedBytes progress;
    TreeBuilder builder(source, limits, progress);
    const char* end = bytes.data() + bytes.size();
    nlohmann::json::sax_parse(CountingIterator(bytes.data(), &progress),
                              CountingIterator(end, nullptr), &builder);
    return builder.take_root();
}

}  // namespace headlight
