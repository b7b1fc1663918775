// T5 against what transformers computes with the same files.
#include <doctest/doctest.h>

#include "../../golden/golden_file.h"
#include "golden_model.h"
#include "io/arrays/weights_file.h"
#include "io/models/model_files.h"
#include "io/models/open_model.h"
#include "io/open_document.h"
#include "model/evaluate.h"
#include "model/vocabulary.h"

namespace headlight::alignment_models_test {
namespace {

const char* const kModels[] = {"t5", "t5-gated"};

/// Matrix k of a stack of equal ones.
Matrix stacked(const StoredArray& array, Index k) {
    const auto rows = static_cast<Index>(array.shape[array.shape.size() - 2]),
               columns = static_cast<Index>(array.shape.back());
    Matrix values(rows, columns);
    read_numbers(array, static_cast<std::uint64_t>(k * values.size()), view(values));
    return values;
}

/// The first difference, or "".
std::string find_wrong_patterns(const Trace& trace, const StoredArray& expected,
                                const std::string& before, const std::string& part) {
    const auto n_heads = static_cast<Index>(expected.shape[1]);
    for (Index l = 0; l < static_cast<Index>(expected.shape[0]); ++l)
        for (Index h = 0; h < n_heads; ++h) {
            const std::string path = before + "blocks." + std::to_string(l) + part + "heads." +
                                     std::to_string(h) + ".pattern";
            const std::string wrong = find_difference(path, *trace.at(path).value,
                                                      stacked(expected, l * n_heads + h), 4e-6, 1);
            if (!wrong.empty()) return wrong;
        }
    return "";
}

std::string find_wrong_hidden(const Trace& trace, const StoredArray& expected,
                              const std::string& before) {
    const Index n_layers = static_cast<Index>(expected.shape[0]) - 1;
    for (Index l = 0; l <= n_layers; ++l) {
        const std::string path =
            before +
            (l == n_layers ? "ln_final.out" : "blocks." + std::to_string(l) + ".resid_pre");
        const std::string wrong =
            find_difference(path, *trace.at(path).value, stacked(expected, l), 1e-5, 1);
        if (!wrong.empty()) return wrong;
    }
    return "";
}

std::string find_wrong(const Document& document, const GoldenModel& golden) {
    const Trace trace = evaluate(document, nullptr, {.everything = true});
    const std::string faults[] = {
        find_difference("encoder.tokens", *trace.at("encoder.tokens").value,
                        read_matrix(golden.array("source")), 0, 1),
        find_difference("decoder.tokens", *trace.at("decoder.tokens").value,
                        read_matrix(golden.array("read")), 0, 1),
        find_wrong_patterns(trace, golden.array("patterns.encoder"), "encoder.", ".attn."),
        find_wrong_patterns(trace, golden.array("patterns.decoder"), "decoder.", ".attn."),
        find_wrong_patterns(trace, golden.array("patterns.cross"), "decoder.", ".cross."),
        find_wrong_hidden(trace, golden.array("hidden.encoder"), "encoder."),
        find_wrong_hidden(trace, golden.array("hidden.decoder"), "decoder."),
        find_difference("logits", *trace.at("logits").value, read_matrix(golden.array("logits")),
                        1e-5, 1)};
    for (const std::string& fault : faults)
        if (!fault.empty()) return fault;
    return "";
}

Document study_of(const GoldenModel& golden) {
    return model_study(open_model(golden.folder()), golden.text(), golden.target());
}

}  // namespace

TEST_CASE("T5 computes what transformers does, tied and scaled or not, gated or not") {
    for (const std::string name : kModels) {
        CAPTURE(name);
        const GoldenModel golden(name);
        CHECK(open_model(golden.folder()).notes == std::vector<std::string>{});
        const Document document = study_of(golden);
        double n_numbers = 0;
        for (const StoredArray& array : find_model_files(golden.folder()).arrays)
            n_numbers +=
                static_cast<double>(matrix_shape(array).rows * matrix_shape(array).columns);
        CHECK(document.weights->model->size_bytes == n_numbers * sizeof(Scalar));
        CHECK(find_wrong(document, golden) == "");
        CHECK(dormant_weights(*plan(document), *document.weights) == std::vector<std::string>{});
    }
}

TEST_CASE("T5 with another setting computes something else") {
    const GoldenModel golden("t5");
    const auto wrong_after = [&](auto change) {
        Document document = study_of(golden);
        change(document.alignment()->layer);
        return find_wrong(document, golden);
    };
    CHECK(wrong_after([](StackSettings&) {}) == "");
    CHECK(wrong_after([](StackSettings& s) { s.logit_scale = 1; }) != "");
    CHECK(wrong_after([](StackSettings& s) { s.attention.score = Score::ScaledDot; }) != "");
    CHECK(wrong_after([](StackSettings& s) { s.attention.max_distance = 7; }) != "");
    CHECK(wrong_after([](StackSettings& s) { s.norm_epsilon = 0.1f; }) != "");
}

TEST_CASE("the folder of a T5 opens with a source alone, and its study opens again") {
    const GoldenModel golden("t5-gated");
    const Document by_itself = open_document(golden.folder()).document;
    CHECK(by_itself.alignment()->source == kFirstText);
    CHECK(plan(by_itself)->items(1) == std::vector<std::string>{"<start>"});
    const TemporaryFolder folder;
    const Document document = study_of(golden);
    save_document(folder.file("a.headlight"), document);
    CHECK(folder.count() == 1);
    const Document opened = open_document(folder.file("a.headlight")).document;
    CHECK(opened == document);
    CHECK(find_wrong(opened, golden) == "");
}

TEST_CASE("a T5's decoder starts with its start token, and its text ends where it ends") {
    const GoldenModel golden("t5");
    const Document document = study_of(golden);
    const SourceTarget words = source_target_in(*document.alignment(), document.weights);
    CHECK(words.source.back() == "</s>");
    CHECK(words.target.back() == "▁42");
    const auto made = plan(document);
    CHECK(made->items(1).front() == "<start>");
    CHECK(replaced_words(*made) == std::vector<ReplacedWord>{});
    const GoldenModel other("gpt2");
    CHECK_THROWS_WITH(model_study(open_model(other.folder()), "a", "b"),
                      doctest::Contains("writes no target"));
}

TEST_CASE("a T5's rows are called by the tokens that it reads, as its input has them") {
    const GoldenModel golden("t5");
    const auto made = plan(study_of(golden));
    for (const char* path : {"logits", "probs", "decoder.blocks.1.cross.heads.1.pattern",
                             "decoder.blocks.1.attn.heads.1.pattern"}) {
        CAPTURE(path);
        const Axis& rows = made->find(path)->rows;
        CHECK(axis_label(*made, rows, 0) == "<start>");
        CHECK(axis_label(*made, rows, rows.size - 1) == "▁42");
    }
}

TEST_CASE("what T5 does not support is refused by its key") {
    const auto refusal = [](const std::string& old, const std::string& text) -> std::string {
        const GoldenModel golden("t5");
        std::string config = read_file(golden.file("config.json"));
        const std::size_t at = config.find(old);
        REQUIRE(at != std::string::npos);
        write_file(golden.file("config.json"), config.replace(at, old.size(), text));
        try {
            static_cast<void>(open_model(golden.folder()));
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    };
    const auto says = [](const std::string& text, const char* part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    says(refusal("\"num_decoder_layers\": 2", "\"num_decoder_layers\": 3"),
         "num_decoder_layers: must be num_layers");
    says(refusal("\"feed_forward_proj\": \"relu\"", "\"feed_forward_proj\": \"gated-mish\""),
         "feed_forward_proj: must be relu");
    says(refusal("\"decoder_start_token_id\": 0", "\"decoder_start_token_id\": 5000"),
         "decoder_start_token_id is 5000");
    says(refusal("\"is_encoder_decoder\": true", "\"is_encoder_decoder\": false"),
         "is_encoder_decoder: must be true");
    says(refusal("\"d_ff\": 20", "\"d_ff\": 21"), "DenseReluDense.wi.weight is (20, 16)");
    says(refusal("\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false"),
         "lm_head.weight is missing");
}

}  // namespace headlight::alignment_models_test
