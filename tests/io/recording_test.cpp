#include "io/arrays/recording.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "../temporary_folder.h"
#include "broken_input.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/safetensors.h"
#include "io/open_document.h"
#include "io/studies/study.h"
#include "model/evaluate.h"
#include "zip_of.h"

namespace headlight::recording_test {
namespace {

constexpr Index kLayers = 2, kHeads = 3, kTokens = 4;

/// Random patterns, one head below the other.
Matrix patterns(Index count, Index n) {
    Matrix all(count * n, n);
    for (Index i = 0; i < all.rows(); ++i) {
        for (Index j = 0; j < n; ++j) all(i, j) = static_cast<Scalar>(1 + (i * 7 + j * 5) % 11);
        all.row(i) /= all.row(i).sum();
    }
    return all;
}

const Matrix kAll = patterns(kLayers * kHeads, kTokens);

Matrix pattern(Index layer, Index head) {
    return kAll.middleRows((layer * kHeads + head) * kTokens, kTokens);
}

/// An NPY file of a matrix's numbers in another shape, such as "(2, 3, 4, 4)".
std::string npy_of(const Matrix& values, const std::string& shape, const std::string& type = "<f4",
                   const std::string& order = "False") {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + "}\n";
    std::string bytes = "\x93NUMPY\x01";
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header + write_matrix_bytes(values);
}

std::string length_bytes(std::uint64_t length) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(length >> 8 * i & 0xFF);
    return bytes;
}

/// A safetensors file of one tensor.
std::string safetensors_of(const std::string& type, const std::string& shape,
                           const std::string& data, const std::string& metadata = "") {
    const std::string header = "{" + metadata + "\"attention\":{\"dtype\":\"" + type +
                               "\",\"shape\":" + shape + ",\"data_offsets\":[0," +
                               std::to_string(data.size()) + "]}}";
    return length_bytes(header.size()) + header + data;
}

Trace evaluated(const RecordedStudy& study, const Watched& watched = {.everything = true}) {
    Document document;
    document.study = study;
    return evaluate(document, nullptr, watched);
}

void check_patterns(const RecordedStudy& study) {
    REQUIRE(study.attentions[0].n_layers == kLayers);
    REQUIRE(study.attentions[0].n_heads == kHeads);
    const Trace trace = evaluated(study);
    for (Index l = 0; l < kLayers; ++l)
        for (Index h = 0; h < kHeads; ++h) {
            const std::string path =
                "blocks." + std::to_string(l) + ".attn.heads." + std::to_string(h) + ".pattern";
            INFO(path);
            CHECK(*trace.at(path).value == pattern(l, h));
        }
}

std::string refusal(const TemporaryFolder& folder, const std::string& bytes) {
    const std::string file = folder.with("input.bin", bytes);
    const std::string error = error_of([&] { open_recording(file); });
    CHECK(error.starts_with("[" + file));
    return error;
}

bool has_note(const RecordedStudy& study, const std::string& part) {
    for (const std::string& note : study.notes)
        if (contains(note, part)) return true;
    return false;
}

/// A sparse file of 20 GB that takes disk space only where it is written.
std::string sparse_file(const TemporaryFolder& folder) {
    const std::string file = folder.file("attention.npy");
    const std::string header = npy_of(Matrix(0, 0), "(40, 32, 2048, 2048)");
    const int descriptor = ::open(file.c_str(), O_CREAT | O_WRONLY, 0600);
    REQUIRE(descriptor >= 0);
    REQUIRE(::write(descriptor, header.data(), header.size()) ==
            static_cast<ssize_t>(header.size()));
    const off_t size = static_cast<off_t>(header.size()) + off_t(40) * 32 * 2048 * 2048 * 4;
    const bool is_grown = ::ftruncate(descriptor, size) == 0;
    // In head 5 of layer 30 tokens read themselves.
    const std::string one("\x00\x00\x80\x3F", 4);
    for (off_t i = 0; i < 2048; ++i) {
        const off_t cell = ((off_t(30) * 32 + 5) * 2048 + i) * 2048 + i;
        REQUIRE(::pwrite(descriptor, one.data(), 4, static_cast<off_t>(header.size()) + 4 * cell) ==
                4);
    }
    ::close(descriptor);
    REQUIRE(is_grown);
    return file;
}

}  // namespace

