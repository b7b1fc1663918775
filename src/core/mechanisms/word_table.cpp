#include "core/mechanisms/word_table.h"

namespace headlight {

Matrix rows_in(const WordTable& table, const std::vector<std::string>& words) {
    Matrix rows(static_cast<Index>(words.size()), 1);
    for (std::size_t i = 0; i < words.size(); ++i)
        rows(static_cast<Index>(i), 0) = static_cast<Scalar>(table.find_row(words[i]));
    return rows;
}

}  // namespace headlight
