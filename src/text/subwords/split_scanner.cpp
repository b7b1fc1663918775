#include "text/subwords/split_scanner.h"

#include "text/subwords/character_classes.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// A character of the text; size_bytes is 0 at the end.
struct Scanned {
    char32_t value = 0;
    std::size_t size_bytes = 0;

    bool is_there() const { return size_bytes > 0; }
};

Scanned scanned_at(std::string_view utf8, std::size_t at) {
    if (at >= utf8.size()) return {};
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < 0x80) return {byte, 1};
    const CodePoint point = decode_code_point(utf8, at);
    return {point.value, point.size_bytes};
}

/// Where the run of such characters ends that begins at `at`.
template <typename IsInRun>
std::size_t run_end(std::string_view utf8, std::size_t at, IsInRun is_in_run) {
    for (Scanned next = scanned_at(utf8, at); next.is_there() && is_in_run(next.value);
         next = scanned_at(utf8, at))
        at += next.size_bytes;
    return at;
}

enum class ContractionCase { LowerOnly, Any };

/// The letter as the contractions have it; ſ is an s in any case.
char contraction_letter(char32_t c, ContractionCase case_of_letters) {
    constexpr char32_t kLongS = 0x17F;
    if (case_of_letters == ContractionCase::Any && c == kLongS) return 's';
    if (c >= 0x80) return 0;
    const char letter = static_cast<char>(c);
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    return is_capital && case_of_letters == ContractionCase::Any
               ? static_cast<char>(letter - 'A' + 'a')
               : letter;
}

/// Where 's, 't, 're, 've, 'm, 'll or 'd ends that begins here; `begin` if there is none.
std::size_t contraction_end(std::string_view utf8, std::size_t begin,
                            ContractionCase case_of_letters) {
    if (utf8[begin] != '\'') return begin;
    const Scanned first = scanned_at(utf8, begin + 1);
    const char letter = contraction_letter(first.value, case_of_letters);
    const std::size_t end = begin + 1 + first.size_bytes;
    if (letter == 's' || letter == 't' || letter == 'm' || letter == 'd') return end;
    const Scanned second = scanned_at(utf8, end);
    const char last = contraction_letter(second.value, case_of_letters);
    const bool is_two = (letter == 'r' && last == 'e') || (letter == 'v' && last == 'e') ||
                        (letter == 'l' && last == 'l');
    return is_two ? end + second.size_bytes : begin;
}

bool is_other(char32_t c) {
    return !is_pattern_blank(c) && !is_pattern_letter(c) && !is_pattern_number(c);
}

/// \s+(?!\S)|\s+: the last blank of a run is left to what follows.
std::size_t blank_end(std::string_view utf8, std::size_t begin) {
    const std::size_t end = run_end(utf8, begin, is_pattern_blank);
    if (end == utf8.size()) return end;
    std::size_t last = end - 1;  // where the last blank begins
    while (last > begin && (static_cast<unsigned char>(utf8[last]) & 0xC0) == 0x80) --last;
    return last == begin ? end : last;
}

bool is_line_end(char32_t c) {
    return c == U'\r' || c == U'\n';
}

}  // namespace

std::size_t gpt2_match_end(std::string_view utf8, std::size_t begin) {
    const std::size_t contraction = contraction_end(utf8, begin, ContractionCase::LowerOnly);
    if (contraction > begin) return contraction;
    const std::size_t at = begin + (utf8[begin] == ' ' ? 1 : 0);
    const Scanned first = scanned_at(utf8, at);
    if (first.is_there() && !is_pattern_blank(first.value)) {
        if (is_pattern_letter(first.value)) return run_end(utf8, at, is_pattern_letter);
        if (is_pattern_number(first.value)) return run_end(utf8, at, is_pattern_number);
        return run_end(utf8, at, is_other);
    }
    return blank_end(utf8, begin);
}

std::size_t llama3_match_end(std::string_view utf8, std::size_t begin, int most_digits,
                             MarksAre marks) {
    const auto is_letter = [marks](char32_t c) {
        return is_pattern_letter(c) || (marks == MarksAre::Letters && is_pattern_mark(c));
    };
    const auto is_symbol = [&](char32_t c) { return is_other(c) && !is_letter(c); };
    const std::size_t contraction = contraction_end(utf8, begin, ContractionCase::Any);
    if (contraction > begin) return contraction;

    const Scanned first = scanned_at(utf8, begin);
    const std::size_t second = begin + first.size_bytes;
    if (is_letter(first.value)) return run_end(utf8, begin, is_letter);
    if (is_pattern_number(first.value)) {
        int n_digits = 0;
        return run_end(utf8, begin, [&](char32_t c) {
            return is_pattern_number(c) && n_digits++ < most_digits;
        });
    }
    const Scanned next = scanned_at(utf8, second);
    if (!is_line_end(first.value) && next.is_there() && is_letter(next.value))
        return run_end(utf8, second, is_letter);

    const std::size_t at = first.value == U' ' ? second : begin;
    const std::size_t symbols = run_end(utf8, at, is_symbol);
    if (symbols > at) return run_end(utf8, symbols, is_line_end);

    // \s*[\r\n]+: up to the last line end of the run.
    const std::size_t blanks = run_end(utf8, begin, is_pattern_blank);
    const std::size_t last = utf8.substr(begin, blanks - begin).find_last_of("\r\n");
    return last != std::string_view::npos ? begin + last + 1 : blank_end(utf8, begin);
}

}  // namespace headlight