TEST_CASE("recordings: NPY, safetensors and NPZ of [layers, heads, n, n]") {
    const TemporaryFolder folder;
    check_patterns(open_recording(folder.with("a", npy_of(kAll, "(2, 3, 4, 4)"))));
    check_patterns(open_recording(folder.with("b", npy_of(kAll, "(2, 1, 3, 4, 4)"))));
    check_patterns(open_recording(
        folder.with("c", safetensors_of("F32", "[2,3,4,4]", write_matrix_bytes(kAll)))));
    const RecordedStudy one = open_recording(folder.with("d", npy_of(kAll, "(6, 4, 4)")));
    CHECK(one.attentions[0].n_layers == 1);
    CHECK(one.attentions[0].n_heads == 6);
}

TEST_CASE("recordings: f64, f16 and bf16 are read") {
    const TemporaryFolder folder;
    const std::string doubles = std::string(6, '\0') + "\xF0\x3F";
    const std::string halves("\x00\x3C", 2), brains("\x80\x3F", 2);
    for (const auto& [type, bytes] :
         {std::pair("F64", doubles), std::pair("F16", halves), std::pair("BF16", brains)}) {
        INFO(type);
        const RecordedStudy study =
            open_recording(folder.with("a", safetensors_of(type, "[1,1,1]", bytes)));
        CHECK(evaluated(study).at("blocks.0.attn.heads.0.pattern").value->coeff(0, 0) == 1);
        CHECK_FALSE(has_note(study, "rows sum"));
    }
}

