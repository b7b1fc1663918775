// Keys of config.json that change numbers, read as transformers 5.23 reads them.
#include <doctest/doctest.h>

#include "io/models/families.h"
#include "io/models/model_config.h"
#include "model/document.h"

namespace headlight::config_keys_test {
namespace {

/// The settings that a family makes of a small network with these members.
template <typename S>
StackSettings settings(const std::string& type, const std::string& members) {
    const std::string sizes =
        "\"num_hidden_layers\": 2, \"hidden_size\": 16, \"num_attention_heads\": 2, "
        "\"intermediate_size\": 24, \"num_layers\": 2, \"d_model\": 16, \"num_heads\": 2, "
        "\"d_ff\": 24";
    const ModelConfig config("{\"model_type\": \"" + type + "\", " + sizes +
                                 (members.empty() ? "" : ", ") + members + "}",
                             "config.json");
    return std::get<S>(family_for(config).study(config)).layer;
}

StackSettings sentence_settings(const std::string& type, const std::string& members) {
    return settings<SentenceStudy>(type, members);
}

constexpr const char* kFull = "\"layer_types\": [\"full_attention\", \"full_attention\"]";
constexpr const char* kSliding = "\"layer_types\": [\"sliding_attention\", \"sliding_attention\"]";

std::vector<int> windows(const std::string& type, const std::string& members) {
    return sentence_settings(type, members).mask.window.values;
}

int window(const std::string& type, const std::string& members) {
    const std::vector<int> all = windows(type, members);
    return all.size() == 1 ? all.front() : -1;
}

}  // namespace

TEST_CASE("layer_types says whether the layers of Qwen have a window, whatever else is said") {
    for (const char* type : {"qwen2", "qwen3"}) {
        CAPTURE(type);
        const std::string on = "\"use_sliding_window\": true, \"sliding_window\": 5, ";
        CHECK(window(type, on + "\"max_window_layers\": 0") == 4);
        CHECK(window(type, on + "\"max_window_layers\": 0, " + kFull) == 0);
        CHECK(window(type, on + "\"max_window_layers\": 28, " + kSliding) == 4);
        CHECK(window(type, on + kSliding) == 4);
        CHECK(windows(type, on + "\"max_window_layers\": 1") == std::vector{0, 4});
        CHECK(window(type, std::string("\"sliding_window\": 5, ") + kFull) == 0);
        CHECK(windows(type, on + "\"layer_types\": [\"sliding_attention\", \"full_attention\"]") ==
              std::vector{4, 0});
        CHECK_THROWS_WITH(
            static_cast<void>(window(type, std::string("\"sliding_window\": 5, ") + kSliding)),
            doctest::Contains("layer_types[0]: must be \"full_attention\""));
    }
}

TEST_CASE("a window that is not said is that of transformers") {
    CHECK(window("qwen2", "\"use_sliding_window\": true, \"sliding_window\": 5") == 0);
    CHECK(window("qwen2", "\"use_sliding_window\": true, \"max_window_layers\": 0") == 4095);
    CHECK(window("mistral", "") == 4095);
    CHECK(window("mistral", "\"sliding_window\": null") == 0);
    CHECK(window("mistral", std::string("\"sliding_window\": 100000, ") + kSliding) == 0);
}

TEST_CASE("angles come from the key that transformers listens to") {
    const auto attention = [](const std::string& type, const std::string& members) {
        return sentence_settings(type, members).attention;
    };
    const AttentionSettings both =
        attention("llama",
                  "\"rope_parameters\": {\"rope_theta\": 500.0}, "
                  "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0}");
    CHECK(both.rotary_scaling == RotaryScaling::Linear);
    CHECK(both.rotary_base == 10000);
    CHECK(attention("llama", "\"rope_parameters\": {\"rope_theta\": 500.0}, \"rope_scaling\": {}")
              .rotary_base == 500);
    CHECK(attention("llama", "\"rotary_emb_base\": 500").rotary_base == 10000);
    CHECK(attention("gpt_neox", "\"rotary_pct\": 0.5, \"rope_theta\": 500").rotary_base == 10000);
    CHECK(attention("gpt_neox", "\"rotary_pct\": 0.5, \"rotary_emb_base\": 500").rotary_base ==
          500);
    const std::string lengths =
        "\"max_position_embeddings\": 64, \"original_max_position_embeddings\": 8, ";
    const AttentionSettings yarn =
        attention("llama", lengths +
                               "\"rope_parameters\": {\"rope_type\": \"yarn\", \"factor\": null, "
                               "\"mscale\": null, \"original_max_position_embeddings\": 16}");
    CHECK(yarn.rotary_length == 8);
    CHECK(yarn.rotary_factor == 8);
    CHECK(attention("llama", lengths +
                                 "\"rope_parameters\": {\"rope_type\": \"dynamic\", \"factor\": 2, "
                                 "\"original_max_position_embeddings\": 16}")
              .rotary_length == 64);
}

TEST_CASE("members of rope_parameters are read, refused or noted as those around it are") {
    const auto config_of = [](const std::string& members) {
        return ModelConfig(
            "{\"model_type\": \"llama\", \"num_hidden_layers\": 2, \"hidden_size\": 16, "
            "\"num_attention_heads\": 2, \"intermediate_size\": 24, " +
                members + "}",
            "config.json");
    };
    const auto unknown = [&](const std::string& members) {
        const ModelConfig config = config_of(members);
        static_cast<void>(family_for(config).study(config));
        return unknown_keys(config);
    };
    using Keys = std::vector<std::string>;
    CHECK(unknown("\"rope_parameters\": {\"rope_theta\": 500, \"rope_type\": \"default\", "
                  "\"partial_rotary_factor\": null, \"other\": null}") == Keys{});
    CHECK(unknown("\"rope_parameters\": {\"rope_theta\": 500, \"mrope_section\": [1, 2]}") ==
          Keys{"rope_parameters.mrope_section"});
    // What llama3 has is nothing to linear.
    const std::string rest =
        "\"factor\": 2, \"low_freq_factor\": 1, \"high_freq_factor\": 4, "
        "\"original_max_position_embeddings\": 8}";
    CHECK(unknown("\"rope_scaling\": {\"rope_type\": \"llama3\", " + rest) == Keys{});
    CHECK(unknown("\"rope_scaling\": {\"rope_type\": \"linear\", " + rest) ==
          Keys{"rope_scaling.high_freq_factor", "rope_scaling.low_freq_factor"});
    CHECK_THROWS_WITH(
        refuse_other_arithmetic(config_of("\"rope_parameters\": {\"use_mrope\": true}")),
        doctest::Contains("use_mrope: angles of several axes are not supported"));
    CHECK_NOTHROW(
        refuse_other_arithmetic(config_of("\"rope_parameters\": {\"use_mrope\": false}")));
}

TEST_CASE("llama3 without its frequencies is refused, as by transformers") {
    const auto refused = [](const std::string& frequency) {
        return sentence_settings(
            "llama",
            "\"rope_parameters\": {\"rope_type\": \"llama3\", \"factor\": 2, " + frequency + "}");
    };
    CHECK_THROWS_WITH(refused("\"low_freq_factor\": 1"), doctest::Contains("high_freq_factor"));
    CHECK_THROWS_WITH(refused("\"high_freq_factor\": 4"), doctest::Contains("low_freq_factor"));
    CHECK(refused("\"low_freq_factor\": 1, \"high_freq_factor\": 3").attention.rotary_high == 3);
}

TEST_CASE("the activation of a T5 comes from the key that transformers listens to") {
    const StackSettings s = settings<AlignmentStudy>(
        "t5",
        "\"feed_forward_proj\": \"relu\", \"dense_act_fn\": \"silu\", \"is_gated_act\": true");
    CHECK(s.block.mlp == Mlp::Silu);
    CHECK(s.block.mlp_gate == Switch::On);
}

}  // namespace headlight::config_keys_test
