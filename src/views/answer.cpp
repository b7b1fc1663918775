#include "views/answer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include "core/batch.h"
#include "core/mechanisms/word_table.h"
#include "model/next_word.h"
#include "text/utf8.h"
#include "views/readout_words.h"

namespace headlight {
namespace {

Answer asked_answer(const Trace& page, const Tensor& tensor) {
    Answer answer{.kind = Answer::Kind::Asked, .after = "", .is_last = false, .rows = {}};
    const std::optional<Index> asked = asked_row(page);
    if (!asked || tensor.value->hasNaN()) return answer;
    answer.after = shown_label(page.plan(), tensor.columns(), *asked);
    const Index n_words = last_word(page.plan(), tensor.columns()) + 1;
    for (Index j = 0; j < n_words; ++j)
        answer.rows.push_back(
            {shown_label(page.plan(), tensor.columns(), j), (*tensor.value)(0, j)});
    return answer;
}

/// Lists only the likeliest ones of many classes.
Answer picture_answer(const Trace& page, const Tensor& probabilities) {
    constexpr Index kMostClasses = 24, kListedClasses = 12;
    Answer answer{.kind = Answer::Kind::Picture, .after = "", .is_last = false, .rows = {}};
    const auto add = [&](Index j) {
        answer.rows.push_back(
            {shown_label(page.plan(), probabilities.columns(), j), (*probabilities.value)(0, j)});
    };
    const Index n_classes = probabilities.columns().size;
    if (n_classes <= kMostClasses) {
        for (Index j = 0; j < n_classes; ++j) add(j);
        return answer;
    }
    const std::span<const Scalar> row(probabilities.value->row(0).data(),
                                      static_cast<std::size_t>(n_classes));
    double rest = 1;
    for (const LargestNumber& likely : largest_numbers(row, kListedClasses)) {
        add(likely.place);
        rest -= likely.value;
    }
    answer.n_more = n_classes - kListedClasses;
    answer.more_sum = static_cast<Scalar>(std::max(0.0, rest));
    return answer;
}

/// The vocabularies of tasks are smaller. Of a larger one only the likeliest words are listed, and
/// = is a token like any other.
constexpr Index kMostWords = 1000, kListedWords = 100;

/// Lists the likeliest words for each question. A word that stands twice in the text is one word.
std::optional<Answer> questions_answer(const Trace& page, std::optional<Index> row) {
    const Components components = make_components(page.plan());
    const Component* attention = attention_of_questions(components);
    if (!attention) return std::nullopt;
    constexpr std::size_t kMostRows = 3;
    constexpr Scalar kLeastShown = 0.005f;
    Answer answer{.kind = Answer::Kind::Questions, .after = "", .is_last = false, .rows = {}};
    for (int h = 0; h < attention->n_heads; ++h) {
        const Tensor* pattern = page.find(attention->place.of_head(h).at(Role::Pattern).path);
        if (!pattern || !pattern->value) return answer;
        const Index n = last_word(page.plan(), pattern->columns()) + 1;
        const Index at = row && *row < n ? *row : pronoun_row(page).value_or(n - 1);
        answer.after = shown_label(page.plan(), pattern->rows(), at);
        std::vector<AnswerRow> words;
        for (Index j = 0; j < n; ++j) {
            const std::string label = shown_label(page.plan(), pattern->columns(), j);
            const auto found = std::ranges::find(words, label, &AnswerRow::label);
            if (found == words.end())
                words.push_back({label, (*pattern->value)(at, j)});
            else
                found->probability += (*pattern->value)(at, j);
        }
        std::ranges::stable_sort(words, std::ranges::greater{}, &AnswerRow::probability);
        while (words.size() > 1 &&
               (words.size() > kMostRows || words.back().probability < kLeastShown))
            words.pop_back();
        for (AnswerRow& word : words) {
            word.label = fmt::format("{}: {}", head_word(*attention, h), word.label);
            word.head = h;
        }
        answer.rows.insert(answer.rows.end(), words.begin(), words.end());
    }
    return answer;
}

/// Returns the answer whose words stand in the text already.
std::optional<Answer> prompt_answer(const Trace& page, const Tensor& probabilities) {
    const std::vector<std::string>& items = page.items();
    const auto words = std::span(items).first(std::size_t(count_before_padding(items)));
    const std::vector<std::string>& vocabulary = page.items(probabilities.columns().list);
    const auto sign = std::ranges::find(words, kAnswerSign);
    if (std::ssize(vocabulary) > kMostWords) return std::nullopt;
    if (std::ranges::find(vocabulary, kAnswerSign) == vocabulary.end()) return std::nullopt;
    if (sign == words.end() || sign + 1 == words.end()) return std::nullopt;
    Answer answer{.kind = Answer::Kind::Prompt, .after = "", .is_last = false, .rows = {}};
    for (Index place = sign - words.begin(); place + 1 < std::ssize(words); ++place) {
        const std::string& said = words[static_cast<std::size_t>(place) + 1];
        const auto column = std::ranges::find(vocabulary, said) - vocabulary.begin();
        const auto row = probabilities.value->row(place);
        Index likeliest = 0;
        row.maxCoeff(&likeliest);
        AnswerRow of_word{said, column < row.size() ? row(column) : Scalar(0)};
        if (likeliest != column) of_word.likelier = vocabulary[static_cast<std::size_t>(likeliest)];
        answer.rows.push_back(std::move(of_word));
    }
    return answer;
}

/// Returns the answer as the network gives it, with NaN.
std::optional<Answer> answer_given(const Trace& page, std::optional<Index> row,
                                   double temperature) {
    if (const Tensor* tensor = page.find(kNetworkOutput.at(Role::Answer).path);
        tensor && tensor->value)
        return asked_answer(page, *tensor);
    if (auto questions = questions_answer(page, row)) return questions;
    const Tensor* probabilities = page.find(kNetworkOutput.at(Role::Probabilities).path);
    if (!probabilities || !probabilities->value || probabilities->value->rows() == 0)
        return std::nullopt;
    if (probabilities->identity().role == Role::ClassProbabilities)
        return picture_answer(page, *probabilities);
    if (auto prompt = prompt_answer(page, *probabilities)) return prompt;
    const auto n =
        std::min<Index>(count_before_padding(page.items()), probabilities->value->rows());
    const Index at = row && *row < n ? *row : n - 1;
    if (at < 0) return std::nullopt;
    Answer answer{.kind = Answer::Kind::Next,
                  .after = page.shown_items()[static_cast<std::size_t>(at)],
                  .is_last = at == n - 1,
                  .rows = {}};
    const std::vector<double> shares =
        next_word_probabilities(page, at, answer.is_last ? temperature : 1);
    const bool is_drawn = answer.is_last && temperature != 1 && !shares.empty();
    const auto add = [&](Index j) {
        answer.rows.push_back({shown_label(page.plan(), probabilities->columns(), j),
                               is_drawn ? static_cast<Scalar>(shares[static_cast<std::size_t>(j)])
                                        : (*probabilities->value)(at, j)});
    };
    const Index n_words = probabilities->columns().size;
    if (n_words <= kMostWords) {
        for (Index j = 0; j < n_words; ++j) add(j);
        return answer;
    }
    const std::span<const Scalar> numbers(probabilities->value->row(at).data(),
                                          static_cast<std::size_t>(n_words));
    double rest = 1;
    for (const LargestNumber& likely : largest_numbers(numbers, kListedWords)) {
        add(likely.place);
        rest -= static_cast<double>(answer.rows.back().probability);
    }
    answer.n_more = n_words - kListedWords;
    answer.more_sum = static_cast<Scalar>(std::max(0.0, rest));
    return answer;
}

}  // namespace

const Component* attention_of_questions(const Components& components) {
    const auto found = std::ranges::find_if(
        components, [](const Component& component) { return !component.head_names.empty(); });
    return found == components.end() ? nullptr : &*found;
}

std::optional<Index> answer_in(const Tensor& pattern, Index row) {
    if (!pattern.value || pattern.identity().role != Role::Pattern ||
        !pattern.planned().head_name || row >= pattern.value->rows())
        return std::nullopt;
    Index answer = 0;
    pattern.value->row(row).maxCoeff(&answer);
    return answer;
}

std::optional<Index> pronoun_row(const Trace& page) {
    static constexpr const char* kPronouns[] = {"it", "he", "she", "they"};
    const std::vector<std::string>& words = page.items();
    for (Index i = count_before_padding(words); i-- > 0;)
        if (std::ranges::find(kPronouns, lower_case(words[static_cast<std::size_t>(i)])) !=
            std::end(kPronouns))
            return i;
    return std::nullopt;
}

std::optional<Answer> find_answer(const Trace& page, std::optional<Index> row, double temperature) {
    if (page.edges()) return std::nullopt;
    std::optional<Answer> answer = answer_given(page, row, temperature);
    const auto is_nan = [](const AnswerRow& of) { return std::isnan(of.probability); };
    if (!answer || std::ranges::none_of(answer->rows, is_nan)) return answer;
    answer->has_nan = true;
    answer->rows.clear();
    answer->n_more = 0;
    return answer;
}

std::optional<TargetCheck> check_target(const Trace& page) {
    const Tensor* probabilities = page.find(kNetworkOutput.at(Role::Probabilities).path);
    if (!probabilities || !probabilities->value) return std::nullopt;
    const std::vector<std::string>& rows = page.items(probabilities->rows().list);
    const std::vector<std::string>& vocabulary = page.items(probabilities->columns().list);
    // If the text has a sign for its start, a row of the probabilities is called by the word before
    // the one that it predicts.
    const bool is_after = !rows.empty() && rows.front() == kStartWord;
    TargetCheck check;
    for (Index i = 0; i < std::min<Index>(probabilities->value->rows(), std::ssize(rows)); ++i) {
        const auto at = static_cast<std::size_t>(i) + (is_after ? 1 : 0);
        const std::string said = at < rows.size() ? rows[at] : kEndWord;
        Index likeliest = 0;
        probabilities->value->row(i).maxCoeff(&likeliest);
        const std::string& own = vocabulary[static_cast<std::size_t>(likeliest)];
        ++check.n_words;
        if (own == said || own == lower_case(said)) continue;
        if (check.n_others++ == 0) check.said = said, check.likelier = own;
    }
    return check;
}

}  // namespace headlight
