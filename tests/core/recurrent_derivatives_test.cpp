// Gradients through the whole recurrent mechanism against central differences, in double.
#include <algorithm>
#include <doctest/doctest.h>

#include "core/differences.h"
#include "core/studies.h"

namespace headlight::recurrent_derivatives_test {
namespace {

RecurrentSettings small(RecurrentCellType cell) {
    return {.cell_type = cell, .d_model = 3, .d_state = 2, .d_hidden = 3};
}

Trace small_translation(const RecurrentSettings& settings,
                        const Interventions& interventions = {}) {
    return translation("it was it", "sie war", settings, interventions);
}

}  // namespace

TEST_CASE("recurrent: the gradient of every leaf agrees with central differences") {
    for (const RecurrentCellType cell :
         {RecurrentCellType::Rnn, RecurrentCellType::Gru, RecurrentCellType::Lstm})
        for (const Switch attention : {Switch::On, Switch::Off}) {
            RecurrentSettings settings = small(cell);
            settings.attention = attention;
            check_leaves(small_translation(settings), {}, "probs");
            settings.bidirectional = Switch::Off;
            check_leaves(small_translation(settings), {}, "decoder.s");
        }
    check_leaves(small_translation(small(RecurrentCellType::Gru)), {},
                 "decoder.attn.heads.0.pattern");
    check_leaves(translation("it", "", small(RecurrentCellType::Lstm)), {}, "logits");
}

TEST_CASE("recurrent: gradients agree in free running and with every normalizer") {
    RecurrentSettings settings = small(RecurrentCellType::Gru);
    settings.feeding = Feeding::Free;
    check_leaves(small_translation(settings), {}, "logits");
    settings.feeding = Feeding::Teacher;
    settings.temperature = 0.5f;
    settings.top_k = 2;
    for (const Normalizer normalizer :
         {Normalizer::Hard, Normalizer::TopK, Normalizer::Sparsemax, Normalizer::Entmax}) {
        settings.normalizer = normalizer;
        check_leaves(small_translation(settings), {}, "logits");
    }
}

TEST_CASE("recurrent: gradients agree with a masked step, edited weights and a pinned state") {
    Interventions interventions;
    for (Index j = 0; j < 3; ++j) interventions["cross_mask"].set(1, j, kMasked);
    interventions["cross_mask"].set(0, 1, kMasked);
    interventions["encoder.forward.b_hn"].set(0, 1, 0.4);
    interventions["decoder.steps.1.s"].set(0, 0, 0.3);
    check_leaves(small_translation(small(RecurrentCellType::Gru), interventions), interventions,
                 "logits");
}

TEST_CASE("recurrent: gradients agree for two pairs of unequal lengths, looked up in tables") {
    const auto names = std::make_shared<const Words>(words_of("<unknown> <start> <end> it was"));
    const WordTable table{names, [names](const std::string& word) {
                              const auto found = std::ranges::find(*names, word);
                              return found == names->end() ? kNoRow : found - names->begin();
                          }};
    for (const RecurrentCellType cell : {RecurrentCellType::Gru, RecurrentCellType::Lstm})
        for (const Switch attention : {Switch::On, Switch::Off}) {
            RecurrentSettings settings = small(cell);
            settings.attention = attention;
            const Trace trace =
                compute(plan_recurrent_pairs({{words_of("it was it"), words_of("was")},
                                              {words_of("was"), words_of("it it")}},
                                             settings, 1, {table, table}),
                        {}, kWatchAll, nullptr);
            check_leaves(trace, {}, "logits");
        }
}

}  // namespace headlight::recurrent_derivatives_test
