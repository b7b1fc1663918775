// A walk over the tree of an expression, with the values of a trace.
#include <algorithm>
#include <charconv>

#include "expression/expression.h"
#include "expression/expression_functions.h"
#include "expression/expression_names.h"
#include "expression/expression_node.h"
#include "text/printable.h"

namespace headlight {
namespace {

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

    /// The condition with values in place of what it compares.
    std::string with_values(const ExpressionNode& node) const {
        if (node.kind == Kind::Not) return "not (" + with_values(node.children[0]) + ")";
        if (node.kind == Kind::Compare) {
            const std::vector<Value> values = compared_values(node);
            const std::vector<std::string> shown = distinct_texts(values);
            std::string words = shown[0];
            for (std::size_t k = 1; k < values.size(); ++k)
                words += " " + node.operators[k - 1] + " " + shown[k];
            return words;
        }
        if (!is_connected(node)) return text(evaluate(node));
        const auto part = [&](const ExpressionNode& child) {
            const bool is_weaker = node.text == "and" && is_connected(child) && child.text == "or";
            return is_weaker ? "(" + with_values(child) + ")" : with_values(child);
        };
        return part(node.children[0]) + " " + node.text + " " + part(node.children[1]);
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

    const ExpressionSide& side_px(ScopeSide side, const ExpressionNode& node) const {
        if (side == ScopeSide::A) return scope_.a;
        const ExpressionSide* other = side == ScopeSide::B ? scope_.b : scope_.before;
        if (!other) fail_without_side(side, place(node));
        return *other;
    }

    Value read_name(const ExpressionNode& node, const std::vector<NamedIndex>& indices) const {
        const PrefixedName called = split_prefix(node.text);
        const ExpressionSide& side = side_px(called.side, node);
        if (called.name.starts_with(kSettings)) {
            if (!indices.empty()) place(node).fail("a setting has no index");
            return read_setting(side, called.name.substr(kSettings.size()), place(node));
        }
        const ExpressionPlace here = place(node);
        return read_tensor(side, tensor_called(side.names(), called.name, here), indices, here);
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
                    .fail("a list consists of numbers; " + kind_text(number) + " is given");
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
                value.occurrence > 1 ? "#" + std::to_string(value.occurrence) : "";
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

    /// With so many digits that numbers which differ look different.
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
        place.fail("a condition is needed, such as pattern[it, cat] > 0.5; this is " +
                   kind_text(value));
    if (!value.is_truth())
        place.fail("this is " + kind_text(value) + "; say all(…) or any(…) of it");
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
