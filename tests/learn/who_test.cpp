// What the card of "Who is it?" says, on the weights that come with the program.
#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <iterator>
#include <sstream>

#include "io/studies/ready_studies.h"
#include "learn/tasks/who_source.h"
#include "learn/training.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::who_test {

constexpr int kLastLayer = 1, kHeads = 4;

/// The task with trained weights, one shard at a time.
struct Trained {
    const TaskEntry& entry;
    WhoSource source;
    SequenceTask task;
    Trainer trainer;

    explicit Trained(const char* name)
        : entry(task_named(name)),
          task(std::make_unique<WhoSource>(), entry.recipe(), 64),
          trainer(task.plan(), {}, 1) {
        const SharedWeights weights = trained_weights(entry);
        REQUIRE(weights);
        std::vector<MatrixPtr> parameters;
        for (const TensorId id : task.plan().parameters)
            parameters.push_back(weights->matrices.at((*task.plan().plan)[id].path).values);
        trainer.set_parameters(parameters);
    }

    double accuracy(const std::vector<Shard>& shards, const Interventions& interventions = {}) {
        Loss loss;
        for (const Shard& shard : shards) loss += trainer.test(shard, interventions);
        return loss.accuracy();
    }

    /// Of the last layer: what some heads give out is zero.
    Interventions ablated(std::span<const int> heads) const {
        Interventions interventions;
        const Location attention{.component = ComponentKind::Attention, .layer = kLastLayer};
        for (const int h : heads) {
            const PlannedTensor& z =
                task.plan().plan->at(attention.of_head(h).at(Role::HeadOutput).path);
            interventions[z.path] = intervene_on_all(Matrix::Zero(z.rows.size, z.columns.size));
        }
        return interventions;
    }
};

struct HeadReading {
    double right = 0;  // mean weight of "it" on the noun that it stands for
    double flips = 0;  // share of sentences whose largest weight is right for both adjectives
};

/// Of each head of the last layer, over sentences whose nouns were never trained together.
std::vector<HeadReading> read_heads(const Trained& trained, int n_sentences) {
    Random random(21);
    std::vector<HeadReading> readings(kHeads);
    Document document = trained_study(trained.entry);
    for (int k = 0; k < n_sentences; ++k) {
        const WhoSentence sentence = trained.source.grammar().draw(random, WhoPart::HeldPairs);
        std::vector<int> n_right(kHeads);
        for (std::size_t which = 0; which < 2; ++which) {
            const std::vector<std::string>& words = sentence.words[which];
            std::string& text = document.sentence()->text;
            text.clear();
            for (const std::string& word : words) text += word + " ";
            const Trace trace = evaluate(document, nullptr, {});
            REQUIRE(trace.items() == words);
            const auto place = [&](const std::string& word) {
                return std::ranges::find(words, word) - words.begin();
            };
            for (int h = 0; h < kHeads; ++h) {
                const Matrix& A =
                    *trace.at("blocks.1.attn.heads." + std::to_string(h) + ".pattern").value;
                const auto row = A.row(place("it"));
                Index largest = 0;
                row.maxCoeff(&largest);
                const Index right = place(sentence.nouns[which]);
                readings[static_cast<std::size_t>(h)].right +=
                    static_cast<double>(row(right)) / (2 * n_sentences);
                if (largest == right) ++n_right[static_cast<std::size_t>(h)];
            }
        }
        for (std::size_t h = 0; h < kHeads; ++h)
            if (n_right[h] == 2) readings[h].flips += 1.0 / n_sentences;
    }
    return readings;
}

Matrix answer_to(const char* task, const std::string& text) {
    Document document = trained_study(task_named(task));
    document.sentence()->text = text;
    return *evaluate(document, nullptr, {}).at("answer").value;
}