TEST_CASE("recordings: one array for each layer, in the order of their numbers") {
    const TemporaryFolder folder;
    std::string header, data;
    for (const int l : {10, 2, 1, 0}) {
        const Matrix layer = Matrix::Identity(2, 2) * (l == 10 ? 3 : l);
        const std::string bytes = write_matrix_bytes(layer);
        header += (header.empty() ? "" : ",") + ("\"layer" + std::to_string(l)) +
                  R"(":{"dtype":"F32","shape":[1,1,2,2],"data_offsets":[)" +
                  std::to_string(data.size()) + "," + std::to_string(data.size() + bytes.size()) +
                  "]}";
        data += bytes;
    }
    header = "{" + header + "}";
    const RecordedStudy study =
        open_recording(folder.with("a", length_bytes(header.size()) + header + data));
    REQUIRE(study.attentions[0].n_layers == 4);
    const Trace trace = evaluated(study);
    for (int l = 0; l < 4; ++l)
        CHECK(
            trace.at("blocks." + std::to_string(l) + ".attn.heads.0.pattern").value->coeff(0, 0) ==
            static_cast<Scalar>(l));
    CHECK(has_note(study, "layer 0, head 0: rows sum to 0 … 1") == false);
    CHECK(has_note(study, "layer 3, head 0: rows sum to 3 instead of 1"));
}

TEST_CASE("recordings: rows that are no pattern are reported, not hidden") {
    const TemporaryFolder folder;
    Matrix odd = Matrix::Identity(3, 3);
    odd(0, 0) = std::numeric_limits<Scalar>::quiet_NaN();
    odd(1, 1) = Scalar(0.5);
    odd(2, 0) = -1;
    const RecordedStudy study = open_recording(folder.with("a", npy_of(odd, "(1, 3, 3)")));
    CHECK(has_note(study, "layer 0, head 0: 1 cell is NaN, 1 cell is negative, rows sum to"));
    const Trace trace = evaluated(study);
    CHECK(std::isnan(trace.at("blocks.0.attn.heads.0.pattern").value->coeff(0, 0)));
    CHECK(trace.at("blocks.0.attn.heads.0.pattern").value->coeff(2, 0) == -1);
    CHECK_FALSE(has_note(open_recording(folder.with("b", npy_of(kAll, "(2, 3, 4, 4)"))), "sum"));
    const Matrix masked = Matrix::Zero(2, 2);
    CHECK_FALSE(has_note(open_recording(folder.with("c", npy_of(masked, "(1, 2, 2)"))), "sum"));
}

TEST_CASE("recordings: a small archive with a wrong checksum is refused") {
    const TemporaryFolder folder;
    Matrix zeros = Matrix::Zero(16, 4);
    std::string bytes = write_npz({{"attention", zeros}});
    bytes.replace(bytes.find("(16, 4), }"), 16, "(2, 2, 4, 4), } ");
    CHECK(contains(refusal(folder, bytes), "does not have the checksum that the archive says"));
}

TEST_CASE("recordings: of 20 GB only what is shown is read") {
    const TemporaryFolder folder;
    const std::string file = sparse_file(folder);
    const RecordedStudy study = open_recording(file);
    CHECK(study.attentions[0].n_layers == 40);
    CHECK(study.text.tokens.size() == 2048);
    const std::string path = "blocks.30.attn.heads.5.pattern";
    const Trace trace = evaluated(study, {.everything = false, .globs = {path}});
    CHECK(*trace.at(path).value == Matrix::Identity(2048, 2048));
    for (const Tensor& tensor : trace.tensors())
        if (tensor.path() != path) REQUIRE(tensor.value == nullptr);
}

TEST_CASE("recordings: a file that changes or disappears while open is reported") {
    const TemporaryFolder folder;
    const std::string file = folder.with("a.npy", npy_of(kAll, "(2, 3, 4, 4)"));
    const RecordedStudy study = open_recording(file);
    std::filesystem::resize_file(file, 100);
    CHECK(error_of([&] { evaluated(study); }) ==
          "[" + file + "] changed while it was open; open it again");
    const std::string other = folder.with("b.npy", npy_of(kAll, "(2, 3, 4, 4)"));
    const RecordedStudy gone = open_recording(other);
    std::filesystem::remove(other);
    CHECK(
        contains(error_of([&] { evaluated(gone); }), "was removed or replaced while it was open"));
}

TEST_CASE(
    "recordings: tokens come from the file, its metadata, a file beside it, or a named file") {
    const TemporaryFolder folder;
    const std::vector<std::string> wanted{"The", "cat", "sat", "."};
    const std::string file = folder.with("a.npy", npy_of(kAll, "(2, 3, 4, 4)"));
    CHECK(open_recording(file).text.tokens == std::vector<std::string>{"0", "1", "2", "3"});
    CHECK(has_note(open_recording(file), "no tokens were recorded: they are numbered"));
    CHECK(
        open_recording(file, folder.with("t1", "[\"The\", \"cat\", \"sat\", \".\"]")).text.tokens ==
        wanted);
    CHECK(open_recording(file, folder.with("t2", "{\"tokens\": [\"The\",\"cat\",\"sat\",\".\"]}"))
              .text.tokens == wanted);
    CHECK(open_recording(file, folder.with("t3", "The\r\ncat\nsat\n.\n")).text.tokens == wanted);
    CHECK(open_recording(file, folder.with("t4", "The cat sat .")).text.tokens == wanted);
    folder.with("a.txt", "The cat sat .");
    CHECK(open_recording(file).text.tokens == wanted);
    folder.with("a.tokens.json", "[\"only one\"]");
    CHECK(has_note(open_recording(file), "tokens are numbered: "));
    CHECK(has_note(open_recording(file), "has 1 token, but the patterns have 4 rows"));
    const std::string metadata = R"("__metadata__":{"tokens":"[\"The\",\"cat\",\"sat\",\".\"]"},)";
    CHECK(open_recording(folder.with("b", safetensors_of("F32", "[2,3,4,4]",
                                                         write_matrix_bytes(kAll), metadata)))
              .text.tokens == wanted);
    CHECK(error_of([&] { open_recording(file, folder.with("t5", "The cat")); }) ==
          "[" + folder.file("t5") +
              "] has 2 tokens, but the patterns have 4 rows; give each row one");
    CHECK(contains(error_of([&] { open_recording(file, folder.with("t6", " ")); }),
                   "holds no token"));
    CHECK(contains(error_of([&] { open_recording(file, folder.with("t7", "a \xFF")); }),
                   "line 1: not UTF-8 at byte 2"));
    CHECK(contains(error_of([&] { open_recording(file, folder.with("t8", "[1]")); }),
                   "must be a text"));
}

