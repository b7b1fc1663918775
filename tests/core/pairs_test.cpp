// Pairs of texts whose words are looked up in tables, alone and several at once.
#include <algorithm>
#include <doctest/doctest.h>

#include "core/mechanisms/recurrent.h"
#include "core/operations/mask_operations.h"
#include "core/studies.h"

namespace headlight::pairs_test {
namespace {

constexpr Scalar kRounding = Scalar(2e-6);

WordTable table_of(const char* words) {
    const auto names = std::make_shared<const Words>(words_of(words));
    return {names, [names](const std::string& word) {
                if (word == kPaddingWord) return kNoRow;
                const auto found = std::ranges::find(*names, word);
                return found == names->end() ? Index(0) : found - names->begin();
            }};
}

WordTables tables() {
    return {table_of("<unknown> the cat was tired signed agreement ."),
            table_of("<unknown> <start> <end> le chat était fatigué l' accord a été signé .")};
}

/// Of different lengths on both sides.
std::vector<SourceTarget> pairs() {
    return {{words_of("the cat was tired ."), words_of("le chat était fatigué .")},
            {words_of("the agreement was signed today ."), words_of("l' accord a été signé .")},
            {words_of("cat"), {}}};
}

Trace computed(Plan plan) {
    return compute(std::move(plan), {}, kWatchAll, nullptr);
}

using MakePlan = std::function<Plan(const std::vector<SourceTarget>&)>;

/// Every pair's rows of `path` are those that it has alone.
void check_each_alone(const MakePlan& plan, const std::string& path) {
    CAPTURE(path);
    const Trace all = computed(plan(pairs()));
    const Matrix& stacked = value(all, path);
    const auto groups = static_cast<Index>(pairs().size()), n = stacked.rows() / groups;
    for (Index g = 0; g < groups; ++g) {
        const Trace alone = computed(plan({pairs()[static_cast<std::size_t>(g)]}));
        const Matrix& own = value(alone, path);
        const Matrix rows = stacked.block(g * n, 0, own.rows(), own.cols());
        CHECK(distance(rows, own) < kRounding);
        const Index rest = stacked.cols() - own.cols();
        CHECK(stacked.block(g * n, own.cols(), own.rows(), rest).isZero());
    }
}

StackSettings small_stack() {
    StackSettings settings{.n_layers = 2, .d_model = 8, .positions = Positions::Learned};
    settings.attention.n_heads = 2;
    settings.attention.bias = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Relu, .d_ff = 6};
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    return settings;
}

}  // namespace

TEST_CASE("pairs: several in one recurrent plan are computed as each alone") {
    for (const RecurrentCellType cell :
         {RecurrentCellType::Rnn, RecurrentCellType::Gru, RecurrentCellType::Lstm})
        for (const Switch attention : {Switch::On, Switch::Off}) {
            const RecurrentSettings settings{
                .cell_type = cell, .attention = attention, .d_model = 5, .d_state = 4};
            const auto plan = [&](const std::vector<SourceTarget>& those) {
                return plan_recurrent_pairs(those, settings, 3, tables());
            };
            check_each_alone(plan, "logits");
            check_each_alone(plan, "decoder.context");
            if (attention == Switch::On) check_each_alone(plan, "decoder.attn.heads.0.pattern");
        }
}

TEST_CASE("pairs: several in one plan of encoder and decoder are computed as each alone") {
    StackSettings settings = small_stack();
    settings.positions = Positions::Sinusoidal;
    const auto plan = [&](const std::vector<SourceTarget>& those) {
        return plan_encoder_decoder_pairs(those, settings, 3, tables());
    };
    for (const char* path : {"logits", "decoder.blocks.0.cross.heads.1.pattern",
                             "encoder.blocks.1.attn.heads.0.pattern"})
        check_each_alone(plan, path);
}

TEST_CASE("pairs: a table holds the vectors that the words have without it") {
    const SourceTarget pair = pairs()[0];
    const Trace looked_up = computed(plan_recurrent(pair.source, pair.target, {}, 7, tables()));
    const Trace drawn = computed(plan_recurrent(pair.source, pair.target, {}, 7));
    for (const char* path :
         {"encoder.embed", "encoder.h", "decoder.y", "decoder.s", "decoder.attn.heads.0.pattern"})
        CHECK(is_same(value(looked_up, path), value(drawn, path)));
    CHECK(value(looked_up, "logits").cols() == 13);
}

TEST_CASE("pairs: in free running the table's vector of the word that was written is read") {
    RecurrentSettings settings{.feeding = Feeding::Free};
    const SourceTarget pair = pairs()[0];
    const Trace free = computed(plan_recurrent(pair.source, pair.target, settings, 7, tables()));
    const Matrix &logits = value(free, "logits"), &W_E = value(free, "decoder.W_E");
    Words written;
    for (Index i = 0; i + 1 < logits.rows(); ++i) {
        Index word = 0;
        logits.row(i).maxCoeff(&word);
        CHECK(distance(value(free, "decoder.y").row(i + 1), W_E.row(word)) == 0);
        written.push_back((*tables().target.words)[static_cast<std::size_t>(word)]);
    }
    const Trace taught = computed(plan_recurrent(pair.source, written, {}, 7, tables()));
    CHECK(distance(value(taught, "logits"), logits) < kRounding);
}

TEST_CASE("pairs: with a table the decoder reads <start> and writes up to <end>") {
    const SourceTarget pair = pairs()[0];
    const Trace trace = computed(plan_encoder_decoder(pair, small_stack(), 1, tables()));
    const Tensor& pattern = trace.at("decoder.blocks.1.cross.heads.0.pattern");
    CHECK(pattern.rows().size == 6);
    CHECK(axis_label(trace, pattern.rows(), 0) == "le");
    CHECK(axis_label(trace, pattern.rows(), 5) == kEndWord);
    CHECK(axis_label(trace, trace.at("logits").rows(), 1) == "chat");
    CHECK(axis_label(trace, trace.at("decoder.embed").rows(), 0) == kStartWord);
    const Tensor& self = trace.at("decoder.blocks.1.attn.heads.0.pattern");
    CHECK(axis_label(trace, self.rows(), 0) == kStartWord);
    CHECK(axis_label(trace, self.columns(), 1) == "le");
    CHECK(value(trace, "decoder.tokens")(0, 0) == 1);
    CHECK(value(trace, "decoder.tokens")(5, 0) == 12);
    CHECK(value(computed(plan_encoder_decoder({pair.source, {}}, small_stack(), 1, tables())),
                "logits")
              .rows() == 1);
}

TEST_CASE("pairs: several need tables, and words before that are given") {
    CHECK(error_of([] { plan_recurrent_pairs(pairs(), {}, 1, {}); }) ==
          "[recurrent] several pairs need tables of their words");
    CHECK(error_of([] {
              plan_recurrent_pairs(pairs(), {.feeding = Feeding::Free}, 1, tables());
          }) == "[recurrent] of several pairs the words before are given");
}

}  // namespace headlight::pairs_test
