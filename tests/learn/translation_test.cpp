// What the cards of the translations say, on the weights that come with the program.
#include <algorithm>
#include <doctest/doctest.h>
#include <map>

#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "learn/tasks/translation_source.h"
#include "learn/training.h"
#include "model/evaluate.h"
#include "model/next_word.h"
#include "text/words.h"

namespace headlight::translation_test {
namespace {

constexpr const char* kFamousEnglish =
    "the agreement on the european economic area was signed in august 1992.";
constexpr const char* kFamousFrench =
    "l'accord sur la zone économique européenne a été signé en août 1992.";

Document study_of(const char* task) {
    const SharedWeights weights = trained_weights(task_named(task));
    REQUIRE(weights);
    return trained_study(task_named(task));
}

/// The task with trained weights, one shard at a time.
struct Trained {
    PairTask task;
    Trainer trainer;

    explicit Trained(const char* name)
        : task(std::make_unique<TranslationSource>(), task_named(name).recipe(), 48),
          trainer(task.plan(), {}, 1) {
        const SharedWeights weights = trained_weights(task_named(name));
        REQUIRE(weights);
        std::vector<MatrixPtr> parameters;
        for (const TensorId id : task.plan().parameters)
            parameters.push_back(weights->matrices.at((*task.plan().plan)[id].path).values);
        trainer.set_parameters(parameters);
    }

    double accuracy(const Interventions& interventions = {}) {
        Loss loss;
        for (const Shard& shard : task.held_out()) loss += trainer.test(shard, interventions);
        return loss.accuracy();
    }