TEST_CASE("recordings: files without attention are refused with a list of their contents") {
    const TemporaryFolder folder;
    const Matrix weights = 3 * kAll;
    CHECK(contains(refusal(folder, npy_of(weights, "(24, 4)")),
                   "holds no recorded attention, an array of [layers, heads, n, n] or [heads, n, "
                   "n], or of a source that is read [layers, heads, n, m], [heads, n, m] or n × m "
                   "with rows that sum to 1; it holds 'input' (24, 4). Weights are imported into a "
                   "study: headlight import STUDY FILE"));
    CHECK(contains(refusal(folder, npy_of(patterns(6, 4), "(3, 2, 4, 4)", "<f4", "True")),
                   "stands column by column"));
    CHECK(contains(refusal(folder, npy_of(kAll, "(1, 2, 3, 4, 4)")), "attention[:, 0]"));
    CHECK(contains(refusal(folder, npy_of(Matrix(0, 0), "(2, 3, 0, 0)")),
                   "its attention is empty: there is no layer, head or token"));
    CHECK(contains(refusal(folder, npy_of(Matrix(0, 0), "(0, 3, 4, 4)")), "is empty"));
}

/// Rows of n_key numbers that sum to 1.
Matrix oblong(Index n_rows, Index n_key) {
    Matrix all(n_rows, n_key);
    for (Index i = 0; i < n_rows; ++i) {
        for (Index j = 0; j < n_key; ++j) all(i, j) = static_cast<Scalar>(1 + (i * 5 + j * 3) % 7);
        all.row(i) /= all.row(i).sum();
    }
    return all;
}

std::string texts_npy(const std::vector<std::string>& letters) {
    std::string bytes = npy_of(Matrix(0, 0), "(" + std::to_string(letters.size()) + ",)", "<U1");
    for (const std::string& letter : letters) bytes += letter + std::string(3, '\0');
    return bytes;
}

TEST_CASE("recordings: patterns with more columns than rows are of tokens that read a source") {
    const TemporaryFolder folder;
    const Matrix all = oblong(2 * 3 * 2, 5);
    const auto check = [&](const RecordedStudy& study) {
        REQUIRE(study.attentions.size() == 1);
        CHECK(study.attentions[0].kind == RecordedKind::Cross);
        CHECK(study.text.tokens == std::vector<std::string>{"0", "1"});
        CHECK(study.text.source == std::vector<std::string>{"0", "1", "2", "3", "4"});
        const Trace trace = evaluated(study);
        CHECK(*trace.at("blocks.1.cross.heads.2.pattern").value == all.middleRows(10, 2));
    };
    const std::string npy = npy_of(all, "(2, 3, 2, 5)");
    const RecordedStudy study = open_recording(folder.with("a.npy", npy));
    check(study);
    CHECK(has_note(study, "no tokens of the source were recorded: they are numbered"));
    check(open_recording(folder.with("b", npy_of(all, "(2, 1, 3, 2, 5)"))));
    check(open_recording(
        folder.with("c", zip_of({{"l1.npy", npy_of(all.topRows(6), "(3, 2, 5)")},
                                 {"l2.npy", npy_of(all.bottomRows(6), "(3, 2, 5)")}}))));
    // Saved and opened again.
    Document document;
    document.study = study;
    const std::string saved = folder.with("s.headlight", write_study(document));
    CHECK(open_document(saved).document.recorded()->text.source.size() == 5);
    // Weights of heads are none.
    const Matrix weights = all.array() - 0.1;
    CHECK(contains(refusal(folder, npy_of(weights, "(6, 2, 5)")), "holds no recorded attention"));
    CHECK(holds_matrices(folder.with("w.npy", npy_of(weights, "(6, 2, 5)"))));
}

