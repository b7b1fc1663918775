#include "learn/tasks/questions_task.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/mechanisms/transformer.h"
#include "core/operations/operations.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

/// Longer sentences of the grammar are drawn again.
constexpr Index kRoom_words = 28;
/// This share of the words that nobody asks for is replaced by the unknown one.
constexpr double kForgottenShare = 0.03;
constexpr int kTestedSentences = 1500;
constexpr const char* kAnswers = "answers";

const StackSettings& settings_in(const Recipe& recipe) {
    const SentenceStudy* study = recipe.study.sentence();
    if (!study) throw Error("training", "{} needs the study of a sentence", recipe.task);
    if (study->layer.readout != Readout::Questions)
        throw Error("training", "{} asks three questions: its readout is \"questions\"",
                    recipe.task);
    return study->layer;
}

/// The output of the plan is the three patterns beside each other.
TrainingPlan plan_answers(const StackSettings& settings, const std::vector<std::string>& vocabulary,
                          Index n_sentences, std::uint64_t seed) {
    const Words words(static_cast<std::size_t>(kRoom_words), vocabulary.front());
    Plan plan = plan_sentences(std::vector<Words>(static_cast<std::size_t>(n_sentences), words),
                               settings, seed,
                               {std::make_shared<const std::vector<std::string>>(vocabulary),
                                [](const std::string&) { return Index(0); }});
    std::vector<TensorId> patterns;
    for (std::size_t q = 0; q < kQuestions; ++q)
        patterns.push_back(
            plan.id_at(fmt::format("blocks.{}.attn.heads.{}.pattern", settings.n_layers - 1, q)));
    const Axis columns{AxisKind::Concat, static_cast<Index>(kQuestions) * kRoom_words};
    add_result(
        plan,
        {kNetworkOutput.at(kAnswers), kAnswers, plan[patterns[0]].rows, columns, Stage::Output},
        "[who | state | action]", operations::concat_columns, patterns);
    return training_plan(plan, kAnswers);
}

}  // namespace

QuestionsTask::QuestionsTask(const Recipe& recipe, int shard_size)
    : study_(recipe.study),
      n_sentences_(shard_size),
      plan_(plan_answers(settings_in(recipe), grammar_.vocabulary(), shard_size, recipe.seed)),
      tokens_(plan_.plan->id_at("tokens")),
      mask_(plan_.plan->id_at("mask")) {}

/// Returns, for each word, its row of the vocabulary; 0 for one that is unknown.
std::vector<Scalar> QuestionsTask::rows_of(const QuestionSentence& sentence) const {
    const std::vector<std::string>& known = grammar_.vocabulary();
    std::vector<Scalar> rows;
    for (const std::string& word : sentence.words) {
        const auto found = std::lower_bound(known.begin() + 1, known.end(), word);
        const bool is_known = found != known.end() && *found == word;
        rows.push_back(is_known ? static_cast<Scalar>(found - known.begin()) : Scalar(0));
    }
    return rows;
}

Shard QuestionsTask::shard(std::span<const QuestionSentence> sentences) const {
    const Index n_rows = n_sentences_ * kRoom_words;
    auto tokens = std::make_shared<Matrix>(Matrix::Constant(n_rows, 1, Scalar(kNoRow)));
    auto mask = std::make_shared<Matrix>(Matrix::Zero(n_rows, kRoom_words));
    auto targets = std::make_shared<Matrix>(
        Matrix::Zero(n_rows, static_cast<Index>(kQuestions) * kRoom_words));
    for (Index s = 0; s < n_sentences_; ++s) {
        const bool is_there = s < std::ssize(sentences);
        const Index n = is_there ? std::ssize(sentences[static_cast<std::size_t>(s)].words) : 0;
        if (n > kRoom_words)
            throw Error("training", "a sentence has {} words, there is room for {}", n,
                        kRoom_words);
        mask->block(s * kRoom_words, n, kRoom_words, kRoom_words - n).setConstant(kMasked);
        if (!is_there) continue;
        const QuestionSentence& sentence = sentences[static_cast<std::size_t>(s)];
        const std::vector<Scalar> rows = rows_of(sentence);
        for (Index i = 0; i < n; ++i) {
            const Index row = s * kRoom_words + i;
            (*tokens)(row, 0) = rows[static_cast<std::size_t>(i)];
            for (std::size_t q = 0; q < kQuestions; ++q)
                for (const auto& [place, share] : sentence.answers[q][static_cast<std::size_t>(i)])
                    (*targets)(row, static_cast<Index>(q) * kRoom_words + place) +=
                        static_cast<Scalar>(share);
        }
    }
    return {.inputs = {{tokens_, tokens}, {mask_, mask}},
            .classes = {},
            .targets = targets,
            .n_patterns = static_cast<Index>(kQuestions)};
}

