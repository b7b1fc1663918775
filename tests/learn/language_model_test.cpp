// What the card of the language model says, on the weights that come with the program.
#include <doctest/doctest.h>

#include "core/plan.h"
#include "io/studies/ready_studies.h"
#include "learn/tasks/story_source.h"
#include "learn/trained_task.h"
#include "model/evaluate.h"

namespace headlight::language_model_test {

using trained_task::continued;
using trained_task::next_word;
using trained_task::TrainedTask;

constexpr const char* kName = "language-model";
const std::string kGirl = "once upon a time there was a little girl named mia . ";
const std::string kBoy = "once upon a time there was a little boy named tom . ";
const std::string kBall =
    kBoy + "one day tom found a red ball near the lake . he wanted to show the";

/// Of each of these words to come after the text.
std::vector<Scalar> probabilities(const std::string& text, const std::vector<std::string>& words) {
    const Trace trace = trained_task::evaluate_text(task_named(kName), text);
    const Tensor& all = trace.at("probs");
    std::vector<Scalar> found(words.size(), 0);
    for (Index column = 0; column < all.value->cols(); ++column)
        for (std::size_t k = 0; k < words.size(); ++k)
            if (axis_label(trace, all.columns(), column) == words[k])
                found[k] = (*all.value)(all.value->rows() - 1, column);
    return found;
}

TEST_CASE("language model: stories that were never told cost as little as the grammar says") {
    TrainedTask trained(kName);
    const auto answers = trained.held_out();
    double nats = 0, n_words = 0;
    for (const Story& story : StorySource().held_out_stories()) {
        nats += story.nats;
        n_words += static_cast<double>(story.words.size());
    }
    MESSAGE(answers.loss.mean() << " nats a word, " << answers.loss.accuracy()
                                << " right; derivations cost " << nats / n_words);
    CHECK(trained.n_numbers() == 384672);
    CHECK(trained.n_words() == 202);
    CHECK(answers.n_sequences == 300);
    CHECK(answers.loss.n_targets == 23145);
    CHECK(answers.loss.mean() == doctest::Approx(0.361).epsilon(0.01));
    CHECK(answers.loss.accuracy() == doctest::Approx(0.826).epsilon(0.005));
    CHECK(nats / n_words == doctest::Approx(0.364).epsilon(0.005));
}

TEST_CASE("language model: what was said before says what comes next") {
    const auto is_followed = [](const std::string& text, const char* word, Scalar least) {
        const auto next = next_word(kName, text);
        INFO(text);
        CHECK(next.word == word);
        CHECK(next.probability > least);
    };
    is_followed(kBoy + "he lived in a castle with", "his", 0.99f);
    is_followed(kBall, "ball", 0.99f);
    is_followed(kBall + " ball to his friend anna . anna said , what a nice", "red", 0.6f);
    for (const char* color : {"red", "blue", "green", "yellow", "white"}) {
        const std::string story = kGirl + "one day mia found a " + color +
                                  " ball near the garden . she wanted to show the ball to her "
                                  "friend ben . ben said , what a nice";
        is_followed(story, color, 0.5f);
    }
    is_followed(kGirl + "mia had a dog . the dog liked to", "bark", 0.99f);
    is_followed(kGirl +
                    "one day mia met a bird at the river . the bird was very sad . mia asked , "
                    "why are you so sad ? i am hungry , said the",
                "bird", 0.98f);
    is_followed(kGirl +
                    "one day her father wanted to make a soup with carrots . mia went to the lake "
                    "to find some",
                "carrots", 0.97f);
}

TEST_CASE("language model: where the story is free, so are the words") {
    for (const Scalar p : probabilities("once upon a time there was a",
                                        {"little", "small", "young", "brave", "clever"}))
        CHECK(p == doctest::Approx(0.2).epsilon(0.25));
    const std::string girl = "once upon a time there was a little girl named";
    for (const Scalar p : probabilities(girl, {"mia", "lena", "emma", "anna"}))
        CHECK(p == doctest::Approx(0.25).epsilon(0.3));
    for (const Scalar p : probabilities(girl, {"ben", "tom", "leo", "paul"})) CHECK(p < 0.01f);
}

TEST_CASE("language model: with the most likely words it tells a story") {
    CHECK(
        continued(kName, "once upon a time there was a little girl named mia .", 17) ==
        "once upon a time there was a little girl named mia . mia had a horse . the horse liked to "
        "run . one sunny day mia could not");
}

TEST_CASE("language model: a head of the first layer looks at the ball") {
    const Trace trace = trained_task::evaluate_text(task_named(kName), kBall);
    const auto weight = [&](const char* pattern) {
        const Matrix& A = *trace.at(pattern).value;
        for (Index j = 0; j < A.cols(); ++j)
            if (trace.items()[static_cast<std::size_t>(j)] == "ball") return A(A.rows() - 1, j);
        return Scalar(-1);
    };
    CHECK(weight("blocks.0.attn.heads.1.pattern") > 0.6f);
    CHECK(weight("blocks.0.attn.heads.2.pattern") > 0.5f);
}

TEST_CASE("stories: those of the test are never told in training") {
    const StorySource source;
    std::vector<std::vector<Index>> never;
    for (const SequenceExample& example : source.held_out()) never.push_back(example.words);
    Random random(5);
    for (int k = 0; k < 200; ++k) {
        const std::vector<Index> told = source.draw(random).words;
        for (const std::vector<Index>& words : never)
            CHECK(!std::equal(words.begin(), words.end(), told.begin(),
                              told.begin() + std::min(std::ssize(words), std::ssize(told))));
    }
}

TEST_CASE("language model: its heads are probed at the positions that were learned") {
    const SharedWeights weights = trained_weights(task_named(kName));
    Document document = trained_study(task_named(kName));
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {"probe.*"}});
    const Matrix& positions = *trace.at("probe.W_pos").value;
    CHECK(positions == weights->matrices.at("W_pos").values->topRows(positions.rows()));
}

TEST_CASE("ready studies: a language model and its cache come with the weights of the stories") {
    for (const char* name : {"language-model", "kv-cache", "rollout"}) {
        const Document document = find_ready_study(name)->make();
        REQUIRE(document.weights);
        const auto planned = plan(document);
        CHECK(weight_notes(*planned, document.weights, document.seed).empty());
    }
    const Trace trace = evaluate(find_ready_study("kv-cache")->make(), nullptr,
                                 {.everything = true, .globs = {"decoding.*"}});
    CHECK(trace.at("decoding.difference").value->cwiseAbs().maxCoeff() < 1e-3f);
}

}  // namespace headlight::language_model_test
