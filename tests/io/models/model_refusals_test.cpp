// Folders of models that are broken, hostile, or of a kind that is not supported.
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <sys/stat.h>
#include <tuple>

#include "core/error.h"
#include "golden_model.h"
#include "io/models/model_files.h"
#include "io/models/open_model.h"
#include "io/open_document.h"
#include "io/text/json_view.h"
#include "model/evaluate.h"

namespace headlight::model_refusals_test {
namespace {

namespace fs = std::filesystem;

/// config.json with one member put in, in place of the one that it has.
void put_in_config(const GoldenModel& golden, const std::string& member) {
    std::string text = read_file(golden.file("config.json"));
    const std::string key = member.substr(0, member.find(':'));
    if (const std::size_t at = text.find(key + ":"); at != std::string::npos) {
        const char opening = text[at + key.size() + 2];
        std::size_t end = text.find_first_of(",\n", at);
        if (opening == '{') end = text.find('}', at) + 1;
        if (opening == '[') {
            int depth = 0;  // lists may be in lists
            end = text.find('[', at);
            do {
                depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
                ++end;
            } while (depth > 0);
        }
        text.replace(at, end - at, member);
    } else {
        text.insert(text.find('{') + 1, member + ",");
    }
    write_file(golden.file("config.json"), text);
}

std::string message(const fs::path& folder) {
    try {
        static_cast<void>(open_model(folder));
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

/// Opens the folder and joins its notes.
std::string find_notes(const fs::path& folder) {
    std::string notes;
    for (const std::string& note : open_model(folder).notes) notes += note + "\n";
    return notes;
}

struct Refusal {
    std::string model, member, said;
};

}  // namespace

TEST_CASE("the matrix of a tied readout with numbers of its own is used, and noted") {
    const std::tuple<const char*, const char*, std::string> kTied[] = {
        {"gpt2", "wte.weight", "lm_head.weight"},
        {"bert", "word_embeddings.weight", "cls.predictions.decoder.weight"},
        {"roberta", "word_embeddings.weight", "lm_head.decoder.weight"},
        {"distilbert", "word_embeddings.weight", "vocab_projector.weight"}};
    for (const auto& [type, W_E, name] : kTied) {
        CAPTURE(type);
        const GoldenModel golden(type);
        const std::string file = golden.file("model.safetensors");
        const std::string bytes = read_file(file);
        std::string map;
        Matrix W_U;
        for (const StoredArray& array : find_safetensors_arrays(bytes_in_memory(bytes, "a"))) {
            if (array.name == name) continue;
            map += "\"" + array.name + "\": \"a.safetensors\", ";
            if (array.name.ends_with(W_E)) W_U = read_matrix(array);
        }
        REQUIRE(W_U.size() > 0);
        fs::rename(file, golden.file("a.safetensors"));
        write_file(golden.file("model.safetensors.index.json"),
                   "{\"weight_map\": {" + map + "\"" + name + "\": \"b.safetensors\"}}");
        const auto is_own = [&, own = name] {
            write_file(golden.file("b.safetensors"), write_safetensors({{own, W_U}}));
            const OpenedModel opened = open_model(golden.folder());
            const bool is_noted = std::ranges::any_of(opened.notes, [&](const std::string& note) {
                return note.starts_with(own + " differs from ");
            });
            CHECK(opened.weights->model->matrices.contains("W_U") == is_noted);
            return is_noted;
        };
        CHECK(!is_own());
        W_U(W_U.rows() - 1, 0) += 1;
        CHECK(is_own());
    }
}

TEST_CASE("a model of an unknown type is computed as the family that takes all of it, and noted") {
    const GoldenModel golden("qwen3");
    const std::string as_qwen3 = find_notes(golden.folder());
    put_in_config(golden, "\"model_type\": \"qwen9\"");
    CHECK(find_notes(golden.folder())
              .starts_with("models of the type 'qwen9' are not known; the keys of its config.json "
                           "and its arrays are those of Qwen3, and so it is computed as one"));
    // A key that no family knows may change the numbers.
    put_in_config(golden, "\"attention_valve\": 3");
    CHECK(message(golden.folder()).find("models of the type 'qwen9' are not supported") !=
          std::string::npos);
    put_in_config(golden, "\"attention_valve\": null");
    CHECK(message(golden.folder()) == "");
    put_in_config(golden, "\"model_type\": \"qwen3\"");
    CHECK(find_notes(golden.folder()) == as_qwen3);
}

TEST_CASE("settings that are not supported are refused with their line and key") {
    const Refusal refusals[] = {
        {"llama", "\"model_type\": \"cohere\"", "models of the type 'cohere' are not supported"},
        {"llama", "\"attn_logit_softcapping\": 50",
         "attn_logit_softcapping: a soft cap of scores is not supported"},
        {"gemma2", "\"attn_logit_softcapping\": 0", "attn_logit_softcapping"},
        {"gemma2", "\"query_pre_attn_scalar\": 40", "must be at most the square of head_dim"},
        {"gemma3", "\"use_bidirectional_attention\": true", "use_bidirectional_attention"},
        {"gemma3", "\"sliding_window\": 10000", "its layers have angles of their own"},
        {"gpt2", "\"model_type\": 7", "model_type"},
        {"gpt2", "\"n_layer\": 1000000000", "n_layer"},
        {"gpt2", "\"n_layer\": -1", "n_layer"},
        {"gpt2", "\"n_head\": 3", "cannot be shared evenly by 3 heads"},
        {"gpt2", "\"activation_function\": \"laplace\"", "activation_function"},
        {"gpt2", "\"scale_attn_by_inverse_layer_idx\": true", "scale_attn_by_inverse_layer_idx"},
        {"gpt2", "\"n_embd\": 32", "does not fit its config.json: "},
        {"gpt2", "\"n_layer\": 3", "h.2.ln_1.weight is missing"},
        {"bert", "\"position_embedding_type\": \"relative_key\"", "position_embedding_type"},
        {"llama", "\"rope_parameters\": {\"rope_type\": \"longrope\"}", "longrope"},
        {"llama-yarn",
         "\"rope_parameters\": {\"rope_type\": \"yarn\", \"factor\": 2, \"truncate\": false}",
         "rope_parameters.truncate: must be true"},
        {"llama", "\"rope_parameters\": {\"partial_rotary_factor\": 0.5}",
         "partial_rotary_factor: is not supported"},
        {"gpt2", "\"vocab_size\": 7", "vocab_size is 7, but there are embeddings of "},
        {"gpt2", "\"n_positions\": 32",
         "n_positions is 32, but there are embeddings of 64 positions"},
        {"gpt2", "\"n_positions\": 128", "n_positions is 128, but there are embeddings of "},
        {"bert", "\"max_position_embeddings\": 7", "max_position_embeddings is 7, but "},
        {"bert", "\"vocab_size\": 70000", "vocab_size is 70000, but there are embeddings of "},
        {"llama", "\"num_key_value_heads\": 3", "cannot share 3 groups"},
        {"falcon-in-turn", "\"num_kv_heads\": 2", "num_kv_heads: must be num_attention_heads"},
        {"falcon", "\"alibi\": true", "alibi: biases of distances are not supported"},
        {"gpt-neo", "\"attention_types\": [[[\"global\"]]]",
         "attention_types[0]: must be the kinds"},
        {"gpt-neo", "\"attention_types\": [[]]", "attention_types[0]: must be the kinds"},
        {"gpt-neo", "\"attention_types\": [7]", "attention_types[0]"},
        {"gpt-neo", "\"attention_types\": [[[\"global\"], 1.5]]", "attention_types[0][1]"},
        {"gpt-neo", "\"attention_types\": [[[\"global\"], 1]]",
         "attention_types: is of 1 layer, but num_layers is 2"},
        {"gpt-neo", "\"attention_types\": [[[\"global\", \"sideways\"], 1]]",
         "attention_types[0][0][1]"},
        {"gpt-neo", "\"window_size\": 1", "window_size: must be a whole number from 2"},
        {"opt", "\"do_layer_norm_before\": false", "do_layer_norm_before: must be true"},
        {"opt", "\"word_embed_proj_dim\": 8", "word_embed_proj_dim: must be hidden_size"},
        {"phi", "\"qk_layernorm\": true", "qk_layernorm: norms of queries and keys"},
        {"qwen3", "\"layer_types\": [\"sliding_attention\", \"sliding_attention\"]",
         "layer_types[0]: must be \"full_attention\""},
        {"qwen3", "\"layer_types\": [\"full_attention\"]",
         "layer_types: has 1 layer, but n_layers is 2"},
        {"qwen3", "\"layer_types\": [\"full_attention\", \"linear_attention\"]",
         "layer_types[1]: must be"},
        {"mistral", "\"layer_types\": [\"sliding_attention\", \"full_attention\"]",
         "layer_types[1]: must be \"sliding_attention\""},
        {"mistral", "\"sliding_window\": 1", "sliding_window: must be a whole number from 2"},
        {"gpt2", "\"layer_types\": [\"full_attention\", \"sliding_attention\"]",
         "layer_types[1]: must be \"full_attention\""},
        {"llama", "\"is_causal\": false", "is_causal: must be true"},
        {"llama", "\"partial_rotary_factor\": 0.5", "partial_rotary_factor: is not supported"},
        {"neox", "\"head_dim\": 2", "head_dim: must be"},
        {"llama", "\"rope_parameters\": {\"rope_type\": \"linear\"}", "factor"},
        {"llama", "\"rope_parameters\": {\"full_attention\": {}}",
         "full_attention: angles of some of the layers"},
        // What a study cannot have is refused in the file's own words, not in those of our
        // settings.
        {"gpt2", "\"n_layer\": 300", "n_layer: must be a whole number from 1 to 256, not 300"},
        {"gpt2", "\"n_head\": 300", "n_head: must be a whole number from 1 to 256, not 300"},
        {"gpt2", "\"layer_norm_epsilon\": 2", "layer_norm_epsilon: must be a number from 0 to 1"},
        {"bert", "\"type_vocab_size\": 5000",
         "type_vocab_size: must be a whole number from 1 to 4096, not 5000"},
        {"llama", "\"rope_parameters\": {\"rope_theta\": 0.5}",
         "rope_parameters.rope_theta: must be a number from 1 to 1"},
        {"llama", "\"rope_parameters\": {\"rope_type\": \"linear\", \"factor\": 0.5}",
         "rope_parameters.factor: must be a number from 1 to 10000"},
        {"llama", "\"num_key_value_heads\": 257", "num_key_value_heads: must be a whole number"},
        {"t5", "\"relative_attention_num_buckets\": 3",
         "relative_attention_num_buckets: must be a whole number from 4 to 128, not 3"},
        {"vit", "\"num_hidden_layers\": 257", "num_hidden_layers: must be a whole number"},
    };
    for (const auto& [model, member, said] : refusals) {
        CAPTURE(member);
        const GoldenModel golden(model);
        put_in_config(golden, member);
        CHECK(message(golden.folder()).find(said) != std::string::npos);
        INFO(message(golden.folder()));
        CHECK(message(golden.folder()).find(golden.folder().parent_path().string()) !=
              std::string::npos);
    }
}

TEST_CASE(
    "keys that would change the numbers are refused, and others that are not known are noted") {
    for (const Refusal& refusal : std::initializer_list<Refusal>{
             {"llama", "\"quantization_config\": {\"bits\": 4}",
              "quantized weights are not supported"},
             {"llama", "\"attn_logit_softcapping\": 50.0", "attn_logit_softcapping: a soft cap"},
             {"mistral", "\"final_logit_softcapping\": 30",
              "a soft cap of logits is not supported"},
             {"bert", "\"pruned_heads\": {\"0\": [1]}", "pruned_heads: heads that were removed"},
             {"qwen2", "\"logits_scaling\": 2", "logits_scaling: a scale of logits"}}) {
        const GoldenModel golden(refusal.model.c_str());
        put_in_config(golden, refusal.member);
        CHECK(message(golden.folder()).find(refusal.said) != std::string::npos);
    }
    const GoldenModel golden("llama");
    CHECK(open_model(golden.folder()).notes.empty());
    for (const char* member : {"\"attn_logit_softcapping\": null", "\"logits_scaling\": 1.0",
                               "\"torch_dtype\": \"float16\"", "\"pruned_heads\": {}",
                               "\"summary_type\": \"cls_index\"", "\"attention_dropout\": 0.5"})
        put_in_config(golden, member);
    CHECK(open_model(golden.folder()).notes.empty());
    put_in_config(golden, "\"nonlinearity_power\": 3");
    const std::vector<std::string> notes = open_model(golden.folder()).notes;
    REQUIRE(notes.size() == 1);
    CHECK(notes.front() ==
          "keys of config.json that are not known, and not used: “nonlinearity_power”");
}

TEST_CASE("a folder without weights says what it needs, and pickles are never opened") {
    const GoldenModel golden("gpt2");
    fs::remove(golden.file("model.safetensors"));
    CHECK_THROWS_WITH(open_model(golden.folder()), doctest::Contains("has no weights"));
    write_file(golden.file("model-q4.gguf"), "GGUF");
    CHECK_THROWS_WITH(open_model(golden.folder()),
                      doctest::Contains("it holds model-q4.gguf, as a GGUF file of llama.cpp"));
    write_file(golden.file("pytorch_model.bin"), "\x80\x02.");
    CHECK_THROWS_WITH(open_model(golden.folder()),
                      doctest::Contains("never opened. Convert it once"));
    write_file(golden.file("model.safetensors"), "version https://git-lfs.github.com/spec/v1\n");
    CHECK_THROWS_WITH(open_model(golden.folder()), doctest::Contains("git lfs pull"));
    CHECK_THROWS_WITH(open_model(golden.folder() / "nowhere"),
                      doctest::Contains("is not a model's folder"));
}

TEST_CASE("the folder of an adapter says how its model is made, and is never taken for it") {
    const TemporaryFolder folder;
    write_file(folder.file("adapter_config.json"), R"({"peft_type": "LORA"})");
    const std::string merge =
        "holds an adapter (LoRA, say) by its adapter_config.json, not a model";
    CHECK(message(folder.file("")).find(merge) != std::string::npos);
    CHECK_THROWS_WITH(open_document(folder.file("")), doctest::Contains(merge.c_str()));
    const GoldenModel golden("gpt2");
    write_file(golden.file("adapter_config.json"), "{}");
    CHECK(open_model(golden.folder())
              .notes.back()
              .starts_with("the adapter of adapter_config.json is not used"));
    fs::remove(golden.file("model.safetensors"));
    CHECK(message(golden.folder()).find(merge) != std::string::npos);
}

TEST_CASE("arrays of a wrapped network are those of the network") {
    const GoldenModel golden("gpt2");
    const auto logits = [&] {
        return *evaluate(model_study(open_model(golden.folder()), "a b c"), nullptr, {})
                    .at("logits")
                    .value;
    };
    const Matrix expected = logits();
    std::string bytes = read_file(golden.file("model.safetensors"));
    const std::uint64_t length = load_little_endian<std::uint64_t>(bytes);
    std::string header = bytes.substr(8, length);
    const JsonSource json{"header", parse_json(header, "header")};
    JsonView(json).for_each_member([&](const std::string& name, const JsonView&) {
        if (name == "__metadata__") return;
        const std::size_t at = header.find('"' + name + '"');
        header.insert(at + 1, "module._orig_mod.");
    });
    std::string begin(8, '\0');
    for (std::size_t k = 0; k < 8; ++k) begin[k] = static_cast<char>(header.size() >> 8 * k);
    write_file(golden.file("model.safetensors"), begin + header + bytes.substr(8 + length));
    CHECK(logits() == expected);
}

TEST_CASE("an index names files of its folder, which hold what it says") {
    const Refusal refusals[] = {
        {"", R"({"weight_map": {"wte.weight": "../model.safetensors"}})", "in the same folder"},
        {"", R"({"weight_map": {"wte.weight": "/etc/passwd"}})", "in the same folder"},
        {"", R"({"weight_map": {"wte.weight": "nowhere.safetensors"}})", "nowhere.safetensors"},
        {"", R"({"weight_map": {"x": "model-00001-of-00002.safetensors"}})", "says that x is in"},
        {"", R"({"weight_map": []})", "weight_map"},
        {"", R"({"weight_map": {"x": 3}})", "weight_map"},
        {"", R"({})", "weight_map"},
    };
    for (const auto& [model, index, said] : refusals) {
        CAPTURE(index);
        const GoldenModel golden("gpt2-base");
        write_file(golden.file("model.safetensors.index.json"), index);
        CHECK_THROWS_WITH(open_model(golden.folder()), doctest::Contains(said.c_str()));
    }
}

TEST_CASE("a shard that is cut, or claims more than it has, is refused by its name") {
    const GoldenModel golden("llama3");
    const std::string shard = golden.file("model-00002-of-00002.safetensors");
    const std::string whole = read_file(shard);
    write_file(shard, whole.substr(0, whole.size() - 10));
    CHECK(message(golden.folder()).find("model-00002-of-00002.safetensors") != std::string::npos);
    write_file(shard, whole.substr(0, 4));
    CHECK(message(golden.folder()).find("model-00002-of-00002.safetensors") != std::string::npos);
    std::string huge = whole;
    huge.replace(huge.find("\"shape\":[") + 9, 2, "99999999999,");
    write_file(shard, huge);
    CHECK(message(golden.folder()).find("model-00002-of-00002.safetensors") != std::string::npos);
}

TEST_CASE("a file of a folder that is no file is refused by its name") {
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
        CAPTURE(name);
        const GoldenModel golden("gpt2");
        const auto answer = [&](const char* said) {
            const std::string text = message(golden.folder());
            INFO(text);
            CHECK(text.find(std::string(name) + "] " + said) != std::string::npos);
        };
        fs::remove(golden.file(name));
        fs::create_symlink("nowhere", golden.file(name));
        CHECK(is_model_folder(golden.folder()));
        answer("cannot be opened: No such file or directory");
        fs::remove(golden.file(name));
        fs::create_symlink(name, golden.file(name));
        answer("cannot be opened: Too many levels of symbolic links");
        fs::remove(golden.file(name));
        REQUIRE(::mkfifo(golden.file(name).c_str(), 0600) == 0);
        answer("cannot be read: it is a pipe, not a file");
        fs::remove(golden.file(name));
        fs::create_symlink("/dev/zero", golden.file(name));
        answer("cannot be read: it is a device, not a file");
        fs::remove(golden.file(name));
        fs::create_directory(golden.file(name));
        if (std::string_view(name) != "config.json")  // then it is any folder
            answer("cannot be read: it is a folder, not a file");
    }
}

TEST_CASE(
    "weights that are whole numbers, a tokenizer with more tokens than there are embeddings") {
    const GoldenModel golden("gpt2");
    std::string bytes = read_file(golden.file("model.safetensors"));
    const std::size_t at = bytes.find("F32", bytes.find("ln_f.bias"));
    write_file(golden.file("model.safetensors"), std::string(bytes).replace(at, 3, "I32"));
    CHECK_THROWS_WITH(open_model(golden.folder()),
                      doctest::Contains("ln_f.bias has whole numbers (int32), which weights"));
    write_file(golden.file("model.safetensors"), bytes);
    std::string tokenizer = read_file(golden.file("tokenizer.json"));
    tokenizer.insert(tokenizer.find("\"vocab\":") + 9, "\"one more\": 420, ");
    write_file(golden.file("tokenizer.json"), tokenizer);
    CHECK_THROWS_WITH(
        open_model(golden.folder()),
        doctest::Contains("its tokenizer has 421 tokens, but there are embeddings of only 420"));
}

TEST_CASE("headers that claim 10 GB or more are refused at once, by what the file holds") {
    const GoldenModel golden("gpt2");
    const std::string whole = read_file(golden.file("model.safetensors"));
    const auto answer = [&](const std::string& bytes) {
        write_file(golden.file("model.safetensors"), bytes);
        return message(golden.folder());
    };
    const std::string n_bytes("\x00\xE4\x0B\x54\x02\x00\x00\x00", 8);  // 10^10
    CHECK(answer(n_bytes + whole.substr(8)).find("a header of 10000000000 bytes") !=
          std::string::npos);
    std::string shape = whole;
    const std::size_t at = shape.find("\"shape\":[", shape.find("wte.weight")) + 9;
    shape.replace(at, shape.find(']', at) - at, "50000,50000");
    const std::string answered = answer(shape);
    CHECK(answered.find("model.safetensors] ") != std::string::npos);
    write_file(golden.file("model.safetensors"), whole);
    fs::resize_file(golden.file("model.safetensors"), std::uintmax_t{20} << 30);
    CHECK(message(golden.folder()).find("bytes after the last tensor belong to none") !=
          std::string::npos);
}

TEST_CASE("weights that change while a study is open give a message, not other numbers") {
    const GoldenModel golden("gpt2");
    const OpenedModel model = open_model(golden.folder());
    const Document document = model_study(model, "a b c");
    CHECK_NOTHROW(static_cast<void>(evaluate(document, nullptr, {})));
    const std::string file = golden.file("model.safetensors");
    const std::string whole = read_file(file);
    write_file(file, whole.substr(0, whole.size() / 2));
    const OpenedModel* const opened = &model;
    CHECK_THROWS_WITH(static_cast<void>(evaluate(model_study(*opened, "b c a"), nullptr, {})),
                      doctest::Contains("model.safetensors"));
    fs::remove(file);
    CHECK_THROWS_WITH(static_cast<void>(evaluate(model_study(*opened, "c"), nullptr, {})),
                      doctest::Contains("model.safetensors"));
}

TEST_CASE("arrays that are left over are noted, and a model without a head has no logits") {
    const GoldenModel golden("bert-base");
    const OpenedModel model = open_model(golden.folder());
    REQUIRE(model.notes.size() == 1);
    CHECK(model.notes[0].find("no logits") != std::string::npos);
    CHECK(std::get<SentenceStudy>(model.study).layer.unembedding == Unembedding::None);
}

TEST_CASE("a class that config.json names for the network and that is another one is noted") {
    const auto notes = [](const std::string& member) {
        const GoldenModel golden("bert");
        put_in_config(golden, member);
        std::string text;
        for (const std::string& note : open_model(golden.folder()).notes) text += note + "\n";
        return text;
    };
    CHECK(notes("\"architectures\": [\"BertForMaskedLM\"]") == "");
    CHECK(notes("\"architectures\": [\"OtherBertModel\"]") ==
          "config.json names the class 'OtherBertModel', which is not of bert; the numbers are "
          "those of the type 'bert' in transformers\n");
    CHECK(notes("\"auto_map\": {\"AutoConfig\": \"own.Config\"}") == "");
    CHECK(notes("\"auto_map\": {\"AutoModel\": \"own.Model\"}") ==
          "config.json names a program that comes with the model, 'own.Model', which is never run; "
          "the numbers are those of the type 'bert' in transformers\n");
}

TEST_CASE("a tokenizer that does not belong to the weights is refused") {
    const GoldenModel golden("bert");
    const GoldenModel other("llama");
    fs::copy(other.file("tokenizer.json"), golden.file("tokenizer.json"),
             fs::copy_options::overwrite_existing);
    CHECK_THROWS_WITH(open_model(golden.folder()), doctest::Contains("its tokenizer has 600"));
    fs::remove(golden.file("tokenizer.json"));
    CHECK_THROWS_WITH(open_model(golden.folder()), doctest::Contains("has no tokenizer"));
}

TEST_CASE("the checksum of the arrays tells other numbers from these") {
    const GoldenModel golden("gpt2");
    const std::uint64_t before = open_model(golden.folder()).weights->checksum;
    CHECK(open_model(golden.folder()).weights->checksum == before);
    std::string bytes = read_file(golden.file("model.safetensors"));
    bytes[bytes.size() / 2] ^= 1;
    write_file(golden.file("model.safetensors"), bytes);
    CHECK(open_model(golden.folder()).weights->checksum != before);
}

namespace {

/// Puts a number in place of one of an array of 32-bit floats.
void poke(const std::string& file, const std::string& array, std::size_t element, float value) {
    std::string bytes = read_file(file);
    const std::size_t entry = bytes.find("\"" + array + "\"");
    REQUIRE(entry != std::string::npos);
    REQUIRE(bytes.substr(bytes.find("\"dtype\"", entry), 14).find("F32") != std::string::npos);
    const std::string key = "\"data_offsets\":[";
    const std::size_t first = std::stoul(bytes.substr(bytes.find(key, entry) + key.size(), 20));
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    std::memcpy(bytes.data() + 8 + header + first + 4 * element, &value, 4);
    write_file(file, bytes);
}

std::string evaluated(const fs::path& folder) {
    try {
        static_cast<void>(evaluate(model_study(open_model(folder), "a b"), nullptr,
                                   {.everything = true, .globs = {}}));
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("weights that are no finite numbers are counted, with the place of the first") {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const GoldenModel golden("gpt2");
    const std::string file = golden.file("model.safetensors"),
                      array = "transformer.h.0.mlp.c_fc.weight";
    CHECK(evaluated(golden.folder()) == "");
    poke(file, array, 130, -kInfinity);
    CHECK(message(golden.folder()) == "");  // numbers are read when they are needed
    INFO(evaluated(golden.folder()));
    CHECK(evaluated(golden.folder()).find("h.0.mlp.c_fc.weight") != std::string::npos);
    CHECK(evaluated(golden.folder()).find("is −inf; a weight must be a finite number") !=
          std::string::npos);
    poke(file, array, 200, std::numeric_limits<float>::quiet_NaN());
    poke(file, array, 9, kInfinity);
    CHECK(evaluated(golden.folder()).find("3 of ") != std::string::npos);
    CHECK(evaluated(golden.folder()).find("numbers are not finite, the first is [0, 9], +inf") !=
          std::string::npos);
}

}  // namespace headlight::model_refusals_test
