#include "io/models/model_config.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/error.h"
#include "graph/text_lines.h"
#include "io/files/file.h"
#include "io/models/model_files.h"
#include "io/models/rotary_config.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr const char* kConfig = "config.json";

/// The names that transformers gives the activations (ACT2FN). gelu_fast and gelu_pytorch_tanh are
/// the curve of gelu_new; gelu_python is gelu.
constexpr std::array<std::pair<std::string_view, Mlp>, 9> kActivations = {
    {{"relu", Mlp::Relu},
     {"gelu", Mlp::Gelu},
     {"gelu_python", Mlp::Gelu},
     {"gelu_new", Mlp::GeluTanh},
     {"gelu_fast", Mlp::GeluTanh},
     {"gelu_pytorch_tanh", Mlp::GeluTanh},
     {"gelu_accurate", Mlp::GeluTanh},
     {"silu", Mlp::Silu},
     {"swish", Mlp::Silu}}};

std::string config_text(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kConfig;
    if (!is_there(file) && is_adapter_folder(folder)) refuse_adapter(folder);
    if (!is_there(file))
        throw Error(path_text(folder), "is not a model's folder: it has no config.json");
    return read_dense_file(file);
}

}  // namespace

ModelConfig::ModelConfig(const std::filesystem::path& folder)
    : ModelConfig(config_text(folder), path_text(folder / kConfig)) {}

ModelConfig::ModelConfig(std::string_view json, std::string source)
    : json_{source, parse_json(json, source)} {
    JsonView(json_).expect_object();
}

std::optional<JsonView> ModelConfig::find(std::string_view key) const {
    asked_.emplace(key);
    const auto found = JsonView(json_).find(key);
    if (!found || std::holds_alternative<std::monostate>(found->value().value)) return std::nullopt;
    return found;
}

JsonView ModelConfig::at(std::string_view key) const {
    asked_.emplace(key);
    return JsonView(json_).at(key);
}

std::string ModelConfig::model_type() const {
    return at("model_type").text();
}

int ModelConfig::size(std::string_view key) const {
    return static_cast<int>(at(key).integer(1, kMaxWidth));
}

int ModelConfig::size(std::string_view key, int otherwise) const {
    return has(key) ? size(key) : otherwise;
}

int ModelConfig::size(std::string_view key, int otherwise, Range<int> range) const {
    const auto found = find(key);
    return found ? static_cast<int>(found->integer(range.low, range.high)) : otherwise;
}

int ModelConfig::layers(std::string_view key) const {
    return static_cast<int>(at(key).integer(1, kMaxLayers));
}

int ModelConfig::heads(std::string_view key) const {
    return static_cast<int>(at(key).integer(1, kMaxHeads));
}

int ModelConfig::heads(std::string_view key, int otherwise) const {
    return has(key) ? heads(key) : otherwise;
}

int ModelConfig::count(std::string_view key, int otherwise) const {
    const auto found = find(key);
    constexpr int kMost = std::numeric_limits<int>::max() / 2;  // so that it can be counted on
    return found ? static_cast<int>(found->integer(0, kMost)) : otherwise;
}

double ModelConfig::number(std::string_view key, double otherwise) const {
    constexpr double kMost = std::numeric_limits<float>::max();
    return number(key, otherwise, {-kMost, kMost});
}

double ModelConfig::number(std::string_view key, double otherwise, Range<double> range) const {
    const auto found = find(key);
    return found ? found->real(range.low, range.high) : otherwise;
}

float ModelConfig::epsilon(std::string_view key, double otherwise) const {
    return static_cast<float>(number(key, otherwise, {0, 1}));
}

bool ModelConfig::flag(std::string_view key, bool otherwise) const {
    const auto found = find(key);
    return found ? found->flag() : otherwise;
}

std::string ModelConfig::word(std::string_view key, const char* otherwise) const {
    const auto found = find(key);
    return found ? found->text() : otherwise;
}

Mlp ModelConfig::activation(std::string_view key, const char* otherwise) const {
    const auto found = find(key);
    if (found) return found->choice(kActivations);
    for (const auto& [name, activation] : kActivations)
        if (name == otherwise) return activation;
    throw Error(source(), "has no {}", key);
}

std::optional<JsonView> ModelConfig::object(std::string_view key) const {
    const auto found = find(key);
    if (found) found->expect_object();
    return found;
}

void ModelConfig::expect_flag(std::string_view key, bool value) const {
    const auto found = find(key);
    if (found && found->flag() != value)
        found->fail("must be {}; the other kind is not supported", value ? "true" : "false");
}

void ModelConfig::expect_word(std::string_view key, std::string_view value) const {
    const auto found = find(key);
    if (found && found->text() != value)
        found->fail(R"(must be "{}", not "{}", which is not supported)", value,
                    printable(found->text()));
}

