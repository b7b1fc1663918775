#include "core/plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "core/error.h"

namespace headlight {
namespace {

/// Returns the paths that end like the one asked for, for the error text.
std::string near_paths(const Plan& plan, std::string_view path) {
    const std::string_view last = last_segments(path);
    std::string near;
    int found = 0;
    for (const PlannedTensor& tensor : plan.tensors()) {
        if (!matches("*" + std::string(last), tensor.path) || last.empty()) continue;
        if (++found > 3) break;
        near += (near.empty() ? "" : ", ") + tensor.path;
    }
    return near.empty() ? "`headlight list` shows the paths" : "near: " + near;
}

}  // namespace

TensorId Plan::add(PlannedTensor tensor) {
    make_room();
    TensorId& place = places_[find_place(tensor.path)];
    if (place != 0) throw Error("trace", "the path {} is used twice", tensor.path);
    tensors_.push_back(std::move(tensor));
    place = tensors_.size();
    return place - 1;
}

/// Returns the place of the tensor with this path in the table, or the free place for it.
std::size_t Plan::find_place(std::string_view path) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = std::hash<std::string_view>()(path) & mask;
    while (places_[place] != 0 && tensors_[places_[place] - 1].path != path)
        place = (place + 1) & mask;
    return place;
}

void Plan::make_room() {
    if (2 * (tensors_.size() + 1) <= places_.size()) return;
    const std::size_t n_places = std::max<std::size_t>(256, 2 * places_.size());
    tensors_.reserve(n_places / 2);
    places_.assign(n_places, 0);
    for (TensorId id = 0; id < tensors_.size(); ++id)
        places_[find_place(tensors_[id].path)] = id + 1;
}

const PlannedTensor* Plan::find(std::string_view path) const {
    const TensorId found = places_.empty() ? 0 : places_[find_place(path)];
    return found == 0 ? nullptr : &tensors_[found - 1];
}

const PlannedTensor& Plan::at(std::string_view path) const {
    return tensors_[id_at(path)];
}

TensorId Plan::id_at(std::string_view path) const {
    const PlannedTensor* tensor = find(path);
    if (!tensor)
        throw Error("trace", "no tensor is called '{}'; {}", path, near_paths(*this, path));
    return static_cast<TensorId>(tensor - tensors_.data());
}

const std::vector<std::string>& Plan::shown_items(int list) const {
    const ItemList& items = lists[static_cast<std::size_t>(list)];
    return items.shown ? *items.shown : *items.names;
}

int Plan::add_list(std::string noun, std::vector<std::string> names) {
    lists.push_back(
        {std::move(noun), std::make_shared<const std::vector<std::string>>(std::move(names))});
    return static_cast<int>(lists.size()) - 1;
}

const LaterMatrices* find_later(const PlannedTensor& tensor) {
    return tensor.settings.source ? tensor.settings.source->later.get() : nullptr;
}

Index count_bytes(const PlannedTensor& tensor) {
    return tensor.rows.size * tensor.columns.size * static_cast<Index>(sizeof(Scalar));
}

bool keeps_when_small(const Plan& plan) {
    constexpr Index kSmallBytes = Index(64) << 20;  // together
    Index bytes = 0;
    for (const PlannedTensor& tensor : plan.tensors())
        if (tensor.keep == Keep::WhenSmall) bytes += count_bytes(tensor);
    return bytes <= kSmallBytes;
}

std::string axis_name(const Plan& plan, const Axis& axis) {
    switch (axis.kind) {
        case AxisKind::Query:
            return "query";
        case AxisKind::Key:
            return "key";
        case AxisKind::Item:
        case AxisKind::Named:
            return plan.lists[static_cast<std::size_t>(axis.list)].noun;
        case AxisKind::Edge:
            return "edge";
        case AxisKind::Model:
            return plan.edges ? "feature" : "d_model";
        case AxisKind::HeadKey:
            return "d_k";
        case AxisKind::HeadValue:
            return plan.edges ? "d_out" : "d_v";
        case AxisKind::Concat:
            return "columns of all heads";
        case AxisKind::Hidden:
            return "hidden";
        case AxisKind::Distance:
            return "distance";
        case AxisKind::Direction:
            return "direction";
        case AxisKind::Bucket:
            return "bucket";
        case AxisKind::Position:
            return "position";
        case AxisKind::Head:
            return "head";
        case AxisKind::Single:
            return "";
    }
    return "";
}

