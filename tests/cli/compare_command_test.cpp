#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <sstream>

#include "cli/command_line.h"
#include "core/analyses/difference.h"
#include "headlight_run.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"

namespace headlight::compare_command_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.";
const std::string kPattern = kHead + "0.pattern";

/// The text after "name\t" in the output, up to the end of the line.
std::string field(const std::string& out, const std::string& name) {
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name + "\t")) return line.substr(name.size() + 1);
    return "";
}

std::string study_of(const TemporaryFolder& folder, const std::string& name,
                     std::vector<std::string> texts) {
    const std::string study = folder.file(name);
    std::vector<std::string> args{"new", "sentence"};
    args.insert(args.end(), texts.begin(), texts.end());
    args.insert(args.end(), {"--heads", "2", "-o", study});
    REQUIRE(headlight_run(args).code == kExitDone);
    return study;
}

}  // namespace

TEST_CASE("compare: prints the largest difference, where it is, and the distances of the rows") {
    const TemporaryFolder folder;
    const std::string a = study_of(folder, "a.headlight", {"the cat was tired"});
    const std::string b = study_of(folder, "b.headlight", {"the cat was wide"});
    const Ran ran = headlight_run({"compare", a, b, "--tensor", kPattern});
    REQUIRE(ran.code == kExitDone);
    const Matrix left = *trace_of(a).at(kPattern).value, right = *trace_of(b).at(kPattern).value;
    const Difference d = difference(left, right);
    REQUIRE(d.largest != 0);
    CHECK(std::stof(field(ran.out, "largest A − B")) == d.largest);
    const std::vector<std::string> words = trace_of(a).items();
    std::vector<std::string> words_b = words;
    words_b.back() = "wide";
    const auto place = [&](const std::vector<std::string>& of) {
        return of[static_cast<std::size_t>(d.row)] + ", " + of[static_cast<std::size_t>(d.column)];
    };
    REQUIRE(place(words) != place(words_b));  // the last word is what differs
    CHECK(field(ran.out, "at").starts_with("A: " + place(words) + "; B: " + place(words_b) + "\t"));
    CHECK(field(ran.out, "other tokens") == "1 of 4\t[3] A: tired; B: wide");
    CHECK(std::stof(field(ran.out, "mean |A − B|")) == d.mean_magnitude);
    CHECK(std::stof(field(ran.out, "mean total variation of rows")) ==
          row_distances(left, right).total_variation);
}

TEST_CASE("compare: logits of two texts are compared word by word, and unmatched words are named") {
    const TemporaryFolder folder;
    const auto model = [&](const char* name, const char* text) {
        const std::string study = folder.file(name);
        REQUIRE(
            headlight_run({"new", "sentence", text, "--unembedding", "tied", "-o", study}).code ==
            kExitDone);
        return study;
    };
    const std::string a = model("a.headlight", "the cat sat on it"),
                      b = model("b.headlight", "a cat on it sat down");
    const Trace trace_a = trace_of(a), trace_b = trace_of(b);
    const std::string c = model("c.headlight", "a cat on it sat");
    const Ran refused = headlight_run({"compare", a, b, "--tensor", "logits"});
    CHECK(contains(refused.err,
                   "5 × 5 and 6 × 6 cannot be subtracted"));  // the queries are different words
    const Ran ran =
        headlight_run({"compare", a, c, "--tensor", "logits", "-o", folder.file("d.npy")});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(field(ran.out, "words only in A") == "the");
    CHECK(field(ran.out, "words only in B") == "a");
    const Matrix D = read_npy(read_file(folder.file("d.npy")), "d");
    const Trace trace_c = trace_of(c);
    const Matrix &A = *trace_a.at("logits").value, &C = *trace_c.at("logits").value;
    // the cat sat on it − a cat on it sat
    CHECK(D.col(1) == A.col(1) - C.col(1));
    CHECK(D.col(2) == A.col(2) - C.col(4));
    CHECK(D.col(3) == A.col(3) - C.col(2));
    CHECK(D.col(4) == A.col(4) - C.col(3));
    CHECK(std::isnan(D(0, 0)));
    const Ran probs = headlight_run({"compare", a, c, "--tensor", "probs"});
    CHECK(field(probs.out, "mean total variation of rows") == "");
}

