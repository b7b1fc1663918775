// A walk over the tree of an expression, with the values of a trace.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/compute.h"
#include "core/plan.h"
#include "expression/expression.h"
#include "expression/expression_node.h"
#include "expression/item_names.h"
#include "figure/words/formula.h"
#include "model/settings/setting_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// An index as it stands in the brackets.
struct NamedIndex {
    enum class Kind { All, Word, Quoted } kind = Kind::Word;  // a quoted number is first a name
    std::string text = {};
    std::size_t offset = 0;
};

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

/// Keeps only those that are meant, if there are any.
void narrow(const Plan& plan, std::vector<TensorId>& found, const IsMeant& is_meant) {
    std::vector<TensorId> kept;
    for (const TensorId id : found)
        if (is_meant(plan[id])) kept.push_back(id);
    if (!kept.empty()) found = std::move(kept);
}

/// Returns the group whose keys and values the head reads; −1 if it has its own.
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

/// Reads a tensor, or a row, a column or a cell of it. In a tensor with one number for each edge,
/// one index is an edge; two are the node that reads and the one that is read.
class TensorReader {
  public:
    TensorReader(const ExpressionSide& side, TensorId id, const ExpressionPlace& place)
        : plan_(side.trace.plan()), tensor_(plan_[id]), place_(place), value_(value_at(side, id)) {
        if (!value_) place.fail("{} has no numbers yet", tensor_.path);
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

    /// Returns the numbers, without the axes that have a single index by nature or were given one.
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
            place_.fail("{} has too many numbers; choose a row: [row]", tensor_.path);
        const NumberMatrix numbers = value_->block(i, j, n_rows, n_columns).cast<double>();
        if (!has_rows && !has_columns) return number_value(numbers(0, 0));
        if (!has_rows) return row_value(numbers, axis_names(plan_, tensor_.columns));
        if (!has_columns) return row_value(numbers.transpose(), axis_names(plan_, tensor_.rows));
        Value value = row_value(numbers, axis_names(plan_, tensor_.columns));
        value.shape = Shape::Matrix;
        value.row_names = axis_names(plan_, tensor_.rows);
        return value;
    }

    /// Reads pattern[reader, read] in a list of edges.
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
            place_.fail("there is no such edge: {} reads {}",
                        all_readers ? "nobody" : in_quotes(reader.text),
                        all_read ? "nobody" : in_quotes(read.text));
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

/// Returns the tensors that the name can mean: one if it is known, several if it is ambiguous.
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

/// Returns the only tensor of that name. Throws Error naming the candidates, or a near name.
TensorId tensor_called(const NameScope& names, std::string_view name,
                       const ExpressionPlace& place) {
    const std::vector<TensorId> found = tensors_called(names, name);
    if (found.size() == 1) return found.front();
    if (found.empty()) {
        std::vector<std::string_view> known;
        for (const PlannedTensor& tensor : names.plan.tensors()) {
            known.emplace_back(tensor.path);
            known.emplace_back(tensor.name());
        }
        place.fail("nothing is called {}, and a text stands in quotes{}", in_quotes(name),
                   suggestion(name, known));
    }
    place.fail("{} is ambiguous: {}", in_quotes(name), candidates_text(names.plan, found));
}

/// Reads rows and cells of a computed value in the same way.
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

/// Reads the number of a setting: "layer.attention.temperature", or "temperature" if only one ends
/// so.
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

using Kind = ExpressionNode::Kind;

constexpr std::string_view kSettings = "settings.";

struct PrefixedName {
    ScopeSide side = ScopeSide::A;
    std::string name;
};

PrefixedName split_prefix(const std::string& text) {
    if (text.starts_with("a.")) return {ScopeSide::A, text.substr(2)};
    if (text.starts_with("b.")) return {ScopeSide::B, text.substr(2)};
    if (text.starts_with("before.")) return {ScopeSide::Before, text.substr(7)};
    return {ScopeSide::A, text};
}

[[noreturn]] void fail_without_side(ScopeSide side, const ExpressionPlace& place) {
    place.fail(side == ScopeSide::B ? "b. is the compared study; nothing is compared here"
                                    : "before. is the page before; there is none");
}

bool is_connected(const ExpressionNode& node) {
    return node.kind == Kind::Binary && (node.text == "and" || node.text == "or");
}

std::string significant_text(double number, int digits) {
    char buffer[64];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number,
                                  std::chars_format::general, digits)
                        .ptr};
}