namespace {

std::string label_in(const Plan& plan, const Axis& axis, Index index, const SharedNames& names) {
    const auto at = static_cast<std::size_t>(index);
    const auto item = [&](std::size_t i) {
        return names && i < names->size() ? (*names)[i] : std::to_string(i);
    };
    switch (axis.kind) {
        case AxisKind::Query:
        case AxisKind::Key:
        case AxisKind::Item:
        case AxisKind::Named:
            return item(at + static_cast<std::size_t>(axis.first));
        case AxisKind::Edge:
            return fmt::format("{} ← {}", item(static_cast<std::size_t>(plan.edges->row[at])),
                               item(static_cast<std::size_t>(plan.edges->neighbour[at])));
        case AxisKind::Distance:
            return std::to_string(index - axis.size / 2);
        case AxisKind::Direction:
            return axis.size == 1 ? "along" : index == 0 ? "down" : "right";
        default:
            return std::to_string(index);
    }
}

}  // namespace

std::string axis_label(const Plan& plan, const Axis& axis, Index index) {
    return label_in(plan, axis, index, plan.lists[static_cast<std::size_t>(axis.list)].names);
}

std::string shown_label(const Plan& plan, const Axis& axis, Index index) {
    const ItemList& list = plan.lists[static_cast<std::size_t>(axis.list)];
    return label_in(plan, axis, index, list.shown ? list.shown : list.names);
}

bool matches(std::string_view glob, std::string_view path) {
    // A glob usually ends like its matches, or the two differ at once.
    while (!glob.empty() && !path.empty() && glob.back() != '*') {
        if (glob.back() != '?' && glob.back() != path.back()) return false;
        glob.remove_suffix(1);
        path.remove_suffix(1);
    }
    std::size_t g = 0, p = 0, star = std::string_view::npos, resume = 0;
    while (p < path.size()) {
        if (g < glob.size() && (glob[g] == '?' || glob[g] == path[p]) && glob[g] != '*') {
            ++g, ++p;
        } else if (g < glob.size() && glob[g] == '*') {
            star = g++;
            resume = p;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            p = ++resume;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') ++g;
    return g == glob.size();
}

bool has_names(const Axis& axis) {
    return is_of_items(axis) || axis.kind == AxisKind::Named || axis.kind == AxisKind::Edge;
}

std::string name_in_formula(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (std::string_view("_^{}\\").find(c) != std::string_view::npos) text += '\\';
        text += c;
    }
    return text;
}

bool is_of_items(const Axis& axis) {
    return axis.kind == AxisKind::Query || axis.kind == AxisKind::Key ||
           axis.kind == AxisKind::Item;
}

namespace {

/// True if each of the stacked sentences has its own words along the columns.
bool has_columns_by_sentence(const Plan& plan, const PlannedTensor& tensor) {
    const Axis& columns = tensor.columns;
    if (!is_of_items(columns) || tensor.rows.groups <= 1 || columns.groups > 1) return false;
    const auto& names = plan.lists[static_cast<std::size_t>(columns.list)].names;
    return names && static_cast<Index>(names->size()) == tensor.rows.groups * columns.size;
}

}  // namespace

Axis columns_of_row(const Plan& plan, const PlannedTensor& tensor, Index row) {
    Axis columns = tensor.columns;
    if (has_columns_by_sentence(plan, tensor))
        columns.first += row / (tensor.rows.size / tensor.rows.groups) * columns.size;
    return columns;
}

std::string column_head(const Plan& plan, const PlannedTensor& tensor, Index column) {
    if (!has_columns_by_sentence(plan, tensor)) return axis_label(plan, tensor.columns, column);
    return fmt::format("{} {}", axis_name(plan, tensor.columns), column);
}

std::string shown_column_head(const Plan& plan, const PlannedTensor& tensor, Index column) {
    if (!has_columns_by_sentence(plan, tensor)) return shown_label(plan, tensor.columns, column);
    return fmt::format("{} {}", axis_name(plan, tensor.columns), column);
}

std::vector<std::string> names_on_axis(const Plan& plan, const Axis& axis, Index index) {
    std::vector<std::string> names{axis_label(plan, axis, index)};
    if (axis.kind != AxisKind::Edge) return names;
    const auto at = static_cast<std::size_t>(index);
    const Axis items{AxisKind::Item, plan.edges->n_nodes};
    const std::string reader = axis_label(plan, items, plan.edges->row[at]);
    const std::string read = axis_label(plan, items, plan.edges->neighbour[at]);
    names.push_back(fmt::format("{}->{}", read, reader));
    names.push_back(fmt::format("{}<-{}", reader, read));
    return names;
}

std::vector<Index> find_on_axis(const Plan& plan, const Axis& axis, const std::string& name) {
    std::vector<Index> places;
    if (!has_names(axis)) return places;
    for (Index k = 0; k < axis.size; ++k)
        if (std::ranges::count(names_on_axis(plan, axis, k), name) > 0) places.push_back(k);
    return places;
}

}  // namespace headlight