TEST_CASE("compare: a study does not differ from itself") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const Ran ran = headlight_run({"compare", study, study, "--tensor", kPattern});
    REQUIRE(ran.code == kExitDone);
    CHECK(field(ran.out, "largest A − B") == "0");
    CHECK(field(ran.out, "mean total variation of rows") == "0");
}

TEST_CASE("compare: two heads of one study; the difference as numbers, table and picture") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), other = kHead + "1.pattern";
    for (const char* name : {"d.npy", "d.csv", "d.png"})
        REQUIRE(headlight_run({"compare", study, study, "--tensor", kPattern, "--with", other, "-o",
                               folder.file(name)})
                    .code == kExitDone);
    const Trace trace = trace_of(study);
    const Matrix expected = *trace.at(kPattern).value - *trace.at(other).value;
    CHECK(read_npy(read_file(folder.file("d.npy")), "d.npy") == expected);
    CHECK(read_file(folder.file("d.csv")).find("cat") != std::string::npos);
    CHECK(png_size(read_file(folder.file("d.png"))).width > 100);
}

/// The cells of a CSV line.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    return cells;
}

TEST_CASE("compare: every head of two texts differs by the distance of its two patterns") {
    const TemporaryFolder folder;
    const std::string a = study_of(folder, "a.headlight", {"the cat was tired"});
    const std::string b = study_of(folder, "b.headlight", {"the cat was wide"});
    const Ran ran = headlight_run({"compare", a, b, "--heads"});
    REQUIRE(ran.code == kExitDone);
    const Trace left = trace_of(a), right = trace_of(b);
    std::istringstream lines(ran.out);
    std::string line;
    std::getline(lines, line);
    CHECK(line.starts_with(
        "attention,head,total variation,Jensen-Shannon,mean |A - B|,largest A - B,entropy,"));
    for (int h = 0; h < 2; ++h) {
        REQUIRE(std::getline(lines, line));
        const std::vector<std::string> cells = cells_of(line);
        const std::string head = kHead + std::to_string(h);
        const Matrix &A = *left.at(head + ".pattern").value,
                     &B = *right.at(head + ".pattern").value;
        CHECK(cells[1] == std::to_string(h));
        CHECK(std::stof(cells[2]) == row_distances(A, B).total_variation);
        CHECK(std::stof(cells[3]) == row_distances(A, B).jensen_shannon_bits);
        CHECK(std::stof(cells[4]) == difference(A, B).mean_magnitude);
        CHECK(std::stof(cells[5]) == difference(A, B).largest);
        CHECK(std::stof(cells[2]) > 0);
        const Scalar entropy =
            (*left.at(head + ".metrics").value)(0, 0) - (*right.at(head + ".metrics").value)(0, 0);
        CHECK(std::stof(cells[6]) == entropy);
    }
    CHECK(!std::getline(lines, line));
}