class Evaluation {
  public:
    Evaluation(const Expression& expression, const ExpressionScope& scope)
        : expression_(expression), scope_(scope) {}

    Value evaluate(const ExpressionNode& node) const {
        Value value = evaluate_unchecked(node);
        check_is_number(value, place(node));
        return value;
    }

    /// Writes the condition with values in place of what it compares.
    std::string with_values(const ExpressionNode& node) const {
        if (node.kind == Kind::Not) return fmt::format("not ({})", with_values(node.children[0]));
        if (node.kind == Kind::Compare) {
            const std::vector<Value> values = compared_values(node);
            const std::vector<std::string> shown = distinct_texts(values);
            std::string words = shown[0];
            for (std::size_t k = 1; k < values.size(); ++k)
                words += fmt::format(" {} {}", node.operators[k - 1], shown[k]);
            return words;
        }
        if (!is_connected(node)) return text(evaluate(node));
        const auto part = [&](const ExpressionNode& child) {
            const bool is_weaker = node.text == "and" && is_connected(child) && child.text == "or";
            return is_weaker ? fmt::format("({})", with_values(child)) : with_values(child);
        };
        return fmt::format("{} {} {}", part(node.children[0]), node.text, part(node.children[1]));
    }

  private:
    ExpressionPlace place(const ExpressionNode& node) const {
        return {expression_.where, expression_.text, node.offset};
    }

    Value evaluate_unchecked(const ExpressionNode& node) const {
        switch (node.kind) {
            case Kind::Number:
                return number_value(node.number);
            case Kind::Truth:
                return truth_value(node.number != 0);
            case Kind::Text:
                return text_value(node.text);
            case Kind::Name:
                return read_name(node, {});
            case Kind::List:
                return list(node);
            case Kind::Index:
                return indexed(node);
            case Kind::Call:
                return call(node);
            case Kind::Minus:
                return arithmetic("-", number_value(0), evaluate(node.children[0]), place(node));
            case Kind::Not:
                return comparison("=", truth_value(false), truths(node.children[0]), place(node));
            case Kind::Binary:
                return binary(node);
            case Kind::Compare:
                return compared(node);
            case Kind::All:
            case Kind::Computed:
                break;
        }
        place(node).fail("an index stands alone");
    }

    Value truths(const ExpressionNode& node) const {
        Value value = evaluate(node);
        check_truths(value, place(node));
        return value;
    }

    const ExpressionSide& side_of(ScopeSide side, const ExpressionNode& node) const {
        if (side == ScopeSide::A) return scope_.a;
        const ExpressionSide* other = side == ScopeSide::B ? scope_.b : scope_.before;
        if (!other) fail_without_side(side, place(node));
        return *other;
    }

    Value read_name(const ExpressionNode& node, const std::vector<NamedIndex>& indices) const {
        const PrefixedName called = split_prefix(node.text);
        const ExpressionSide& side = side_of(called.side, node);
        if (called.name.starts_with(kSettings)) {
            if (!indices.empty()) place(node).fail("a setting has no index");
            return read_setting(side, called.name.substr(kSettings.size()), place(node));
        }
        const ExpressionPlace here = place(node);
        const TensorId id = tensor_called(side.names(), called.name, here);
        return TensorReader(side, id, here).read(indices);
    }

