#include "present/answer_code.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <tuple>
#include <utility>

#include "core/bits.h"
#include "core/numeric/read_digits.h"
#include "text/utf8.h"

namespace headlight {
namespace {

using Kind = PageTask::Kind;

constexpr std::string_view kSigns = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
constexpr std::size_t kBase = kSigns.size();
static_assert(kBase == 31);
constexpr std::size_t kHead = 4;  // signs of page and question
constexpr std::size_t kTwoSigns = kBase * kBase;
constexpr std::size_t kNumberSigns = 4;
constexpr int kLeastExponent = -12, kExponents = 25;

std::string signs_of(std::size_t value, std::size_t n_signs) {
    std::string signs(n_signs, kSigns[0]);
    for (std::size_t k = n_signs; k-- > 0; value /= kBase) signs[k] = kSigns[value % kBase];
    return signs;
}

/// Returns nothing if there is a sign that no code has.
std::optional<std::size_t> value_of(std::string_view signs) {
    std::size_t value = 0;
    for (const char sign : signs) {
        const std::size_t at = kSigns.find(sign);
        if (at == kSigns.npos) return std::nullopt;
        value = value * kBase + at;
    }
    return value;
}

/// Returns the sum that is 0 for all signs of a code. The weights are powers of 3, a primitive root
/// of 31: no two neighbours have the same.
std::size_t weighted_sum(std::string_view signs) {
    std::size_t sum = 0, weight = 1;
    for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
        sum += weight * kSigns.find(*sign);
        weight = weight * 3 % kBase;
    }
    return sum % kBase;
}

char check_sign(std::string signs) {
    const std::size_t sum = weighted_sum(signs + kSigns[0]);
    return kSigns[(kBase - sum) % kBase];
}

/// A number as a code holds it: d.ddd · 10^exponent, with `digits` digits.
struct CodedNumber {
    std::size_t digits = 0;  // 1000 to 9999 of four digits
    int exponent = 0;
    bool is_negative = false;
};

constexpr std::size_t least_of(int n_digits) {
    return n_digits == 3 ? 100 : 1000;
}

/// Returns nothing for a number that is too large or too small, or not finite.
std::optional<CodedNumber> coded(double number, int n_digits) {
    if (!std::isfinite(number)) return std::nullopt;
    const std::string text = fmt::format("{:.{}e}", std::abs(number), n_digits - 1);
    const std::size_t e = text.find('e');
    CodedNumber coded{.digits = 0, .exponent = 0, .is_negative = number < 0};
    for (const char c : std::string_view(text).substr(0, e))
        if (c != '.') coded.digits = 10 * coded.digits + static_cast<std::size_t>(c - '0');
    coded.exponent = std::atoi(text.c_str() + e + 1);
    const int place = coded.exponent - kLeastExponent;
    if (place < 0 || place >= kExponents) return std::nullopt;
    return coded;
}

/// Returns the number, and how far a number that was written so may be off.
std::pair<double, double> decoded(const CodedNumber& coded, int n_digits) {
    const int last = coded.exponent - n_digits + 1;
    const std::string text =
        fmt::format("{}{}e{}", coded.is_negative ? "-" : "", coded.digits, last);
    double number = 0;
    read_digits(text.data(), text.data() + text.size(), number);
    return {number, 0.5 * std::pow(10.0, last)};
}

// The value of the last signs counts the facts about an answer in a mixed base. `flags` are those
// beside the number; a number 0 stands before all others, and for a goal no number after it.

struct NumberForm {
    int n_digits;
    std::size_t n_flags;  // how many values the flags have
    bool can_be_absent;

