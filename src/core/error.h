// The one error type of the program, and how running out of memory becomes one.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace headlight {

/// The place of an error: "heads", "--row", "a.json"; of a text also its line, and of a structured
/// text the path of the value.
struct ErrorPlace {
    std::string name;
    std::int64_t line = 0;  // from 1; 0: no line is meant
    std::string within;     // "model.merges[0]"

    ErrorPlace() = default;
    ErrorPlace(std::string of, std::int64_t at_line = 0, std::string path = {})
        : name(std::move(of)), line(at_line), within(std::move(path)) {}
    ErrorPlace(const char* of) : name(of) {}
    ErrorPlace(std::string_view of) : name(of) {}

    bool operator==(const ErrorPlace&) const = default;

    /// Returns "line 3, model.merges[0]: ", which precedes the problem; "" where only a name is
    /// known.
    std::string inside() const {
        if (line == 0 && within.empty()) return "";
        if (within.empty()) return fmt::format("line {}: ", line);
        return line == 0 ? fmt::format("{}: ", within) : fmt::format("line {}, {}: ", line, within);
    }
};

/// Thrown by value. The text reads "[place] what is wrong, with names and shapes; what to do".
/// Caught in three places: the command line, the frame, the tests.
class Error : public std::runtime_error {
  public:
    Error(const ErrorPlace& place, const std::string& problem)
        : std::runtime_error(fmt::format("[{}] {}{}", place.name, place.inside(), problem)),
          place_(place),
          problem_(problem) {}
    /// The problem is a format of libfmt: Error("rows", "{} rows; at most {} are read", n, most).
    template <typename First, typename... Rest>
    Error(const ErrorPlace& place, fmt::format_string<First, Rest...> problem, First&& first,
          Rest&&... rest)
        : Error(place,
                fmt::format(problem, std::forward<First>(first), std::forward<Rest>(rest)...)) {}

    const ErrorPlace& place() const { return place_; }
    /// Returns the text without the place.
    const std::string& problem() const { return problem_; }
    /// Returns the text without the name, but with the line.
    std::string without_name() const { return place_.inside() + problem_; }

  private:
    ErrorPlace place_;
    std::string problem_;
};

/// Calls `action`. If memory runs out, throws an Error that names the purpose.
template <typename Action>
decltype(auto) need_memory_for(const std::string& what, Action&& action) {
    try {
        return std::forward<Action>(action)();
    } catch (const std::bad_alloc&) {
        throw Error("memory", "there is not enough for {}; nothing has changed", what);
    }
}

}  // namespace headlight
