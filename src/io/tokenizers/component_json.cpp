#include "io/tokenizers/component_json.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "text/strings.h"
#include "text/subwords/byte_letters.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// "3, 7 and 12 more".
std::string shortened_list(const std::vector<std::size_t>& numbers) {
    constexpr std::size_t kMost = 5;
    return joined_few(numbers, kMost);
}

void note_gaps(const std::vector<std::optional<std::string>>& pieces,
               std::vector<std::string>& notes) {
    std::vector<std::size_t> gaps;
    for (std::size_t id = 0; id < pieces.size(); ++id)
        if (!pieces[id]) gaps.push_back(id);
    if (!gaps.empty())
        notes.push_back("the vocabulary has no piece with id " + shortened_list(gaps));
}

}  // namespace

bool is_null(const JsonView& view) {
    return std::holds_alternative<std::monostate>(view.value().value);
}

bool flag_or(const JsonView& view, std::string_view key, bool otherwise) {
    const auto found = view.find(key);
    return found && !is_null(*found) ? found->flag() : otherwise;
}

std::string text_or(const JsonView& view, std::string_view key, const std::string& otherwise) {
    const auto found = view.find(key);
    return found && !is_null(*found) ? found->text() : otherwise;
}

char32_t read_character(const JsonView& view) {
    const std::u32string characters = code_points_in(view.text());
    if (characters.size() != 1) view.fail("must be one character, not {}", in_quotes(view.text()));
    return characters.front();
}

std::string read_replacement(const JsonView& view) {
    if (view.text().size() > kMostReplacementBytes)
        view.fail("has {} bytes; at most {} are put in", view.text().size(), kMostReplacementBytes);
    return view.text();
}

TextPattern read_text_pattern(const JsonView& view) {
    view.expect_keys({"String", "Regex"});
    if (view.find("String") && view.find("Regex")) view.fail("must be String or Regex, not both");
    if (const auto regex = view.find("Regex")) {
        if (const auto known = TextPattern::find_regex(regex->text())) return *known;
        regex->fail("this regular expression is not known, and none is run: {}",
                    in_quotes(regex->text()));
    }
    const JsonView literal = view.at("String");
    if (literal.text().empty()) literal.fail("must not be empty");
    return TextPattern::literal(literal.text());
}

void refuse_component(const JsonView& view, std::string_view what,
                      std::initializer_list<std::string_view> known) {
    const JsonView type = view.at("type");
    const std::span<const std::string_view> names(known.begin(), known.size());
    type.fail("the {} {} is not known; known are {}", what, in_quotes(type.text()),
              list_in_quotes(names));
}

void check_piece_size(const JsonView& view, const std::string& piece) {
    if (piece.size() <= kMostPieceBytes) return;
    view.fail("a piece has at most {} bytes, this one {}", kMostPieceBytes, piece.size());
}

PieceTable read_piece_ids(const JsonView& view, std::vector<std::string>& notes) {
    view.expect_object();
    // A small file must not take much memory.
    const std::size_t n = view.value().object()->size();
    const std::size_t n_ids = std::min(kMostPieces, 4 * n + (std::size_t{1} << 16));
    std::vector<std::optional<std::string>> pieces;
    view.for_each_member([&](const std::string& piece, const JsonView& value) {
        const auto id =
            static_cast<std::size_t>(value.integer(0, static_cast<std::int64_t>(kMostPieces) - 1));
        check_piece_size(value, piece);
        if (id >= n_ids) value.fail("the id {} is too large for a vocabulary of {} pieces", id, n);
        if (id >= pieces.size()) pieces.resize(id + 1);
        if (pieces[id]) value.fail("the id {} is that of {}, too", id, in_quotes(*pieces[id]));
        pieces[id] = piece;
    });
    if (pieces.empty()) view.fail("the vocabulary is empty");
    note_gaps(pieces, notes);
    return PieceTable(std::move(pieces));
}

void check_byte_letters(const PieceTable& pieces, const std::string& source) {
    for (std::size_t byte = 0; byte < byte_letters().size(); ++byte) {
        const std::string letter = encode_code_point(byte_letters()[byte]);
        if (pieces.find_id(letter)) continue;
        throw Error(source,
                    "the vocabulary has no piece {}, which stands for the byte {}; without it not "
                    "every text has tokens",
                    in_quotes(letter), byte);
    }
}

}  // namespace headlight