    /// Everything that the plan has at that glob is zero.
    Interventions without(std::string_view glob) const {
        Interventions interventions;
        for (const PlannedTensor& tensor : task.plan().plan->tensors())
            if (matches(glob, tensor.path))
                interventions[tensor.path] =
                    intervene_on_all(Matrix::Zero(tensor.rows.size, tensor.columns.size));
        CHECK(!interventions.empty());
        return interventions;
    }
};

std::vector<TranslatedSentence> held_sentences(int n) {
    const TranslationGrammar grammar;
    Random random(77);
    std::vector<TranslatedSentence> sentences;
    for (int k = 0; k < n; ++k) sentences.push_back(grammar.draw(random, TranslationPart::Held, 1));
    return sentences;
}

double share_exact(const Document& document, const std::vector<TranslatedSentence>& sentences) {
    std::vector<Words> sources;
    for (const TranslatedSentence& sentence : sentences) sources.push_back(sentence.english);
    const std::vector<Words> decoded = decode_greedily(document, sources);
    double n_exact = 0;
    for (std::size_t k = 0; k < sentences.size(); ++k)
        n_exact += decoded[k] == sentences[k].french ? 1 : 0;
    return n_exact / static_cast<double>(sentences.size());
}

/// Over French words, without full stops.
struct Reading {
    double on_source = 0;    // share of words whose largest weight is on the word's source
    double on_accepted = 0;  // … or on a word that decides its form
    double weight = 0;       // mean weight on the source
};

/// Of every pattern between the two languages.
std::map<std::string, Reading> read_patterns(const Document& study,
                                             const std::vector<TranslatedSentence>& sentences) {
    Document document = study;
    std::map<std::string, Reading> readings;
    double n = 0;
    for (const TranslatedSentence& sentence : sentences) {
        document.alignment()->source = join_words(sentence.english);
        document.alignment()->target = join_words(sentence.french);
        const Trace trace = evaluate(document, nullptr, {});
        for (const Tensor& tensor : trace.tensors()) {
            if (tensor.identity().role != Role::Pattern || tensor.columns().list != 0 ||
                tensor.rows().list == 0)
                continue;
            REQUIRE(trace.items(tensor.rows().list).size() == sentence.french.size() + 1);
            Reading& reading = readings[tensor.path()];
            for (std::size_t i = 0; i < sentence.french.size(); ++i) {
                if (sentence.french[i] == ".") continue;
                const auto row = tensor.value->row(static_cast<Index>(i));
                const WordSource& source = sentence.sources[i];
                Index largest = 0;
                row.maxCoeff(&largest);
                const bool is_other = std::ranges::count(source.also, largest) > 0;
                reading.on_source += largest == source.word;
                reading.on_accepted += largest == source.word || is_other;
                reading.weight += row(source.word);
                n += 1;
            }
        }
    }
    n /= static_cast<double>(readings.size());
    for (auto& [path, reading] : readings)
        reading = {reading.on_source / n, reading.on_accepted / n, reading.weight / n};
    return readings;
}

}  // namespace

TEST_CASE("translation: every word that a sentence can have is in the vocabularies") {
    const TranslationGrammar grammar;
    const WordTable english = word_table(std::make_shared<const Words>(grammar.english())),
                    french = word_table(std::make_shared<const Words>(grammar.french()));
    Random random(5);
    for (int k = 0; k < 1000; ++k) {
        const TranslatedSentence sentence = grammar.draw(random, TranslationPart::Trained);
        REQUIRE(sentence.sources.size() == sentence.french.size());
        for (const WordSource& source : sentence.sources)
            REQUIRE(source.word < std::ssize(sentence.english));
        for (const std::string& word : sentence.english) REQUIRE(english.find_row(word) > 0);
        for (const std::string& word : sentence.french) REQUIRE(french.find_row(word) > 2);
        CHECK(fit_to_table(split_words(join_words(sentence.english)), english) == sentence.english);
        CHECK(fit_to_table(split_words(join_words(sentence.french)), french) == sentence.french);
    }
}

TEST_CASE("translation: what is said of a document in training is never of a held area") {
    const auto contains = [](const Words& words, const std::string& word) {
        return std::ranges::find(words, word) != words.end();
    };
    const Words documents = split_words(
        "agreement treaty contract law report letter decision text plan book speech map story "
        "question");
    const Words areas = split_words(
        "area region country city market union industry school village island port economy river "
        "museum");
    CHECK(TranslationGrammar::is_held("agreement", "area"));
    const TranslationGrammar grammar;
    for (const TranslationPart part : {TranslationPart::Trained, TranslationPart::Held}) {
        Random random(6);
        int n_held = 0, n_phrases = 0;
        for (int k = 0; k < 3000; ++k) {
            const Words words = grammar.draw(random, part).english;
            for (std::size_t i = 0; i + 1 < words.size(); ++i) {
                if (!contains(documents, words[i]) ||
                    !contains({"on", "for", "against", "of"}, words[i + 1]))
                    continue;
                const auto area =
                    std::find_if(words.begin() + static_cast<std::ptrdiff_t>(i), words.end(),
                                 [&](const std::string& word) { return contains(areas, word); });
                REQUIRE(area != words.end());
                ++n_phrases;
                n_held += TranslationGrammar::is_held(words[i], *area) ? 1 : 0;
            }
        }
        CHECK(n_phrases > 500);
        CHECK(n_held == (part == TranslationPart::Held ? n_phrases : 0));
    }
}

TEST_CASE("translation: held-out sentences are right, word by word and decoded freely") {
    const std::vector<TranslatedSentence> sentences = held_sentences(96);
    for (const char* name : {"translation", "translation-transformer"}) {
        CAPTURE(std::string(name));
        CHECK(Trained(name).accuracy() > 0.99);
        CHECK(share_exact(study_of(name), sentences) > 0.97);
    }
    const double blind = Trained("translation-without-attention").accuracy();
    CHECK(blind > 0.7);
    CHECK(blind < 0.76);
    CHECK(share_exact(study_of("translation-without-attention"), sentences) < 0.1);
}

TEST_CASE("translation: the largest weight of a French word is on its English word") {
    const std::vector<TranslatedSentence> sentences = held_sentences(100);
    const auto recurrent = read_patterns(study_of("translation"), sentences);
    REQUIRE(recurrent.size() == 1);
    CHECK(recurrent.begin()->second.on_source > 0.85);
    CHECK(recurrent.begin()->second.on_accepted > 0.95);
    CHECK(recurrent.begin()->second.weight > 0.8);
    const auto heads = read_patterns(study_of("translation-transformer"), sentences);
    REQUIRE(heads.size() == 8);
    for (const char* path :
         {"decoder.blocks.1.cross.heads.0.pattern", "decoder.blocks.1.cross.heads.3.pattern"}) {
        CHECK(heads.at(path).on_source > 0.85);
        CHECK(heads.at(path).weight > 0.8);
    }
    CHECK(read_patterns(study_of("translation-without-attention"), sentences).empty());
}

TEST_CASE("translation: without what the decoder reads, the translation is lost") {
    Trained recurrent("translation"), transformer("translation-transformer");
    CHECK(recurrent.accuracy(recurrent.without("decoder.steps.*.c")) < 0.3);
    CHECK(transformer.accuracy(transformer.without("decoder.blocks.*.cross.heads.*.z")) < 0.3);
}

TEST_CASE("translation: the famous sentence is decoded, and its alignment crosses") {
    for (const char* name : {"translation", "translation-transformer"}) {
        Document document = study_of(name);
        document.alignment()->source = kFamousEnglish;
        CHECK(translated(document).alignment()->target == kFamousFrench);
    }
    const Document document = study_of("translation");
    CHECK(join_words(decode(document)) == kFamousFrench);  // as it is written in the study
    const Trace trace = evaluate(document, nullptr, {});
    const Tensor& pattern = trace.at("decoder.attn.heads.0.pattern");
    const Words english = trace.items(pattern.columns().list),
                french = trace.items(pattern.rows().list);
    const std::vector<std::pair<std::string, std::string>> aligned = {
        {"accord", "agreement"},    {"sur", "on"},
        {"zone", "Area"},           {"économique", "Economic"},
        {"européenne", "European"}, {"a", "was"},
        {"signé", "signed"},        {"en", "in"},
        {"août", "August"},         {"1992", "1992"}};
    for (const auto& [written, read] : aligned) {
        CAPTURE(written);
        const auto row = std::ranges::find(french, written) - french.begin();
        Index largest = 0;
        CHECK(pattern.value->row(row).maxCoeff(&largest) > 0.6f);
        CHECK(english[static_cast<std::size_t>(largest)] == read);
    }
    const auto wrong = [&] {
        Document blind = study_of("translation-without-attention");
        return join_words(decode(blind));
    }();
    CHECK(wrong != kFamousFrench);
    CHECK(wrong.starts_with("l'accord sur la zone"));
}

TEST_CASE("translation: a beam of one is greedy, and what free running writes") {
    Document document = study_of("translation");
    for (const TranslatedSentence& sentence : held_sentences(5)) {
        document.alignment()->source = join_words(sentence.english);
        const Words greedy = decode_greedily(document, {sentence.english})[0];
        CHECK(decode(document, 1) == greedy);
        Document free = document;
        free.alignment()->recurrent.feeding = Feeding::Free;
        free.alignment()->target = join_words(greedy);
        const Trace trace = evaluate(free, nullptr, {});
        const Tensor& logits = trace.at("logits");
        REQUIRE(logits.value->rows() == std::ssize(greedy) + 1);
        for (Index i = 0; i <= std::ssize(greedy); ++i) {
            Index largest = 0;
            logits.value->row(i).maxCoeff(&largest);
            CHECK(axis_label(trace, logits.columns(), largest) ==
                  (i < std::ssize(greedy) ? greedy[static_cast<std::size_t>(i)] : kEndWord));
        }
    }
}

TEST_CASE("translation: an edited weight changes what is written, a pin does not") {
    Document document = study_of("translation");
    const Words before = decode(document);
    document.interventions["decoder.attn.heads.0.pattern"].set(0, 0, 1);
    CHECK(decode(document) == before);
    const TrainingPlan trained = training_plan(*plan(document), "logits");
    const PlannedTensor& W_o = trained.plan->at("decoder.W_o");
    document.interventions["decoder.W_o"] =
        intervene_on_all(Matrix::Zero(W_o.rows.size, W_o.columns.size));
    CHECK(decode(document) != before);
}

TEST_CASE("translation: words outside the vocabulary are named") {
    Document document = study_of("translation");
    document.alignment()->source = "The zebra was signed.";
    bool is_named = false;
    for (const std::string& note : weight_notes(*plan(document), document.weights, document.seed))
        is_named = is_named || note.find("“zebra”") != std::string::npos;
    CHECK(is_named);
    document.weights = nullptr;
    CHECK_FALSE(can_translate(document));
    CHECK_THROWS_AS(decode(document), Error);
}

}  // namespace headlight::translation_test