std::vector<std::string> split(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

TEST_CASE("who is it: on nouns that were never together, the answer is right") {
    Trained looking("who-is-it"), twin("never-looks");
    CHECK(looking.accuracy(looking.task.held_out()) > 0.99);
    CHECK(twin.accuracy(twin.task.held_out()) > 0.99);
}

TEST_CASE("who is it: heads look at the noun, and move with the adjective; the twin's never do") {
    const Trained looking("who-is-it"), twin("never-looks");
    double best = 0, best_flips = 0, twin_best = 0, twin_flips = 0;
    for (const HeadReading& head : read_heads(looking, 100)) {
        best = std::max(best, head.right);
        best_flips = std::max(best_flips, head.flips);
        MESSAGE("looking: " << head.right << ", right for both adjectives " << head.flips);
    }
    for (const HeadReading& head : read_heads(twin, 100)) {
        twin_best = std::max(twin_best, head.right);
        twin_flips = std::max(twin_flips, head.flips);
        MESSAGE("twin: " << head.right << ", right for both adjectives " << head.flips);
    }
    CHECK(best > 0.9);
    CHECK(best_flips > 0.9);
    CHECK(twin_best < 0.3);
    CHECK(twin_flips < 0.1);
}

TEST_CASE(
    "who is it: without the heads of the last layer the answer is lost; no single one is needed") {
    Trained looking("who-is-it");
    std::vector<Shard> held_out = looking.task.held_out();
    held_out.resize(10);
    CHECK(looking.accuracy(held_out, looking.ablated(std::array{0, 1, 2, 3})) < 0.1);
    for (const int h : {0, 1, 2, 3}) {
        const double alone = looking.accuracy(held_out, looking.ablated(std::array{h}));
        MESSAGE("without head " << h << ": " << alone);
        CHECK(alone > 0.5);
    }
}

/// Of so many sentences: how often the answer's largest probability is on the right noun.
double share_answered(const Trained& trained, WhoPart part, int n_sentences,
                      const Interventions& interventions = {}) {
    Random random(23);
    Document document = trained_study(trained.entry);
    document.interventions = interventions;
    int n_right = 0;
    for (int k = 0; k < n_sentences; ++k) {
        const WhoSentence sentence = trained.source.grammar().draw(random, part);
        const auto which = static_cast<std::size_t>(k % 2);
        std::string& text = document.sentence()->text;
        text.clear();
        for (const std::string& word : sentence.words[which]) text += word + " ";
        const Trace trace = evaluate(document, nullptr, {});
        Index word = 0;
        trace.at("answer").value->row(0).maxCoeff(&word);
        n_right += trace.items()[static_cast<std::size_t>(word)] == sentence.nouns[which];
    }
    return static_cast<double>(n_right) / n_sentences;
}

TEST_CASE("who is it: without the heads, the answer among the sentence's words is a guess") {
    const Trained looking("who-is-it");
    Document document = trained_study(looking.entry);
    for (const int h : {0, 1, 2, 3})
        ablate(document, "blocks.1.attn.heads." + std::to_string(h) + ".z", Ablation::Zero);
    const double guessed = share_answered(looking, WhoPart::HeldPairs, 300, document.interventions);
    MESSAGE("without the heads " << guessed);
    CHECK(guessed > 0.35);
    CHECK(guessed < 0.65);
}

TEST_CASE("who is it: in frames that were never trained, looking answers better than the twin") {
    const double looking = share_answered(Trained("who-is-it"), WhoPart::HeldFrames, 600),
                 twin = share_answered(Trained("never-looks"), WhoPart::HeldFrames, 600);
    MESSAGE("looking " << looking << ", twin " << twin);
    CHECK(looking > 0.98);
    CHECK(twin < looking);
    CHECK(twin > 0.9);
}

TEST_CASE("who is it: every sentence of the plain frames is answered") {
    Trained looking("who-is-it");
    const auto animals = split(
        "cat dog horse bird fox mouse rabbit cow sheep wolf bear child woman man boy girl driver");
    const auto places = split("street road river field bridge garden room lake hill forest tunnel");
    const auto of_animals = split("tired hungry afraid old young sick lazy slow sleepy");
    const auto of_places = split("wide narrow deep dark long steep cold crowded flooded");
    std::vector<SequenceExample> examples;
    for (const std::string& animal : animals)
        for (const std::string& place : places)
            for (const std::string& verb : split("cross enter leave reach"))
                for (const auto* adjectives : {&of_animals, &of_places})
                    for (const std::string& adjective : *adjectives)
                        examples.push_back(looking.source.example(
                            split("the " + animal + " didn't " + verb + " the " + place +
                                  " because it was too " + adjective),
                            adjectives == &of_animals ? animal : place));
    for (const std::string& thing : split("trophy ball book lamp chair violin sculpture"))
        for (const std::string& box : split("suitcase box bag drawer shelf car"))
            for (const std::string& size : split("big small large"))
                examples.push_back(
                    looking.source.example(split("the " + thing + " didn't fit in the " + box +
                                                 " because it was too " + size),
                                           size == "small" ? box : thing));
    Loss loss;
    const auto n = static_cast<std::size_t>(looking.task.batch().size());
    for (std::size_t begin = 0; begin < examples.size(); begin += n)
        loss += looking.trainer.test(looking.task.batch().shard(
            std::span(examples).subspan(begin, std::min(n, examples.size() - begin))));
    MESSAGE(loss.n_right << " of " << loss.n_targets);
    CHECK(loss.accuracy() > 0.99);
}

TEST_CASE("who is it: the sentences that everybody knows") {
    const auto who = [](const std::string& text) {
        const Matrix answer = answer_to("who-is-it", text);
        Index word = 0;
        CHECK(answer.row(0).maxCoeff(&word) > 0.9f);
        CHECK(answer.sum() == doctest::Approx(1));
        return word;
    };
    CHECK(who("The cat didn't cross the street because it was too tired") == 1);
    CHECK(who("The cat didn't cross the street because it was too wide") == 5);
    CHECK(who("The trophy didn't fit in the suitcase because it was too big.") == 1);
    CHECK(who("The trophy didn't fit in the suitcase because it was too small.") == 6);
}

/// Without one of its inner letters.
std::string misspelt(const std::string& word, Random& random) {
    if (word.size() < 4) return word;
    std::string shorter = word;
    shorter.erase(1 + static_cast<std::size_t>(random.below(std::ssize(word) - 2)), 1);
    return shorter;
}

TEST_CASE("who is it: misspelt words are read by their letters, and most answers stay right") {
    constexpr int kSentences = 200;
    const Trained looking("who-is-it");
    Random random(22);
    int n_by_letters = 0, n_unknown = 0;
    for (int k = 0; k < kSentences; ++k) {
        const WhoSentence sentence = looking.source.grammar().draw(random, WhoPart::HeldPairs);
        const auto which = static_cast<std::size_t>(k % 2);
        std::string by_letters, unknown;
        std::ptrdiff_t right = 0;
        for (const std::string& word : sentence.words[which]) {
            const std::string wrong = misspelt(word, random);
            const bool is_changed = looking.source.grammar().is_content(word) && wrong != word;
            if (word == sentence.nouns[which])
                right =
                    std::ranges::find(sentence.words[which], word) - sentence.words[which].begin();
            by_letters += (is_changed ? wrong : word) + " ";
            unknown += (is_changed ? "§" : word) + " ";
        }
        const auto answer = [&](const std::string& text) {
            Index word = 0;
            answer_to("who-is-it", text).row(0).maxCoeff(&word);
            return word == right;
        };
        n_by_letters += answer(by_letters);
        n_unknown += answer(unknown);
    }
    MESSAGE("by letters " << n_by_letters << ", as <unknown> " << n_unknown << " of "
                          << kSentences);
    CHECK(n_by_letters > 0.6 * kSentences);
    CHECK(n_unknown < 0.3 * kSentences);
}

TEST_CASE(
    "who is it: a word outside the vocabulary is named; a sentence without it has no answer") {
    Document document = trained_study(task_named("who-is-it"));
    document.sentence()->text = "The zebra didn't cross the street because it was too tired";
    const auto planned = plan(document);
    bool is_named = false;
    for (const std::string& note : weight_notes(*planned, document.weights, document.seed))
        is_named = is_named || note.find("“zebra”") != std::string::npos;
    CHECK(is_named);
    CHECK(planned->shown_items()[1] == "zebra ≈ ?");
    document.sentence()->text = "The cats didn't cross the street because it was too tird";
    const auto by_letters = plan(document);
    CHECK(by_letters->shown_items()[1] == "cats ≈ cat");
    CHECK(by_letters->items()[1] == "cats");
    document.sentence()->text = "The cat slept";
    const Trace trace = evaluate(document, nullptr, {});
    CHECK(trace.at("answer").value->hasNaN());
}

}  // namespace headlight::who_test
