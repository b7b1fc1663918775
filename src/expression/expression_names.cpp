// Names → tensors, rows and cells.
#include "expression/expression_names.h"

#include <algorithm>
#include <functional>

#include "core/axis_names.h"
#include "core/compute.h"
#include "expression/expression_functions.h"
#include "model/settings/number_settings.h"
#include "paint/words/plain_formula.h"
#include "scene/options/item_names.h"
#include "text/printable.h"

namespace headlight {
namespace {

using Shape = Value::Shape;

constexpr Index kMostCells = Index(1) << 22;

bool ends_with_segments(std::string_view path, std::string_view name) {
    if (!path.ends_with(name)) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '.';
}

using IsMeant = std::function<bool(const PlannedTensor&)>;

std::vector<TensorId> tensors_that(const Plan& plan, const IsMeant& is_meant) {
    std::vector<TensorId> found;
    for (TensorId id = 0; id < plan.tensors().size(); ++id)
        if (!plan[id].identity.is_probe() && is_meant(plan[id])) found.push_back(id);
    return found;
}

/// Keeps those that are meant, if there are any.
void narrow(const Plan& plan, std::vector<TensorId>& found, const IsMeant& is_meant) {
    std::vector<TensorId> kept;
    for (const TensorId id : found)
        if (is_meant(plan[id])) kept.push_back(id);
    if (!kept.empty()) found = std::move(kept);
}

/// The group whose keys and values the head reads; −1 if it has its own.
int group_of_head(const Plan& plan, const Component& component, int head) {
    for (const TensorId id : component.tensors)
        if (plan[id].identity.head == head)
            for (const TensorId input : plan[id].inputs)
                if (const int group = plan[input].identity.kv_group; group >= 0) return group;
    return -1;
}

void narrow_to_shown(const NameScope& names, std::vector<TensorId>& found) {
    const Plan& plan = names.plan;
    const Component* component = component_with(plan, names.components, names.shown);
    if (component)
        narrow(plan, found, [&](const PlannedTensor& t) { return component->has(t.identity); });
    if (component)
        narrow(plan, found,
               [&](const PlannedTensor& t) { return t.path.starts_with(component->path + "."); });
    const PlannedTensor* shown = plan.find(names.shown);
    const int head = shown && shown->identity.head >= 0 ? shown->identity.head : names.head;
    const int group = component ? group_of_head(plan, *component, head) : -1;
    if (head >= 0)
        narrow(plan, found, [&](const PlannedTensor& t) {
            return t.identity.head == head || (group >= 0 && t.identity.kv_group == group);
        });
    if (component)
        narrow(plan, found, [&](const PlannedTensor& t) {
            return t.identity.layer == component->place.layer &&
                   t.identity.network == component->place.network;
        });
}

std::string candidates_text(const Plan& plan, const std::vector<TensorId>& found) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t k = 0; k < std::min(kMost, found.size()); ++k)
        text += (k > 0 ? ", " : "") + plan[found[k]].path;
    return found.size() > kMost ? text + ", …" : text;
}

std::string near_tensors(const Plan& plan, std::string_view name) {
    std::vector<std::string_view> known;
    for (const PlannedTensor& tensor : plan.tensors()) {
        known.emplace_back(tensor.path);
        known.emplace_back(tensor.name());
    }
    return suggestion(name, known);
}

MatrixPtr value_at(const ExpressionSide& side, TensorId id) {
    const MatrixPtr& value = side.trace[id].value;
    return value ? value : compute_value(side.trace, id);
}

Names axis_names(const Plan& plan, const Axis& axis) {
    Names names;
    for (Index k = 0; k < axis.size; ++k) names.push_back(axis_label(plan, axis, k));
    return names;
}

Value row_value(NumberMatrix numbers, Names names) {
    Value value;
    value.shape = Shape::Row;
    value.numbers = std::move(numbers);
    value.column_names = std::move(names);
    return value;
}

