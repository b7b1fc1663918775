// config.json and model.safetensors.index.json of pretrained models.
#include "bad/bad_inputs.h"

namespace headlight::bad {
namespace {

/// A GPT-2 with these members.
std::string gpt2(const std::string& members) {
    return "{\"model_type\": \"gpt2\", \"n_embd\": 16, \"n_head\": 4, " + members + "}";
}

/// A LLaMA with this scaling of its positions.
std::string llama(const std::string& scaling) {
    return R"({"model_type": "llama", "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4,
"num_key_value_heads": 2, "intermediate_size": 24, "rope_parameters": )" +
           scaling + "}";
}

std::string mapped(const std::string& shard) {
    return "{\"weight_map\": {\"W\": " + shard + "}}";
}

}  // namespace

std::string good_model_config() {
    return gpt2("\"n_layer\": 2,\n\"activation_function\": \"gelu_new\", \"n_inner\": null");
}

std::vector<BadInput> model_config_inputs() {
    const std::string number = "line 1, n_layer: must be a whole number from 1 to 256, not ";
    return {
        {"empty", "", "is empty"},
        {"a list", "[]", "line 1: must be an object { … }, not a list"},
        {"10 million [", repeated("[", 10'000'000),
         "line 1: nested too deep; at most 64 levels are read"},
        {"objects within objects", repeated("{\"a\":", 100'000),
         "line 1: nested too deep; at most 64 levels are read"},
        {"no type", "{}", "line 1: the key 'model_type' is missing"},
        {"a type that is null", R"({"model_type": null})",
         "line 1, model_type: must be a text between \"quotes\", not null"},
        {"two types", R"({"model_type": "gpt2", "model_type": "bert"})",
         "line 1: the key 'model_type' is here for the second time (first on line 1); keep one"},
        {"only a type", R"({"model_type": "gpt2"})", "line 1: the key 'n_layer' is missing"},
        {"a billion layers", gpt2("\"n_layer\": 1000000000"), number + "1000000000"},
        {"−1 layers", gpt2("\"n_layer\": -1"), number + "-1"},
        {"no layers", gpt2("\"n_layer\": 0"), number + "0"},
        {"half a layer", gpt2("\"n_layer\": 2.5"), number + "2.5"},
        {"a text of layers", gpt2("\"n_layer\": \"2\""), number + "the text '2'"},
        {"a list of layers", gpt2("\"n_layer\": []"), number + "a list"},
        {"no number of layers", gpt2("\"n_layer\": NaN"),
         "line 1: syntax error while parsing value - invalid literal; last read: '\"n_layer\": N'"},
        {"more layers than there are numbers", gpt2("\"n_layer\": 1e400"),
         "line 1: number overflow parsing '1e400'"},
        {"an epsilon out of range", gpt2("\"n_layer\": 2, \"layer_norm_epsilon\": 1e300"),
         "line 1, layer_norm_epsilon: must be a number from 0 to 1, not 1e+300"},
        {"an activation that is a number", gpt2("\"n_layer\": 2, \"activation_function\": 3"),
         "line 1, activation_function: ⟨words⟩"},
        {"rope_parameters 5", llama("5"),
         "line 2, rope_parameters: must be an object { … }, not 5"},
        {"an unknown scaling", llama(R"({"rope_type": "longrope"})"),
         "line 2, rope_parameters.rope_type: 'longrope' is not supported; known are: default, "
         "linear, dynamic, llama3, yarn"},
        {"a negative factor", llama(R"({"rope_type": "linear", "factor": -1})"),
         "line 2, rope_parameters.factor: must be a number from 1 to 10000, not -1"},
        {"a scaling", llama(R"({"rope_type": "linear", "factor": 2, "rope_theta": 100})"), "read"},
    };
}

std::string good_model_index() {
    return "{\"metadata\": {\"total_size\": 32},\n\"weight_map\": {\"W\": \"a.safetensors\", "
           "\"b\": "
           "\"b.safetensors\"}}";
}

std::vector<BadInput> model_index_inputs() {
    const std::string bare =
        "line 1, weight_map.W: must be the name of a file in the same folder, not ";
    return {
        {"no map", "{}", "line 1: the key 'weight_map' is missing"},
        {"a map that is a list", R"({"weight_map": []})",
         "line 1, weight_map: must be an object { … }, not a list"},
        {"10 million [", repeated("[", 10'000'000),
         "line 1: nested too deep; at most 64 levels are read"},
        {"an array twice", R"({"weight_map": {"W": "a.safetensors", "W": "b.safetensors"}})",
         "line 1: the key 'W' is here for the second time (first on line 1); keep one"},
        {"a shard that is a number", mapped("3"),
         "line 1, weight_map.W: must be a text between \"quotes\", not 3"},
        {"a shard above the folder", mapped("\"../a.safetensors\""), bare + "'../a.safetensors'"},
        {"a shard anywhere", mapped("\"/etc/passwd\""), bare + "'/etc/passwd'"},
        {"the folder itself", mapped("\".\""), bare + "'.'"},
        {"a shard without a name", mapped("\"\""), bare + "''"},
        {"a shard with a zero byte", mapped("\"a\\u0000b\""), bare + "'a\\x00b'"},
        {"a shard that is missing", mapped("\"c.safetensors\""),
         "[c.safetensors] cannot be opened: No such file or directory"},
        {"an array in another shard", mapped("\"b.safetensors\""),
         "says that W is in b.safetensors, where it is not"},
        {"an array that is nowhere", R"({"weight_map": {"x": "a.safetensors"}})",
         "says that x is in a.safetensors, where it is not"},
        {"the index itself", mapped("\"model.safetensors.index.json\""),
         "is not a safetensors file: a header of ⟨words⟩ bytes; at most 100000000 are read"},
        {"20,000 shards",
         [] {
             std::string map;
             for (int k = 0; k < 20'000; ++k)
                 map += (k > 0 ? ", \"" : "\"") + std::to_string(k) + "\": \"" + std::to_string(k) +
                        "\"";
             return "{\"weight_map\": {" + map + "}}";
         }(),
         "line 1, weight_map.18999: is one of more than 10000 files"},
        {"half of it", R"({"weight_map": {"W": "a.safetensors"}})", "read: W"},
    };
}

}  // namespace headlight::bad