    Value list(const ExpressionNode& node) const {
        Value value;
        value.shape = Value::Shape::Row;
        if (node.children.empty()) place(node).fail("the list is empty");
        value.numbers.resize(1, static_cast<Index>(node.children.size()));
        for (std::size_t k = 0; k < node.children.size(); ++k) {
            const Value number = evaluate(node.children[k]);
            if (!number.is_number())
                place(node.children[k])
                    .fail("a list consists of numbers; {} is given", kind_text(number));
            value.numbers(0, static_cast<Index>(k)) = number.number();
        }
        return value;
    }

    NamedIndex index(const ExpressionNode& node) const {
        if (node.kind == Kind::All) return {NamedIndex::Kind::All, "*", node.offset};
        if (node.kind == Kind::Text) return {NamedIndex::Kind::Quoted, node.text, node.offset};
        if (node.kind == Kind::Name) return {NamedIndex::Kind::Word, node.text, node.offset};
        const Value value = evaluate(node.children[0]);
        if (value.is_text()) {
            const std::string number =
                value.occurrence > 1 ? fmt::format("#{}", value.occurrence) : "";
            return {NamedIndex::Kind::Word, value.text + number, node.offset};
        }
        if (!value.is_number()) place(node).fail("an index is a name or a number");
        return {NamedIndex::Kind::Word, value_text(value, "0", expression_.where), node.offset};
    }

    Value indexed(const ExpressionNode& node) const {
        std::vector<NamedIndex> indices;
        for (std::size_t k = 1; k < node.children.size(); ++k)
            indices.push_back(index(node.children[k]));
        const ExpressionNode& base = node.children[0];
        if (base.kind == Kind::Name) return read_name(base, indices);
        return read_value(evaluate(base), indices, place(node));
    }

    Value call(const ExpressionNode& node) const {
        const ExpressionFunction& function = function_named(node.text, place(node));
        std::vector<Value> arguments;
        for (const ExpressionNode& child : node.children) {
            const bool is_word = static_cast<int>(arguments.size()) == function.name_argument &&
                                 child.kind == Kind::Name;
            arguments.push_back(is_word ? text_value(child.text) : evaluate(child));
        }
        return function.call({arguments, place(node)});
    }

    Value binary(const ExpressionNode& node) const {
        const Value a = evaluate(node.children[0]), b = evaluate(node.children[1]);
        if (is_connected(node)) return connected(node.text, a, b, place(node));
        if (node.text == "@") return matrix_product(a, b, place(node));
        return arithmetic(node.text, a, b, place(node));
    }

    /// A name beside a text is a text.
    std::vector<Value> compared_values(const ExpressionNode& node) const {
        const std::size_t n = node.children.size();
        const auto is_name = [&](std::size_t k) { return node.children[k].kind == Kind::Name; };
        std::vector<Value> values(n);
        for (std::size_t k = 0; k < n; ++k)
            if (!is_name(k)) values[k] = evaluate(node.children[k]);
        const auto is_text = [&](std::size_t k) {
            return k < n && !is_name(k) && values[k].is_text();
        };
        for (std::size_t k = 0; k < n; ++k)
            if (is_name(k))
                values[k] = is_text(k + 1) || is_text(k - 1) ? text_value(node.children[k].text)
                                                             : evaluate(node.children[k]);
        return values;
    }

    /// a < b < c is a < b and b < c.
    Value compared(const ExpressionNode& node) const {
        const std::vector<Value> values = compared_values(node);
        Value all = comparison(node.operators[0], values[0], values[1], place(node));
        for (std::size_t k = 2; k < values.size(); ++k)
            all =
                connected("and", all,
                          comparison(node.operators[k - 1], values[k - 1], values[k], place(node)),
                          place(node));
        return all;
    }

