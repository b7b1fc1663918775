#include "learn/tasks/grammar_text.h"

#include <algorithm>

namespace headlight {

std::vector<GrammarLine> grammar_lines(std::string_view text) {
    std::vector<GrammarLine> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t colon = line.find(':');
        if (line.starts_with('#') || colon == std::string_view::npos) continue;
        lines.push_back({words_between_blanks(line.substr(0, colon)), line.substr(colon + 1)});
    }
    return lines;
}

std::vector<std::string> words_between_blanks(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) words.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

std::vector<std::vector<std::string>> weighted_entries(std::string_view text) {
    std::vector<std::vector<std::string>> entries;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('|', begin), text.size());
        std::vector<std::string> words = words_between_blanks(text.substr(begin, end - begin));
        int times = 1;
        if (!words.empty())
            if (const std::size_t star = words[0].find('*'); star != std::string::npos) {
                times = std::stoi(words[0].substr(0, star));
                words[0].erase(0, star + 1);
                if (words[0].empty()) words.erase(words.begin());
            }
        for (int k = 0; k < times; ++k) entries.push_back(words);
        begin = end + 1;
    }
    return entries;
}

void set_articles(std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == "a" &&
            std::string_view("aeiou").find(words[i + 1][0]) != std::string_view::npos)
            words[i] = "an";
}

}  // namespace headlight
