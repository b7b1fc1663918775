#include "scene/held_words.h"

#include <algorithm>

#include "core/page.h"
#include "model/changes.h"
#include "scene/asked_word.h"

namespace headlight {
namespace {

/// Where the items of each list are now.
class Places {
  public:
    Places(const Trace& before, const Trace& after) : before_(before), after_(after) {}

    /// −1: the word is gone.
    Index of(int list, Index item) const {
        const auto l = static_cast<std::size_t>(list);
        if (l >= before_.lists().size() || l >= after_.lists().size()) return item;
        const std::vector<Index> map = map_words(before_.items(list), after_.items(list));
        return item < std::ssize(map) ? map[static_cast<std::size_t>(item)] : item;
    }

    Index on(const Axis& axis, Index index) const {
        const bool is_of_words = axis.kind == AxisKind::Query || axis.kind == AxisKind::Key ||
                                 axis.kind == AxisKind::Item;
        return is_of_words ? of(axis.list, index) : index;
    }

  private:
    const Trace& before_;
    const Trace& after_;
};

std::optional<Index> held_query(const Selection& selection) {
    const Focus& focus = selection.held().focus;
    return focus.query_list == 0 ? focus.query : std::nullopt;
}

/// The asked word with what it reads most, in the pattern that is shown.
Pointed asked_cell(const Selection& selection, const Trace& page, const Components& components,
                   Index row) {
    const Tensor* pattern = shown_pattern(page, components, selection);
    if (!pattern || !pattern->value || row >= pattern->value->rows()) return point_at_item(row);
    Index key = 0;
    pattern->value->row(row).maxCoeff(&key);
    return point_at(page, *pattern, row, key);
}

bool was_asked_held(const Selection& selection, const Trace& before) {
    const std::optional<Index> asked = asked_row(before);
    return !selection.held().is_empty() && asked && held_query(selection) == asked;
}

/// True if it is, or reads, the padding behind a shorter sentence.
bool is_padding(const Pointed& held, const Trace& page) {
    const auto is_behind = [&](const std::optional<Index>& item, int list) {
        const auto l = static_cast<std::size_t>(list);
        if (!item || l >= page.lists().size() || !page.lists()[l].names) return false;
        const std::vector<std::string>& words = page.items(list);
        return *item < std::ssize(words) && *item >= count_before_padding(words);
    };
    return is_behind(held.focus.query, held.focus.query_list) ||
           is_behind(held.focus.key, held.focus.key_list);
}

/// Empty if one of its words is gone.
Pointed moved(const Pointed& held, const Trace& before, const Trace& after) {
    const Places places(before, after);
    if (held.cell) {
        const Tensor* was = before.find(held.cell->path);
        const Tensor* is = after.find(held.cell->path);
        if (!was || !is) return held;
        const Index row = places.on(was->rows(), held.cell->row);
        const Index column = places.on(was->columns(), held.cell->column);
        if (row < 0 || column < 0) return {};
        Pointed now = point_at(after, *is, row, column);
        now.focus.also = held.focus.also;
        for (Index& also : now.focus.also) also = places.on(was->rows(), also);
        std::erase(now.focus.also, -1);
        return now;
    }
    Pointed now = held;
    std::optional<Index>& first = now.focus.query ? now.focus.query : now.focus.key;
    if (!first) return now;
    const int list = now.focus.query ? now.focus.query_list : now.focus.key_list;
    std::vector<Index>& also = now.focus.also;
    also.insert(also.begin(), *first);
    for (Index& item : also) item = places.of(list, item);
    std::erase(also, -1);
    if (also.empty()) return {};
    first = also.front();
    also.erase(also.begin());
    if (now.focus.query && now.focus.key) {
        now.focus.key = places.of(now.focus.key_list, *now.focus.key);
        if (now.focus.key == -1) return {};
    }
    return now;
}

}  // namespace

void follow_words(Selection& selection, const Trace& before, const Trace& after,
                  const Components& components) {
    if (before.edges() || after.edges()) return;
    const std::optional<Index> asked = asked_row(after), was_asked = asked_row(before);
    const Pointed& held = selection.held();
    const bool was_held = was_asked_held(selection, before);
    const bool asks_first = held.is_empty() && asked && !was_asked;
    const Pointed now = moved(held, before, after);
    if (asked && (asks_first || (was_held && now.is_empty())))
        selection.keep_held(asked_cell(selection, after, components, *asked));
    else if (now != held)
        selection.keep_held(now);
}

void turn_words(Selection& selection, const Trace& before, const Trace& after,
                const Components& components) {
    const std::optional<Index> asked = asked_row(after);
    const bool is_lost = is_padding(selection.held(), after);
    if (asked && (is_lost || was_asked_held(selection, before)))
        selection.keep_held(asked_cell(selection, after, components, *asked));
    else if (is_lost)
        selection.keep_held({});
}

}  // namespace headlight
