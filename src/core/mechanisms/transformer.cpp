#include "core/mechanisms/transformer.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/analyses/across_layers.h"
#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/stack.h"

namespace headlight {
namespace {

void check(const StackSettings& settings) {
    if (settings.n_layers < 1 || settings.d_model < 1)
        throw Error("stack", "layers and widths must be at least 1");
    if (settings.readout != Readout::Questions) return;
    if (settings.last_layer != LastLayer::Pointing)
        throw Error("stack", "the readout \"questions\" needs a last layer that is pointing");
    if (settings.attention.n_heads != static_cast<int>(kQuestionNames.size()))
        throw Error("stack",
                    "the readout \"questions\" needs three heads, one for each question; there "
                    "are {}",
                    settings.attention.n_heads);
}

/// Sentences of equal length, one after another.
struct Stacked {
    Words words;
    Index groups = 1;
};

Stacked stack(const std::vector<Words>& sentences) {
    std::size_t longest = 0;
    for (const Words& sentence : sentences) longest = std::max(longest, sentence.size());
    Stacked stacked{{}, static_cast<Index>(sentences.size())};
    for (const Words& sentence : sentences) {
        stacked.words.insert(stacked.words.end(), sentence.begin(), sentence.end());
        stacked.words.resize(stacked.words.size() + longest - sentence.size(),
                             std::string(kPaddingWord));
    }
    return stacked;
}

void check_words(const char* what, const Words& words) {
    if (words.empty()) throw Error(what, "there is no word to attend to; type a sentence");
}

/// Returns a plan whose list 0 are the source words, and list 1 the target words.
Plan source_target_plan(const SourceTarget& words) {
    Plan plan;
    plan.lists[0] = {"source token", std::make_shared<const Words>(words.source)};
    plan.add_list("target token", words.target);
    return plan;
}

/// The words that the decoder reads, and those that it writes at each place, if they are others.
struct DecoderWords {
    Stacked read, written;
};

/// Returns the words of the decoder. With a table every place writes the word that comes next, from
/// <start> to <end>; without one the places are the target's words.
DecoderWords decoder_words(const std::vector<SourceTarget>& pairs, const WordTable& table) {
    std::vector<Words> read, written;
    for (const SourceTarget& pair : pairs) {
        if (!table) check_words("target", pair.target);
        read.push_back(pair.target);
        written.push_back(pair.target);
        written.back().push_back(kEndWord);
        if (table) read.back().insert(read.back().begin(), kStartWord);
    }
    return {stack(read), table ? stack(written) : Stacked{}};
}

/// Adds the same layers, with the same weights, over a repeated random sequence; only on demand.
void add_probe(Plan& plan, const StackSettings& settings, std::uint64_t seed,
               const WordTable& table) {
    const TensorId first = plan.tensors().size();
    const int list =
        plan.add_list("probe token", table ? probe_words(table.probe_words()) : probe_words());
    Stack probe(plan, settings,
                {.network = Network::Probe, .list = list, .weights = Network::Main, .table = table},
                seed);
    const std::vector<TensorId> input = probe.add_words();
    probe.add_layers(input, {.causal = settings.mask.causal}, probe.add_self_masks(settings.mask));
    for (TensorId id = first; id < plan.tensors().size(); ++id)
        plan.tensors()[id].keep = Keep::OnDemand;
}

std::vector<Location> list_attentions(const StackSettings& settings, int first = 0) {
    std::vector<Location> attentions;
    for (int l = first; l < settings.n_layers; ++l)
        attentions.push_back({.component = ComponentKind::Attention, .layer = l});
    return attentions;
}

constexpr std::string_view kPronoun = "it";

/// Adds the word that the last pronoun of each sentence stands for, as the network answers.
TensorId add_answer(Plan& plan, Stack& layers, TensorId x, const WordTable& table) {
    const std::vector<std::string>& words = plan.items();
    const Index groups = layers.item().groups, n = layers.item().size / groups;
    std::vector<Index> places(static_cast<std::size_t>(groups), Stack::kNowhere);
    std::vector<std::string> asked(places.size(), "no pronoun");
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Index row = words[i] == kPaddingWord ? kNoRow : table.find_row(words[i]);
        if (row == kNoRow || (*table.words)[static_cast<std::size_t>(row)] != kPronoun) continue;
        places[i / static_cast<std::size_t>(n)] = static_cast<Index>(i) % n;
        asked[i / static_cast<std::size_t>(n)] = words[i];
    }
    return layers.add_answer(x, places, std::move(asked));
}

/// Returns a table of the words themselves, each with a row.
WordTable make_table(const std::vector<Words>& sentences) {
    const auto words = std::make_shared<const Words>(collect_vocabulary(sentences));
    std::unordered_map<std::string, Index> rows;
    for (const std::string& word : *words) rows.emplace(word, static_cast<Index>(rows.size()));
    return {words, [rows = std::move(rows)](const std::string& word) {
                const auto row = rows.find(word);
                return row == rows.end() ? kNoRow : row->second;
            }};
}

bool has_answer(const StackSettings& settings) {
    return settings.unembedding != Unembedding::None && settings.readout == Readout::Pronoun;
}

/// Names the heads of the last layer after the questions that they were trained to answer.
void name_heads(Plan& plan, const StackSettings& settings) {
    if (settings.readout != Readout::Questions) return;
    for (PlannedTensor& tensor : plan.tensors()) {
        const Identity& what = tensor.identity;
        if (what.network == Network::Main && what.component == ComponentKind::Attention &&
            what.layer + 1 == settings.n_layers && what.head >= 0)
            tensor.head_name = kQuestionNames[static_cast<std::size_t>(what.head)];
    }
}

/// Adds analyses of the sentences' patterns.
void add_analyses(Plan& plan, const StackSettings& settings, TensorId output) {
    // The output of a pointing layer is made of words, not of the results of earlier layers.
    const bool points = settings.last_layer == LastLayer::Pointing;
    LayerRange layers{.attentions = list_attentions(settings, points ? settings.n_layers - 1 : 0),
                      .n_heads = settings.attention.n_heads,
                      .has_residual = settings.block.residual == Switch::On && !points,
                      .output = output,
                      .words = word_numbers(plan.items())};
    add_head_metrics(plan, list_attentions(settings), layers.n_heads, layers.words);
    add_across_layers(plan, layers);
    if (layers.has_residual) add_compositions(plan, list_attentions(settings), layers.n_heads);
}

}  // namespace

