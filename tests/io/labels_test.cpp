// With any labels, numbers are read back bit for bit and every format stays well-formed.
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

#include "broken_input.h"
#include "example_trace.h"
#include "io/arrays/npy.h"
#include "io/exporters.h"
#include "io/pictures/figure_svg.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"
#include "text/utf8.h"

namespace headlight::labels_test {
namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

/// A number with random bits, often one that is hard for writers.
Scalar any_number(Random& random) {
    constexpr float kOdd[] = {0,       -0.0f,    1,      -1,       1e-45f,
                              -1e-38f, 3.4e+38f, 1e-05f, INFINITY, -INFINITY};
    if (below(random, 3) == 0) return kOdd[below(random, std::size(kOdd))];
    if (below(random, 20) == 0) return std::nanf("");
    const auto bits = static_cast<std::uint32_t>(random());
    float number = 0;
    static_assert(sizeof number == sizeof bits);
    std::memcpy(&number, &bits, sizeof bits);
    return std::isnan(number) ? 0 : number;
}

/// All ASCII characters, and the Unicode characters that are hard for programs.
std::vector<std::string> odd_characters() {
    std::vector<std::string> characters;
    for (char c = 0; c < 127; ++c) characters.emplace_back(1, c);
    for (const char32_t c :
         {0x7F,   0x80,   0x85,   0x9B,   0xA0,   0xAD,    0x301,   0x61C,   0x200B,
          0x200D, 0x200E, 0x2028, 0x2029, 0x202E, 0x2066,  0x5D0,   0x4E2D,  0xFDD0,
          0xFEFF, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F642, 0x1FFFE, 0xE0001, 0x10FFFF})
        characters.push_back(encode_code_point(c));
    return characters;
}

std::string any_label(Random& random) {
    static const std::vector<std::string> characters = odd_characters();
    std::string label;
    for (std::size_t n = below(random, 6); n > 0; --n)
        label += characters[below(random, characters.size())];
    return label;
}

Trace trace_of(const Matrix& values, const std::vector<std::string>& labels) {
    Plan plan;
    plan.lists[0].names = std::make_shared<const std::vector<std::string>>(labels);
    plan.add({.path = "A",
              .symbol = "A",
              .equation = "A",
              .rows = {AxisKind::Query, values.rows()},
              .columns = {AxisKind::Key, values.cols()}});
    return trace_with(std::move(plan), {values});
}

Trace any_trace(Random& random) {
    Matrix values(static_cast<Index>(1 + below(random, 4)),
                  static_cast<Index>(1 + below(random, 4)));
    for (Index i = 0; i < values.size(); ++i) values.data()[i] = any_number(random);
    std::vector<std::string> labels;
    for (int i = 0; i < 4; ++i) labels.push_back(any_label(random));
    return trace_of(values, labels);
}

Matrix read_back(const Exporter& exporter, const std::string& bytes) {
    const std::string extension = exporter.extension;
    if (extension == ".csv" || extension == ".tsv") return read_csv(bytes, "input").values;
    if (extension == ".npy") return read_npy(bytes, "input");
    return archive_format_for("a" + extension).read(bytes, "input").at(0).second;
}

/// The cells of a text, split as spreadsheets do with this separator.         [RFC 4180]
std::vector<std::vector<std::string>> cells_of(const std::string& text, char separator) {
    std::vector<std::vector<std::string>> lines(1, {""});
    bool is_quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::string& cell = lines.back().back();
        const char c = text[at];
        if (is_quoted && c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
            cell += text[++at];
        } else if (c == '"' && (is_quoted || cell.empty())) {
            is_quoted = !is_quoted;
        } else if (!is_quoted && c == separator) {
            lines.back().emplace_back();
        } else if (!is_quoted && c == '\n') {
            lines.push_back({""});
        } else if (is_quoted || c != '\r') {
            cell += c;
        }
    }
    lines.pop_back();
    return lines;
}

/// True for a Char of XML 1.0.
bool is_xml_character(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xD800) ||
           (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
}

}  // namespace

TEST_CASE("exports: every number format reads back any numbers with any labels") {
    Random random(1);
    const Figure none;
    for (int round = 0; round < 400; ++round) {
        const Trace trace = any_trace(random);
        const Tensor& tensor = trace.at("A");
        for (const Exporter& exporter : exporters()) {
            const std::string extension = exporter.extension;
            if (exporter.kind == ExportKind::Picture || extension == ".tex" || extension == ".md")
                continue;  // rounded numbers, or no numbers at all
            CAPTURE(extension);
            CAPTURE(round);
            const std::string bytes = export_bytes(exporter, {trace, {&tensor}, none});
            REQUIRE(same_values(read_back(exporter, bytes), *tensor.value));
        }
    }
}

