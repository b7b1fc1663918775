#include "text/quoted_word.h"

#include <algorithm>
#include <iterator>

namespace headlight {
namespace {

struct QuotationMarks {
    std::string_view before, behind;
};
constexpr QuotationMarks kUsual{"“", "”"}, kOther{"«", "»"};

bool has_mark(std::string_view word) {
    constexpr std::string_view kDouble[] = {"\"", "“", "”", "„"};
    constexpr std::string_view kAlone[] = {"'", "‘", "’", "‚", "`", "''", "``"};
    constexpr std::string_view kBlank = "␣";
    if (word.starts_with(kBlank)) word.remove_prefix(kBlank.size());
    return std::ranges::find(kAlone, word) != std::end(kAlone) ||
           std::ranges::any_of(kDouble, [&](std::string_view mark) {
               return word.find(mark) != std::string_view::npos;
           });
}

}  // namespace

std::string quoted_word(std::string_view word) {
    const QuotationMarks& marks = has_mark(word) ? kOther : kUsual;
    return std::string(marks.before) + std::string(word) + std::string(marks.behind);
}

std::size_t find_quoted_word(std::string_view text) {
    return std::min(text.find(kUsual.before), text.find(kOther.before));
}

}  // namespace headlight