    /// Writes the values with so many digits that numbers which differ look different.
    std::vector<std::string> distinct_texts(const std::vector<Value>& values) const {
        constexpr int kMostDigits = 17;
        std::vector<std::string> texts;
        for (const Value& value : values) texts.push_back(text(value));
        const auto are_confused = [&](std::size_t k) {
            const Value &a = values[k - 1], &b = values[k];
            return a.is_number() && b.is_number() && a.number() != b.number() &&
                   texts[k - 1] == texts[k];
        };
        for (std::size_t k = 1; k < values.size(); ++k)
            for (int digits = 4; digits <= kMostDigits && are_confused(k); ++digits)
                for (const std::size_t at : {k - 1, k})
                    texts[at] = significant_text(values[at].number(), digits);
        return texts;
    }

    std::string text(const Value& value) const { return value_text(value, "", expression_.where); }

    const Expression& expression_;
    const ExpressionScope& scope_;
};

void add_names(const ExpressionNode& node, std::vector<const ExpressionNode*>& names) {
    if (node.kind == Kind::Name) names.push_back(&node);
    for (std::size_t k = 0; k < node.children.size(); ++k) {
        const bool is_plain_index =
            node.kind == Kind::Index && k > 0 && node.children[k].kind == Kind::Name;
        if (!is_plain_index) add_names(node.children[k], names);
    }
}

class NameCheck {
  public:
    NameCheck(const Expression& expression, const NameScope& names)
        : expression_(expression), names_(names) {}

    void check(const ExpressionNode& node) const {
        if (node.kind == Kind::Name) check_name(node);
        for (std::size_t k = 0; k < node.children.size(); ++k)
            if (node.children[k].kind != Kind::Name || !may_be_word(node, static_cast<int>(k)))
                check(node.children[k]);
    }

  private:
    ExpressionPlace place(const ExpressionNode& node) const {
        return {expression_.where, expression_.text, node.offset};
    }
    bool may_be_word(const ExpressionNode& node, int child) const {
        if (node.kind == Kind::Call)
            return function_named(node.text, place(node)).name_argument == child;
        return node.kind == Kind::Compare || (node.kind == Kind::Index && child > 0);
    }
    void check_name(const ExpressionNode& node) const {
        const PrefixedName called = split_prefix(node.text);
        if (called.side != ScopeSide::A) fail_without_side(called.side, place(node));
        if (!called.name.starts_with(kSettings) && tensors_called(names_, called.name).empty())
            static_cast<void>(tensor_called(names_, called.name, place(node)));
    }

    const Expression& expression_;
    const NameScope& names_;
};

}  // namespace

Value evaluate(const Expression& expression, const ExpressionScope& scope) {
    return Evaluation(expression, scope).evaluate(*expression.root);
}

Value evaluate_expression(std::string_view text, const ExpressionScope& scope,
                          const ErrorPlace& where) {
    return evaluate(read_expression(text, where), scope);
}

bool holds(const Expression& condition, const ExpressionScope& scope) {
    const Value value = evaluate(condition, scope);
    const ExpressionPlace place{condition.where, condition.text, 0};
    if (value.of != Value::Of::Truths)
        place.fail("a condition is needed, such as pattern[it, cat] > 0.5; this is {}",
                   kind_text(value));
    if (!value.is_truth()) place.fail("this is {}; say all(…) or any(…) of it", kind_text(value));
    return value.number() != 0;
}

std::string with_values(const Expression& condition, const ExpressionScope& scope) {
    return Evaluation(condition, scope).with_values(*condition.root);
}

void check_names(const Expression& expression, const NameScope& names) {
    NameCheck(expression, names).check(*expression.root);
}

std::vector<std::string> needed_paths(const Expression& expression, const NameScope& names,
                                      ScopeSide side) {
    std::vector<const ExpressionNode*> found;
    add_names(*expression.root, found);
    std::vector<std::string> paths;
    for (const ExpressionNode* node : found) {
        const PrefixedName called = split_prefix(node->text);
        if (called.side != side) continue;
        const std::vector<TensorId> tensors = tensors_called(names, called.name);
        if (tensors.size() == 1 && std::ranges::count(paths, names.plan[tensors[0]].path) == 0)
            paths.push_back(names.plan[tensors[0]].path);
    }
    return paths;
}

}  // namespace headlight
