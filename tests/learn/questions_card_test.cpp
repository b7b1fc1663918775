// What the card of "Three questions" says, on the weights that come with the program.
#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <map>

#include "io/studies/ready_studies.h"
#include "learn/tasks/questions_task.h"
#include "learn/training.h"
#include "model/evaluate.h"
#include "model/weights.h"
#include "source_folder.h"
#include "text/words.h"

namespace headlight::questions_card_test {
namespace {

constexpr int kShardSize = 50, kSentences = 3000;

/// Right: the largest weight is on the likeliest answer.
struct Share {
    long n = 0, n_right = 0;

    double right() const { return static_cast<double>(n_right) / static_cast<double>(n); }
};

/// Weights on nouns of pronouns, and how often these nouns were meant.
struct Bin {
    long n = 0;
    double weight = 0, meant = 0;
};

struct Measured {
    std::array<Share, kQuestions> questions;
    Share pronouns;
    double certain_weight = 0;  // mean weight on the noun, where one alone can be meant
    long n_certain = 0;
    std::array<Bin, 10> bins;
    std::map<std::string, Share> frames;  // of pronouns
};

class Measure {
  public:
    Measure()
        : task_(questions_recipe(), kShardSize),
          trainer_(task_.plan(), {}, 1, LossKind::Pointer),
          columns_(task_.plan().plan->at("blocks.1.attn.heads.0.pattern").columns.size) {
        const SharedWeights weights = trained_weights(task_named("three-questions"));
        REQUIRE(weights);
        std::vector<MatrixPtr> parameters;
        for (const TensorId id : task_.plan().parameters)
            parameters.push_back(weights->matrices.at((*task_.plan().plan)[id].path).values);
        trainer_.set_parameters(parameters);
    }

    Measured of(QuestionPart part) {
        Random random(2027);
        measured_ = {};
        for (int done = 0; done < kSentences; done += kShardSize) {
            std::vector<QuestionSentence> sentences;
            while (std::ssize(sentences) < kShardSize) {
                sentences.push_back(task_.grammar().draw(random, part));
                if (std::ssize(sentences.back().words) > columns_) sentences.pop_back();
            }
            trainer_.test(task_.shard(sentences));
            for (Index s = 0; s < kShardSize; ++s)
                count(sentences[static_cast<std::size_t>(s)], s * columns_);
        }
        return measured_;
    }

    Index n_numbers() const {
        Index sum = 0;
        for (const MatrixPtr& parameter : trainer_.parameters()) sum += parameter->size();
        return sum;
    }

  private:
    auto row(Index at, std::size_t question) const {
        return trainer_.output().row(at).segment(static_cast<Index>(question) * columns_, columns_);
    }

    static bool is_right(const WordAnswer& answer, Index chosen) {
        const auto share_of = [&](Index place) {
            const auto found = std::ranges::find(answer, place, &AnswerShare::place);
            return found == answer.end() ? 0 : found->share;
        };
        return share_of(chosen) > std::ranges::max(answer, {}, &AnswerShare::share).share - 1e-6;
    }

    void count(const QuestionSentence& sentence, Index first) {
        for (std::size_t q = 0; q < kQuestions; ++q)
            for (std::size_t i = 0; i < sentence.words.size(); ++i) {
                Index chosen = 0;
                row(first + static_cast<Index>(i), q).maxCoeff(&chosen);
                ++measured_.questions[q].n;
                measured_.questions[q].n_right += is_right(sentence.answers[q][i], chosen);
            }
        if (sentence.pronoun) count_pronoun(sentence, first + *sentence.pronoun);
    }

    void count_pronoun(const QuestionSentence& sentence, Index at) {
        const WordAnswer& answer = sentence.answers[0][static_cast<std::size_t>(*sentence.pronoun)];
        const auto weights = row(at, 0);
        Index chosen = 0;
        weights.maxCoeff(&chosen);
        const bool right = is_right(answer, chosen);
        for (Share* share : {&measured_.pronouns, &measured_.frames[sentence.frame]})
            ++share->n, share->n_right += right;
        if (answer.size() == 1) {
            ++measured_.n_certain;
            measured_.certain_weight += static_cast<double>(weights(answer.front().place));
        }
        for (const auto& [place, share] : answer) {
            const auto weight = static_cast<double>(weights(place));
            Bin& bin =
                measured_.bins[std::min<std::size_t>(9, static_cast<std::size_t>(10 * weight))];
            ++bin.n, bin.weight += weight, bin.meant += share;
        }
    }

