#include "io/token_list.h"

#include <sstream>

#include "core/error.h"
#include "io/file.h"
#include "io/json_view.h"
#include "io/recognise.h"
#include "text/utf8.h"

namespace headlight {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> words_of(const std::string& text) {
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
    const std::string bytes = read_dense_file(file), name = path_text(file);
    const std::size_t first = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (first == std::string::npos) throw Error(name, "holds no token");
    if (bytes[first] == '[' || bytes[first] == '{') return parse_tokens(bytes, name);
    if (const std::string other = recognised_as(bytes); !other.empty())
        throw Error(name, "is no list of tokens" + other);
    if (const auto offset = find_invalid_utf8(bytes))
        throw Error(name, "byte " + std::to_string(*offset) + " is not UTF-8");
    std::vector<std::string> lines = lines_of(bytes);
    return lines.size() == n_wanted ? lines : words_of(bytes);
}

}  // namespace headlight
