#include "model/imports/known_names.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "model/evaluate.h"
#include "model/presets.h"

namespace headlight::known_names_test {
namespace {

/// Two layers of two heads, width 8, with everything around the attention.
std::shared_ptr<const Plan> plan_of(Study study) {
    Document document;
    document.study = std::move(study);
    return plan(document);
}

StackSettings settings() {
    StackSettings s;
    s.n_layers = 2;
    s.d_model = 8;
    s.attention.n_heads = 2;
    s.attention.d_k = s.attention.d_v = {{4}};
    s.attention.bias = Switch::On;
    s.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 6};
    s.final_norm = Switch::On;
    return s;
}

std::shared_ptr<const Plan> sentence_plan() {
    return plan_of(SentenceStudy{.text = "a b c", .layer = settings(), .decoding = Switch::Off});
}

/// "in_proj_weight[0:4].T=…", one a line.
std::string guessed(const std::vector<ArrayShape>& arrays, const Plan& plan) {
    std::string text;
    for (const TensorMapping& mapping : guess_mappings(arrays, plan).mappings)
        text += mapping_text(mapping, *std::ranges::find(arrays, mapping.name, &ArrayShape::name)) +
                "\n";
    return text;
}

}  // namespace

TEST_CASE("names of wrapped modules are those of the modules themselves") {
    CHECK(without_wrappers("_orig_mod.a.weight") == "a.weight");
    CHECK(without_wrappers("module._orig_mod.module.a") == "a");
    CHECK(without_wrappers("layers.0._orig_mod.a") == "layers.0.a");
    CHECK(without_wrappers("_fsdp_wrapped_module.l.0._checkpoint_wrapped_module.a") == "l.0.a");
    CHECK(without_wrappers("a.module.b") == "a.module.b");
    CHECK(without_wrappers("my_orig_mod.a") == "my_orig_mod.a");
    const std::string path = "blocks.1.attn.heads.0.W_Q";
    CHECK(guessed({{"_orig_mod." + path, 8, 4}}, *sentence_plan()) ==
          "_orig_mod." + path + "=" + path + "\n");
    // Where both are there, they are two arrays.
    CHECK(guessed({{"module." + path, 8, 4}, {path, 8, 4}}, *sentence_plan()) ==
          path + "=" + path + "\n");
}

TEST_CASE("known names: paths of the study map to themselves, a vector to a row") {
    CHECK(guessed({{"blocks.1.attn.W_O", 8, 8}, {"blocks.0.attn.b_O", 8, 1}}, *sentence_plan()) ==
          "blocks.1.attn.W_O=blocks.1.attn.W_O\nblocks.0.attn.b_O=blocks.0.attn.b_O\n");
}

TEST_CASE("known names: TransformerLens stacks its heads") {
    CHECK(guessed({{"blocks.1.attn.W_Q", 16, 4}, {"blocks.1.attn.b_K", 2, 4}}, *sentence_plan()) ==
          "blocks.1.attn.W_Q[0:8]=blocks.1.attn.heads.0.W_Q\n"
          "blocks.1.attn.W_Q[8:16]=blocks.1.attn.heads.1.W_Q\n"
          "blocks.1.attn.b_K[0:1]=blocks.1.attn.heads.0.b_K\n"
          "blocks.1.attn.b_K[1:2]=blocks.1.attn.heads.1.b_K\n");
}

TEST_CASE("known names: GPT-2 has Q, K and V side by side, not transposed") {
    CHECK(guessed({{"h.0.attn.c_attn.weight", 8, 24}, {"h.1.attn.c_proj.weight", 8, 8}},
                  *sentence_plan()) ==
          "h.0.attn.c_attn.weight[:, 0:4]=blocks.0.attn.heads.0.W_Q\n"
          "h.0.attn.c_attn.weight[:, 4:8]=blocks.0.attn.heads.1.W_Q\n"
          "h.0.attn.c_attn.weight[:, 8:12]=blocks.0.attn.heads.0.W_K\n"
          "h.0.attn.c_attn.weight[:, 12:16]=blocks.0.attn.heads.1.W_K\n"
          "h.0.attn.c_attn.weight[:, 16:20]=blocks.0.attn.heads.0.W_V\n"
          "h.0.attn.c_attn.weight[:, 20:24]=blocks.0.attn.heads.1.W_V\n"
          "h.1.attn.c_proj.weight=blocks.1.attn.W_O\n");
}