    std::size_t n_before() const { return n_flags * (can_be_absent ? 2 : 1); }
};
constexpr NumberForm kPrediction{4, 2, false}, kGoal{3, 4, true};

std::optional<std::size_t> value_of_number(const std::optional<double>& number, std::size_t flags,
                                           const NumberForm& form) {
    if (!number) return form.can_be_absent ? std::optional(form.n_flags + flags) : std::nullopt;
    if (*number == 0) return flags;
    const auto parts = coded(*number, form.n_digits);
    if (!parts) return form.can_be_absent ? std::optional(form.n_flags + flags) : std::nullopt;
    const std::size_t least = least_of(form.n_digits);
    std::size_t value = static_cast<std::size_t>(parts->exponent - kLeastExponent);
    value = value * 9 * least + (parts->digits - least);
    value = value * 2 + (parts->is_negative ? 1 : 0);
    return form.n_before() + value * form.n_flags + flags;
}

/// Takes the number out of the value, of which the flags are left. False if there is no such value.
bool take_number(std::size_t& value, const NumberForm& form, ClassAnswer& answer) {
    if (value < form.n_before()) {
        if (value < form.n_flags) answer.number = 0;
        value %= form.n_flags;
        return true;
    }
    std::size_t rest = value - form.n_before();
    value = rest % form.n_flags;
    rest /= form.n_flags;
    const std::size_t least = least_of(form.n_digits);
    CodedNumber parts{.digits = 0, .exponent = 0, .is_negative = rest % 2 == 1};
    rest /= 2;
    parts.digits = least + rest % (9 * least);
    const std::size_t place = rest / (9 * least);
    if (place >= static_cast<std::size_t>(kExponents)) return false;
    parts.exponent = static_cast<int>(place) + kLeastExponent;
    std::tie(answer.number.emplace(), answer.rounding) = decoded(parts, form.n_digits);
    return true;
}

std::size_t count_choice_signs(std::size_t n_choices) {
    return 2 * n_choices <= kBase ? 1 : 2;
}

std::size_t question_number(const std::string& lecture_title, const PageTask& task) {
    Fnv1a sum;
    const auto add = [&](std::string_view text) {
        sum.add_bytes(text);
        sum.add(0);
    };
    add(lecture_title);
    sum.add(static_cast<std::uint64_t>(task.kind));
    add(task.question);
    for (const TaskChoice& choice : task.choices) add(choice.text);
    add(task.expression.text);
    return static_cast<std::size_t>(mix_bits(sum.value()) % kTwoSigns);
}

/// Returns the signs of the answer itself; "" if it has none.
std::string answer_signs(const PageTask& task, const ClassAnswer& answer) {
    const std::size_t shown = answer.is_shown ? 1 : 0;
    if (task.kind == Kind::Choice) {
        const std::size_t n_signs = count_choice_signs(task.choices.size());
        const std::size_t value = 2 * answer.choice + shown;
        const bool has_room = answer.choice < task.choices.size() && value < kTwoSigns;
        return has_room ? signs_of(value, n_signs) : "";
    }
    std::optional<std::size_t> value;
    if (task.kind == Kind::Predict && answer.words.empty())
        value = value_of_number(answer.number, shown, kPrediction);
    if (task.kind == Kind::Goal)
        value = value_of_number(answer.number, 2 * shown + (answer.is_reached ? 1 : 0), kGoal);
    return value ? signs_of(*value, kNumberSigns) : "";
}

}  // namespace

bool can_have_code(const PageTask& task) {
    return task.kind != Kind::Order && 2 * task.choices.size() <= kTwoSigns;
}

std::string write_code(const std::string& lecture_title, const PageTask& task,
                       const ClassAnswer& answer) {
    if (answer.page >= kTwoSigns) return {};
    const std::string given = answer_signs(task, answer);
    if (given.empty()) return {};
    const std::string head =
        signs_of(answer.page, 2) + signs_of(question_number(lecture_title, task), 2);
    return "HL-" + head + "-" + given + check_sign(head + given);
}

CodeBook::CodeBook(const Lecture& lecture) {
    for (const LecturePage& page : lecture.pages) {
        Faults faults;
        const auto task = read_task(page, "lecture", &faults);
        pages_.push_back(task ? std::optional(Asked{task->kind, task->choices.size(),
                                                    question_number(lecture.title, *task)})
                              : std::nullopt);
    }
}

std::optional<std::size_t> CodeBook::question(std::size_t page) const {
    if (page >= pages_.size() || !pages_[page]) return std::nullopt;
    return pages_[page]->question;
}

