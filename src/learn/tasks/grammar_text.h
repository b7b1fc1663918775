// Grammar text: the notation in which the grammars of sentences and of stories are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// "pair go: animate place" is {pair, go} and " animate place".
struct GrammarLine {
    std::vector<std::string> head;
    std::string_view rest;
};
/// Returns the lines without comments, and without lines that have no colon.
std::vector<GrammarLine> grammar_lines(std::string_view text);

std::vector<std::string> words_between_blanks(std::string_view text);

/// Returns the entries between bars, each as often as it weighs: "2*too | really" is "too", "too"
/// and "really".
std::vector<std::vector<std::string>> weighted_entries(std::string_view text);

/// "a" before a word that begins with a vowel becomes "an".
void set_articles(std::vector<std::string>& words);

}  // namespace headlight
