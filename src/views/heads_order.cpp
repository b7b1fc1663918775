#include "views/heads_order.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <string_view>

#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "figure/number_format.h"
#include "text/strings.h"

namespace headlight {
namespace {

using By = HeadsOrder::By;

constexpr std::string_view kByLayer = "layer", kByHeldWord = "held-word",
                           kByDifference = "difference";

}  // namespace

std::vector<HeadsOrder> named_orders() {
    std::vector<HeadsOrder> orders;
    for (std::size_t m = 0; m < head_metric_names().size(); ++m)
        orders.push_back({.by = By::Metric, .metric = HeadMetric(m)});
    for (const std::string_view ready : ready_measures())  // "special: mean(on_special(pattern))"
        orders.push_back(
            {.by = By::Measure, .measure = std::string(ready.substr(0, ready.find(':')))});
    orders.push_back({.by = By::HeldWord});
    orders.push_back({.by = By::Difference});
    return orders;
}

HeadsOrder read_heads_order(const std::string& text) {
    if (text == kByLayer) return {};
    const std::vector<HeadsOrder> orders = named_orders();
    const auto named = std::ranges::find(orders, text, write_heads_order);
    return named == orders.end() ? HeadsOrder{.by = By::Measure, .measure = text} : *named;
}

std::string write_heads_order(const HeadsOrder& order) {
    switch (order.by) {
        case By::Metric:
            return head_metric_names()[static_cast<std::size_t>(order.metric)];
        case By::Measure:
            return order.measure;
        case By::HeldWord:
            return std::string(kByHeldWord);
        case By::Difference:
            return std::string(kByDifference);
        case By::Layer:
            break;
    }
    return "";
}

std::string why_no_order(const HeadsOrder& order, const Plan& plan, const Components& components) {
    if (order.by != By::Measure) return "";
    try {
        check_names(read_head_measure(order.measure, "the order of heads"), plan, components);
        return "";
    } catch (const Error& error) {
        std::vector<std::string> names;
        for (const HeadsOrder& named : named_orders()) names.push_back(write_heads_order(named));
        const std::vector<std::string_view> known(names.begin(), names.end());
        const std::string near = suggestion(order.measure, known);
        return near.empty() ? error.problem() : in_quotes(order.measure) + " is no order" + near;
    }
}

void HeadNumbers::begin(const std::shared_ptr<const Trace>& trace) {
    trace_ = trace;
    values_.clear();
    measure_.reset();
    problem_.clear();
    if (look_.order.by != By::Measure) return;
    const std::string& text = look_.order.measure;
    if (text.find_first_not_of(' ') == std::string::npos) {
        problem_ = "Type an expression of a head's matrices, such as mean(pattern[*, 0]).";
        return;
    }
    try {
        measure_ = read_head_measure(text, "own metric");
    } catch (const Error& error) {
        problem_ = error.what();
    }
}

void HeadNumbers::measure(const Scene& scene, const ListedHead& head) {
    const std::pair key{head.attention->path, head.head};
    try {
        const MeasuredHead of{scene.trace, scene.components, key.first, key.second,
                              &scene.document};
        values_[key] = static_cast<Scalar>(measure_head(*measure_, of));
    } catch (const Error& error) {
        const Tensor* pattern =
            find_of_head(scene.trace, *head.attention, head.head, Role::Pattern);
        problem_ = error.what();
        // A pattern that comes later is tried again in the next frame.
        if (!pattern || waiting_text(scene.trace, *pattern).empty()) values_[key] = std::nullopt;
    }
}

HeadNumbers::Followed HeadNumbers::follow(const Scene& scene, const std::vector<ListedHead>& heads,
                                          Clock::time_point end) {
    const HeadsLook& look = scene.selection.looks.heads;
    const bool is_other = look.order != look_.order || trace_ != scene.kept || values_.empty();
    look_ = look;
    if (is_other) begin(scene.kept);
    if (!measure_) return Followed::Complete;
    const std::size_t n_before = values_.size();
    for (const ListedHead& head : heads) {
        if (values_.contains({head.attention->path, head.head})) continue;
        if (Clock::now() > end) return Followed::Unfinished;
        measure(scene, head);
    }
    return values_.size() > n_before ? Followed::JustCompleted : Followed::Complete;
}

std::optional<Scalar> HeadNumbers::of(const ListedHead& head) const {
    if (look_.order.by == By::Difference) return head.distance();
    if (look_.order.by == By::HeldWord) return head.on_held;
    if (look_.order.by == By::Measure) {
        const auto found = values_.find({head.attention->path, head.head});
        return found == values_.end() ? std::nullopt : found->second;
    }
    if (look_.order.by == By::Layer || !head.metrics) return std::nullopt;
    const Scalar number = head.metric(look_.order.metric, look_.rows);
    return std::isnan(number) ? std::nullopt : std::optional(number);
}

std::string HeadNumbers::name() const {
    if (look_.order.by == By::HeldWord) return "weight on the held word";
    return measure_ ? measure_->name : write_heads_order(look_.order);
}

std::string HeadNumbers::why_none(const std::vector<ListedHead>& heads) const {
    const bool has_any =
        std::ranges::any_of(heads, [&](const ListedHead& head) { return of(head).has_value(); });
    if (has_any || heads.empty()) return "";
    if (look_.order.by == By::Metric) return why_no_metric(heads, look_.order.metric, look_.rows);
    if (look_.order.by == By::HeldWord)
        return "Click a word: the heads are sorted by how much they read it.";
    return problem_;
}

bool HeadNumbers::are_own() const {
    return look_.order.by == By::Measure || look_.order.by == By::HeldWord;
}

std::vector<ListedHead> HeadNumbers::sorted(std::vector<ListedHead> heads, Scalar least) const {
    std::erase_if(heads, [&](const ListedHead& head) {
        const auto number = of(head);
        return !number || !(*number >= least);
    });
    std::ranges::stable_sort(heads, std::greater(),
                             [&](const ListedHead& head) { return *of(head); });
    return heads;
}

HeadPicture HeadNumbers::picture(const ListedHead& head, const Theme& theme) const {
    HeadPicture picture = head.picture(theme);
    const auto number = look_.order.by == By::Difference ? std::nullopt : of(head);
    if (number) picture.label = picture.short_label = format_value(*number, 2);
    return picture;
}

HeadsList HeadNumbers::list(const std::vector<ListedHead>& heads) const {
    std::vector<HeadsList::Head> listed;
    for (const ListedHead& head : heads)
        listed.push_back({head.attention->path, head.head, are_own() ? of(head) : std::nullopt});
    return {std::move(listed), are_own() ? name() : "", look_.rows == MetricRows::WithoutFirst};
}

std::vector<ListedHead> in_order_of(const std::vector<ListedHead>& order,
                                    const std::vector<ListedHead>& heads) {
    std::vector<ListedHead> sorted;
    for (const ListedHead& wanted : order)
        for (const ListedHead& head : heads)
            if (head.row == wanted.row && head.head == wanted.head) sorted.push_back(head);
    return sorted;
}

SortedSides sort_sides(const Scene& scene, std::vector<HeadsOfSide> sides) {
    SortedSides made{.sides = std::move(sides)};
    const std::vector<ListedHead> all = made.sides.front().heads;
    made.numbers.follow(scene, all);
    if (!made.numbers.is_sorting()) return made;
    const std::vector<ListedHead> sorted = made.numbers.sorted(all);
    const std::string name = made.numbers.name();
    if (sorted.empty()) {
        const bool is_held = made.numbers.look().order.by == By::HeldWord;
        const std::string why = is_held ? "no word is held" : made.numbers.why_none(all);
        made.text =
            "not sorted: " + (why.empty() ? "no head has the number " + in_quotes(name) : why);
        return made;
    }
    made.is_by_layer = false;
    made.text = fmt::format("sorted by {}, the highest first", name);
    if (const auto n_without = std::ssize(all) - std::ssize(sorted); n_without > 0)
        made.text += fmt::format("; {} without that number left out", counted(n_without, "head"));
    for (HeadsOfSide& side : made.sides) side.heads = in_order_of(sorted, side.heads);
    return made;
}

HeadsList sorted_list(const Scene& scene) {
    if (scene.selection.looks.heads.order.by == By::Layer) return {};
    HeadsMemory memory;
    const SortedSides sorted = sort_sides(scene, list_sides(scene, memory));
    return sorted.is_by_layer ? HeadsList{} : sorted.numbers.list(sorted.sides.front().heads);
}

}  // namespace headlight