namespace {

/// The values with which a key changes nothing, beside null.
enum class Neutral { None, Zero, One, ZeroOrOne, Empty };

struct OtherArithmetic {
    std::string_view key;
    Neutral neutral;
    std::string_view what;
};

/// Keys that mark a model as unsupported although its other keys are those of a known family.
constexpr std::array kOtherArithmetic = {
    OtherArithmetic{"quantization_config", Neutral::Empty, "quantized weights are"},
    OtherArithmetic{"compression_config", Neutral::Empty, "compressed weights are"},
    OtherArithmetic{"attn_logit_softcapping", Neutral::Zero, "a soft cap of scores is"},
    OtherArithmetic{"final_logit_softcapping", Neutral::Zero, "a soft cap of logits is"},
    OtherArithmetic{"logits_soft_cap", Neutral::Zero, "a soft cap of logits is"},
    OtherArithmetic{"attention_logit_cap", Neutral::Zero, "a soft cap of scores is"},
    OtherArithmetic{"query_pre_attn_scalar", Neutral::None, "another scale of scores is"},
    OtherArithmetic{"attention_multiplier", Neutral::None, "another scale of scores is"},
    OtherArithmetic{"embedding_multiplier", Neutral::One, "a scale of embeddings is"},
    OtherArithmetic{"scale_embedding", Neutral::Zero, "a scale of embeddings is"},
    OtherArithmetic{"scale_emb", Neutral::One, "a scale of embeddings is"},
    OtherArithmetic{"residual_multiplier", Neutral::One, "a scale of residuals is"},
    OtherArithmetic{"scale_depth", Neutral::None, "a scale of residuals is"},
    OtherArithmetic{"logits_scaling", Neutral::One, "a scale of logits is"},
    OtherArithmetic{"logit_scale", Neutral::One, "a scale of logits is"},
    OtherArithmetic{"pruned_heads", Neutral::Empty, "heads that were removed are"},
    OtherArithmetic{"qk_layernorm", Neutral::Zero, "norms of queries and keys are"},
    OtherArithmetic{"use_qk_norm", Neutral::Zero, "norms of queries and keys are"},
    OtherArithmetic{"qk_norm", Neutral::Zero, "norms of queries and keys are"},
    OtherArithmetic{"clip_qkv", Neutral::Zero, "clipped queries, keys and values are"},
    OtherArithmetic{"alibi", Neutral::Zero, "biases of distances are"},
    OtherArithmetic{"use_mrope", Neutral::Zero, "angles of several axes are"},
    OtherArithmetic{"rope_interleaved", Neutral::Zero, "angles of neighbouring columns are"},
    OtherArithmetic{"attention_chunk_size", Neutral::Zero, "attention within chunks is"},
    OtherArithmetic{"num_local_experts", Neutral::ZeroOrOne, "several experts are"},
    OtherArithmetic{"num_experts", Neutral::ZeroOrOne, "several experts are"},
    OtherArithmetic{"n_routed_experts", Neutral::ZeroOrOne, "several experts are"},
};

/// Keys that need no note: about the file, training, the writing of texts and other tasks; sizes
/// that arrays show; and keys that notes_of_other_programs() and the tokenizer's reader check.
constexpr auto kSilent = std::to_array<std::string_view>({
    "_attn_implementation",
    "_attn_implementation_autoset",
    "_commit_hash",
    "_name_or_path",
    "architectures",
    "attn_implementation",
    "auto_map",
    "dtype",
    "model_type",
    "torch_dtype",
    "torchscript",
    "transformers_version",
    "transformers.js_config",
    "use_bfloat16",
    "unsloth_version",
    "unsloth_fixed",
    // training
    "attention_dropout",
    "attention_probs_dropout_prob",
    "attn_pdrop",
    "classifier_dropout",
    "classifier_dropout_prob",
    "dropout",
    "dropout_rate",
    "embd_pdrop",
    "gradient_checkpointing",
    "hidden_dropout",
    "hidden_dropout_prob",
    "initializer_factor",
    "initializer_range",
    "qa_dropout",
    "resid_pdrop",
    "seq_classif_dropout",
    "sinusoidal_pos_embds",
    "tie_weights_",
    "reorder_and_upcast_attn",
    "pretraining_tp",
    "chunk_size_feed_forward",
    // the writing of texts
    "bad_words_ids",
    "begin_suppress_tokens",
    "bos_token_id",
    "cls_token_id",
    "decoder_start_token_id",
    "diversity_penalty",
    "do_sample",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "eos_token_id",
    "exponential_decay_length_penalty",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "length_penalty",
    "mask_token_id",
    "max_length",
    "min_length",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_return_sequences",
    "output_past",
    "pad_token_id",
    "repetition_penalty",
    "sep_token_id",
    "suppress_tokens",
    "temperature",
    "tokenizer_class",
    "top_k",
    "top_p",
    "typical_p",
    "unk_token_id",
    "use_cache",
    // other tasks, and what is returned
    "encoder_stride",
    "finetuning_task",
    "id2label",
    "is_decoder",
    "is_encoder_decoder",
    "label2id",
    "n_special",
    "num_labels",
    "output_attentions",
    "output_hidden_states",
    "output_scores",
    "predict_special_tokens",
    "prefix",
    "problem_type",
    "remove_invalid_values",
    "return_dict",
    "return_dict_in_generate",
    "task_specific_params",
    "tf_legacy_loss",
    "cross_attention_hidden_size",
    // sizes that arrays have, and positions beyond what is read
    "max_position_embeddings",
    "max_window_layers",
    "n_ctx",
    "sliding_window",
    "vocab_size",
    "use_sliding_window",
    "tie_encoder_decoder",
    "tie_word_embeddings",
    "add_cross_attention",
});

/// Beginnings of keys that need no note: summary_type, pooler_act, directionality …
constexpr auto kSilentBeginnings =
    std::to_array<std::string_view>({"summary_", "pooler_", "directionality"});

bool is_number(const JsonValue& value, double number) {
    return std::visit(
        [&](const auto& held) {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, bool>) return number == (held ? 2 : 0);
            if constexpr (std::is_arithmetic_v<Held>)
                return static_cast<double>(held) == number;
            else
                return false;
        },
        value.value);
}

