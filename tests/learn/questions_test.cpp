// Three questions: what the grammar draws it recognises, with the same answers.
#include <doctest/doctest.h>
#include <fstream>
#include <set>

#include "learn/tasks/questions_grammar.h"
#include "learn/tasks/questions_task.h"
#include "learn/tasks/who_source.h"
#include "source_folder.h"
#include "text/words.h"

namespace headlight::questions_test {
namespace {

const QuestionsGrammar& grammar() {
    static const QuestionsGrammar known;
    return known;
}

std::optional<QuestionSentence> read(const std::string& text) {
    return grammar().recognise(split_words(text));
}

std::vector<std::string> lines_of(const char* file) {
    std::ifstream in(source_folder() / file);
    REQUIRE(in);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// "cat", or "cat 0.60 street 0.40"
std::string answer(const QuestionSentence& sentence, std::size_t question, std::string_view word) {
    std::size_t row = 0;
    while (sentence.words.at(row) != word) ++row;
    std::string text;
    for (const auto& [place, share] : sentence.answers[question][row]) {
        if (!text.empty()) text += ' ';
        text += sentence.words[static_cast<std::size_t>(place)];
        if (share < 1) text += fmt::format(" {:.2f}", share);
    }
    return text;
}

struct Answers {
    const char *text, *word, *who, *state, *action;
};

}  // namespace

TEST_CASE("questions: each word has its answers, and they change with the adjective") {
    const char* tired = "The cat didn't cross the street because it was too tired.";
    const char* wide = "The cat didn't cross the street because it was too wide.";
    const char* old = "The cat didn't cross the street because it was old.";
    const char* passive = "The wide street was not crossed by the old cat because it was too wide.";
    const char* person = "The doctor opened the window because she was hot.";
    for (const auto& [text, word, who, state, action] :
         std::initializer_list<Answers>{{tired, "it", "cat", "tired", "cross"},
                                        {tired, "The", "cat", "The", "The"},
                                        {tired, "cat", "cat", "tired", "cross"},
                                        {tired, "street", "street", "street", "cross"},
                                        {tired, "didn't", "cat", "didn't", "cross"},
                                        {tired, "cross", "cat", "cross", "cross"},
                                        {tired, "because", "because", "because", "cross"},
                                        {tired, "too", "cat", "tired", "too"},
                                        {tired, "tired", "cat", "tired", "tired"},
                                        {wide, "it", "street", "wide", "cross"},
                                        {wide, "cat", "cat", "cat", "cross"},
                                        {wide, "street", "street", "wide", "cross"},
                                        {old, "it", "cat 0.60 street 0.40", "old", "cross"},
                                        {old, "cat", "cat", "old 0.60 cat 0.40", "cross"},
                                        {passive, "cat", "cat", "old", "crossed"},
                                        {passive, "crossed", "cat", "crossed", "crossed"},
                                        {person, "she", "doctor", "hot", "opened"},
                                        {person, "window", "window", "window", "opened"}}) {
        CAPTURE(text);
        CAPTURE(word);
        const auto sentence = read(text);
        REQUIRE(sentence);
        CHECK(answer(*sentence, 0, word) == who);
        CHECK(answer(*sentence, 1, word) == state);
        CHECK(answer(*sentence, 2, word) == action);
    }
}

TEST_CASE("questions: what is drawn is recognised with the same answers, whose shares sum to 1") {
    Random random(5);
    for (int k = 0; k < 3000; ++k) {
        const auto part = static_cast<QuestionPart>(k % 3);
        const QuestionSentence drawn = grammar().draw(random, part);
        const auto read = grammar().recognise(drawn.words);
        CAPTURE(drawn.frame);
        CAPTURE(fmt::format("{}", fmt::join(drawn.words, " ")));
        REQUIRE(read);
        CHECK(read->answers == drawn.answers);
        CHECK(read->pronoun == drawn.pronoun);
        for (const auto& answers : drawn.answers) {
            REQUIRE(answers.size() == drawn.words.size());
            for (const WordAnswer& one : answers) {
                double sum = 0;
                for (const AnswerShare& share : one) sum += share.share;
                CHECK(sum == doctest::Approx(1));
            }
        }
    }
}

TEST_CASE("questions: other sentences are not of the grammar") {
    for (const char* text :
         {"The elephant did not enter the garden because it was angry",
          "The cat didn't eat the street because it was too tired.",
          "The cat didn't cross the street because it was too delicious.",
          "The cat didn't cross the street because they was too tired.",
          "The cats didn't cross the street because it was too tired.",
          "These cat didn't cross the street because it was too tired.",
          "The woman didn't cross the street because it was too tired.",
          "The cat didn't cross the street because it was too tired and slept.",
          "The blorp didn't cross the street because it was too tired.",
          "The cat cat didn't cross the street because it was too tired.",
          "The cat didn't cross the cat because it was too tired.", "The cat.", "Hello world!"}) {
        CAPTURE(text);
        CHECK_FALSE(read(text));
    }
    CHECK(read("The cat didn’t cross the street because it was too tired"));
    CHECK(read("THE CAT DIDN'T CROSS THE STREET BECAUSE IT WAS TOO TIRED"));
}

TEST_CASE("questions: of sentences of other kinds none is taken for one of the grammar") {
    // Questions, headlines, recipes, other languages, other clauses; written without the grammar.
    int n = 0;
    for (const std::string& text : lines_of("tests/learn/other_sentences.txt")) {
        CAPTURE(text);
        CHECK_FALSE(read(text));
        ++n;
    }
    CHECK(n == 115);
    // Two words in each other's places: seldom a sentence of the grammar again.
    Random random(41);
    int n_read = 0;
    for (int k = 0; k < 200; ++k) {
        QuestionSentence drawn = grammar().draw(random, QuestionPart::Trained);
        const auto at = static_cast<std::size_t>(random.below(std::ssize(drawn.words) - 1));
        if (drawn.words[at] == drawn.words[at + 1]) continue;
        std::swap(drawn.words[at], drawn.words[at + 1]);
        n_read += grammar().recognise(drawn.words) ? 1 : 0;
    }
    CHECK(n_read <= 4);
}

TEST_CASE("questions: the vocabulary has the words of “Who is it?”, and what people call out") {
    const std::vector<std::string>& all = grammar().vocabulary();
    CHECK(all.size() >= 1200);
    CHECK(grammar().n_frames() >= 60);
    const std::set<std::string> known(all.begin(), all.end());
    for (const std::string& word : WhoGrammar().vocabulary())
        CHECK_MESSAGE(known.contains(word), word);
    const char* called =
        "people parents students teacher professor doctor nurse pilot king mother father bus train "
        "bicycle boat plane soup bread apple cake hammer knife phone computer window door wall "
        "stairs market school hospital library station angry happy sad thirsty busy empty full "
        "loud "
        "quiet hot cold warm wet dry broken expensive cheap dirty clean fast strong weak thin "
        "thick "
        "ate eat drank drink broke break opened open closed close carried carry dropped drop "
        "followed follow chased chase visited visit bought buy read wrote write he she it they";
    for (const std::string& word : split_words(called)) CHECK_MESSAGE(known.contains(word), word);
}

TEST_CASE("questions: pairs of nouns that are held out are never trained") {
    Random random(11);
    for (int k = 0; k < 2000; ++k) {
        const QuestionSentence drawn = grammar().draw(random, QuestionPart::Trained);
        const auto has = [&](const char* word) {
            return std::ranges::find(drawn.words, word) != drawn.words.end();
        };
        CHECK_FALSE((has("cat") && has("street")));
        CHECK_FALSE((has("trophy") && has("suitcase")));
    }
}

TEST_CASE("questions: the note is said of sentences outside, and only of trained weights") {
    Document document = questions_recipe().study;
    document.sentence()->text = "Hello world!";
    CHECK(outside_note(document).empty());
    document.weights = std::make_shared<const Weights>();
    CHECK(outside_note(document) == "not a sentence of the kind that it was trained on");
    document.sentence()->text = "The cat didn't cross the street because it was too wide";
    CHECK(outside_note(document).empty());
    document.sentence()->text += "\nHello world!";
    CHECK(outside_note(document) ==
          "not a sentence of the kind that it was trained on: sentence 2");
}

TEST_CASE(
    "pointer_loss: its gradient is that of finite differences, and shares are a distribution") {
    const Index n = 5;
    Matrix patterns = Matrix::Random(3, 2 * n).cwiseAbs().array() + Scalar(0.1);
    Matrix targets = Matrix::Zero(3, 2 * n);
    targets(0, 1) = 1;
    targets(0, n + 2) = Scalar(0.6), targets(0, n + 4) = Scalar(0.4);
    targets(2, 0) = 1;  // the other pattern has no target there, nor has row 1
    Matrix seed;
    const Loss loss =
        pointer_loss(view(std::as_const(patterns)), view(std::as_const(targets)), 2, 1, seed);
    CHECK(loss.n_targets == 3);
    for (Index i = 0; i < patterns.rows(); ++i)
        for (Index j = 0; j < patterns.cols(); ++j) {
            constexpr Scalar kStep = 1e-3f;
            Matrix moved = patterns, unused;
            moved(i, j) += kStep;
            const double up =
                pointer_loss(view(std::as_const(moved)), view(std::as_const(targets)), 2, 1, unused)
                    .sum;
            moved(i, j) -= 2 * kStep;
            const double down =
                pointer_loss(view(std::as_const(moved)), view(std::as_const(targets)), 2, 1, unused)
                    .sum;
            CHECK((up - down) / (2 * kStep) == doctest::Approx(seed(i, j)).epsilon(0.01));
        }
}

}  // namespace headlight::questions_test
