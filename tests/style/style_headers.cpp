#include "style/style_headers.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "style/standard_names.h"
#include "style/style_scan.h"

namespace headlight::style {
namespace {

using Texts = std::map<std::string, std::string>;
using Words = std::set<std::string>;

/// The text between `open` and `close` in an #include line; empty in any other line.
std::string included(const std::string& line, char open, char close) {
    if (line.rfind("#include", 0) != 0) return {};
    const std::size_t begin = line.find(open), end = line.find(close, begin + 1);
    return begin == std::string::npos ? "" : line.substr(begin + 1, end - begin - 1);
}

bool continues_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The file of the project that an include in `from` names, or texts.end().
Texts::const_iterator find_file(const Texts& texts, const std::string& from,
                                const std::string& path) {
    const std::string beside = std::filesystem::path(from).parent_path().generic_string();
    for (const std::string& folder : {beside, std::string("src"), std::string("tests")}) {
        const std::filesystem::path whole = std::filesystem::path(folder) / path;
        const auto found = texts.find(whole.lexically_normal().generic_string());
        if (found != texts.end()) return found;
    }
    return texts.end();
}

class HeaderCheck {
  public:
    explicit HeaderCheck(const Texts& texts) : texts_(texts) {}

    std::vector<Finding> run() {
        for (const auto& [file, text] : texts_) check(file, text);
        return std::move(findings_);
    }

  private:
    /// The headers of the standard library that the file includes directly or indirectly.
    const Words& reached_from(const std::string& file, const std::string& text) {
        const auto [place, is_new] = reached_.try_emplace(file);
        if (!is_new) return place->second;
        Words headers;
        for (const std::string& line : split_lines(without_comments(text))) {
            const std::string header = included(line, '<', '>');
            if (!header.empty()) headers.insert(header);
            const std::string path = included(line, '"', '"');
            const auto next = path.empty() ? texts_.end() : find_file(texts_, file, path);
            if (next != texts_.end()) headers.merge(Words(reached_from(next->first, next->second)));
        }
        return reached_[file] = std::move(headers);
    }

    void check(const std::string& file, const std::string& text) {
        const Words& reached = reached_from(file, text);
        const std::string code = code_only(text);
        Words lacking;
        for (std::size_t at = code.find("std::"); at != std::string::npos;) {
            const std::size_t begin = at + 5;
            std::size_t end = begin;
            while (end < code.size() && continues_word(code[end])) ++end;
            const std::string name = code.substr(begin, end - begin);
            const std::string what = reason_against(name, reached);
            if (!what.empty() && lacking.insert(what.substr(what.find(' '))).second) {
                const auto line = std::count(code.begin(), code.begin() + std::ptrdiff_t(at), '\n');
                findings_.push_back({file, static_cast<int>(line) + 1, what});
            }
            at = code.find("std::", end);
        }
    }

    static std::string reason_against(const std::string& name, const Words& reached) {
        const std::vector<std::string>* headers = find_headers(name);
        if (!headers) return "std::" + name + " is in no row of tests/style/standard_names.cpp";
        const auto is_reached = [&](const std::string& header) { return reached.contains(header); };
        if (headers->empty() || std::any_of(headers->begin(), headers->end(), is_reached))
            return {};
        return "std::" + name + " needs <" + headers->front() + ">";
    }

    const Texts& texts_;
    std::map<std::string, Words> reached_;
    std::vector<Finding> findings_;
};

/// "src/a/b.cpp" for "src/a/b.h".
std::string own_source(const std::string& header) {
    return std::filesystem::path(header).replace_extension(".cpp").generic_string();
}

/// 0 if there is no such file.
int count_lines(const Texts& texts, const std::string& file) {
    const auto found = texts.find(file);
    return found == texts.end() ? 0 : static_cast<int>(split_lines(found->second).size());
}

}  // namespace

std::vector<Finding> check_standard_headers(const Texts& texts) {
    return HeaderCheck(texts).run();
}

std::vector<Finding> check_single_includers(const Texts& texts) {
    std::map<std::string, Words> includers;
    for (const auto& [file, text] : texts)
        for (const std::string& line : split_lines(without_comments(text))) {
            const std::string path = included(line, '"', '"');
            const auto header = path.empty() ? texts.end() : find_file(texts, file, path);
            if (header != texts.end() && header->first != file && own_source(header->first) != file)
                includers[header->first].insert(file);
        }
    std::vector<Finding> findings;
    for (const auto& [header, users] : includers) {
        const std::string user = *users.begin();
        if (users.size() > 1 || !user.ends_with(".cpp") || !header.starts_with("src/")) continue;
        const int lines = count_lines(texts, header) + count_lines(texts, own_source(header)) +
                          count_lines(texts, user);
        if (lines <= kLongestSource)
            findings.push_back({header, 1, "only " + user + " includes it, and has room for it"});
    }
    return findings;
}

}  // namespace headlight::style
