#include <doctest/doctest.h>
#include <filesystem>

#include "../recorded_shard.h"
#include "../temporary_folder.h"
#include "broken_input.h"
#include "io/arrays/recording.h"
#include "io/open_document.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::recorded_texts_test {
namespace {

/// Two texts of 2 and 3 tokens, 2 layers of 4 heads that share 2 keys and values. Text 0 lies in
/// one shard, the heads of text 1 in both.
constexpr const char* kShared = R"({
  "attention": 1, "model": "small",
  "texts": [{"tokens": ["The", "cat"]}, {"tokens": ["Le", "chat", "dort"]}],
  "attentions": [{"kind": "self", "layers": 2, "heads": 4, "kv_heads": 2, "d_k": 5, "d_v": 6}],
  "shards": ["a.safetensors", "b.safetensors"],
  "arrays": [
    {"shard": 1, "text": 1, "kind": "self", "layers": [0, 2], "heads": [2, 4],
     "pattern": "p", "q": "q", "k": "k", "v": "v"},
    {"shard": 0, "text": 0, "kind": "self", "layers": [0, 2], "heads": [0, 4],
     "pattern": "p0", "q": "q0", "k": "k0", "v": "v0"},
    {"shard": 0, "text": 1, "kind": "self", "layers": [0, 2], "heads": [0, 2],
     "pattern": "p1", "q": "q1", "k": "k1", "v": "v1"}]})";

std::string shared_recording(const TemporaryFolder& folder) {
    folder.with("a.safetensors", shard_bytes(0, {{"p0", {2, 4, 2, 2}},
                                                 {"q0", {2, 4, 2, 5}},
                                                 {"k0", {2, 2, 2, 5}},
                                                 {"v0", {2, 2, 2, 6}},
                                                 {"p1", {2, 2, 3, 3}},
                                                 {"q1", {2, 2, 3, 5}},
                                                 {"k1", {2, 1, 3, 5}},
                                                 {"v1", {2, 1, 3, 6}}}));
    folder.with("b.safetensors", shard_bytes(1, {{"p", {2, 2, 3, 3}},
                                                 {"q", {2, 2, 3, 5}},
                                                 {"k", {2, 1, 3, 5}},
                                                 {"v", {2, 1, 3, 6}}}));
    return folder.with("run.attention.json", kShared);
}

constexpr const char* kTranslation = R"({
  "attention": 1,
  "texts": [{"tokens": ["Le", "chat"], "source": ["The", "big", "cat"]}],
  "attentions": [{"kind": "self", "layers": 1, "heads": 1}, {"kind": "source", "layers": 2, "heads": 1},
                 {"kind": "cross", "layers": 1, "heads": 2}],
  "shards": ["a.safetensors"],
  "arrays": [
    {"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 1], "pattern": "self"},
    {"shard": 0, "text": 0, "kind": "source", "layers": [0, 2], "heads": [0, 1], "pattern": "source"},
    {"shard": 0, "text": 0, "kind": "cross", "layers": [0, 1], "heads": [0, 2], "pattern": "cross"}]})";

std::string translation(const TemporaryFolder& folder) {
    folder.with("a.safetensors", shard_bytes(0, {{"self", {1, 1, 2, 2}},
                                                 {"source", {2, 1, 3, 3}},
                                                 {"cross", {1, 2, 2, 3}}}));
    return folder.with("t.attention.json", kTranslation);
}

Trace evaluated(const Document& document, const Watched& watched = {.everything = true}) {
    return evaluate(document, nullptr, watched);
}

const Matrix& values(const Trace& trace, const std::string& path) {
    const Tensor& tensor = trace.at(path);
    REQUIRE(tensor.value);
    return *tensor.value;
}

/// The matrix that begins at that number of a shard.
void check_counts_up(const Matrix& matrix, Index rows, Index columns, int shard,
                     std::size_t first) {
    REQUIRE(matrix.rows() == rows);
    REQUIRE(matrix.cols() == columns);
    for (Index i = 0; i < matrix.size(); ++i)
        CHECK(matrix.data()[i] == cell_value(shard, first + static_cast<std::size_t>(i)));
}

/// The error when the file is opened with this text in place of another.
std::string error_with(const std::string& index, const std::string& old, const std::string& now) {
    const TemporaryFolder folder;
    const std::string file = shared_recording(folder);
    std::string changed = index;
    REQUIRE(changed.find(old) != std::string::npos);
    changed.replace(changed.find(old), old.size(), now);
    folder.with("run.attention.json", changed);
    return error_of([&] { open_document(file); });
}

}  // namespace

