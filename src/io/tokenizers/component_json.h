// The components of a tokenizer.json: each is read from its JSON, or refused by its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/json_view.h"
#include "text/subwords/tokenizer.h"

namespace headlight {

/// Reads normalizers. Sequences are taken apart into their steps. Throws Error, naming the place.
std::vector<TextNormalizer> read_normalizers(const JsonView& view);
std::vector<PreTokenizer> read_pre_tokenizers(const JsonView& view);
std::vector<PostProcessor> read_post_processors(const JsonView& view);
std::vector<PieceDecoder> read_decoders(const JsonView& view);

/// Reads the model; oddities that can be read go to the notes. Throws Error, naming the place.
PieceModel read_piece_model(const JsonView& view, std::vector<std::string>& notes);
std::vector<AddedToken> read_added_tokens(const JsonView& view, const PieceTable& pieces);

// ---- shared by these ----

bool is_null(const JsonView& view);
bool flag_or(const JsonView& view, std::string_view key, bool otherwise);
std::string text_or(const JsonView& view, std::string_view key, const std::string& otherwise);
/// Returns the one character that a text consists of.
char32_t read_character(const JsonView& view);
/// Reads {"String": …} or {"Regex": …}; an unknown regular expression is refused.
TextPattern read_text_pattern(const JsonView& view);
/// Reads a text that a step puts in: at most kMostReplacementBytes.
std::string read_replacement(const JsonView& view);
/// Visits the component's steps in turn if it is a Sequence with this member, else itself.
template <typename Visit>
void for_each_step(const JsonView& view, std::string_view member, Visit visit) {
    if (is_null(view)) return;
    if (view.at("type").text() != "Sequence") return visit(view);
    view.expect_keys({"type", member});
    view.at(member).for_each_element(
        [&](const JsonView& step) { for_each_step(step, member, visit); });
}
/// Refuses a component: "the normalizer 'X' is not known; known are …".
[[noreturn]] void refuse_component(const JsonView& view, std::string_view what,
                                   std::initializer_list<std::string_view> known);

/// Throws Error if the piece is longer than kMostPieceBytes.
void check_piece_size(const JsonView& view, const std::string& piece);
/// Reads {"piece": id, …} as pieces by id; gaps are noted.
PieceTable read_piece_ids(const JsonView& view, std::vector<std::string>& notes);
/// Throws Error, in the name of `source`, unless every byte has its letter among the pieces.
void check_byte_letters(const PieceTable& pieces, const std::string& source);

}  // namespace headlight