class TensorReader {
  public:
    TensorReader(const ExpressionSide& side, TensorId id, const ExpressionPlace& place)
        : plan_(side.trace.plan()), tensor_(plan_[id]), place_(place), value_(value_at(side, id)) {
        if (!value_) place.fail(tensor_.path + " has no numbers yet");
    }

    Value read(const std::vector<NamedIndex>& indices) const {
        const bool is_column = tensor_.columns.kind == AxisKind::Single;
        const bool is_row = tensor_.rows.kind == AxisKind::Single;
        if (indices.empty()) return whole();
        if (indices.size() == 2) {
            const bool is_list = is_column && tensor_.row_edges() != nullptr;
            return is_list ? edges(indices[0], indices[1]) : cells(indices[0], indices[1]);
        }
        const NamedIndex all{NamedIndex::Kind::All};
        return is_row && !is_column ? cells(all, indices[0]) : cells(indices[0], all);
    }

  private:
    Value whole() const { return cells({NamedIndex::Kind::All}, {NamedIndex::Kind::All}); }

    /// The numbers, without the axes that have a single index by nature or were given one.
    Value cells(const NamedIndex& row, const NamedIndex& column) const {
        const bool all_rows = row.kind == NamedIndex::Kind::All;
        const bool all_columns = column.kind == NamedIndex::Kind::All;
        const Index i = all_rows ? 0 : place_on(tensor_.rows, "row", row);
        const Index j = all_columns ? 0 : place_on(tensor_.columns, "column", column);
        const bool has_rows = all_rows && tensor_.rows.kind != AxisKind::Single;
        const bool has_columns = all_columns && tensor_.columns.kind != AxisKind::Single;
        const Index n_rows = has_rows ? tensor_.rows.size : 1;
        const Index n_columns = has_columns ? tensor_.columns.size : 1;
        if (n_rows * n_columns > kMostCells)
            place_.fail(tensor_.path + " has too many numbers; choose a row: [row]");
        const NumberMatrix numbers = value_->block(i, j, n_rows, n_columns).cast<double>();
        if (!has_rows && !has_columns) return number_value(numbers(0, 0));
        if (!has_rows) return row_value(numbers, axis_names(plan_, tensor_.columns));
        if (!has_columns) return row_value(numbers.transpose(), axis_names(plan_, tensor_.rows));
        Value value = row_value(numbers, axis_names(plan_, tensor_.columns));
        value.shape = Shape::Matrix;
        value.row_names = axis_names(plan_, tensor_.rows);
        return value;
    }

    /// pattern[reader, read] of a list of edges.
    Value edges(const NamedIndex& reader, const NamedIndex& read) const {
        const Edges& edges = *tensor_.row_edges();
        const Axis nodes{AxisKind::Item, edges.n_nodes};
        const bool all_readers = reader.kind == NamedIndex::Kind::All;
        const bool all_read = read.kind == NamedIndex::Kind::All;
        if (all_readers && all_read) return whole();
        const Index i = all_readers ? -1 : place_on(nodes, "node", reader);
        const Index j = all_read ? -1 : place_on(nodes, "node", read);
        std::vector<double> numbers;
        Names names;
        for (Index e = 0; e < edges.size(); ++e) {
            const auto at = static_cast<std::size_t>(e);
            if ((!all_readers && edges.row[at] != i) || (!all_read && edges.neighbour[at] != j))
                continue;
            numbers.push_back(static_cast<double>((*value_)(e, 0)));
            names.push_back(
                axis_label(plan_, nodes, all_readers ? edges.row[at] : edges.neighbour[at]));
        }
        if (numbers.empty())
            place_.fail(
                "there is no such edge: " + (all_readers ? "nobody" : in_quotes(reader.text)) +
                " reads " + (all_read ? "nobody" : in_quotes(read.text)));
        if (!all_readers && !all_read) return number_value(numbers.front());
        return row_value(
            Eigen::Map<const NumberMatrix>(numbers.data(), 1, static_cast<Index>(numbers.size())),
            std::move(names));
    }