TEST_CASE("recorded texts: patterns, queries, shared keys and values of the first text") {
    const TemporaryFolder folder;
    const Document document = open_document(shared_recording(folder)).document;
    REQUIRE(document.recorded());
    CHECK(document.recorded()->count_texts() == 2);
    const Trace trace = evaluated(document);
    // Layer 1, head 2 is the seventh of the patterns; queries begin after all 32 of their numbers.
    check_counts_up(values(trace, "blocks.1.attn.heads.2.pattern"), 2, 2, 0, 4 * 6);
    check_counts_up(values(trace, "blocks.0.attn.heads.3.q"), 2, 5, 0, 32 + 10 * 3);
    check_counts_up(values(trace, "blocks.1.attn.kv.1.k"), 2, 5, 0, 32 + 80 + 10 * 3);
    check_counts_up(values(trace, "blocks.1.attn.kv.0.v"), 2, 6, 0, 32 + 80 + 40 + 12 * 2);
    CHECK(trace.items() == std::vector<std::string>{"The", "cat"});
    CHECK(trace.find("metrics.entropy"));
    CHECK(trace.find("across.rollout"));
}

TEST_CASE("recorded texts: another text of another length, with heads from two shards") {
    const TemporaryFolder folder;
    Document document = open_document(shared_recording(folder)).document;
    document.interventions["blocks.0.attn.heads.0.pattern"] = {};
    choose_recorded_text(document, 1);
    CHECK(document.interventions.empty());
    const Trace trace = evaluated(document);
    const std::size_t first = 32 + 80 + 40 + 48;
    check_counts_up(values(trace, "blocks.1.attn.heads.1.pattern"), 3, 3, 0, first + 9 * 3);
    check_counts_up(values(trace, "blocks.1.attn.heads.2.pattern"), 3, 3, 1, 9 * 2);
    check_counts_up(values(trace, "blocks.0.attn.kv.1.k"), 3, 5, 1, 36 + 60);
    check_counts_up(values(trace, "blocks.1.attn.kv.0.v"), 3, 6, 0, first + 36 + 60 + 30 + 18);
    CHECK(trace.items() == std::vector<std::string>{"Le", "chat", "dort"});
    CHECK(error_of([&] { choose_recorded_text(document, 2); }) ==
          "[text] there is no text 3; the recording has 2");
    Document sentence = built_in_sentence();
    CHECK(contains(error_of([&] { choose_recorded_text(sentence, 0); }), "only a recording has"));
}

TEST_CASE("recorded texts: numbers of matrices and what they number are inverse to each other") {
    const RecordedAttentions attentions = {
        {.kind = RecordedKind::Self, .n_layers = 3, .n_heads = 4, .n_kv_heads = 2, .d_k = 8},
        {.kind = RecordedKind::Cross, .n_layers = 2, .n_heads = 2, .n_kv_heads = 2, .d_v = 8},
        {.kind = RecordedKind::Source, .n_layers = 1, .n_heads = 5}};
    const Index in_text = 3 * (4 + 4 + 2) + 2 * (2 + 2) + 5;
    for (Index number = 0; number < 3 * in_text; ++number) {
        const RecordedMatrix matrix = recorded_matrix(attentions, number);
        CHECK(matrix.text == number / in_text);
        REQUIRE(recorded_number(attentions, matrix) == number);
    }
    CHECK(recorded_matrix(attentions, in_text - 1) ==
          RecordedMatrix{0, 2, 0, RecordedPart::Pattern, 4});
    CHECK(count_recorded_patterns(attentions) == 12 + 4 + 5);
}

TEST_CASE("recorded texts: a translation is an encoder and a decoder that reads it") {
    const TemporaryFolder folder;
    const Trace trace = evaluated(open_document(translation(folder)).document);
    check_counts_up(values(trace, "decoder.blocks.0.attn.heads.0.pattern"), 2, 2, 0, 0);
    check_counts_up(values(trace, "encoder.blocks.1.attn.heads.0.pattern"), 3, 3, 0, 4 + 9);
    check_counts_up(values(trace, "decoder.blocks.0.cross.heads.1.pattern"), 2, 3, 0, 4 + 18 + 6);
    const Tensor& cross = trace.at("decoder.blocks.0.cross.heads.1.pattern");
    CHECK(axis_label(trace, cross.rows(), 1) == "chat");
    CHECK(axis_label(trace, cross.columns(), 1) == "big");
    CHECK_FALSE(trace.find("metrics.entropy"));
}

TEST_CASE("recorded texts: cross-attention alone has n × m patterns") {
    const TemporaryFolder folder;
    folder.with("a.safetensors", shard_bytes(0, {{"cross", {1, 1, 2, 3}}}));
    const std::string file = folder.with("x.json", R"({"attention": 1,
        "texts": [{"tokens": ["Le", "chat"], "source": ["The", "big", "cat"]}],
        "attentions": [{"kind": "cross", "layers": 1, "heads": 1}], "shards": ["a.safetensors"],
        "arrays": [{"shard": 0, "text": 0, "kind": "cross", "layers": [0, 1], "heads": [0, 1],
                    "pattern": "cross"}]})");
    const Trace trace = evaluated(open_document(file).document);
    check_counts_up(values(trace, "blocks.0.cross.heads.0.pattern"), 2, 3, 0, 0);
}