TEST_CASE("compare: the table of heads is sorted by any of its columns, and may be JSON") {
    const TemporaryFolder folder;
    const std::string a = study_of(folder, "a.headlight", {"the cat was tired"});
    const std::vector<std::string> command = {"compare",          a,        a, "--with-text",
                                              "the cat was wide", "--heads"};
    const auto first_head = [&](const std::string& column) {
        std::vector<std::string> args = command;
        args.insert(args.end(), {"--sort", column});
        const Ran ran = headlight_run(args);
        REQUIRE(ran.code == kExitDone);
        std::istringstream lines(ran.out);
        std::vector<double> sizes;
        std::string line;
        std::getline(lines, line);
        const std::vector<std::string> names = cells_of(line);
        const auto k = static_cast<std::size_t>(std::ranges::find(names, column) - names.begin());
        while (std::getline(lines, line)) sizes.push_back(std::abs(std::stod(cells_of(line)[k])));
        return std::ranges::is_sorted(sizes, std::ranges::greater()) && sizes.size() == 2;
    };
    for (const char* column : {"total variation", "largest A - B", "entropy"})
        CHECK(first_head(column));
    std::vector<std::string> args = command;
    args.insert(args.end(), {"-o", folder.file("heads.json")});
    REQUIRE(headlight_run(args).code == kExitDone);
    const std::string json = read_file(folder.file("heads.json"));
    CHECK(contains(json, "{\"attention\": \"blocks.0.attn\", \"head\": 0, \"total variation\": "));
    args.back() = folder.file("heads.png");
    CHECK(contains(headlight_run(args).err, "the extension must be one of .csv, .tsv,"));
    args = command;
    args.insert(args.end(), {"--sort", "size"});
    CHECK(contains(headlight_run(args).err, "'size' is no column; there are total variation, "));
    args = command;
    args.insert(args.end(), {"--tensor", kPattern});
    CHECK(contains(headlight_run(args).err, "--heads compares every head"));
    args = {"compare", a, a, "--with-text", "the cat", "--heads"};
    CHECK(contains(headlight_run(args).err, "4 × 4 and 2 × 2 cannot be subtracted"));
}

/// The cells of one column of a CSV table.
std::vector<std::string> column_of(const std::string& csv, const std::string& name) {
    const std::vector<std::string> lines = lines_of(csv), names = cells_of(lines[0]);
    const auto k = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    REQUIRE(k < names.size());
    std::vector<std::string> column;
    for (std::size_t row = 1; row < lines.size(); ++row) {
        const std::vector<std::string> cells = cells_of(lines[row]);
        column.push_back(k < cells.size() ? cells[k] : "");
    }
    return column;
}

constexpr const char *kRepeats = "k f q b z m a t k f q b z m a t",
                     *kNoRepeats = "k f q b z m a t c d e g h i j l";

std::string induction_study(const TemporaryFolder& folder, const std::string& text) {
    const std::string study = folder.file("i.headlight");
    REQUIRE(headlight_run({"new", "induction", text, "-o", study}).code == kExitDone);
    return study;
}

TEST_CASE("compare: induction in a text is not subtracted from induction on the probe") {
    const TemporaryFolder folder;
    const std::string a = induction_study(folder, kRepeats);
    for (const auto& [b, is_apart] : {std::pair{kNoRepeats, true},
                                      {"f k q b z m a t f k q b z m "
                                       "a t",
                                       false}}) {
        const Ran ran = headlight_run({"compare", a, a, "--with-text", b, "--heads"});
        REQUIRE(ran.code == kExitDone);
        const std::vector<std::string> in_text = column_of(ran.out, "induction"),
                                       on_probe = column_of(ran.out, "induction on probe");
        REQUIRE(in_text.size() == 4);
        for (std::size_t k = 0; k < in_text.size(); ++k) {
            CHECK(in_text[k].empty() == is_apart);
            CHECK(on_probe[k] == (is_apart ? "0" : ""));  // one network, one probe
        }
        CHECK(contains(ran.err,
                       "induction has no difference: only the text of A has it; "
                       "induction on probe is of both") == is_apart);
        CHECK(contains(ran.err, "duplicate has no difference: only the text of A has it") ==
              is_apart);
    }
    const Ran sorted = headlight_run(
        {"compare", a, a, "--with-text", kNoRepeats, "--heads", "--sort", "induction"});
    CHECK(contains(sorted.err, "no head has a number for 'induction' here"));
}