TEST_CASE("recordings: one matrix with rows that sum to 1 is an alignment") {
    const TemporaryFolder folder;
    const Matrix one = oblong(3, 4);
    const std::string file = folder.with("a.npy", npy_of(one, "(3, 4)"));
    const RecordedStudy study = *open_document(file).document.recorded();
    CHECK(study.text.source.size() == 4);
    CHECK(*evaluated(study).at("blocks.0.cross.heads.0.pattern").value == one);
    const Matrix square = oblong(3, 3);
    CHECK(*evaluated(open_recording(folder.with("s.npy", npy_of(square, "(3, 3)"))))
               .at("blocks.0.attn.heads.0.pattern")
               .value == square);
    const auto with_source =
        open_recording(folder.with("s.npz", zip_of({{"a.npy", npy_of(square, "(3, 3)")},
                                                    {"source.npy", texts_npy({"x", "y", "z"})},
                                                    {"tokens.npy", texts_npy({"a", "b", "c"})}})));
    CHECK(with_source.attentions[0].kind == RecordedKind::Cross);
    CHECK(with_source.text.source == std::vector<std::string>{"x", "y", "z"});
    CHECK(with_source.text.tokens == std::vector<std::string>{"a", "b", "c"});
    const Matrix turned = one.transpose();
    CHECK(contains(refusal(folder, npy_of(turned, "(4, 3)")),
                   "The columns of 'input' sum to 1: save it turned"));
    const Matrix identity = Matrix::Identity(3, 3);
    CHECK(holds_matrices(folder.with("i.npy", npy_of(identity, "(3, 3)"))));
    // Beside other matrices it is one of a study's.
    CHECK(holds_matrices(folder.with(
        "w.npz",
        zip_of({{"a.npy", npy_of(one, "(3, 4)")}, {"b.npy", npy_of(Matrix(2 * one), "(3, 4)")}}))));
}

TEST_CASE("recordings: an encoder, a decoder and what it reads are told apart") {
    const TemporaryFolder folder;
    const Matrix encoder = oblong(2 * 5, 5), decoder = oblong(2 * 3, 3), cross = oblong(2 * 3, 5);
    const auto trace_of = [&](const std::vector<std::pair<std::string, std::string>>& files) {
        return evaluated(open_recording(folder.with("m.npz", zip_of(files))));
    };
    const Trace trace = trace_of({{"a.npy", npy_of(encoder, "(1, 2, 5, 5)")},
                                  {"b.npy", npy_of(decoder, "(1, 2, 3, 3)")},
                                  {"c.npy", npy_of(cross, "(1, 2, 3, 5)")}});
    CHECK(*trace.at("encoder.blocks.0.attn.heads.1.pattern").value == encoder.bottomRows(5));
    CHECK(*trace.at("decoder.blocks.0.attn.heads.1.pattern").value == decoder.bottomRows(3));
    CHECK(*trace.at("decoder.blocks.0.cross.heads.1.pattern").value == cross.bottomRows(3));
    // Where both sides have as many tokens the names tell.
    const Matrix other = oblong(6, 3);
    const Trace named = trace_of({{"cross_attentions.npy", npy_of(other, "(1, 2, 3, 3)")},
                                  {"encoder_attentions.npy", npy_of(decoder, "(1, 2, 3, 3)")}});
    CHECK(*named.at("encoder.blocks.0.attn.heads.0.pattern").value == decoder.topRows(3));
    CHECK(*named.at("decoder.blocks.0.cross.heads.1.pattern").value == other.bottomRows(3));
    CHECK(contains(refusal(folder, zip_of({{"a.npy", npy_of(oblong(4, 4), "(1, 1, 4, 4)")},
                                           {"c.npy", npy_of(cross, "(1, 2, 3, 5)")}})),
                   "is (1, 1, 4, 4), which fits neither the rows nor the columns of 'c' (1, 2, 3, "
                   "5)"));
}

