#include "headlight_run.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <iomanip>
#include <sstream>

#include "cli/command_line.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "model/evaluate.h"

namespace headlight {
namespace {

std::uint32_t big_endian_at(const std::string& bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return number;
}

}  // namespace

Ran headlight_run(std::vector<std::string> args) {
    std::ostringstream out, err;
    Ran ran;
    ran.code = run_command_line(std::move(args), out, err);
    ran.out = out.str();
    ran.err = err.str();
    return ran;
}

std::vector<std::string> command_in(const std::string& caption) {
    const std::string before = " by\n";
    std::size_t begin = caption.find(before + "headlight ");
    REQUIRE(begin != std::string::npos);
    begin += before.size();
    std::istringstream line(caption.substr(begin, caption.find('\n', begin) - begin));
    std::vector<std::string> words;
    for (std::string word; line >> std::quoted(word, '\'');) words.push_back(word);
    words.erase(words.begin());
    return words;
}

PngSize png_size(const std::string& bytes) {
    REQUIRE(bytes.starts_with("\x89PNG\r\n"));
    return {big_endian_at(bytes, 16), big_endian_at(bytes, 20)};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::vector<std::string> cells_of(const std::string& line, char between) {
    std::vector<std::string> cells(1);
    for (const char c : line)
        if (c == between)
            cells.emplace_back();
        else
            cells.back() += c;
    return cells;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string small_sentence(const TemporaryFolder& folder) {
    const std::string study = folder.file("small sentence.headlight");
    const Ran ran = headlight_run({"new", "sentence", kSentence, "--heads", "2", "--d-model", "6",
                                   "--d-k", "3", "--d-v", "4", "--causal", "on", "-o", study});
    REQUIRE(ran.err == "");
    return study;
}

std::string small_graph(const TemporaryFolder& folder) {
    const std::string edges = folder.with("four friends.edges", "Ada Ben\nBen Cleo\nCleo Dan\n");
    const std::string study = folder.file("small graph.headlight");
    const Ran ran = headlight_run(
        {"new", "graph", edges, "--heads", "2", "--d-in", "3", "--d-out", "2", "-o", study});
    REQUIRE(ran.err == "");
    return study;
}

Document document_of(const std::string& study) {
    return open_document(study).document;
}

Trace trace_of(const std::string& study) {
    return evaluate(document_of(study), nullptr, {.everything = true, .globs = {}});
}

}  // namespace headlight
