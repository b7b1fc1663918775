// A whole tokenizer.json.
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "io/tokenizers/component_json.h"
#include "io/tokenizers/read_tokenizer.h"
#include "text/printable.h"

namespace headlight {
namespace {

constexpr JsonLimits kTokenizerJson{.depth = 64, .values = 8 * kMostPieces};

template <typename Step, typename Steps>
bool has_step(const Steps& steps) {
    return std::ranges::any_of(steps,
                               [](const auto& step) { return std::holds_alternative<Step>(step); });
}

/// A text that is not in the vocabulary must not vanish.
void check_covers_any_text(const JsonView& model, const TokenizerParts& parts,
                           const std::string& source) {
    if (!std::holds_alternative<BytePairs>(parts.model)) return;
    const PieceTable& pieces = std::get<BytePairs>(parts.model).pieces();
    const auto unknown = model.find("unk_token");
    if (unknown && !is_null(*unknown)) return;
    if (has_step<ByteLevelSplit>(parts.pre_tokenizers) ||
        has_step<ByteLettering>(parts.normalizers))
        return check_byte_letters(pieces, source + ": model.vocab");
    const BytePieces bytes = find_byte_pieces(pieces);
    const bool has_all = flag_or(model, "byte_fallback", false) &&
                         std::ranges::all_of(bytes, [](const auto& id) { return id.has_value(); });
    if (!has_all)
        model.fail(
            "there is no 'unk_token', and no piece for every byte: what is not in the "
            "vocabulary would vanish");
}

template <typename Read>
auto read_component(const JsonView& root, std::string_view key, Read read) {
    const auto found = root.find(key);
    return found ? read(*found) : decltype(read(root))();
}

}  // namespace

std::shared_ptr<const Tokenizer> read_tokenizer_json(std::string_view bytes,
                                                     const std::string& source) {
    const JsonSource json{source, parse_json(bytes, source, kTokenizerJson)};
    const JsonView root(json);
    root.expect_keys({"version", "truncation", "padding", "added_tokens", "normalizer",
                      "pre_tokenizer", "post_processor", "decoder", "model"});
    if (const auto version = root.find("version"); version && version->text() != "1.0")
        version->fail("only version 1.0 is known, not " + in_quotes(version->text()));
    std::vector<std::string> notes;
    const JsonView model = root.at("model");
    TokenizerParts parts{.source = source, .model = read_piece_model(model, notes)};
    const PieceTable& pieces =
        std::visit([](const auto& any) -> const PieceTable& { return any.pieces(); }, parts.model);
    if (const auto added = root.find("added_tokens"); added && !is_null(*added))
        parts.added_tokens = read_added_tokens(*added, pieces);
    parts.normalizers = read_component(root, "normalizer", read_normalizers);
    parts.pre_tokenizers = read_component(root, "pre_tokenizer", read_pre_tokenizers);
    parts.post_processors = read_component(root, "post_processor", read_post_processors);
    if (const auto decoder = root.find("decoder"); decoder && !is_null(*decoder))
        parts.decoders = read_decoders(*decoder);
    check_covers_any_text(model, parts, source);
    parts.notes = std::move(notes);
    return std::make_shared<Tokenizer>(std::move(parts));
}

}  // namespace headlight