TEST_CASE("recordings: a table with labels is an alignment of its rows with its columns") {
    const TemporaryFolder folder;
    const std::string file =
        folder.with("a.csv", ",The,cat,slept\nLe,0.9,0.05,0.05\nchat,0.1,0.8,0.1\n");
    const RecordedStudy study = *open_document(file).document.recorded();
    CHECK(study.text.tokens == std::vector<std::string>{"Le", "chat"});
    CHECK(study.text.source == std::vector<std::string>{"The", "cat", "slept"});
    const Matrix A = *evaluated(study).at("blocks.0.cross.heads.0.pattern").value;
    CHECK(A(1, 1) == 0.8f);
    CHECK(open_recording(file).notes.empty());
    const auto is_table = [](const std::string& text) { return is_attention_table(text); };
    CHECK(is_table("x\ty\tz\na\t0,5\t0,5\nb\t1\t0\n"));
    // What may be a graph is none: edges, with weights or without, and an adjacency matrix.
    CHECK_FALSE(is_table("source,target\n0,1\n"));
    CHECK_FALSE(is_table("a,b,0.5\nb,c,1\n"));
    CHECK_FALSE(is_table(",a,b\na,0.5,0.5\nb,0.5,0.5\n"));
    CHECK_FALSE(is_table("id,from,to\nx,0,1\ny,0,1\n"));
    // Written by Headlight, rows and columns may have the same names.
    const std::string own = "query \\ key,a,b\na,1,0\nb,0.5,0.5\n";
    CHECK(is_table(own));
    CHECK(open_recording(folder.with("own.csv", own)).attentions[0].kind == RecordedKind::Self);
}

TEST_CASE("recordings: numbers in place of tokens are their names, and said") {
    const TemporaryFolder folder;
    const std::string ids = npy_of(Matrix(0, 0), "(1, 2)", "<i8") +
                            std::string("\x65\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0", 16);
    const std::string file = folder.with(
        "a.npz",
        zip_of({{"attention.npy", npy_of(patterns(1, 2), "(1, 2, 2)")}, {"tokens.npy", ids}}));
    const RecordedStudy study = open_recording(file);
    CHECK(study.text.tokens == std::vector<std::string>{"101", "2"});
    CHECK(has_note(study, "'tokens' holds numbers, not texts: the tokens are called by them"));
    CHECK_FALSE(has_note(study, "no tokens were recorded"));
    const TemporaryFolder model;
    model.with("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n");
    CHECK(contains(error_of([&] { open_recording(file, model.file("")); }),
                   "its tokenizer has 4 tokens, and none with the id 101"));
    std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";
    for (int k = 4; k < 102; ++k) vocabulary += "w" + std::to_string(k) + "\n";
    model.with("vocab.txt", vocabulary);
    CHECK(open_recording(file, model.file("")).text.tokens ==
          std::vector<std::string>{"w101", "[CLS]"});
    const std::string without = folder.with("b.npy", npy_of(patterns(1, 2), "(1, 2, 2)"));
    CHECK(contains(error_of([&] { open_recording(without, model.file("")); }),
                   "holds no ids that its model could name"));
}

TEST_CASE("recordings: layers of different sizes, or several arrays of all layers, are refused") {
    const TemporaryFolder folder;
    const std::string four = npy_of(patterns(2, 4), "(2, 4, 4)"),
                      five = npy_of(patterns(2, 5), "(2, 5, 5)"),
                      all = npy_of(kAll, "(2, 3, 4, 4)");
    CHECK(contains(refusal(folder, zip_of({{"a1.npy", four}, {"a2.npy", five}})),
                   "a2.npy] is (2, 5, 5), but 'a1' (2, 4, 4); layers must be of one shape"));
    CHECK(contains(refusal(folder, zip_of({{"a.npy", all}, {"b.npy", all}})),
                   "is (2, 3, 4, 4), and there are several such arrays; one array a layer is"));
    CHECK(contains(refusal(folder, zip_of({{"tokens.npy", npy_of(Matrix(0, 0), "(1,)", "<U1") +
                                                              std::string("a\0\0\0", 4)},
                                           {"a.npy", four}})),
                   "has 1 token, but the patterns have 4 rows"));
}