TEST_CASE("recorded texts: a safetensors file may hold its own index") {
    const TemporaryFolder folder;
    const std::string metadata =
        R"("__metadata__":{"attention_index":"{\"attention\":1,\"texts\":[{\"tokens\":[\"a\",\"b\"],\"source\":[\"c\"]}],)"
        R"(\"attentions\":[{\"kind\":\"cross\",\"layers\":1,\"heads\":1}],\"arrays\":[{\"text\":0,\"kind\":\"cross\",)"
        R"(\"layers\":[0,1],\"heads\":[0,1],\"pattern\":\"cross\"}]}"})";
    const std::string file =
        folder.with("one.safetensors", shard_bytes(0, {{"cross", {1, 1, 2, 1}}}, metadata));
    CHECK_FALSE(holds_matrices(file));
    const Document document = open_document(file).document;
    check_counts_up(values(evaluated(document), "blocks.0.cross.heads.0.pattern"), 2, 1, 0, 0);
    const std::string text = write_study(document, {.folder = folder.file("")});
    CHECK(open_document(folder.with("a.headlight", text)).document == document);
}

TEST_CASE("recorded texts: a shard is read when something in it is looked at, and not before") {
    const TemporaryFolder folder;
    const std::string file = shared_recording(folder);
    folder.with("b.safetensors", "no safetensors at all");
    const RecordedStudy study = open_recording(file);
    Matrix pattern(3, 3);
    const auto read = [&](int head) {
        const Index number = recorded_number(study.attentions, {.text = 1, .head = head});
        study.source->read(number, 0, view(pattern));
    };
    read(1);
    CHECK(pattern(0, 0) == cell_value(0, 32 + 80 + 40 + 48 + 9));
    CHECK(contains(error_of([&] { read(2); }), "b.safetensors] is not a safetensors file"));
}

TEST_CASE("recorded texts: a shard that is missing or of another shape is named") {
    const std::string index = kShared;
    CHECK(contains(error_with(index, "\"b.safetensors\"", "\"c.safetensors\""),
                   "c.safetensors] is missing or no file; "));
    CHECK(contains(error_with(index, "\"p0\"", "\"p9\""),
                   "a.safetensors] holds no array 'p9', which the index names"));
    CHECK(contains(error_with(index, "\"The\", \"cat\"", "\"The\""),
                   "a.safetensors: p0] is (2, 4, 2, 2), but its index says (2, 4, 1, 1), [layers, "
                   "heads, rows, columns]"));
    CHECK(contains(error_with(index, "\"d_v\": 6", "\"d_v\": 7"), "v0] is (2, 2, 2, 6)"));
    CHECK(contains(error_with(index, "\"b.safetensors\"", "\"../b.safetensors\""),
                   "is not the name of a file in the folder of the index"));
    CHECK(contains(error_with(index, "\"layers\": 2", "\"layers\": 1000000000"),
                   "must be a whole number from 1 to 20000, not 1000000000"));
}

TEST_CASE("recorded texts: a study keeps its text, and refuses a recording of another one") {
    const TemporaryFolder folder;
    Document document = open_document(shared_recording(folder)).document;
    choose_recorded_text(document, 1);
    const std::string text = write_study(document, {.folder = folder.file("")});
    CHECK(contains(text, "\"text_number\": 2"));
    const std::string study = folder.with("a.headlight", text);
    CHECK(open_document(study).document == document);
    std::string changed = kShared;
    changed.replace(changed.find("dort"), 4, "rit!");
    folder.with("run.attention.json", changed);
    CHECK(contains(error_of([&] { open_document(study); }),
                   "text 2 has other tokens than the study; it was recorded anew"));
}

TEST_CASE("recorded texts: exporting over an index or a shard is noticed") {
    const TemporaryFolder folder;
    const Document document = open_document(shared_recording(folder)).document;
    const auto files = files_read_by(document, {});
    REQUIRE(files.size() == 3);
    CHECK(files[2] == folder.file("b.safetensors"));
}

TEST_CASE("recorded texts: what is odd about the patterns that are read is reported") {
    const TemporaryFolder folder;
    const Document document = open_document(translation(folder)).document;
    const Watched watched{.everything = false, .globs = {"decoder.blocks.0.cross.heads.1.pattern"}};
    const auto faults =
        faults_of_watched(*document.recorded(), evaluated(document, watched), watched);
    REQUIRE(faults.size() == 1);
    CHECK(contains(faults[0], "cross-attention, layer 0, head 1: rows sum to"));
}

}  // namespace headlight::recorded_texts_test