TEST_CASE("the table of heads names what headlight heads names: induction in the text or not") {
    const TemporaryFolder folder;
    for (const char* text : {kRepeats, kNoRepeats}) {
        const std::string study = induction_study(folder, text), csv = folder.file("h.csv");
        REQUIRE(headlight_run({"export", study, "--what", "heads", "-o", csv}).code == kExitDone);
        const std::string table = read_file(csv), counted = headlight_run({"heads", study}).out;
        for (const char* name : {"entropy", "duplicate", "induction", "induction on probe"}) {
            std::vector<std::string> means;
            for (const std::string& line : lines_of(counted))
                if (const auto cells = cells_of(line); cells.size() > 2 && cells[2] == name)
                    means.push_back(cells.size() > 4 ? cells[4] : "");
            CHECK(column_of(table, name) == means);
        }
    }
}

TEST_CASE("compare: A − B of two prompts names its rows by both, where they differ") {
    const TemporaryFolder folder;
    const auto study = [&](const char* name, const char* text) {
        REQUIRE(headlight_run({"new", "sentence", text, "-o", folder.file(name)}).code == 0);
        return folder.file(name);
    };
    const std::string a = study("a", "the cat was too tired"),
                      b = study("b", "the cat was too wide"), csv = folder.file("d.csv"),
                      svg = folder.file("d.svg"), pattern = "blocks.0.attn.heads.0.pattern";
    REQUIRE(headlight_run({"compare", a, b, "--tensor", pattern, "-o", csv}).code == 0);
    // As the window's export calls it.
    const std::string json = folder.file("d.json");
    REQUIRE(headlight_run({"compare", a, b, "--tensor", pattern, "-o", json}).code == 0);
    CHECK(read_file(json).find("\"" + pattern + ".difference\"") != std::string::npos);
    CHECK(contains(read_file(csv), ",too,tired / wide\r\n"));
    CHECK(contains(read_file(csv), "\r\ntired / wide,"));
    REQUIRE(headlight_run({"export", a, "--what", "compared", "--with", b, "--sides", "difference",
                           "--tensor", pattern, "-o", svg})
                .code == 0);
    CHECK(contains(read_file(svg), ">tired / wide</text>"));
    REQUIRE(headlight_run({"export", a, "--panel", pattern, "--with", b, "-o", svg}).code == 0);
    CHECK(contains(read_file(svg), ">tired / wide</text>"));
    REQUIRE(headlight_run({"export", a, "--what", "words", "--with", b, "-o", svg}).code == 0);
    CHECK(contains(read_file(svg), ">tired / wide</text>"));
}

TEST_CASE("compare: two sentences of one study") {
    const TemporaryFolder folder;
    const std::string study =
        study_of(folder, "two.headlight", {"the cat was tired", "the dog was tired"});
    const Ran ran = headlight_run(
        {"compare", study, study, "--tensor", "embed", "--sentence", "1", "--with-sentence", "2"});
    REQUIRE(ran.code == kExitDone);
    CHECK(field(ran.out, "at").starts_with("A: cat, "));
    CHECK(field(ran.out, "other tokens") == "1 of 4\t[1] A: cat; B: dog");
    CHECK(field(ran.out, "mean total variation of rows").empty());  // these are not probabilities
}

TEST_CASE("compare: different shapes are an error, and nothing is written") {
    const TemporaryFolder folder;
    const std::string a = study_of(folder, "a.headlight", {"the cat was tired"});
    const std::string b = study_of(folder, "b.headlight", {"the cat slept"});
    const Ran ran =
        headlight_run({"compare", a, b, "--tensor", kPattern, "-o", folder.file("d.npy")});
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, kPattern + ": 4 × 4 and 3 × 3 cannot be subtracted"));
    CHECK(ran.out.empty());
    CHECK(!std::filesystem::exists(folder.file("d.npy")));
    const Ran unknown =
        headlight_run({"compare", a, b, "--tensor", "blocks.0.attn.heads.0.patern"});
    CHECK(unknown.code == kExitError);
    CHECK(contains(unknown.err, "did you mean '" + kPattern + "'?"));
    CHECK(headlight_run({"compare", a, "--tensor", kPattern}).code == kExitUsage);
}

}  // namespace headlight::compare_command_test