TEST_CASE("recordings: too many tokens or heads are refused before reading") {
    const TemporaryFolder folder;
    const auto bytes = [&](const std::string& shape, std::size_t count) {
        return npy_of(Matrix(0, 0), shape, "|u1") + std::string(count, '\0');
    };
    CHECK(contains(refusal(folder, bytes("(20001, 1, 1)", 20'001)),
                   "has 1 layer of 20001 heads; at most 20000 heads are shown"));
    CHECK(contains(refusal(folder, bytes("(20001, 1, 1, 1)", 20'001)), "has too many layers"));
    CHECK(contains(refusal(folder, bytes("(1, 4097, 4097)", 4097 * 4097)),
                   "has 4097 tokens; at most 4096 are shown: save a part of them"));
}

TEST_CASE("recordings: a study refers to the file beside it, and opens it again") {
    const TemporaryFolder folder;
    const std::string file = folder.with("a.npy", npy_of(kAll, "(2, 3, 4, 4)"));
    Document document;
    document.study = open_recording(file);
    const std::string text = write_study(document, {.folder = folder.file("")});
    CHECK(contains(text, "\"kind\": \"recorded\",\n  \"file\": \"a.npy\""));
    CHECK(contains(write_study(document), "\"file\": \"" + file));
    const Document again = open_document(folder.with("a.headlight", text)).document;
    CHECK(again == document);
    check_patterns(*again.recorded());
    CHECK(open_document(file).document == document);
    folder.with("a.npy", npy_of(patterns(6, 5), "(2, 3, 5, 5)"));
    CHECK(contains(error_of([&] { open_document(folder.file("a.headlight")); }),
                   "has 4 tokens, but the patterns have 5 rows"));
    std::filesystem::remove(file);
    CHECK(contains(error_of([&] { open_document(folder.file("a.headlight")); }),
                   "a.npy] cannot be opened: No such file"));
}

TEST_CASE("recordings: head metrics come from the patterns alone; the others are NaN") {
    const TemporaryFolder folder;
    const RecordedStudy study =
        open_recording(folder.with("a.npy", npy_of(Matrix::Identity(3, 3), "(1, 3, 3)")));
    const Trace trace = evaluated(study);
    const Matrix& metrics = *trace.at("blocks.0.attn.heads.0.metrics").value;
    CHECK(metrics(0, 0) == 0);  // entropy
    CHECK(metrics(0, 8) == 1);  // sparsity
    CHECK(std::isnan(metrics(0, 6)));
    CHECK(std::isnan(metrics(0, 9)));
    CHECK(trace.find("metrics.entropy"));
    CHECK_FALSE(trace.find("metrics.induction"));
    CHECK_FALSE(trace.find("metrics.norm"));
}

TEST_CASE("recordings: induction is measured if the tokens repeat themselves") {
    const TemporaryFolder folder;
    Matrix A = Matrix::Identity(6, 6);  // "a b c a b c"
    A.row(3) << 0, Scalar(0.75), 0, Scalar(0.25), 0, 0;
    A.row(4) << 0, 0, Scalar(0.5), 0, Scalar(0.5), 0;
    folder.with("a.tokens.txt", "a b c a b c");
    const Trace trace = evaluated(open_recording(folder.with("a.npy", npy_of(A, "(1, 1, 6, 6)"))));
    // a → b .75, b → c .5, c → a 0
    CHECK((*trace.at("blocks.0.attn.heads.0.metrics").value)(0, 6) == doctest::Approx(1.25 / 3));
    CHECK((*trace.at("metrics.induction").value)(0, 0) == doctest::Approx(1.25 / 3));
    CHECK(trace.at("metrics.induction").equation() ==
          "of every head, where the text repeats itself");
}

}  // namespace headlight::recording_test
