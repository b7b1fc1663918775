// How well sentences of each length are translated, with attention and without.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/studies/ready_studies.h"
#include "learn/tasks/translation_source.h"
#include "model/next_word.h"
#include "source_folder.h"

namespace headlight::translation_length_test {
namespace {

constexpr std::array kTasks = {"translation", "translation-transformer",
                               "translation-without-attention"};
constexpr std::size_t kShortest = 5, kStep = 5, kLongest = 45;  // words of a bucket's first length
constexpr const char* kHeader =
    "english_words,recurrent_exact,recurrent_words,transformer_exact,transformer_words,"
    "without_attention_exact,without_attention_words\n";

/// Held-out sentences of that many English words, or a few more; of the last bucket any more.
std::vector<TranslatedSentence> sentences_of(std::size_t length, std::size_t n) {
    const TranslationGrammar grammar;
    Random random(length);
    std::vector<TranslatedSentence> sentences;
    while (sentences.size() < n) {
        const int n_clauses = 1 + static_cast<int>(random.below(4));
        TranslatedSentence sentence = grammar.draw(random, TranslationPart::Held, n_clauses);
        const std::size_t words = sentence.english.size();
        if (words >= length && (words < length + kStep || length == kLongest))
            sentences.push_back(std::move(sentence));
    }
    return sentences;
}

struct Shares {
    double exact = 0;  // sentences, decoded greedily
    double words = 0;  // French words that are right at their places
};

Shares translated_right(const char* task, const std::vector<TranslatedSentence>& sentences) {
    std::vector<Words> sources;
    for (const TranslatedSentence& sentence : sentences) sources.push_back(sentence.english);
    const std::vector<Words> decoded = decode_greedily(trained_study(task_named(task)), sources);
    Shares shares;
    double n_words = 0;
    for (std::size_t k = 0; k < sentences.size(); ++k) {
        const Words& french = sentences[k].french;
        shares.exact += decoded[k] == french ? 1 : 0;
        for (std::size_t i = 0; i < french.size(); ++i)
            shares.words += i < decoded[k].size() && decoded[k][i] == french[i] ? 1 : 0;
        n_words += static_cast<double>(french.size());
    }
    return {shares.exact / static_cast<double>(sentences.size()), shares.words / n_words};
}

}  // namespace

TEST_CASE("translation: accuracy over length, written where HEADLIGHT_WRITE says" *
          doctest::skip()) {
    const char* file = std::getenv("HEADLIGHT_WRITE");
    REQUIRE(file);
    std::ofstream out(file);
    out << kHeader << std::fixed;
    out.precision(3);
    for (std::size_t length = kShortest; length <= kLongest; length += kStep) {
        out << length;
        for (const char* task : kTasks) {
            const Shares shares = translated_right(task, sentences_of(length, 60));
            out << ',' << shares.exact << ',' << shares.words;
        }
        out << std::endl;
    }
}

TEST_CASE("translation: docs/translation-length.csv has what the weights do") {
    std::ifstream in(source_folder() / "docs/translation-length.csv");
    std::string line;
    REQUIRE(std::getline(in, line));
    CHECK(line + '\n' == kHeader);
    std::size_t n_lines = 0;
    for (; std::getline(in, line); ++n_lines) {
        std::istringstream numbers(line);
        std::size_t length = 0;
        numbers >> length;
        CHECK(length == kShortest + kStep * n_lines);
        if (length != 10 && length != 25) continue;  // the others take longer
        for (const char* task : kTasks) {
            const Shares shares = translated_right(task, sentences_of(length, 60));
            double exact = 0, words = 0;
            char comma = 0;
            numbers >> comma >> exact >> comma >> words;
            // Another machine rounds otherwise; one sentence is 0.017.
            CHECK(shares.exact == doctest::Approx(exact).epsilon(0.04));
            CHECK(shares.words == doctest::Approx(words).epsilon(0.04));
        }
    }
    CHECK(n_lines == 9);
}

TEST_CASE("translation: without attention long sentences are lost, with it they are not") {
    const auto exact = [](const char* task, std::size_t length) {
        return translated_right(task, sentences_of(length, 20)).exact;
    };
    CHECK(exact("translation", 10) > 0.9);
    CHECK(exact("translation", 25) > 0.9);
    CHECK(exact("translation-transformer", 20) > 0.9);
    CHECK(exact("translation-without-attention", 10) < 0.15);
    CHECK(exact("translation-without-attention", 20) < 0.05);
}

}  // namespace headlight::translation_length_test