    QuestionsTask task_;
    Trainer trainer_;
    Index columns_;
    Measured measured_;
};

/// The lowest share of a frame.
double worst_frame(const Measured& measured) {
    double worst = 1;
    for (const auto& [name, share] : measured.frames) worst = std::min(worst, share.right());
    return worst;
}

}  // namespace

TEST_CASE("questions: what its card says of held-out pairs and frames, and how sure it may be") {
    Measure measure;
    CHECK(measure.n_numbers() == 331584);
    for (const QuestionPart part : {QuestionPart::HeldPairs, QuestionPart::HeldFrames}) {
        const bool has_frames = part == QuestionPart::HeldFrames;
        CAPTURE(has_frames);
        const Measured measured = measure.of(part);
        for (const Share& question : measured.questions) CHECK(question.right() > 0.998);
        CHECK(measured.pronouns.n > 1900);
        CHECK(measured.pronouns.right() > 0.993);
        CHECK(measured.certain_weight / static_cast<double>(measured.n_certain) > 0.993);
        CHECK(worst_frame(measured) > (has_frames ? 0.985 : 0.95));
        CHECK(measured.frames.size() == (has_frames ? 7 : 40));
        for (const Bin& bin : measured.bins) {
            CAPTURE(bin.weight / static_cast<double>(bin.n));
            CHECK(bin.n > 20);
            CHECK(std::abs(bin.weight - bin.meant) < 0.1 * static_cast<double>(bin.n));
        }
    }
}

TEST_CASE("questions: “it” reads the cat with tired, the street with wide, both with old") {
    const auto weights_of = [](const char* adjective) {
        Document document = trained_study(task_named("three-questions"));
        document.sentence()->text =
            std::string("The cat didn't cross the street because it was too ") + adjective;
        const Trace trace = evaluate(document, nullptr, {});
        const Matrix& A = *trace.at("blocks.1.attn.heads.0.pattern").value;
        return std::pair(A(7, 1), A(7, 5));
    };
    CHECK(weights_of("tired").first > Scalar(0.99));
    CHECK(weights_of("wide").second > Scalar(0.97));
    CHECK(weights_of("old").first == doctest::Approx(0.35).epsilon(0.05));
    CHECK(weights_of("old").second == doctest::Approx(0.65).epsilon(0.05));
}

TEST_CASE("questions: of a hundred sentences that were called out, those of its kind") {
    // Written by someone who has read neither the grammar nor the program, each with the noun that
    // its pronoun stands for; of two nouns either is right, and "-" is none.
    std::ifstream in(source_folder() / "tests/learn/called_sentences.txt");
    REQUIRE(in);
    const QuestionsGrammar grammar;
    Document document = trained_study(task_named("three-questions"));
    int n = 0, n_inside = 0, n_asked = 0, n_right = 0;
    for (std::string line; std::getline(in, line); ++n) {
        const std::size_t tab = line.find('\t');
        const std::vector<std::string> words = split_words(line.substr(0, tab));
        const auto read = grammar.recognise(words);
        n_inside += read ? 1 : 0;
        if (!read || !read->pronoun) continue;
        ++n_asked;
        document.sentence()->text = line.substr(0, tab);
        const Trace trace = evaluate(document, nullptr, {});
        Index chosen = 0;
        trace.at("blocks.1.attn.heads.0.pattern").value->row(*read->pronoun).maxCoeff(&chosen);
        const std::string nouns = "/" + line.substr(tab + 1) + "/";
        n_right +=
            nouns.find("/" + words[static_cast<std::size_t>(chosen)] + "/") != std::string::npos;
    }
    CHECK(n == 100);
    CHECK(n_inside == 59);
    CHECK(n_asked == 54);
    CHECK(n_right == 52);
}

}  // namespace headlight::questions_card_test