Plan plan_sentences(const std::vector<Words>& sentences, const StackSettings& settings,
                    std::uint64_t seed, WordTable table) {
    check(settings);
    if (sentences.empty()) check_words("sentence", {});
    for (const Words& sentence : sentences) check_words("sentence", sentence);
    if (has_answer(settings) && !table) table = make_table(sentences);
    Stacked stacked = stack(sentences);
    Plan plan;
    plan.lists[0].names = std::make_shared<const Words>(std::move(stacked.words));
    Stack layers(plan, settings, {.groups = stacked.groups, .table = table}, seed);
    const std::vector<TensorId> input = layers.add_words();
    const std::vector<TensorId> masks = layers.add_self_masks(settings.mask);
    const TensorId x = layers.add_layers(input, {.causal = settings.mask.causal}, masks);
    const TensorId last = layers.add_final_norm(x);
    const TensorId output = has_answer(settings)
                                ? add_answer(plan, layers, last, table)
                                : layers.add_unembedding(last, collect_vocabulary(sentences));
    add_probe(plan, settings, seed, table);
    add_analyses(plan, settings, output);
    name_heads(plan, settings);
    if (table) set_probe_words(plan, table.probe_words());
    add_influence(plan, last, input[0], "influence");
    return plan;
}

Plan plan_head_metrics(const std::vector<Words>& sentences, const StackSettings& settings,
                       std::uint64_t seed) {
    Stacked stacked = stack(sentences);
    Plan plan;
    plan.lists[0].names = std::make_shared<const Words>(std::move(stacked.words));
    Stack layers(plan, settings, {.groups = stacked.groups}, seed);
    const std::vector<TensorId> input = layers.add_words();
    layers.add_layers(input, {.causal = settings.mask.causal},
                      layers.add_self_masks(settings.mask));
    add_probe(plan, settings, seed, {});
    add_head_metrics(plan, list_attentions(settings), settings.attention.n_heads,
                     word_numbers(plan.items()));
    return plan;
}

