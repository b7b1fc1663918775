#include "expression/item_names.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/plan.h"
#include "io/exporters.h"
#include "text/strings.h"

namespace headlight {
namespace {

[[noreturn]] void fail_path(const Plan& plan, const std::string& path) {
    std::vector<std::string_view> paths;
    for (const PlannedTensor& tensor : plan.tensors()) paths.push_back(tensor.path);
    const std::string near = suggestion(path, paths);
    if (!near.empty()) throw Error("study", "no tensor is called {}{}", in_quotes(path), near);
    static_cast<void>(plan.at(path));  // throws, with the paths that end alike
    throw Error("study", "no tensor matches {}", in_quotes(path));
}

std::optional<Index> index_from(const std::string& text) {
    Index index = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, index);
    if (failure != std::errc() || rest != end) return std::nullopt;
    return index;
}

const std::string& axis_noun(const Plan& plan, const Axis& axis) {
    return plan.lists[static_cast<std::size_t>(axis.list)].noun;
}

/// Describes the texts that would have been understood.
std::string allowed(const Plan& plan, const AxisPlace& place) {
    if (place.axis.size == 1) return "it can only be 0";
    std::string text = fmt::format("it can be 0 to {}", place.axis.size - 1);
    if (place.axis.kind == AxisKind::Edge)
        return fmt::format("{}, or an edge such as '{}'", text,
                           names_on_axis(plan, place.axis, 0).back());
    return has_names(place.axis) ? fmt::format("{}, or a {}", text, axis_noun(plan, place.axis))
                                 : text;
}

[[noreturn]] void fail_index(const Plan& plan, const AxisPlace& place, const std::string& text) {
    std::vector<std::string> labels;
    if (has_names(place.axis))
        for (Index k = 0; k < place.axis.size; ++k)
            labels.push_back(names_on_axis(plan, place.axis, k).back());
    const std::vector<std::string_view> known(labels.begin(), labels.end());
    throw Error(place.command, "{} has no {} {}; {}{}", place.tensor.path, place.noun,
                in_quotes(text), allowed(plan, place), suggestion(text, known));
}

/// Returns all indices with that name, or with that name in pictures, where blanks may be blanks.
std::vector<Index> find_shown(const Plan& plan, const Axis& axis, const std::string& name) {
    std::vector<Index> places = find_on_axis(plan, axis, name);
    if (!places.empty() || !has_names(axis)) return places;
    constexpr std::string_view kBlank = "␣";
    for (Index k = 0; k < axis.size; ++k) {
        const std::string shown = shown_label(plan, axis, k);
        if (shown == name || replaced_all(shown, kBlank, " ") == name) places.push_back(k);
    }
    return places;
}

/// Returns the index of "it#2", which is nobody's whole name.
Index numbered_index(const Plan& plan, const AxisPlace& place, const std::string& text) {
    const NumberedItem item = split_numbered(text);
    const std::vector<Index> places = find_shown(plan, place.axis, item.name);
    if (places.empty()) fail_index(plan, place, text);
    if (item.occurrence <= places.size()) return places[item.occurrence - 1];
    throw Error(place.command, "{} has no {} {}: there {}{} called {}", place.tensor.path,
                place.noun, in_quotes(text), places.size() == 1 ? "is " : "are ", places.size(),
                in_quotes(item.name));
}

/// Says so when an index is also the name of another item: nodes are often called by numbers.
void note_other_meaning(const Plan& plan, const AxisPlace& place, Index index,
                        const TakeNote& note) {
    const std::string name = std::to_string(index);
    if (place.axis.kind == AxisKind::Edge && index < plan.edges->n_nodes)
        note(fmt::format(
            "{} {} is taken as the index of the edge {}; it is not the node of that number",
            place.noun, name, in_quotes(names_on_axis(plan, place.axis, index).back())));
    if (!has_names(place.axis) || axis_label(plan, place.axis, index) == name) return;
    const std::vector<Index> places = find_on_axis(plan, place.axis, name);
    if (!places.empty())
        note(fmt::format("{} {} is taken as an index; the {} called {} is at {}", place.noun, name,
                         axis_noun(plan, place.axis), in_quotes(name), places.front()));
}

}  // namespace

TensorId tensor_named(const Plan& plan, const std::string& path) {
    if (!plan.find(path)) fail_path(plan, path);
    return plan.id_at(path);
}

std::vector<TensorId> tensors_matching(const Plan& plan, const std::vector<std::string>& globs) {
    const auto is_matched = [&](const std::string& glob) {
        return std::ranges::any_of(plan.tensors(),
                                   [&](const PlannedTensor& t) { return is_meant(glob, t.path); });
    };
    for (const std::string& glob : globs)
        if (!is_matched(glob)) fail_path(plan, glob);
    std::vector<TensorId> found;
    for (TensorId id = 0; id < plan.tensors().size(); ++id)
        if (globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
                return is_meant(glob, plan[id].path);
            }))
            found.push_back(id);
    return found;
}

NumberedItem split_numbered(const std::string& text) {
    const std::size_t sign = text.rfind('#');
    if (sign == std::string::npos || sign == 0) return {text};
    const auto number = index_from(text.substr(sign + 1));
    if (!number || *number < 1) return {text};
    return {text.substr(0, sign), static_cast<std::size_t>(*number)};
}

Index index_named(const Plan& plan, const AxisPlace& place, const std::string& text,
                  const TakeNote& note) {
    if (const auto index = index_from(text); index && *index >= 0 && *index < place.axis.size) {
        note_other_meaning(plan, place, *index, note);
        return *index;
    }
    const std::vector<Index> places = find_shown(plan, place.axis, text);
    if (places.empty()) return numbered_index(plan, place, text);
    if (places.size() > 1) {
        std::string others;
        for (std::size_t k = 1; k < places.size(); ++k)
            others += (k > 1 ? ", " : "") + std::to_string(places[k]);
        note(fmt::format("{} is ambiguous: {} {} is taken; it is also at {}", in_quotes(text),
                         place.noun, places.front(), others));
    }
    return places.front();
}

}  // namespace headlight