namespace {

QuestionSentence draw_short(const QuestionsGrammar& grammar, Random& random, QuestionPart part) {
    QuestionSentence sentence = grammar.draw(random, part);
    while (std::ssize(sentence.words) > kRoom_words) sentence = grammar.draw(random, part);
    return sentence;
}

/// Forgets some of the words that no other word answers with and that ask for nothing themselves.
void forget_words(QuestionSentence& sentence, Random& random) {
    std::vector<bool> is_needed(sentence.words.size());
    for (const auto& answers : sentence.answers)
        for (std::size_t i = 0; i < answers.size(); ++i)
            for (const auto& [place, share] : answers[i])
                if (place != static_cast<Index>(i))
                    is_needed[static_cast<std::size_t>(place)] = is_needed[i] = true;
    for (std::size_t i = 0; i < is_needed.size(); ++i)
        if (!is_needed[i] && random.chance(kForgottenShare)) sentence.words[i] = kUnknownWord;
}

}  // namespace

Shard QuestionsTask::draw(Random& random) const {
    std::vector<QuestionSentence> sentences;
    for (Index s = 0; s < n_sentences_; ++s) {
        sentences.push_back(draw_short(grammar_, random, QuestionPart::Trained));
        forget_words(sentences.back(), random);
    }
    return shard(sentences);
}

std::vector<Shard> QuestionsTask::held_out() const {
    Random random(kHeldOutSeed);
    std::vector<QuestionSentence> sentences;
    for (int k = 0; k < kTestedSentences; ++k)
        sentences.push_back(draw_short(grammar_, random, QuestionPart::HeldPairs));
    std::vector<Shard> shards;
    const auto n = static_cast<std::size_t>(n_sentences_);
    for (std::size_t begin = 0; begin < sentences.size(); begin += n)
        shards.push_back(
            shard(std::span(sentences).subspan(begin, std::min(n, sentences.size() - begin))));
    return shards;
}

namespace {

/// The text that was asked about last, and its note: a window asks in every frame.
struct AskedText {
    std::string text, note;
};

std::string note_on(const std::string& text) {
    static const QuestionsGrammar grammar;
    const std::vector<std::vector<std::string>> sentences = split_sentences(text);
    std::vector<std::string> outside;
    for (std::size_t k = 0; k < sentences.size(); ++k)
        if (!grammar.recognise(sentences[k])) outside.push_back(std::to_string(k + 1));
    if (outside.empty()) return "";
    constexpr const char* kNote = "not a sentence of the kind that it was trained on";
    if (sentences.size() == 1) return kNote;
    return fmt::format("{}: {} {}", kNote, outside.size() == 1 ? "sentence" : "sentences",
                       joined_few(outside, std::size_t{6}));
}

}  // namespace

std::string outside_note(const Document& document) {
    const SentenceStudy* study = document.sentence();
    if (!study || study->layer.readout != Readout::Questions || !document.weights) return "";
    thread_local AskedText asked;
    if (asked.text != study->text) asked = {study->text, note_on(study->text)};
    return asked.note;
}

Recipe questions_recipe() {
    StackSettings settings{.n_layers = 2,
                           .last_layer = LastLayer::Pointing,
                           .d_model = 96,
                           .positions = Positions::Learned};
    settings.attention.n_heads = static_cast<int>(kQuestions);
    settings.attention.d_k.values = {32};
    settings.attention.d_v.values = {32};
    settings.attention.bias = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 384};
    settings.readout = Readout::Questions;
    return {.task = "three-questions",
            .study = {.study = SentenceStudy{.text = "The cat didn't cross the street because it "
                                                     "was too tired",
                                             .layer = settings},
                      .seed = 1,
                      .interventions = {}},
            .steps = 20000,
            .batch = 128,
            .learning_rate = 3e-3,
            .warm_up = 50,
            .loss = LossKind::Pointer,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

}  // namespace headlight
