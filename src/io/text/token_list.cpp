#include "io/text/token_list.h"

#include <sstream>

#include "core/error.h"
#include "io/files/file.h"
#include "io/recognise.h"
#include "io/text/json_view.h"

namespace headlight {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> split_at_blanks(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

}  // namespace

std::vector<std::string> parse_tokens(const std::string& json, const std::string& source) {
    const JsonSource tree{source, parse_json(json, source)};
    const JsonView root(tree);
    const JsonView list = root.is_object() ? root.at("tokens") : root;
    std::vector<std::string> tokens;
    list.for_each_element([&](const JsonView& token) { tokens.push_back(token.text()); });
    return tokens;
}

std::vector<std::string> read_token_file(const std::filesystem::path& file, std::size_t n_wanted) {
    return read_tokens(read_dense_file(file), path_text(file), n_wanted);
}

std::vector<std::string> read_tokens(const std::string& bytes, const std::string& source,
                                     std::size_t n_wanted) {
    const std::size_t first = bytes.find_first_not_of(std::string(kByteOrderMark) + " \t\r\n");
    if (first == std::string::npos) throw Error(source, "holds no token");
    if (bytes[first] == '[' || bytes[first] == '{') return parse_tokens(bytes, source);
    if (const std::string other = recognised_as(bytes); !other.empty())
        throw Error(source, "is no list of tokens{}", other);
    check_text(bytes, source);
    const std::string text = bytes.substr(bytes.starts_with(kByteOrderMark) ? 3 : 0);
    std::vector<std::string> lines = split_lines(text);
    return lines.size() == n_wanted ? lines : split_at_blanks(text);
}

}  // namespace headlight