Plan plan_cross_attention(const SourceTarget& words, const StackSettings& settings,
                          std::uint64_t seed) {
    check(settings);
    check_words("source", words.source);
    check_words("target", words.target);
    Plan plan = source_target_plan(words);
    Stack source(plan, settings, {.network = Network::Source}, seed);
    const TensorId out =
        source.add_sum(source.input().at("out"), source.add_embedding_norm(source.add_words()));
    Stack target(plan, settings, {.network = Network::Target, .list = 1}, seed);
    const std::vector<TensorId> input = target.add_words();
    Stack layers(plan, settings, {.list = 1}, seed);
    const TensorId mask =
        layers.add_mask(layers.input().at("cross_mask", Role::Mask),
                        cross_mask(words.source, layers.item().size), source.item());
    const TensorId x =
        layers.add_layers(input, {.source = out, .cross_mask = mask, .self = Switch::Off}, {});
    const TensorId last = layers.add_final_norm(x);
    layers.add_unembedding(last, collect_vocabulary({words.target}));
    add_influence(plan, last, plan.id_at("source.embed"), "influence");
    return plan;
}

Plan plan_encoder_decoder_pairs(const std::vector<SourceTarget>& pairs,
                                const StackSettings& settings, std::uint64_t seed,
                                const WordTables& tables) {
    check(settings);
    std::vector<Words> sources;
    for (const SourceTarget& pair : pairs) {
        check_words("source", pair.source);
        sources.push_back(pair.source);
    }
    const auto groups = static_cast<Index>(pairs.size());
    DecoderWords words = decoder_words(pairs, tables.target);
    Plan plan = source_target_plan({stack(sources).words, std::move(words.read.words)});
    std::optional<int> written;
    if (tables.target && tables.target.places == PlaceNames::Written)
        written = plan.add_list("word to write", std::move(words.written.words));
    Stack encoder(plan, settings,
                  {.network = Network::Encoder, .groups = groups, .table = tables.source}, seed);
    const std::vector<TensorId> read = encoder.add_words();
    const TensorId memory =
        encoder.add_final_norm(encoder.add_layers(read, {}, encoder.add_self_masks({})));
    Stack decoder(plan, settings,
                  {.network = Network::Decoder,
                   .list = 1,
                   .groups = groups,
                   .table = tables.target,
                   .written = written},
                  seed);
    const std::vector<TensorId> input = decoder.add_words();
    MaskSettings causal = settings.mask;
    causal.causal = Switch::On;
    const std::vector<TensorId> masks = decoder.add_self_masks(causal);
    const TensorId across =
        Stack(plan, settings, {.list = written.value_or(1), .groups = groups}, seed)
            .add_mask(Location().at("cross_mask", Role::Mask),
                      cross_mask(plan.items(), decoder.item().size / groups, groups),
                      encoder.item());
    const TensorId x = decoder.add_layers(
        input, {.causal = Switch::On, .source = memory, .cross_mask = across}, masks);
    const TensorId last = decoder.add_final_norm(x);
    std::vector<Words> targets;
    for (const SourceTarget& pair : pairs) targets.push_back(pair.target);
    decoder.add_unembedding(last, collect_vocabulary(targets));
    add_influence(plan, last, plan.id_at("encoder.embed"), "influence");
    return plan;
}

Plan plan_encoder_decoder(const SourceTarget& words, const StackSettings& settings,
                          std::uint64_t seed, const WordTables& tables) {
    return plan_encoder_decoder_pairs({words}, settings, seed, tables);
}

Words collect_vocabulary(const std::vector<Words>& sentences) {
    Words vocabulary;
    std::unordered_set<std::string> seen;
    for (const Words& sentence : sentences)
        for (const std::string& word : sentence)
            if (word != kPaddingWord && seen.insert(word).second) vocabulary.push_back(word);
    return vocabulary;
}

}  // namespace headlight
