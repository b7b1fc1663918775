#include "core/transformer.h"

#include <algorithm>
#include <unordered_set>

#include "core/across_layers.h"
#include "core/add_tensor.h"
#include "core/block_operations.h"
#include "core/error.h"
#include "core/head_metrics.h"
#include "core/influence.h"
#include "core/mask_operations.h"
#include "core/operations.h"

namespace headlight {
namespace {

void check(const StackSettings& settings) {
    if (settings.n_layers < 1 || settings.d_model < 1)
        throw Error("stack", "layers and widths must be at least 1");
}

Words with_prefix(const char* prefix, const Words& words) {
    Words keys;
    keys.reserve(words.size());
    for (const std::string& word : words) keys.push_back(prefix + word);
    return keys;
}

std::shared_ptr<const Words> embedding_keys(const Words& words) {
    return std::make_shared<const Words>(with_prefix("word:", words));
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

/// One side of a study: the words of a list, and the layers over them.
class Stack {
  public:
    struct Place {
        const char* prefix = "";       // of what it computes
        int list = 0;                  // its words
        Index groups = 1;              // sentences stacked
        const char* weights = prefix;  // prefix of the weights it uses
    };

    Stack(Trace& trace, const StackSettings& settings, Place place, std::uint64_t seed)
        : trace_(trace),
          settings_(settings),
          prefix_(place.prefix),
          weights_(place.weights),
          seed_(seed),
          item_{AxisKind::Item, static_cast<Index>(trace.items(place.list).size()), place.list,
                place.groups},
          model_{AxisKind::Model, settings.d_model} {}

    /// What the first layer's X is the sum of: words, and where they stand.
    std::vector<TensorId> add_input() {
        const Index group_rows = item_.groups > 1 ? item_.size / item_.groups : 0;
        std::vector<TensorId> parts{add_result(
            trace_, name("embed", "E", Stage::Input), "one vector a word", operations::named_rows,
            {}, {.seed = seed_, .names = embedding_keys(trace_.items(item_.list))})};
        const TensorName positions = name("pos_embed", "P", Stage::Input);
        if (settings_.positions == Positions::Sinusoidal)
            parts.push_back(add_result(trace_, positions, "sin, cos(i / 10000^{f/d})",
                                       operations::sinusoidal_positions, {},
                                       {.group_rows = group_rows}));
        if (settings_.positions == Positions::Learned)
            parts.push_back(add_learned_positions(positions, group_rows));
        return parts;
    }

    TensorId add_sum(const std::string& last, const std::vector<TensorId>& parts) {
        TensorName X = name(last, "X", Stage::Input);
        if (parts.size() == 1)
            return add_result(trace_, X, "X = " + trace_[parts[0]].symbol, operations::copy, parts);
        return add_result(trace_, X, "X = E + P", operations::add, parts);
    }

    TensorId add_mask(const std::string& last, const MaskRule& rule, Axis key) {
        Axis query = item_;
        query.kind = AxisKind::Query, key.kind = AxisKind::Key;
        key.size /= key.groups, key.groups = 1;
        OperationSettings settings = mask_settings(rule, query.size / query.groups, key.size);
        std::string equation = mask_equation(settings);
        return add_result(
            trace_,
            {prefix_ + last, "M", query, key, Stage::Score, Quantity::Mask, Keep::WhenSmall},
            std::move(equation), operations::attention_mask, {}, std::move(settings));
    }
    TensorId add_self_mask(const MaskSettings& settings) {
        return add_mask("mask", sentence_mask(settings, trace_.items(item_.list), item_.groups),
                        item_);
    }

    TensorId add_layers(std::vector<TensorId> input, BlockPlace place) {
        for (int l = 0; l < settings_.n_layers; ++l) {
            const std::string block = "blocks." + std::to_string(l);
            place.path = prefix_ + block;
            place.weights = weights_ + block;
            place.x = add_sum(block + ".resid_pre", input);
            input = {add_block(trace_, settings_, place, seed_)};
        }
        return input[0];
    }

    TensorId add_final_norm(TensorId x) {
        if (settings_.final_norm == Switch::Off) return x;
        return add_layer_norm(trace_, weights_ + "ln_final",
                              name("ln_final.out", "LN_{final}", Stage::Output), x);
    }

    /// The next word's logits and probabilities. Returns the logits, or x where there are none.
    TensorId add_unembedding(TensorId x, Words vocabulary) {
        if (settings_.unembedding == Unembedding::None) return x;
        const auto n_words = static_cast<Index>(vocabulary.size());
        const auto keys = embedding_keys(vocabulary);
        const Axis words{AxisKind::Named, n_words,
                         trace_.add_list("vocabulary", std::move(vocabulary))};
        const bool is_tied = settings_.unembedding == Unembedding::Tied;
        const TensorName W_U{"W_U", "W_U", is_tied ? words : model_, is_tied ? model_ : words,
                             Stage::Output};
        const TensorId W =
            is_tied ? add_result(trace_, W_U, "starts as the words' embeddings",
                                 operations::named_rows, {}, {.seed = seed_, .names = keys})
                    : add_weight(trace_, W_U, seed_);
        const std::string X = trace_[x].symbol;
        const TensorId logits =
            add_result(trace_, {"logits", "logits", item_, words, Stage::Output},
                       is_tied ? X + " W_U^T" : X + " W_U",
                       is_tied ? operations::multiply_transposed : operations::multiply, {x, W});
        add_result(trace_, {"probs", "p", item_, words, Stage::Output, Quantity::Probability},
                   "p(next word) = softmax(logits)", operations::softmax_rows, {logits});
        return logits;
    }

    const Axis& item() const { return item_; }

  private:
    TensorName name(const std::string& last, const char* symbol, Stage stage) const {
        return {prefix_ + last, symbol, item_, model_, stage};
    }

    /// One learned row a position, the same in every stacked sentence.
    TensorId add_learned_positions(const TensorName& name, Index group_rows) {
        if (group_rows == 0)
            return add_weight(trace_, {name.path, name.symbol, item_, model_, Stage::Input}, seed_);
        const TensorId W_pos = add_weight(
            trace_,
            {prefix_ + "W_pos", "W_{pos}", {AxisKind::Position, group_rows}, model_, Stage::Input},
            seed_);
        auto places = std::make_shared<std::vector<Index>>();
        for (Index i = 0; i < item_.size; ++i) places->push_back(i % group_rows);
        return add_result(trace_, name, "P(i) = W_{pos}(i)", operations::gather_rows, {W_pos},
                          {.indices = places});
    }

    Trace& trace_;
    const StackSettings& settings_;
    std::string prefix_, weights_;
    std::uint64_t seed_;
    Axis item_, model_;
};

void check_words(const char* what, const Words& words) {
    if (words.empty()) throw Error(what, "there is no word to attend to; type a sentence");
}

/// Source words are list 0, target words list 1.
Trace source_target_trace(const SourceTarget& words) {
    check_words("source", words.source);
    check_words("target", words.target);
    Trace trace;
    trace.lists[0] = {"source token", std::make_shared<const Words>(words.source)};
    trace.add_list("target token", words.target);
    return trace;
}

/// The same layers, with the same weights, over a repeated random sequence; only on demand.
void add_probe(Trace& trace, const StackSettings& settings, std::uint64_t seed) {
    const TensorId first = trace.tensors().size();
    const int list = trace.add_list("probe token", probe_words());
    Stack probe(trace, settings, {.prefix = "probe.", .list = list, .weights = ""}, seed);
    const std::vector<TensorId> input = probe.add_input();
    const TensorId mask = probe.add_self_mask(settings.mask);
    probe.add_layers(input, {.path = {}, .mask = mask, .causal = settings.mask.causal});
    for (TensorId id = first; id < trace.tensors().size(); ++id)
        trace.tensors()[id].keep = Keep::OnDemand;
}

/// What is read off the sentences' patterns.
void add_analyses(Trace& trace, const StackSettings& settings, TensorId output) {
    LayerRange layers{.attentions = {},
                      .n_heads = settings.attention.n_heads,
                      .has_residual = settings.block.residual == Switch::On,
                      .output = output,
                      .words = word_numbers(trace.items())};
    for (int l = 0; l < settings.n_layers; ++l)
        layers.attentions.push_back("blocks." + std::to_string(l) + ".attn");
    add_head_metrics(trace, layers.attentions, layers.n_heads, layers.words);
    add_across_layers(trace, layers);
}

}  // namespace

Trace plan_sentences(const std::vector<Words>& sentences, const StackSettings& settings,
                     std::uint64_t seed) {
    check(settings);
    if (sentences.empty()) check_words("sentence", {});
    for (const Words& sentence : sentences) check_words("sentence", sentence);
    Stacked stacked = stack(sentences);
    Trace trace;
    trace.lists[0].names = std::make_shared<const Words>(std::move(stacked.words));
    Stack layers(trace, settings, {.groups = stacked.groups}, seed);
    const std::vector<TensorId> input = layers.add_input();
    const TensorId mask = layers.add_self_mask(settings.mask);
    const TensorId x =
        layers.add_layers(input, {.path = {}, .mask = mask, .causal = settings.mask.causal});
    const TensorId last = layers.add_final_norm(x);
    const TensorId output = layers.add_unembedding(last, vocabulary_of(sentences));
    add_probe(trace, settings, seed);
    add_analyses(trace, settings, output);
    add_influence(trace, last, input[0], "influence");
    return trace;
}

Trace plan_cross_attention(const SourceTarget& words, const StackSettings& settings,
                           std::uint64_t seed) {
    check(settings);
    Trace trace = source_target_trace(words);
    Stack source(trace, settings, {.prefix = "source."}, seed);
    const TensorId out = source.add_sum("out", source.add_input());
    Stack target(trace, settings, {.prefix = "target.", .list = 1}, seed);
    const std::vector<TensorId> input = target.add_input();
    Stack layers(trace, settings, {.list = 1}, seed);
    const TensorId mask =
        layers.add_mask("cross_mask", cross_mask(words.source, layers.item().size), source.item());
    const TensorId x = layers.add_layers(
        input, {.path = {}, .source = out, .cross_mask = mask, .self = Switch::Off});
    const TensorId last = layers.add_final_norm(x);
    layers.add_unembedding(last, vocabulary_of({words.target}));
    add_influence(trace, last, trace.id_of("source.embed"), "influence");
    return trace;
}

Trace plan_encoder_decoder(const SourceTarget& words, const StackSettings& settings,
                           std::uint64_t seed) {
    check(settings);
    Trace trace = source_target_trace(words);
    Stack encoder(trace, settings, {.prefix = "encoder."}, seed);
    const std::vector<TensorId> read = encoder.add_input();
    const TensorId encoder_mask = encoder.add_self_mask({});
    const TensorId memory =
        encoder.add_final_norm(encoder.add_layers(read, {.path = {}, .mask = encoder_mask}));
    Stack decoder(trace, settings, {.prefix = "decoder.", .list = 1}, seed);
    const std::vector<TensorId> input = decoder.add_input();
    MaskSettings causal = settings.mask;
    causal.causal = Switch::On;
    const TensorId decoder_mask = decoder.add_self_mask(causal);
    const TensorId across =
        Stack(trace, settings, {.list = 1}, seed)
            .add_mask("cross_mask", cross_mask(words.source, decoder.item().size), encoder.item());
    const TensorId x = decoder.add_layers(input, {.path = {},
                                                  .mask = decoder_mask,
                                                  .causal = Switch::On,
                                                  .source = memory,
                                                  .cross_mask = across});
    const TensorId last = decoder.add_final_norm(x);
    decoder.add_unembedding(last, vocabulary_of({words.target}));
    add_influence(trace, last, trace.id_of("encoder.embed"), "influence");
    return trace;
}

Words vocabulary_of(const std::vector<Words>& sentences) {
    Words vocabulary;
    std::unordered_set<std::string> seen;
    for (const Words& sentence : sentences)
        for (const std::string& word : sentence)
            if (word != kPaddingWord && seen.insert(word).second) vocabulary.push_back(word);
    return vocabulary;
}

}  // namespace headlight
