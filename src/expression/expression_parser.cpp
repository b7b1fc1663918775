// Text → tree: a recursive descent, one function for each strength of binding.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "core/numeric/read_digits.h"
#include "expression/expression.h"
#include "expression/expression_node.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

using Kind = ExpressionNode::Kind;

/// An operator as it is written, and its name in the tree.
struct Spelling {
    std::string_view written, name;
};
constexpr Spelling kComparisons[] = {{"<=", "<="}, {"≤", "<="}, {">=", ">="}, {"≥", ">="},
                                     {"!=", "!="}, {"≠", "!="}, {"==", "="},  {"=", "="},
                                     {"<", "<"},   {">", ">"}};
constexpr Spelling kSums[] = {{"+", "+"}, {"-", "-"}, {"−", "-"}};
constexpr Spelling kProducts[] = {{"*", "*"}, {"×", "*"}, {"/", "/"}, {"@", "@"}};
constexpr Spelling kPowers[] = {{"^", "^"}};
constexpr Spelling kMinus[] = {{"-", "-"}, {"−", "-"}};
constexpr Spelling kOr[] = {{"or", "or"}}, kAnd[] = {{"and", "and"}}, kNot[] = {{"not", "not"}};

struct Quotes {
    std::string_view open, close;
};
constexpr Quotes kQuotes[] = {{"'", "'"}, {"\"", "\""}, {"“", "”"}, {"‘", "’"}, {"„", "“"}};

bool is_name_character(char32_t c) {
    if (c < 0x80)
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '#';
    return std::u32string_view(U"−×≤≥≠∞“”‘’„…\u00a0").find(c) == std::u32string_view::npos;
}

class Parser {
  public:
    Parser(const std::string& text, const ErrorPlace& where) : text_(text), where_(where) {}