TEST_CASE("known names: layers are ordered by their numbers, whatever the first number") {
    std::vector<ArrayShape> arrays{{"layer10.out_proj.weight", 8, 8},
                                   {"layer2.out_proj.weight", 8, 8}};
    CHECK(guessed(arrays, *sentence_plan()) ==
          "layer10.out_proj.weight.T=blocks.1.attn.W_O\n"
          "layer2.out_proj.weight.T=blocks.0.attn.W_O\n");
    arrays.push_back({"layer11.out_proj.weight", 8, 8});
    const GuessedMappings guess = guess_mappings(arrays, *sentence_plan());
    REQUIRE(guess.problems.size() == 1);
    CHECK(guess.problems[0].name == "layer11.out_proj.weight");
    CHECK(guess.problems[0].why.starts_with("the study has too few layers"));
}

TEST_CASE("known names: an array within the layers gives no note about missing layers") {
    std::vector<ArrayShape> arrays;
    for (const std::string layer : {"h.0.", "h.1."}) {
        arrays.push_back({layer + "attn.c_proj.weight", 8, 8});
        for (const char* name : {"ln_1.bias", "ln_2.bias", "mlp.c_fc.bias"})
            arrays.push_back({layer + name, 8, 1});
    }
    const GuessedMappings guess = guess_mappings(arrays, *sentence_plan());
    CHECK(guess.mappings.size() == 2);
    REQUIRE(guess.problems.size() == 6);
    for (const UnusedArray& array : guess.problems) {
        INFO(array.name << ": " << array.why);
        CHECK(array.why.starts_with("no known name"));
    }
}

TEST_CASE("known names: arrays around an attention belong to its layer, others to none") {
    CHECK(guessed({{"layers.3.self_attn.out_proj.weight", 8, 8},
                   {"layers.7.self_attn.out_proj.weight", 8, 8},
                   {"layers.7.linear1.weight", 6, 8}},
                  *sentence_plan()) ==
          "layers.3.self_attn.out_proj.weight.T=blocks.0.attn.W_O\n"
          "layers.7.self_attn.out_proj.weight.T=blocks.1.attn.W_O\n"
          "layers.7.linear1.weight.T=blocks.1.mlp.W_in\n");
    const GuessedMappings guess = guess_mappings(
        {{"layers.3.self_attn.out_proj.weight", 8, 8}, {"layers.2.linear1.weight", 6, 8}},
        *sentence_plan());
    REQUIRE(guess.problems.size() == 1);
    CHECK(guess.problems[0].why.starts_with("no attention of its layer is in the file"));
}

TEST_CASE("known names: an array whose target is taken is reported, not dropped") {
    const GuessedMappings guess = guess_mappings(
        {{"self_attn.out_proj.weight", 8, 8}, {"blocks.0.attn.W_O", 8, 8}}, *sentence_plan());
    CHECK(guess.mappings.size() == 1);
    REQUIRE(guess.problems.size() == 1);
    CHECK(guess.problems[0] == UnusedArray{"blocks.0.attn.W_O",
                                           "blocks.0.attn.W_O is taken from "
                                           "self_attn.out_proj.weight"});
}

TEST_CASE("known names: a decoder's attentions and norms are told apart") {
    AlignmentStudy study;
    study.source = "a b", study.target = "c d";
    study.mechanism = AlignmentMechanism::Transformer;
    study.layer = settings();
    const Trace trace(plan_of(study));
    CHECK(guessed({{"encoder.layers.0.self_attn.out_proj.weight", 8, 8},
                   {"decoder.layers.1.self_attn.out_proj.weight", 8, 8},
                   {"decoder.layers.0.self_attn.out_proj.weight", 8, 8},
                   {"decoder.layers.0.multihead_attn.out_proj.weight", 8, 8},
                   {"decoder.layers.0.norm2.weight", 8, 1},
                   {"encoder.layers.0.norm2.weight", 8, 1},
                   {"decoder.layers.0.norm3.weight", 8, 1}},
                  trace) ==
          "encoder.layers.0.self_attn.out_proj.weight.T=encoder.blocks.0.attn.W_O\n"
          "decoder.layers.1.self_attn.out_proj.weight.T=decoder.blocks.1.attn.W_O\n"
          "decoder.layers.0.self_attn.out_proj.weight.T=decoder.blocks.0.attn.W_O\n"
          "decoder.layers.0.multihead_attn.out_proj.weight.T=decoder.blocks.0.cross.W_O\n"
          "decoder.layers.0.norm2.weight.T=decoder.blocks.0.ln_cross.w\n"
          "encoder.layers.0.norm2.weight.T=encoder.blocks.0.ln2.w\n"
          "decoder.layers.0.norm3.weight.T=decoder.blocks.0.ln2.w\n");
}