bool is_neutral(const JsonValue& value, Neutral neutral) {
    if (std::holds_alternative<std::monostate>(value.value)) return true;
    switch (neutral) {
        case Neutral::None:
            return false;
        case Neutral::Zero:
            return is_number(value, 0);
        case Neutral::One:
            return is_number(value, 1);
        case Neutral::ZeroOrOne:
            return is_number(value, 0) || is_number(value, 1);
        case Neutral::Empty:
            return (value.object() && value.object()->empty()) ||
                   (value.array() && value.array()->empty());
    }
    return false;
}

bool is_silent(std::string_view key) {
    return is_among(key, kSilent) ||
           std::ranges::find(kOtherArithmetic, key, &OtherArithmetic::key) !=
               kOtherArithmetic.end() ||  // refused, or it changes nothing
           std::ranges::any_of(kSilentBeginnings, [&](std::string_view beginning) {
               return key.starts_with(beginning);
           });
}

void refuse_in(const JsonView& object, const ModelConfig* config = nullptr) {
    for (const OtherArithmetic& other : kOtherArithmetic) {
        if (config && config->was_asked(other.key)) continue;
        if (const auto found = object.find(other.key);
            found && !is_neutral(found->value(), other.neutral))
            found->fail("{} not supported", other.what);
    }
}

}  // namespace

void refuse_other_arithmetic(const ModelConfig& config) {
    refuse_in(config.view(), &config);
    for (const char* key : kRotaryObjects)
        if (const auto found = config.view().find(key); found && found->value().object())
            refuse_in(*found);
}

namespace {

/// "GPTNeoXForCausalLM" is of the type "gpt_neox", "XLMRobertaModel" of "xlm-roberta",
/// "Gemma3ForCausalLM" of "gemma3_text".
bool is_class_of(std::string_view name, std::string_view type) {
    constexpr std::string_view kOfText = "_text";
    if (type.ends_with(kOfText)) type.remove_suffix(kOfText.size());
    std::string letters(type);
    std::erase_if(letters, [](char c) { return c == '_' || c == '-'; });
    return ascii_lower(name).starts_with(letters);
}

/// Returns the class in Python, beside config.json, that is the network itself; nothing if there is
/// none.
std::optional<std::string> find_own_class(const ModelConfig& config) {
    const auto map = config.view().find("auto_map");
    if (!map || !map->is_object()) return std::nullopt;
    std::optional<std::string> found;
    map->for_each_member([&](const std::string& key, const JsonView& name) {
        if (key.starts_with("AutoModel") && name.is_text()) found = name.text();
    });
    return found;
}

}  // namespace

std::vector<std::string> notes_of_other_programs(const ModelConfig& config, std::string_view type) {
    std::vector<std::string> notes;
    const std::string rest =
        fmt::format("; the numbers are those of the type '{}' in transformers", type);
    if (const auto own = find_own_class(config))
        notes.push_back(fmt::format(
            "config.json names a program that comes with the model, {}, which is never run{}",
            in_quotes(*own), rest));
    const auto architectures = config.view().find("architectures");
    if (!architectures || !architectures->is_list()) return notes;
    architectures->for_each_element([&](const JsonView& name) {
        if (name.is_text() && !is_class_of(name.text(), type))
            notes.push_back(fmt::format("config.json names the class {}, which is not of {}{}",
                                        in_quotes(name.text()), type, rest));
    });
    return notes;
}

std::vector<std::string> unknown_keys(const ModelConfig& config) {
    std::vector<std::string> unknown;
    config.view().for_each_member([&](const std::string& key, const JsonView& member) {
        const bool is_null = std::holds_alternative<std::monostate>(member.value().value);
        if (!is_null && !config.was_asked(key) && !is_silent(key)) unknown.push_back(key);
    });
    for (std::string& key : unknown_rotary_keys(config)) unknown.push_back(std::move(key));
    return unknown;
}

}  // namespace headlight