    Index place_on(const Axis& axis, const char* noun, const NamedIndex& index) const {
        const std::string& text = index.text;
        if (index.kind == NamedIndex::Kind::Quoted)
            if (const auto places = find_on_axis(plan_, axis, text); !places.empty())
                return places.front();
        try {
            return index_named(plan_, {tensor_, axis, noun, noun}, text, [](const auto&) {});
        } catch (const Error& error) {
            at(index).fail(error.problem());
        }
    }

    ExpressionPlace at(const NamedIndex& index) const {
        return {place_.where, place_.text, index.offset};
    }

    const Plan& plan_;
    const PlannedTensor& tensor_;
    const ExpressionPlace& place_;
    MatrixPtr value_;
};

Index place_in(const Value& row, const NamedIndex& index, const ExpressionPlace& place) {
    const bool is_quoted = index.kind == NamedIndex::Kind::Quoted;
    return place_in_row(row, index.text, is_quoted ? NumberIs::Name : NumberIs::Index,
                        {place.where, place.text, index.offset});
}

}  // namespace

std::vector<TensorId> tensors_called(const NameScope& names, std::string_view name) {
    if (names.plan.find(name)) return {names.plan.id_at(name)};
    std::vector<TensorId> found = tensors_that(names.plan, [&](const PlannedTensor& tensor) {
        return ends_with_segments(tensor.path, name);
    });
    if (found.empty())
        found = tensors_that(names.plan, [&](const PlannedTensor& tensor) {
            return tensor.symbol == name || plain_formula(tensor.symbol) == name;
        });
    if (found.size() > 1) narrow_to_shown(names, found);
    return found;
}

TensorId tensor_called(const NameScope& names, std::string_view name,
                       const ExpressionPlace& place) {
    const std::vector<TensorId> found = tensors_called(names, name);
    if (found.size() == 1) return found.front();
    if (found.empty())
        place.fail("nothing is called " + in_quotes(name) + ", and a text stands in quotes" +
                   near_tensors(names.plan, name));
    place.fail(in_quotes(name) + " is ambiguous: " + candidates_text(names.plan, found));
}

Value read_tensor(const ExpressionSide& side, TensorId id, const std::vector<NamedIndex>& indices,
                  const ExpressionPlace& place) {
    return TensorReader(side, id, place).read(indices);
}

Value read_value(const Value& value, const std::vector<NamedIndex>& indices,
                 const ExpressionPlace& place) {
    if (value.shape == Shape::Row && indices.size() == 1) {
        if (indices[0].kind == NamedIndex::Kind::All) return value;
        Value result = value;
        result.shape = Shape::Single;
        result.numbers = value.numbers.col(place_in(value, indices[0], place));
        result.column_names.clear();
        return result;
    }
    if (value.shape != Shape::Matrix)
        place.fail(kind_text(value) +
                   (value.shape == Shape::Row ? " has one index" : " has no index"));
    if (indices[0].kind == NamedIndex::Kind::All) {
        if (indices.size() == 1 || indices[1].kind == NamedIndex::Kind::All) return value;
        return read_value(transposed(value), {indices[1]}, place);
    }
    Value row = value;
    row.shape = Shape::Row;
    row.numbers = value.numbers.row(place_in(transposed(value), indices[0], place));
    row.row_names.clear();
    return indices.size() == 1 ? row : read_value(row, {indices[1]}, place);
}

Value read_setting(const ExpressionSide& side, const std::string& path,
                   const ExpressionPlace& place) {
    if (!side.document) place.fail("there are no settings here");
    const std::vector<NumberSetting> settings = number_settings(*side.document);
    std::vector<std::string_view> known;
    std::vector<double> meant;
    for (const NumberSetting& setting : settings) {
        known.emplace_back(setting.path);
        known.push_back(last_segments(setting.path));
        if (ends_with_segments(setting.path, path)) meant.push_back(setting.value);
        if (setting.path == path) return number_value(setting.value);
    }
    if (meant.size() == 1) return number_value(meant.front());
    place.fail(
        (meant.empty() ? "the study has no number setting " : "the study has several settings ") +
        in_quotes(path) + (meant.empty() ? suggestion(path, known) : ""));
}

}  // namespace headlight