TEST_CASE("known names: the final norm is recognized with and without a prefix") {
    for (const std::string name : {"encoder.norm.", "norm.", "transformer.ln_f.", "ln_f."}) {
        INFO(name);
        CHECK(guessed({{name + "weight", 8, 1}, {name + "bias", 8, 1}}, *sentence_plan()) ==
              name + "weight.T=ln_final.w\n" + name + "bias.T=ln_final.b\n");
    }
    for (const std::string name :
         {"layers.0.norm.weight", "embeddings.norm.weight", "model.norm.weight"}) {
        INFO(name);
        CHECK(guessed({{name, 8, 1}}, *sentence_plan()) == "");
    }
    SentenceStudy without{.text = "a b c", .layer = settings(), .decoding = Switch::Off};
    without.layer.final_norm = Switch::Off;
    const GuessedMappings guess = guess_mappings({{"norm.weight", 8, 1}}, *plan_of(without));
    REQUIRE(guess.problems.size() == 1);
    CHECK(
        guess.problems[0].why.starts_with("the study has no ln_final.w; switch its final norm on"));
}

TEST_CASE("known names: the gains of RMS norms go to RMS norms alone") {
    const std::vector<ArrayShape> names{{"model.layers.0.self_attn.o_proj.weight", 8, 8},
                                        {"model.layers.0.input_layernorm.weight", 8, 1},
                                        {"model.layers.0.post_attention_layernorm.weight", 8, 1},
                                        {"model.norm.weight", 8, 1}};
    SentenceStudy study{.text = "a b c", .layer = settings(), .decoding = Switch::Off};
    study.layer.norm_type = NormType::Rms;
    CHECK(guessed(names, *plan_of(study)) ==
          "model.layers.0.self_attn.o_proj.weight.T=blocks.0.attn.W_O\n"
          "model.layers.0.input_layernorm.weight.T=blocks.0.ln1.w\n"
          "model.layers.0.post_attention_layernorm.weight.T=blocks.0.ln2.w\n"
          "model.norm.weight.T=ln_final.w\n");
    const GuessedMappings guess = guess_mappings(names, *sentence_plan());
    CHECK(guess.mappings.size() == 1);
    REQUIRE(guess.problems.size() == 3);
    CHECK(guess.problems[0].why.starts_with(
        "it is of an RMS norm, and the study has layer norms; set norm_type to rms"));
}

TEST_CASE("known names: the final norms of encoder and decoder are told apart") {
    AlignmentStudy study;
    study.source = "a b", study.target = "c d";
    study.mechanism = AlignmentMechanism::Transformer;
    study.layer = settings();
    CHECK(guessed({{"encoder.norm.weight", 8, 1},
                   {"transformer.decoder.norm.weight", 8, 1},
                   {"decoder.norm.bias", 8, 1}},
                  *plan_of(study)) ==
          "encoder.norm.weight.T=encoder.ln_final.w\n"
          "transformer.decoder.norm.weight.T=decoder.ln_final.w\n"
          "decoder.norm.bias.T=decoder.ln_final.b\n");
}

TEST_CASE("known names: a size that is not a multiple of the heads is a problem, not a guess") {
    for (const Index rows : {Index(23), Index(25), Index(12), Index(48), Index(0)}) {
        const GuessedMappings guess =
            guess_mappings({{"in_proj_weight", rows, 8}}, *sentence_plan());
        INFO(rows);
        CHECK(guess.mappings.empty());
        CHECK(guess.problems.size() == 1);
    }
}

TEST_CASE("known names: guessing throws for no kind of study") {
    const std::vector<ArrayShape> arrays{
        {"in_proj_weight", 24, 8}, {"lin.weight", 6, 5}, {"att", 2, 3},
        {"linear1.weight", 6, 8},  {"", 1, 1},           {"999999999999999999999", 1, 1}};
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        const GuessedMappings guess = guess_mappings(arrays, *plan(preset.make()));
        CHECK(guess.mappings.size() + guess.problems.size() > 0);
    }
}

TEST_CASE("numbered: names are sorted by their numbers") {
    CHECK(numbered("layer2") < numbered("layer10"));
    CHECK(numbered("a.2.b.11") < numbered("a.10.b.2"));
    CHECK(numbered("a") < numbered("b"));
    CHECK(numbered("a12").text == "a#");
    CHECK(numbered("99999999999999999999").numbers == std::vector<long>{100'000'000});
}

}  // namespace headlight::known_names_test