    ExpressionNode parse() {
        if (text_.size() > kMostCharacters)
            fail(fmt::format("the expression has more than {} characters", kMostCharacters));
        ExpressionNode root = parse_or();
        skip_blanks();
        if (at_ < text_.size()) fail_unexpected("an operator");
        return root;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
    [[noreturn]] void fail_at(std::size_t offset, const std::string& what) const {
        ExpressionPlace{where_, text_, offset}.fail(what);
    }
    [[noreturn]] void fail_unexpected(const std::string& wanted) const {
        if (at_ >= text_.size())
            fail(fmt::format("the expression ends where {} is missing", wanted));
        const CodePoint c = decode_code_point(text_, at_);
        fail(fmt::format("{} stands where {} is missing",
                         in_quotes(std::string_view(text_).substr(at_, c.size_bytes)), wanted));
    }

    /// Counts the levels of recursion.
    struct Level {
        explicit Level(Parser& p) : parser(p) {
            if (++parser.nesting_ > kMostNesting)
                parser.fail(
                    fmt::format("the expression is nested deeper than {} levels", kMostNesting));
        }
        ~Level() { --parser.nesting_; }
        Level(const Level&) = delete;
        Parser& parser;
    };

    void skip_blanks() {
        while (has(" ") || has("\t") || has("\u00a0")) at_ += has("\u00a0") ? 2 : 1;
    }

    bool has(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
    bool take(std::string_view what) {
        skip_blanks();
        if (!has(what)) return false;
        at_ += what.size();
        return true;
    }
    void expect(std::string_view what) {
        if (!take(what)) fail_unexpected(in_quotes(what));
    }

    /// Returns the name of the operator that stands here; "" if it is another one.
    std::string take_operator(std::span<const Spelling> spellings) {
        skip_blanks();
        for (const Spelling& spelling : spellings) {
            if (!has(spelling.written)) continue;
            const bool is_word = spelling.written[0] >= 'a' && spelling.written[0] <= 'z';
            const std::size_t end = at_ + spelling.written.size();
            if (is_word && name_end(at_) != end) continue;
            at_ = end;
            return std::string(spelling.name);
        }
        return "";
    }

    std::size_t name_end(std::size_t from) const {
        while (from < text_.size()) {
            const CodePoint c = decode_code_point(text_, from);
            if (!c.is_valid || !is_name_character(c.value)) break;
            from += c.size_bytes;
        }
        return from;
    }

    ExpressionNode joined(ExpressionNode node, std::vector<ExpressionNode> children) const {
        node.children = std::move(children);
        for (const ExpressionNode& child : node.children)
            node.depth = std::max(node.depth, child.depth + 1);
        constexpr int kMostDepth = 10 * kMostNesting;  // of sums with many terms
        if (node.depth > kMostDepth)
            fail_at(node.offset, "the expression has too many operators in a row");
        return node;
    }
    ExpressionNode joined(ExpressionNode node, ExpressionNode child) const {
        std::vector<ExpressionNode> children;
        children.push_back(std::move(child));
        return joined(std::move(node), std::move(children));
    }

    /// operand { operator operand }, from left to right
    ExpressionNode parse_chain(std::span<const Spelling> operators,
                               ExpressionNode (Parser::*parse_operand)()) {
        ExpressionNode left = (this->*parse_operand)();
        while (true) {
            skip_blanks();
            const std::size_t offset = at_;
            std::string name = take_operator(operators);
            if (name.empty()) return left;
            std::vector<ExpressionNode> both;
            both.push_back(std::move(left));
            both.push_back((this->*parse_operand)());
            left = joined({.kind = Kind::Binary, .offset = offset, .text = std::move(name)},
                          std::move(both));
        }
    }

    ExpressionNode parse_or() {
        const Level level(*this);
        return parse_chain(kOr, &Parser::parse_and);
    }
    ExpressionNode parse_and() { return parse_chain(kAnd, &Parser::parse_not); }
    ExpressionNode parse_not() {
        const Level level(*this);
        skip_blanks();
        const std::size_t offset = at_;
        if (take_operator(kNot).empty()) return parse_comparison();
        return joined({.kind = Kind::Not, .offset = offset}, parse_not());
    }

    ExpressionNode parse_comparison() {
        std::vector<ExpressionNode> operands;
        operands.push_back(parse_sum());
        ExpressionNode node{.kind = Kind::Compare};
        while (true) {
            skip_blanks();
            const std::size_t offset = at_;
            std::string name = take_operator(kComparisons);
            if (name.empty()) break;
            if (node.operators.empty()) node.offset = offset;
            node.operators.push_back(std::move(name));
            operands.push_back(parse_sum());
        }
        if (node.operators.empty()) return std::move(operands.front());
        return joined(std::move(node), std::move(operands));
    }

    ExpressionNode parse_sum() { return parse_chain(kSums, &Parser::parse_product); }
    ExpressionNode parse_product() { return parse_chain(kProducts, &Parser::parse_signed); }

    ExpressionNode parse_signed() {
        const Level level(*this);
        skip_blanks();
        const std::size_t offset = at_;
        if (take_operator(kMinus).empty()) return parse_power();
        return joined({.kind = Kind::Minus, .offset = offset}, parse_signed());
    }

    /// 2 ^ 3 ^ 2 is 2 ^ (3 ^ 2), and 2 ^ -1 is legal.
    ExpressionNode parse_power() {
        ExpressionNode base = parse_indexed();
        skip_blanks();
        const std::size_t offset = at_;
        if (take_operator(kPowers).empty()) return base;
        std::vector<ExpressionNode> both;
        both.push_back(std::move(base));
        both.push_back(parse_signed());
        return joined({.kind = Kind::Binary, .offset = offset, .text = "^"}, std::move(both));
    }

    ExpressionNode parse_indexed() {
        ExpressionNode node = parse_primary();
        while (true) {
            skip_blanks();
            const std::size_t offset = at_;
            if (!take("[")) return node;
            std::vector<ExpressionNode> parts;
            parts.push_back(std::move(node));
            do parts.push_back(parse_index());
            while (take(","));
            expect("]");
            if (parts.size() > 3) fail_at(offset, "there are at most two indices: [row, column]");
            node = joined({.kind = Kind::Index, .offset = offset}, std::move(parts));
        }
    }

    /// Reads a word as it stands in the text, up to a comma or a bracket; * for all; a text in
    /// quotes; or an expression in parentheses.
    ExpressionNode parse_index() {
        skip_blanks();
        const std::size_t offset = at_;
        if (ExpressionNode quoted; take_quoted(quoted)) return quoted;
        const std::size_t end = std::min(text_.find_first_of(",]", at_), text_.size());
        const std::size_t last = text_.find_last_not_of(" \t", end - 1);
        std::string word = end == at_ ? "" : text_.substr(at_, last + 1 - at_);
        if (word.size() > 1 && word[0] == '(') {
            ++at_;
            ExpressionNode inner = parse_or();
            expect(")");
            return joined({.kind = Kind::Computed, .offset = offset}, std::move(inner));
        }
        if (word.empty()) fail_unexpected("an index (a word, a number or *)");
        if (word.find_first_of(" \t[") != std::string::npos)
            fail("an index with blanks or brackets stands in quotes: " + in_quotes(word));
        at_ = end;
        if (word == "*") return {.kind = Kind::All, .offset = offset};
        return {.kind = Kind::Name, .offset = offset, .text = std::move(word)};
    }

    bool take_quoted(ExpressionNode& node) {
        const std::size_t offset = at_;
        for (const Quotes& quotes : kQuotes) {
            if (!has(quotes.open)) continue;
            const std::size_t begin = at_ + quotes.open.size();
            const std::size_t end = text_.find(quotes.close, begin);
            if (end == std::string::npos) fail("the text that begins here has no end");
            at_ = end + quotes.close.size();
            node = {.kind = Kind::Text, .offset = offset, .text = text_.substr(begin, end - begin)};
            return true;
        }
        return false;
    }

    ExpressionNode parse_primary() {
        skip_blanks();
        const std::size_t offset = at_;
        if (ExpressionNode quoted; take_quoted(quoted)) return quoted;
        if (take("(")) {
            ExpressionNode inner = parse_or();
            expect(")");
            return inner;
        }
        if (take("[")) return joined({.kind = Kind::List, .offset = offset}, parse_arguments("]"));
        if (take("∞")) return infinity(offset);
        if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') return parse_number();
        return parse_name();
    }

    static ExpressionNode infinity(std::size_t offset) {
        return {.kind = Kind::Number,
                .offset = offset,
                .number = std::numeric_limits<double>::infinity()};
    }

    std::vector<ExpressionNode> parse_arguments(std::string_view close) {
        std::vector<ExpressionNode> arguments;
        if (take(close)) return arguments;
        do arguments.push_back(parse_or());
        while (take(","));
        expect(close);
        return arguments;
    }

    ExpressionNode parse_number() {
        ExpressionNode node{.kind = Kind::Number, .offset = at_};
        const char* begin = text_.data() + at_;
        const auto [end, failure] = read_digits(begin, text_.data() + text_.size(), node.number);
        node.text.assign(begin, end);
        if (failure != std::errc())
            fail(fmt::format("the number {} is out of range", in_quotes(node.text)));
        at_ += static_cast<std::size_t>(end - begin);
        if (name_end(at_) != at_) fail_unexpected("an operator");
        return node;
    }

    ExpressionNode parse_name() {
        const std::size_t offset = at_, end = name_end(at_);
        if (end == at_) fail_unexpected("a name or a number");
        std::string name = text_.substr(at_, end - at_);
        at_ = end;
        if (take("(")) return parse_call(offset, std::move(name));
        if (name == "infinity") return infinity(offset);
        if (name == "true" || name == "false")
            return {.kind = Kind::Truth, .offset = offset, .number = name == "true" ? 1.0 : 0.0};
        if (name == "and" || name == "or" || name == "not")
            fail_at(offset, in_quotes(name) + " stands where a name or a number is missing");
        return {.kind = Kind::Name, .offset = offset, .text = std::move(name)};
    }

    ExpressionNode parse_call(std::size_t offset, std::string name) {
        const ExpressionFunction& function =
            function_named(name, ExpressionPlace{where_, text_, offset});
        std::vector<ExpressionNode> arguments = parse_arguments(")");
        const int n = static_cast<int>(arguments.size());
        if (n < function.least || n > function.most)
            fail_at(offset, fmt::format("it is {}({}), and not with {}", name,
                                        function.words.arguments, counted(n, "argument")));
        return joined({.kind = Kind::Call, .offset = offset, .text = std::move(name)},
                      std::move(arguments));
    }

    const std::string& text_;
    const ErrorPlace& where_;
    std::size_t at_ = 0;
    int nesting_ = 0;
};

}  // namespace

void ExpressionPlace::fail(const std::string& what) const {
    const std::size_t column =
        count_code_points(std::string_view(text).substr(0, std::min(offset, text.size()))) + 1;
    throw Error(where, "column {} of {}: {}", column, in_quotes(text), what);
}

Expression read_expression(std::string_view text, const ErrorPlace& where) {
    Expression expression{std::string(text), where, nullptr};
    expression.root =
        std::make_shared<const ExpressionNode>(Parser(expression.text, expression.where).parse());
    return expression;
}

}  // namespace headlight
