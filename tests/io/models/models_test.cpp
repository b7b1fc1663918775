// Every family of pretrained models against what transformers computes with the same files.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <regex>
#include <string>
#include <string_view>

#include "../../golden/golden_file.h"
#include "core/analyses/head_metrics.h"
#include "golden_model.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/models/families.h"
#include "io/models/model_config.h"
#include "io/models/open_model.h"
#include "io/open_document.h"
#include "learned_tensors.h"
#include "model/evaluate.h"
#include "model/joined_pieces.h"
#include "model/vocabulary.h"
#include "source_folder.h"
#include "text/word_pieces.h"
#include "text/words.h"

namespace headlight::models_test {
namespace {

const char* const kModels[] = {
    "gpt2",       "gpt2-base",  "neox",       "neox-sequential", "bert",          "bert-base",
    "roberta",    "distilbert", "llama",      "llama3",          "llama-linear",  "llama-dynamic",
    "llama-yarn", "mistral",    "qwen2",      "qwen3",           "xlm-roberta",   "camembert",
    "gptj",       "opt",        "bloom",      "falcon",          "falcon-groups", "falcon-in-turn",
    "phi",        "phi3",       "starcoder2", "gpt-neo",         "qwen2-windows", "gemma",
    "gemma2",     "gemma3",     "smollm3",    "helium",          "ernie"};

/// The networks are random, with large weights: transformers' own float32 is up to 2.1e-6 from what
/// it computes in float64.
constexpr double kPatternsApart = 4e-6;

/// Of two layers; they were trained to go on with words that repeat (make_trained_models.py), and
/// what is expected of them was computed in float64.
const char* const kTrainedModels[] = {"gpt2-trained", "llama-trained"};
constexpr double kTrainedPatternsApart = 2e-6;
constexpr std::size_t kCircle = 6;  // letters of their text, again and again

/// Matrix k of a stack of equal ones.
Matrix stacked(const StoredArray& array, std::uint64_t k) {
    const auto rows = static_cast<Index>(array.shape[array.shape.size() - 2]),
               columns = static_cast<Index>(array.shape.back());
    Matrix values(rows, columns);
    read_numbers(array, k * static_cast<std::uint64_t>(values.size()), view(values));
    return values;
}

const Matrix& value(const Trace& trace, std::string_view path) {
    return *trace.at(path).value;
}

void check_patterns(const Trace& trace, const StoredArray& expected, double apart) {
    const std::uint64_t n_heads = expected.shape[1];
    for (std::uint64_t l = 0; l < expected.shape[0]; ++l)
        for (std::uint64_t h = 0; h < n_heads; ++h) {
            const std::string path =
                "blocks." + std::to_string(l) + ".attn.heads." + std::to_string(h) + ".pattern";
            CHECK(find_difference(path, value(trace, path), stacked(expected, l * n_heads + h),
                                  apart, 1) == "");
        }
}

/// The first is what the first layer reads; the last, what follows the last norm.
void check_hidden(const Trace& trace, const StoredArray& expected) {
    const std::uint64_t n_layers = expected.shape[0] - 1;
    for (std::uint64_t l = 0; l <= n_layers; ++l) {
        std::string path = "blocks." + std::to_string(l) + ".resid_pre";
        if (l == n_layers) {
            path = "blocks." + std::to_string(l - 1) + ".resid_post";
            if (trace.find("ln_final.out")) path = "ln_final.out";
        }
        CHECK(find_difference(path, value(trace, path), stacked(expected, l), 1e-5, 1) == "");
    }
}

void check_logits(const Trace& trace, const StoredArray& expected) {
    const Matrix last = stacked(expected, 0);
    const Matrix found = value(trace, "logits").bottomRows(last.rows());
    CHECK(find_difference("logits", found, last, 1e-5, 1) == "");
}

std::vector<std::string> ids_text(const StoredArray& ids) {
    Matrix numbers = read_matrix(ids);
    std::vector<std::string> text;
    for (Index i = 0; i < numbers.size(); ++i)
        text.push_back(std::to_string(static_cast<int>(numbers.data()[i])));
    return text;
}

std::vector<std::string> token_ids(const Trace& trace) {
    const Matrix& tokens = value(trace, "tokens");
    std::vector<std::string> text;
    for (Index i = 0; i < tokens.size(); ++i)
        text.push_back(std::to_string(static_cast<int>(tokens.data()[i])));
    return text;
}

Trace trace_of(const GoldenModel& golden) {
    const OpenedModel model = open_model(golden.folder());
    return evaluate(model_study(model, golden.text()), nullptr, {.everything = true});
}

}  // namespace

TEST_CASE("every family of models computes what transformers does") {
    for (const std::string name : kModels) {
        CAPTURE(name);
        const GoldenModel golden(name);
        const Trace trace = trace_of(golden);
        CHECK(token_ids(trace) == ids_text(golden.array("ids")));
        check_patterns(trace, golden.array("patterns"), kPatternsApart);
        check_hidden(trace, golden.array("hidden"));
        if (name != "gpt2-base")  // whose unembedding is W_E, which the network has without a head
            CHECK(golden.has("logits") == (trace.find("logits") != nullptr));
        if (golden.has("logits")) check_logits(trace, golden.array("logits"));
    }
}

namespace {

/// The largest differences of a family from transformers, of numbers up to 1, or of larger ones by
/// their size.
struct Apart {
    double patterns = 0, hidden = 0, logits = 0;
};

double apart(const Matrix& found, const Matrix& expected) {
    const double size = std::max(1.0, static_cast<double>(expected.cwiseAbs().maxCoeff()));
    return static_cast<double>((found - expected).cwiseAbs().maxCoeff()) / size;
}

Apart measured(const Trace& trace, const GoldenModel& golden) {
    Apart most;
    const StoredArray patterns = golden.array("patterns"), hidden = golden.array("hidden");
    const std::uint64_t n_layers = patterns.shape[0], n_heads = patterns.shape[1];
    for (std::uint64_t l = 0; l < n_layers; ++l) {
        for (std::uint64_t h = 0; h < n_heads; ++h)
            most.patterns =
                std::max(most.patterns,
                         apart(value(trace, fmt::format("blocks.{}.attn.heads.{}.pattern", l, h)),
                               stacked(patterns, l * n_heads + h)));
        most.hidden = std::max(
            most.hidden,
            apart(value(trace, fmt::format("blocks.{}.resid_pre", l)), stacked(hidden, l)));
    }
    if (!golden.has("logits")) return most;
    const Matrix last = stacked(golden.array("logits"), 0);
    most.logits = apart(value(trace, "logits").bottomRows(last.rows()), last);
    return most;
}

/// Writes "3e-07": one figure, rounded up.
std::string rounded_up(double number) {
    const double place = std::pow(10, std::floor(std::log10(number)));
    return fmt::format("{:.0e}", std::ceil(number / place) * place);
}

/// Returns the table's rows up to the measured numbers, which are those of `differences`.
std::string family_table(const std::map<std::string, Apart>& differences) {
    std::string table =
        "| `model_type` | name | what is read | patterns | hidden states | logits |\n"
        "|---|---|---|---|---|---|\n";
    for (const Family& family : families()) {
        const auto found = differences.find(std::string(family.type));
        std::string numbers = " | | |";
        if (found != differences.end()) {
            const auto& [patterns, hidden, logits] = found->second;
            numbers = fmt::format(" {} | {} | {} |", rounded_up(patterns), rounded_up(hidden),
                                  logits > 0 ? rounded_up(logits) : "");
        }
        table +=
            fmt::format("| `{}` | {} | {} |{}\n", family.type, family.title, family.says, numbers);
    }
    return table;
}

/// Returns the table without its numbers, which another machine measures otherwise.
std::string without_numbers(const std::string& text) {
    return std::regex_replace(text, std::regex(" [0-9]e-[0-9]+ \\|"), " |");
}

}  // namespace

TEST_CASE("docs/formats.md has every family, with the largest differences that were measured") {
    std::map<std::string, Apart> differences;
    for (const std::string name : kModels) {
        const GoldenModel golden(name);
        const Apart found = measured(trace_of(golden), golden);
        Apart& most = differences[ModelConfig(golden.folder()).model_type()];
        most = {std::max(most.patterns, found.patterns), std::max(most.hidden, found.hidden),
                std::max(most.logits, found.logits)};
    }
    const std::filesystem::path file = source_folder() / "docs/formats.md";
    const std::string docs = read_file(file), begin = "| `model_type` | name |", end = "\n\n";
    const std::size_t from = docs.find(begin);
    REQUIRE(from != std::string::npos);
    const std::size_t to = docs.find(end, from) + 1;
    const std::string written = docs.substr(from, to - from), made = family_table(differences);
    if (std::getenv("HEADLIGHT_WRITE_TABLES"))
        write_file(file, docs.substr(0, from) + made + docs.substr(to));
    CHECK_MESSAGE(without_numbers(made) == without_numbers(written),
                  "HEADLIGHT_WRITE_TABLES=1 test_io writes the table anew");
    CHECK_FALSE(std::regex_search(written, std::regex(" [0-9]e-0[1-4] \\|")));
}

TEST_CASE("trained networks compute what transformers does, and say what followed before") {
    for (const std::string name : kTrainedModels) {
        CAPTURE(name);
        const GoldenModel golden(name);
        const Trace trace = trace_of(golden);
        CHECK(token_ids(trace) == ids_text(golden.array("ids")));
        check_patterns(trace, golden.array("patterns"), kTrainedPatternsApart);
        check_hidden(trace, golden.array("hidden"));
        check_logits(trace, golden.array("logits"));
        Index likeliest = 0;
        const Matrix& logits = value(trace, "logits");
        logits.row(logits.rows() - 1).maxCoeff(&likeliest);
        const std::vector<std::string> ids = token_ids(trace);
        CHECK(std::to_string(likeliest) == ids[ids.size() - kCircle]);
    }
}

TEST_CASE("every learned tensor of a model is read from its files") {
    for (const std::string name : kModels) {
        CAPTURE(name);
        const GoldenModel golden(name);
        const Document document = model_study(open_model(golden.folder()), golden.text());
        CHECK(unmatched_weights(document) == std::vector<std::string>{});
    }
}

TEST_CASE("the probe of a model is made of its own words, embeddings and positions") {
    for (const std::string name : {"gpt2", "bert", "llama", "roberta"}) {
        CAPTURE(name);
        const GoldenModel golden(name);
        const Document document = model_study(open_model(golden.folder()), golden.text());
        const Trace trace = evaluate(document, nullptr, {.everything = true});
        CHECK(induction_place(trace) == "on 8 of the weights' words said twice");
        const Tensor& tokens = trace.at("probe.tokens");
        const Matrix &ids = *tokens.value, &W_E = value(trace, "W_E");
        REQUIRE(ids.rows() == 2 * kProbeWords);
        for (Index i = 0; i < ids.rows(); ++i) {
            const auto id = static_cast<Index>(ids(i, 0));
            CHECK_FALSE(is_special_token(axis_label(trace, tokens.rows(), i)));
            CHECK(axis_label(trace, trace.at("W_E").rows(), id) ==
                  axis_label(trace, tokens.rows(), i));
            CHECK(value(trace, "probe.embed").row(i) == W_E.row(id));
            CHECK(ids(i, 0) == ids((i + kProbeWords) % (2 * kProbeWords), 0));
        }
        if (trace.find("pos_embed"))
            CHECK(value(trace, "probe.pos_embed").topRows(4) ==
                  value(trace, "pos_embed").topRows(4));
    }
}

TEST_CASE("a probe is made of words, where a vocabulary has enough of them") {
    const auto chosen = [](Words pieces) {
        return *choose_plain_pieces(std::make_shared<const Words>(std::move(pieces)));
    };
    Words pieces = {"[PAD]", "<s>", ",", "a", "##ing", "Ġab"};
    CHECK(chosen(pieces) == pieces);
    for (const char* word : {"one", "Ġtwo", "▁three", "four", "five", "six", "seven"})
        pieces.emplace_back(word);
    CHECK(chosen(pieces).size() == 10);
    CHECK(chosen(pieces).front() == "a");
    pieces.emplace_back("eight");
    CHECK(chosen(pieces) ==
          Words{"one", "Ġtwo", "▁three", "four", "five", "six", "seven", "eight"});
}

TEST_CASE("a study of a model is small, and opens again") {
    const GoldenModel golden("gpt2");
    Document document = open_document(golden.folder()).document;
    document.sentence()->text = "The cat";
    document.interventions["blocks.0.attn.heads.1.W_Q"].set(0, 1, 2.5f);
    const TemporaryFolder folder;
    const std::string bytes = save_document(folder.file("a.headlight"), document);
    CHECK(bytes.size() < 4000);
    CHECK(folder.count() == 1);
    const Document opened = open_document(folder.file("a.headlight")).document;
    CHECK(opened == document);
    CHECK(value(evaluate(opened, nullptr, {}), "logits") ==
          value(evaluate(document, nullptr, {}), "logits"));
}

TEST_CASE(
    "the words of a model's text are joined from its tokens, and a study of them opens again") {
    for (const std::string name : {"gpt2", "bert"}) {
        CAPTURE(name);
        const GoldenModel golden(name);
        const Document pieces = open_document(golden.folder()).document;
        const Document words = join_pieces(pieces);
        const TemporaryFolder folder;
        save_document(folder.file("words.headlight"), words);
        CHECK(folder.count() == 1);
        const Document opened = open_document(folder.file("words.headlight")).document;
        CHECK(opened == words);
        const Trace trace = evaluate(pieces, nullptr, {.everything = true});
        const Trace joined = evaluate(opened, nullptr, {.everything = true});
        const auto runs = words_of_pieces(trace.items());
        CHECK(runs.size() < trace.items().size());
        const Matrix& A = value(trace, "blocks.1.attn.heads.1.pattern");
        const Matrix& B = value(joined, "blocks.1.attn.heads.1.pattern");
        REQUIRE(B.rows() == std::ssize(runs));
        for (Index i = 0; i < B.rows(); ++i)
            for (Index j = 0; j < B.cols(); ++j) {
                const auto& query = runs[static_cast<std::size_t>(i)];
                const auto& key = runs[static_cast<std::size_t>(j)];
                Scalar sum = 0;
                for (std::size_t a = query.first; a < query.first + query.count; ++a)
                    for (std::size_t b = key.first; b < key.first + key.count; ++b)
                        sum += A(static_cast<Index>(a), static_cast<Index>(b));
                CHECK(B(i, j) == doctest::Approx(sum / static_cast<Scalar>(query.count)));
            }
    }
}

TEST_CASE("a study finds its model again where both were moved, and tells another one") {
    const GoldenModel golden("llama"), other("mistral");
    const TemporaryFolder folder;
    const std::filesystem::path inside = folder.file("model");
    std::filesystem::copy(golden.folder(), inside);
    save_document(folder.file("a.headlight"), open_document(inside).document);
    const TemporaryFolder elsewhere;
    std::filesystem::copy(folder.file(""), elsewhere.file(""),
                          std::filesystem::copy_options::recursive);
    std::filesystem::remove_all(inside);
    const Document opened = open_document(elsewhere.file("a.headlight")).document;
    CHECK(opened.weights->file == elsewhere.file("model"));
    CHECK_THROWS_WITH(open_document(folder.file("a.headlight")),
                      doctest::Contains("is not a model's folder"));
    std::filesystem::remove_all(elsewhere.file("model"));
    std::filesystem::copy(other.folder(), elsewhere.file("model"));
    CHECK_THROWS_WITH(open_document(elsewhere.file("a.headlight")),
                      doctest::Contains("holds another model than the study was saved with"));
}

TEST_CASE("a study tells its model from one with another weight or another tokenizer") {
    const GoldenModel golden("gpt2");
    for (const char* changed : {"model.safetensors", "tokenizer.json"}) {
        CAPTURE(changed);
        const TemporaryFolder folder;
        const std::filesystem::path inside = folder.file("model");
        std::filesystem::copy(golden.folder(), inside);
        save_document(folder.file("a.headlight"), open_document(inside).document);
        CHECK_NOTHROW(open_document(folder.file("a.headlight")));
        std::string bytes = read_file(inside / changed);
        if (std::string_view(changed) == "tokenizer.json") {
            bytes += "\n";
        } else {
            // The sign of a number near the end, and one far from it, which must not cancel.
            bytes[bytes.size() - 1] ^= '\x80';
            bytes[bytes.size() - 9] ^= '\x80';
        }
        write_file(inside / changed, bytes);
        CHECK_THROWS_WITH(open_document(folder.file("a.headlight")),
                          doctest::Contains("holds another model than the study was saved with"));
    }
}

TEST_CASE("a text that is too long for a model is refused by its length") {
    const GoldenModel golden("gpt2");
    const OpenedModel model = open_model(golden.folder());
    std::string text;
    for (int i = 0; i < 80; ++i) text += " 7";
    CHECK_THROWS_WITH(plan(model_study(model, text)), doctest::Contains("reads at most 64 tokens"));
}

TEST_CASE("special tokens can be typed, and line ends are tokens") {
    const GoldenModel golden("gpt2");
    const OpenedModel model = open_model(golden.folder());
    const Document document = model_study(model, "a\n<|endoftext|>b");
    const auto made = plan(document);
    CHECK(made->shown_items() == std::vector<std::string>{"a", "⏎", "<|endoftext|>", "b"});
    CHECK(sentences_in(*document.sentence(), document.weights).size() == 1);
}

}  // namespace headlight::models_test