TEST_CASE("csv: a file that a spreadsheet saved with semicolons is read") {
    Matrix wanted(2, 2);
    wanted << 0.5f, kMasked, 2, -1.25f;
    const Trace trace = trace_of(wanted, {"a, b", "c"});
    CHECK(same_values(read_csv(write_tsv(trace, trace.at("A")), "input").values, wanted));
    CHECK(same_values(
        read_csv("query \\ key;\"a, b\";c\r\n\"a, b\";0,5;-inf\r\nc;2;-1,25\r\n", "input").values,
        wanted));
    CHECK(same_values(
        read_csv("\"query \\ key\"\t\"a, b\"\t\"c\"\n\"a, b\"\t0.5\t-inf\nc\t2\t-1.25\n", "input")
            .values,
        wanted));
}

TEST_CASE("csv: whatever a label contains, cells stay cells and no formula appears") {
    for (const std::string& first : odd_characters())
        for (const std::string& second : {std::string("=1"), std::string("a"), first}) {
            const std::string label = first + second;
            CAPTURE(label);
            const Trace trace = trace_of(Matrix::Ones(2, 2), {label, "b"});
            const std::string csv = write_csv(trace, trace.at("A"));
            const auto lines = cells_of(csv, ',');
            REQUIRE(lines.size() == 3);
            for (const auto& line : lines) REQUIRE(line.size() == 3);
            for (const char separator : {',', ';', '\t'})
                for (const auto& line : cells_of(csv, separator))
                    for (const std::string& cell : line)
                        REQUIRE(std::string("=+-@").find(cell.empty() ? '.' : cell[0]) ==
                                std::string::npos);
            const auto tabs = cells_of(write_tsv(trace, trace.at("A")), '\t');
            REQUIRE(tabs.size() == 3);
            for (const auto& line : tabs) REQUIRE(line.size() == 3);
        }
}

TEST_CASE("svg: every character is legal in XML, whatever a label contains") {
    for (const std::string& character : odd_characters()) {
        Figure figure{100, 20, {}};
        figure.add(TextMark{{5, 15}, "a" + character + "b", 12, {0, 0, 0}});
        const std::string svg = write_svg(figure, {});
        CAPTURE(character);
        for (std::size_t at = 0; at < svg.size();) {
            const CodePoint c = decode_code_point(svg, at);
            REQUIRE(c.is_valid);
            REQUIRE(is_xml_character(c.value));
            at += c.size_bytes;
        }
    }
}

TEST_CASE("labelled tables: no label is lost at a line break or printed as another character") {
    const auto first_row = [](const std::string& label) {
        const Trace trace = trace_of(Matrix::Ones(1, 1), {label});
        const std::string table = write_latex_table(trace, trace.at("A"));
        const std::size_t begin = table.find("\\hline\n", table.find(" \\\\\n")) + 7;
        return table.substr(begin, table.find(" & ", begin) - begin);
    };
    CHECK(first_row("[SEP]") == "{[}SEP]");
    CHECK(first_row("*") == "{*}");
    CHECK(first_row("<a|b>") == "\\textless{}a\\textbar{}b\\textgreater{}");
    CHECK(first_row("\"") == "\\texttt{\\char34}");
    CHECK(first_row("a--b") == "a-{}-b");
    CHECK(first_row("?`") == "?{}`");
    for (const char* control : {"\n", "\r", "\x7F", "\u0085", "\u2028", "\uFFFE"})
        CHECK(first_row("a" + std::string(control) + "b") == "a b");
}

TEST_CASE(
    "labelled tables: a row of Markdown is one line with the right number of cells, whatever a "
    "label contains") {
    for (const std::string& character : odd_characters()) {
        const Trace trace = trace_of(Matrix::Ones(1, 1), {"a" + character});
        const std::string table = write_markdown_table(trace, trace.at("A"));
        CAPTURE(character);
        REQUIRE(std::count(table.begin(), table.end(), '\n') == 3);
        std::size_t n_bars = 0;
        for (std::size_t at = table.find("\n| ") + 1; at < table.size(); ++at) {
            if (table[at] == '\\')
                ++at;
            else
                n_bars += table[at] == '|' ? 1 : 0;
        }
        REQUIRE(n_bars == 3);
    }
}

}  // namespace headlight::labels_test
