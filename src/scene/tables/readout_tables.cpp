#include "scene/tables/readout_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"
#include "scene/readout/readout_words.h"

namespace headlight {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::span<const Scalar> numbers_of_row(const Matrix& matrix, Index row) {
    return {matrix.row(row).data(), static_cast<std::size_t>(matrix.cols())};
}

/// "logit of ␣Mary − ␣John after ␣to"
std::string caption_of(const AskedLogits& asked, const char* what) {
    return what + question_text(asked.document, asked.trace, asked.question);
}

std::string head_of_logit(const AskedLogits& asked) {
    return asked.heads == AskedLogits::Heads::Plain
               ? "logit"
               : question_text(asked.document, asked.trace, asked.question);
}

class NextWords {
  public:
    explicit NextWords(const AskedLogits& asked)
        : asked_(asked),
          row_(numbers_of_row(*asked.trace.at(logits_path()).value, asked.question.row)),
          shares_(ranked_shares()) {
        const bool are_classes = named_by_logits(asked.document, asked.trace) == LogitsName::Class;
        table_.name = "words";
        table_.caption = "the likeliest" + place_asked(asked.document, asked.trace, asked.question);
        table_.n_labels = 2;
        table_.add_numbers("place");
        table_.add_texts(are_classes ? "class" : "word");
        table_.add_numbers("logit");
        table_.add_numbers("probability");
    }

    Table take() {
        const LogitQuestion& question = asked_.question;
        const bool is_named = asked_.word == AskedLogits::Word::Named;
        if (question.minus)
            add(kNone, shown(question.word) + " − " + shown(*question.minus),
                logit_asked(asked_.trace, question), kNone);
        if (is_named) add(question.word);
        if (question.minus) add(*question.minus);
        for (const LargestNumber& largest : largest_numbers(row_, asked_.n_words))
            add(largest.place);
        return std::move(table_);
    }

  private:
    std::vector<double> ranked_shares() const {
        check_is_ranked(asked_.document, asked_.trace, asked_.question.row);
        return row_probabilities(row_);
    }

    std::string shown(Index word) const { return word_shown(asked_.trace, word); }

    void add(Index word) {
        const auto at = static_cast<std::size_t>(word);
        const auto place = std::ranges::count_if(row_, [&](Scalar x) { return x > row_[at]; }) + 1;
        add(static_cast<double>(place), shown(word), static_cast<double>(row_[at]), shares_[at]);
    }

    void add(double place, std::string word, double logit, double probability) {
        auto& columns = table_.columns;
        std::get<std::vector<double>>(columns[0].cells).push_back(place);
        std::get<std::vector<std::string>>(columns[1].cells).push_back(std::move(word));
        std::get<std::vector<double>>(columns[2].cells).push_back(logit);
        std::get<std::vector<double>>(columns[3].cells).push_back(probability);
    }

    const AskedLogits& asked_;
    std::span<const Scalar> row_;
    std::vector<double> shares_;
    Table table_;
};

}  // namespace

Table next_words_table(const AskedLogits& asked) {
    return NextWords(asked).take();
}

Table lens_table(const AskedLogits& asked) {
    const Matrix logits = lens_logits(asked.trace, asked.question.row);
    const LogitQuestion& question = asked.question;
    const bool is_named = asked.word == AskedLogits::Word::Named;
    const bool is_plain = asked.heads == AskedLogits::Heads::Plain;
    const bool is_of_word =
        is_named || why_unranked(asked.document, asked.trace, question.row).empty();
    Table table{"lens",
                is_of_word ? caption_of(asked, "logit lens: ")
                           : "logit lens" + place_asked(asked.document, asked.trace, question),
                {},
                1};
    std::vector<std::string> after;
    std::vector<double> of, share;
    const std::size_t n_words = std::min(asked.n_words, static_cast<std::size_t>(logits.cols()));
    std::vector<std::vector<std::string>> words(n_words);
    std::vector<std::vector<double>> shares_of_words(n_words);
    for (Index l = 0; l < logits.rows(); ++l) {
        const auto row = numbers_of_row(logits, l);
        const bool is_ranked = has_probabilities(row);
        const std::vector<double> shares =
            is_ranked ? row_probabilities(row) : std::vector<double>(row.size(), kNone);
        after.push_back(l == 0 ? std::string("input") : "layer " + std::to_string(l - 1));
        const auto logit = static_cast<double>(logits(l, question.word));
        of.push_back(question.minus ? logit - static_cast<double>(logits(l, *question.minus))
                                    : logit);
        share.push_back(shares[static_cast<std::size_t>(question.word)]);
        if (!is_ranked)
            for (std::size_t k = 0; k < n_words; ++k) {
                words[k].emplace_back();
                shares_of_words[k].push_back(kNone);
            }
        if (!is_ranked) continue;
        const std::vector<LargestNumber> largest = largest_numbers(row, n_words);
        for (std::size_t k = 0; k < n_words; ++k) {
            words[k].push_back(word_shown(asked.trace, largest[k].place));
            shares_of_words[k].push_back(shares[static_cast<std::size_t>(largest[k].place)]);
        }
    }
    table.add_texts("after") = std::move(after);
    if (is_named) {
        table.add_numbers(head_of_logit(asked)) = std::move(of);
        table.add_numbers(is_plain ? "probability"
                                   : "p(" + word_shown(asked.trace, question.word) + ")") =
            std::move(share);
    }
    for (std::size_t k = 0; k < n_words; ++k) {
        const std::string number = std::to_string(k + 1);
        table.add_texts("word " + number) = std::move(words[k]);
        table.add_numbers("probability " + number) = std::move(shares_of_words[k]);
    }
    return table;
}

Table attribution_table(const AskedLogits& asked) {
    check_is_ranked(asked.document, asked.trace, asked.question.row);
    const auto found = attribute_logit(asked.trace, asked.question);
    if (!found)
        throw Error("logits",
                    "the logit is no sum of parts: a norm follows each layer, or a nonlinear head "
                    "the last one");
    Table table{"attribution", caption_of(asked, "what adds up to the logit of "), {}, 1};
    std::vector<LogitPart> all = found->parts;
    const std::size_t n = std::min(all.size(), asked.n_parts.value_or(all.size()));
    if (asked.n_parts)
        std::ranges::stable_sort(all, std::ranges::greater{},
                                 [](const LogitPart& part) { return std::abs(part.value); });
    std::vector<std::string> parts;
    std::vector<double> values;
    for (const LogitPart& part : std::span(all).first(n)) {
        parts.push_back(part_name(part.what));
        values.push_back(part.value);
    }
    if (n < all.size()) {
        parts.emplace_back("the others");
        values.push_back(0);
        for (const LogitPart& part : std::span(all).subspan(n)) values.back() += part.value;
    }
    parts.emplace_back("sum");
    values.push_back(found->logit);
    table.add_texts("part") = std::move(parts);
    table.add_numbers(head_of_logit(asked)) = std::move(values);
    return table;
}

}  // namespace headlight