/// Reads the signs of one code.
CodeBook::Found CodeBook::read(const std::string& signs) const {
    using Is = Found::Is;
    Found found{.is = Is::Mistyped, .code = "HL-" + signs.substr(0, kHead)};
    if (signs.size() > kHead) found.code += "-" + signs.substr(kHead);
    const bool has_room = signs.size() >= kHead + 2 && signs.size() <= kHead + kNumberSigns + 1;
    if (!has_room || !value_of(signs) || weighted_sum(signs) != 0) return found;
    const std::size_t page = *value_of(std::string_view(signs).substr(0, 2));
    const std::size_t question = *value_of(std::string_view(signs).substr(2, 2));
    const std::string given = signs.substr(kHead, signs.size() - kHead - 1);
    found.is = Is::Other;
    if (page >= pages_.size() || !pages_[page] || pages_[page]->question != question) return found;
    const Asked& asked = *pages_[page];
    found.is = Is::Mistyped;
    found.answer.page = page;
    const bool is_choice = asked.kind == Kind::Choice;
    if (given.size() != (is_choice ? count_choice_signs(asked.n_choices) : kNumberSigns))
        return found;
    std::size_t value = *value_of(given);
    if (is_choice) {
        found.answer.choice = value / 2;
        found.answer.is_shown = value % 2 == 1;
        if (found.answer.choice >= asked.n_choices) return found;
    } else {
        const bool is_goal = asked.kind == Kind::Goal;
        if (!take_number(value, is_goal ? kGoal : kPrediction, found.answer)) return found;
        found.answer.is_reached = is_goal && value % 2 == 1;
        found.answer.is_shown = is_goal ? value >= 2 : value == 1;
    }
    found.is = Is::Answer;
    return found;
}

namespace {

bool is_sign(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

/// Returns the text in capitals, each kind of dash as "-", each kind of blank as one, and without
/// characters that have no width, which programs for chats put in.
std::string plain_signs(std::string_view text) {
    constexpr char32_t kDashes[] = {U'‐', U'‑', U'‒', U'–', U'—', U'―', U'−', U'－', U'﹣'};
    constexpr char32_t kNoWidth[] = {0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF};
    const auto is_one_of = [](std::span<const char32_t> set, char32_t c) {
        return std::ranges::find(set, c) != set.end();
    };
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decode_code_point(text, at);
        const char32_t c = point.value;
        at += point.size_bytes;
        if (is_one_of(kNoWidth, c)) continue;
        if (c == U'_' || is_one_of(kDashes, c))
            plain += '-';
        else if (c == U'\t' || c == U'\r' || c == U'\n' || c == 0x00A0 || c == 0x202F)
            plain += ' ';
        else if (c < 0x80)
            plain += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : static_cast<char>(c);
        else
            plain += '*';
    }
    return plain;
}

/// Walks through a text from one part of a code to the next.
struct SignReader {
    std::string_view text;
    std::size_t at;

    /// Skips blanks and at most one dash. Returns true if there was a dash.
    bool skip_between() {
        const auto skip_blanks = [&] {
            while (at < text.size() && text[at] == ' ') ++at;
        };
        skip_blanks();
        const bool has_dash = at < text.size() && text[at] == '-';
        if (has_dash) ++at;
        if (has_dash) skip_blanks();
        return has_dash;
    }
    std::string take_signs() {
        const std::size_t from = at;
        while (at < text.size() && is_sign(text[at])) ++at;
        return std::string(text.substr(from, at - from));
    }
};

bool has_digit(std::string_view signs) {
    return std::ranges::any_of(signs, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<CodeBook::Found> CodeBook::find(std::string_view text) const {
    using Is = Found::Is;
    const std::string plain = plain_signs(text);
    std::vector<Found> all;
    for (std::size_t at = 0; at < plain.size();) {
        if (!is_sign(plain[at])) {
            ++at;
            continue;
        }
        SignReader reader{plain, at};
        const std::string word = reader.take_signs();
        const std::size_t end_of_word = reader.at;
        if (!word.starts_with("HL")) {
            const bool is_head = word.size() == kHead && reader.skip_between();
            const Found found = read(is_head ? word + reader.take_signs() : "");
            at = found.is == Is::Answer ? reader.at : end_of_word;
            if (found.is == Is::Answer) all.push_back(found);
            continue;
        }
        reader.at = at + 2;
        at = end_of_word;
        const bool has_dash = reader.skip_between();
        std::string signs = reader.take_signs();
        const std::size_t end_of_head = reader.at;
        bool has_two_parts = false;
        if (signs.size() == kHead) {
            has_two_parts = reader.skip_between();
            const std::string rest = reader.take_signs();
            // After a blank the next word may have nothing to do with the code.
            if (const Found whole = read(signs + rest); has_two_parts || whole.is == Is::Answer)
                signs += rest;
            else
                reader.at = end_of_head;
        }
        Found found = read(signs);
        const bool looks_like_one = has_dash && (has_two_parts || has_digit(signs));
        if (found.is != Is::Answer && !looks_like_one) continue;
        at = found.is == Is::Mistyped ? end_of_head : reader.at;
        all.push_back(std::move(found));
    }
    return all;
}

}  // namespace headlight
