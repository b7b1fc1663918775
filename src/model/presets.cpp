#include "model/presets.h"

#include <algorithm>
#include <array>

#include "graph/built_in_graphs.h"
#include "text/words.h"

namespace headlight {
namespace {

/// A sentence some of whose words occur twice.
constexpr const char* kTwice = "the dog saw the cat and the cat saw the dog.";

/// Returns the built-in sentence with something changed.
Document sentence(void (*change)(SentenceStudy&)) {
    Document document = built_in_sentence();
    change(*document.sentence());
    return document;
}
Document attention(void (*change)(AttentionSettings&)) {
    Document document = built_in_sentence();
    change(document.sentence()->layer.attention);
    return document;
}
Document alignment(void (*change)(AlignmentStudy&)) {
    Document document = built_in_alignment();
    change(*document.alignment());
    return document;
}
Document recurrent(void (*change)(RecurrentSettings&)) {
    Document document = built_in_alignment();
    document.alignment()->mechanism = AlignmentMechanism::Recurrent;
    change(document.alignment()->recurrent);
    return document;
}
Document graph(void (*change)(GraphStudy&)) {
    Document document = built_in_graph();
    change(*document.graph());
    return document;
}
Document image(void (*change)(ImageSettings&)) {
    Document document = built_in_image();
    change(document.image()->layer);
    return document;
}

/// A Transformer's layers; the norm is the caller's choice.
void make_encoder(StackSettings& layer, Norm norm) {
    layer.n_layers = 2;
    layer.block = {.residual = Switch::On, .norm = norm, .mlp = Mlp::Gelu, .d_ff = 64};
    layer.final_norm = norm == Norm::Pre ? Switch::On : Switch::Off;
}

constexpr std::array kPresets = {
    Preset{"attention", "Multi-head self-attention as in textbooks; change anything.",
           built_in_sentence},
    Preset{"no-parameters", "Q = K = V = X: without weights each word reads itself most.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.positions = Positions::None;
                   AttentionSettings& a = s.layer.attention;
                   a.n_heads = 1;
                   a.output = Switch::Off;
                   a.query = a.key = a.value = Projection::Identity;
               });
           }},
    Preset{"shared", "One matrix for queries and keys: the scores are symmetric.",
           [] {
               return attention([](AttentionSettings& a) {
                   a.query = Projection::Shared;
                   a.key = Projection::Shared;
               });
           }},
    Preset{"head-widths", "Heads of different widths, and biases: see concat and W_O.",
           [] {
               return attention([](AttentionSettings& a) {
                   a.d_k.values = {16, 8, 4, 2};
                   a.d_v.values = {4, 12, 6, 2};
                   a.bias = Switch::On;
               });
           }},
    Preset{"multi-query", "All heads share one K and one V; only their queries differ.",
           [] { return attention([](AttentionSettings& a) { a.n_kv_heads = 1; }); }},
    Preset{"gqa", "Grouped queries: eight heads share keys and values in two groups.",
           [] {
               return attention([](AttentionSettings& a) {
                   a.n_heads = 8;
                   a.n_kv_heads = 2;
               });
           }},
    Preset{"dot", "Dot products without the factor 1/√d: the rows of the pattern are sharper.",
           [] { return attention([](AttentionSettings& a) { a.score = Score::Dot; }); }},
    Preset{"cosine", "Only directions count; a low temperature compensates for the small scores.",
           [] {
               return attention([](AttentionSettings& a) {
                   a.score = Score::Cosine;
                   a.temperature = 0.2f;
               });
           }},
    Preset{"bilinear", "A matrix W_a between query and key, after Luong.",
           [] { return attention([](AttentionSettings& a) { a.score = Score::Bilinear; }); }},
    Preset{"additive", "A small network computes each score; its hidden layer is shown, too.",
           [] { return attention([](AttentionSettings& a) { a.score = Score::Additive; }); }},
    Preset{"temperature",
           "Drag the temperature: at 0.01 one word gets most of a row, at 100 all get the same.",
           [] { return attention([](AttentionSettings& a) { a.temperature = 0.3f; }); }},
    Preset{"hard", "Each word reads only the word with the largest score.",
           [] { return attention([](AttentionSettings& a) { a.normalizer = Normalizer::Hard; }); }},
    Preset{"top-k", "Each word reads the three words with the largest scores.",
           [] { return attention([](AttentionSettings& a) { a.normalizer = Normalizer::TopK; }); }},
    Preset{"sparsemax", "The nearest point of the simplex: most weights are exactly 0.",
           [] {
               return attention([](AttentionSettings& a) { a.normalizer = Normalizer::Sparsemax; });
           }},
    Preset{
        "entmax", "Between softmax and sparsemax: some weights are exactly 0.",
        [] { return attention([](AttentionSettings& a) { a.normalizer = Normalizer::Entmax; }); }},
    Preset{"causal", "No word reads a later one: the upper triangle of the pattern is 0.",
           [] { return sentence([](SentenceStudy& s) { s.layer.mask.causal = Switch::On; }); }},
    Preset{"window", "Each word reads itself and two neighbours on either side.",
           [] { return sentence([](SentenceStudy& s) { s.layer.mask.window = {{2}}; }); }},
    Preset{"dilated", "Each word reads every second word: the same reach with half of the pairs.",
           [] { return sentence([](SentenceStudy& s) { s.layer.mask.dilation = 2; }); }},
    Preset{"documents", "Three documents in one sequence; none reads another one.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.text = "The cat slept | The dog barked at it | It woke";
                   s.layer.mask.documents = Switch::On;
               });
           }},
    Preset{"alibi", "Scores fall with the distance, in each head with a different slope.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.positions = Positions::None;
                   s.layer.attention.relative = RelativePositions::Alibi;
               });
           }},
    Preset{"t5-bias", "A bias for each bucket of distances, as in T5: edit one of them.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.positions = Positions::None;
                   s.layer.attention.relative = RelativePositions::Buckets;
               });
           }},
    Preset{"no-positions", "Without positions, equal words have equal rows up to the output.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.text = kTwice;
                   s.layer.positions = Positions::None;
               });
           }},
    Preset{
        "learned-positions", "A vector for each position, random like a weight, is added to X.",
        [] { return sentence([](SentenceStudy& s) { s.layer.positions = Positions::Learned; }); }},
    Preset{"rope", "Queries and keys rotate with their positions: only the distance counts.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.positions = Positions::None;
                   s.layer.attention.relative = RelativePositions::Rotary;
               });
           }},
    Preset{"shaw", "Distances have their own keys and values, clipped at max distance.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.positions = Positions::None;
                   s.layer.attention.relative = RelativePositions::Shaw;
                   s.layer.attention.max_distance = 4;
               });
           }},
    Preset{"quadratic",
           "Each head prefers one distance, its center: the word itself or one near it; alpha says "
           "how much.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.positions = Positions::None;
                   s.layer.attention.relative = RelativePositions::Quadratic;
               });
           }},
    Preset{"encoder", "Two Transformer layers: attention, MLP, layer norm before each.",
           [] { return sentence([](SentenceStudy& s) { make_encoder(s.layer, Norm::Pre); }); }},
    Preset{"post-norm", "The same with the layer norm after each part, as in 2017.",
           [] { return sentence([](SentenceStudy& s) { make_encoder(s.layer, Norm::Post); }); }},
    Preset{"language-model",
           "A causal stack that ends in a probability for each word to come next.",
           [] {
               return sentence([](SentenceStudy& s) {
                   make_encoder(s.layer, Norm::Pre);
                   s.layer.mask.causal = Switch::On;
                   s.layer.unembedding = Unembedding::Tied;
               });
           }},
    Preset{"kv-cache",
           "Decoding word by word with cached keys and values, and the work that it saves.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.mask.causal = Switch::On;
                   s.decoding = Switch::On;
               });
           }},
    Preset{"batch", "Three sentences at once; the shorter ones are padded, and padding is masked.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.text =
                       "The cat was too tired to cross the street\n"
                       "The street was too wide\n"
                       "The cat slept";
               });
           }},
    Preset{"rollout", "Four layers: follow attention through all of them, in four ways.",
           [] { return sentence([](SentenceStudy& s) { s.layer.n_layers = 4; }); }},
    Preset{"head-metrics",
           "Four layers of twelve heads, each with ten numbers that say how it reads.",
           [] {
               return sentence([](SentenceStudy& s) {
                   s.layer.n_layers = 4;
                   s.layer.d_model = 48;
                   s.layer.attention.n_heads = 12;
                   s.layer.attention.d_k.values = {4};
                   s.layer.attention.d_v.values = {4};
               });
           }},
    Preset{"cross-attention", "Queries of the target, keys and values of the source.",
           built_in_alignment},
    Preset{"transformer",
           "Encoder and decoder: three attentions, and a probability for each next word.",
           [] {
               return alignment([](AlignmentStudy& s) {
                   s.mechanism = AlignmentMechanism::Transformer;
                   make_encoder(s.layer, Norm::Post);
                   s.layer.unembedding = Unembedding::Learned;
               });
           }},
    Preset{"bahdanau", "A GRU decoder that attends to a bidirectional GRU encoder, step by step.",
           [] { return recurrent([](RecurrentSettings& r) { r.temperature = 0.25f; }); }},
    Preset{"free-running", "A recurrent decoder that reads the words it chose itself.",
           [] { return recurrent([](RecurrentSettings& r) { r.feeding = Feeding::Free; }); }},
    Preset{"no-attention", "All the decoder knows of the source is the encoder's last states.",
           [] { return recurrent([](RecurrentSettings& r) { r.attention = Switch::Off; }); }},
    Preset{"lstm", "The recurrent network with LSTM cells: see the gates of each step.",
           [] {
               return recurrent(
                   [](RecurrentSettings& r) { r.cell_type = RecurrentCellType::Lstm; });
           }},
    Preset{"influence",
           "A plain RNN forgets: the first word's influence on the last state is small.",
           [] {
               return recurrent([](RecurrentSettings& r) {
                   r.cell_type = RecurrentCellType::Rnn;
                   r.bidirectional = Switch::Off;
               });
           }},
    Preset{"image", "Pixels that read each other: choose one to see what it reads.",
           [] { return image([](ImageSettings&) {}); }},
    Preset{
        "convolution", "Nine heads that form a convolution; the difference fades as alpha grows.",
        [] { return image([](ImageSettings& s) { s.mechanism = ImageMechanism::Convolution; }); }},
    Preset{"gat", "Each member of a karate club reads its friends and itself.", built_in_graph},
    Preset{"gatv2", "See who ranks whom: in GAT all nodes agree, in GATv2 they need not.",
           [] { return graph([](GraphStudy& s) { s.layer.mechanism = GraphMechanism::GatV2; }); }},
    Preset{"graph-layers", "Two layers: a node learns from its friends' friends.",
           [] { return graph([](GraphStudy& s) { s.layer.n_layers = 2; }); }},
    Preset{"edge-features", "Edges have features, too, which enter the scores.",
           [] { return graph([](GraphStudy& s) { s.layer.d_edge = 4; }); }},
    Preset{"graph-transformer", "Scaled dot products of queries and keys, among neighbours only.",
           [] {
               return graph([](GraphStudy& s) { s.layer.mechanism = GraphMechanism::Transformer; });
           }},
    Preset{"sentence-graph", "A sentence as a complete graph: the same attention as no-positions.",
           [] {
               Document document = graph([](GraphStudy& s) {
                   s.graph = complete_graph(split_words(kTwice));
                   s.layer.mechanism = GraphMechanism::Transformer;
                   s.layer.activation = Activation::None;
                   s.layer.d_in = StackSettings().d_model;
               });
               document.seed = built_in_sentence().seed;
               return document;
           }},
};

}  // namespace

std::span<const Preset> presets() {
    return kPresets;
}

const Preset* find_preset(std::string_view name) {
    const auto found = std::ranges::find(presets(), name, &Preset::name);
    return found == presets().end() ? nullptr : &*found;
}

}  // namespace headlight
