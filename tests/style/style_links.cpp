#include "style/style_links.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "style/style_scan.h"

namespace headlight::style {
namespace {

/// The lines of a page, those of examples emptied, so that every line keeps its number.
std::vector<std::string> lines_of_text(const std::string& page) {
    std::vector<std::string> lines = split_lines(page);
    bool is_example = false;
    for (std::string& line : lines) {
        const bool is_fence = line.find("```") != std::string::npos;
        if (is_fence) is_example = !is_example;
        if (is_fence || is_example) line.clear();
    }
    return lines;
}

/// Letters and digits stay, blanks become hyphens, and punctuation goes. Of letters that are not
/// ASCII the case stays.
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (std::size_t at = 0; at < heading.size(); ++at) {
        const auto byte = static_cast<unsigned char>(heading[at]);
        const bool is_quote = heading.compare(at, 2, "\xE2\x80") == 0;  // or a dash
        if (is_quote) at += 2;
        if (!is_quote && (byte >= 0x80 || std::isalnum(byte) || byte == '-' || byte == '_'))
            anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
        if (byte == ' ') anchor += '-';
    }
    return anchor;
}

/// The path that a link in `page` leads to, from the root of the repository.
std::string target_of(const std::string& page, const std::string& link) {
    if (link.empty()) return page;
    const auto folder = std::filesystem::path(page).parent_path();
    return (folder / link).lexically_normal().generic_string();
}

bool has_anchor(const std::string& page, const std::string& anchor) {
    const std::vector<std::string> anchors = anchors_of(page);
    return anchor.empty() || std::ranges::find(anchors, anchor) != anchors.end();
}

struct Link {
    int line = 0;
    std::string path, anchor;  // either may be empty
};

/// Those within the repository.
std::vector<Link> links_in(const std::string& page) {
    static const std::regex link(R"(\]\(([^)\s#]*)(?:#([^)\s]*))?\))"), code("`[^`]*`");
    std::vector<Link> links;
    int number = 0;
    for (const std::string& text : lines_of_text(page)) {
        ++number;
        const std::string line = std::regex_replace(text, code, "");
        for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at)
            if (const std::string path = (*at)[1]; path.find("://") == std::string::npos)
                links.push_back({number, path, (*at)[2]});
    }
    return links;
}

}  // namespace

std::vector<std::string> anchors_of(const std::string& page) {
    static const std::regex heading("^#+ +(.*)$");
    std::map<std::string, int> uses;
    std::vector<std::string> anchors;
    std::smatch match;
    for (const std::string& line : lines_of_text(page)) {
        if (!std::regex_match(line, match, heading)) continue;
        const std::string anchor = anchor_of(match[1]);
        const int n_before = uses[anchor]++;
        anchors.push_back(n_before == 0 ? anchor : anchor + "-" + std::to_string(n_before));
    }
    return anchors;
}

std::vector<Finding> check_links(const std::map<std::string, std::string>& pages,
                                 const std::function<bool(const std::string&)>& exists) {
    std::vector<Finding> findings;
    for (const auto& [page, text] : pages)
        for (const Link& link : links_in(text)) {
            const std::string target = target_of(page, link.path);
            const auto other = pages.find(target);
            if (!exists(target))
                findings.push_back({page, link.line, "there is no " + target});
            else if (other != pages.end() && !has_anchor(other->second, link.anchor))
                findings.push_back({page, link.line, target + " has no #" + link.anchor});
        }
    return findings;
}

}  // namespace headlight::style
