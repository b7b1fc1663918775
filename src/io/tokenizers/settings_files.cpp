#include "io/tokenizers/settings_files.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "io/tokenizers/component_json.h"
#include "text/printable.h"

namespace headlight {
namespace {

constexpr JsonLimits kSettingsJson{.depth = 64, .values = kMostPieces};

/// The token that a name such as "cls_token" has: a text, or an object with its content.
std::optional<AddedToken> find_named_token(const JsonView& root, std::string_view name) {
    const auto found = root.find(name);
    if (!found || is_null(*found)) return std::nullopt;
    AddedToken token;
    token.is_special = true;
    if (found->is_text()) {
        token.content = found->text();
    } else {
        token.content = found->at("content").text();
        token.is_single_word = flag_or(*found, "single_word", false);
        token.strips_left = flag_or(*found, "lstrip", false);
        token.strips_right = flag_or(*found, "rstrip", false);
    }
    if (token.content.empty()) return std::nullopt;
    return token;
}

class SettingsReader {
  public:
    explicit SettingsReader(const PieceTable& pieces) : pieces_(pieces) {}

    void read_config(const JsonView& root) {
        settings.tokenizer_class = text_or(root, "tokenizer_class", "");
        if (settings.tokenizer_class.ends_with("Fast"))
            settings.tokenizer_class.resize(settings.tokenizer_class.size() - 4);
        settings.lowers_case = flag_or(root, "do_lower_case", true);
        settings.isolates_ideographs = flag_or(root, "tokenize_chinese_chars", true);
        settings.adds_prefix_space = flag_or(root, "add_prefix_space", false);
        settings.adds_bos = flag_or(root, "add_bos_token", false);
        if (const auto strips = root.find("strip_accents"); strips && !is_null(*strips))
            settings.strips_accents = strips->flag();
        if (const auto added = root.find("added_tokens_decoder"); added && !is_null(*added))
            added->for_each_member(
                [&](const std::string& id, const JsonView& token) { add_with_id(id, token); });
    }

    void read_named_tokens(const JsonView& root) {
        for (const char* name : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token",
                                 "cls_token", "mask_token"}) {
            auto token = find_named_token(root, name);
            if (!token) continue;
            const std::string_view role = name;
            if (role == "cls_token") settings.cls = token->content;
            if (role == "sep_token") settings.sep = token->content;
            if (role == "unk_token") settings.unk = token->content;
            if (role == "bos_token") settings.bos = token->content;
            named_.push_back(std::move(*token));
        }
    }

    void read_added_ids(const JsonView& root) {
        root.for_each_member([&](const std::string& content, const JsonView& id) {
            AddedToken token;
            token.content = content;
            token.id =
                static_cast<PieceId>(id.integer(0, static_cast<std::int64_t>(kMostPieces) - 1));
            token.is_normalized = true;
            add(std::move(token), id);
        });
    }

    /// The named ones that are pieces and have not been described yet.
    void add_named() {
        for (AddedToken& token : named_) {
            const auto known =
                std::ranges::find(settings.added_tokens, token.content, &AddedToken::content);
            if (known != settings.added_tokens.end()) {
                known->is_special = true;
                continue;
            }
            const auto id = pieces_.find_id(token.content);
            if (!id) continue;
            token.id = *id;
            settings.added_tokens.push_back(std::move(token));
        }
    }

    TokenizerSettings settings;

  private:
    void add_with_id(const std::string& id_text, const JsonView& view) {
        AddedToken token;
        const char* const end = id_text.data() + id_text.size();
        const auto [rest, error] = std::from_chars(id_text.data(), end, token.id);
        if (error != std::errc() || rest != end || token.id >= kMostPieces)
            view.fail("the id must be a number below " + std::to_string(kMostPieces) + ", not " +
                      in_quotes(id_text));
        token.content = view.at("content").text();
        token.is_single_word = flag_or(view, "single_word", false);
        token.strips_left = flag_or(view, "lstrip", false);
        token.strips_right = flag_or(view, "rstrip", false);
        token.is_special = flag_or(view, "special", false);
        token.is_normalized = flag_or(view, "normalized", !token.is_special);
        add(std::move(token), view);
    }

    void add(AddedToken token, const JsonView& view) {
        const std::string name = "the token " + in_quotes(token.content);
        if (token.content.empty()) view.fail("a token has at least one character");
        check_piece_size(view, token.content);
        for (const AddedToken& other : settings.added_tokens) {
            if (other.content == token.content && other.id == token.id) return;
            if (other.content == token.content || other.id == token.id)
                view.fail(name + " has the id " + std::to_string(token.id) + ", but " +
                          in_quotes(other.content) + " has the id " + std::to_string(other.id));
        }
        const auto known = pieces_.find_id(token.content);
        const std::string* piece = pieces_.find_piece(token.id);
        if ((known && *known != token.id) || (piece && *piece != token.content))
            view.fail(name + " has the id " + std::to_string(token.id) +
                      ", which is not so in the vocabulary");
        settings.added_tokens.push_back(std::move(token));
    }

    const PieceTable& pieces_;
    std::vector<AddedToken> named_;
};

}  // namespace

TokenizerSettings read_tokenizer_settings(const TokenizerSettingsFiles& files,
                                          const PieceTable& pieces) {
    SettingsReader reader(pieces);
    const auto read = [](const std::optional<TextFile>& file, auto visit) {
        if (!file) return;
        const JsonSource json{file->source, parse_json(file->bytes, file->source, kSettingsJson)};
        JsonView(json).expect_object();
        visit(JsonView(json));
    };
    read(files.config, [&](const JsonView& root) {
        reader.read_config(root);
        reader.read_named_tokens(root);
    });
    read(files.special_tokens, [&](const JsonView& root) { reader.read_named_tokens(root); });
    read(files.added_tokens, [&](const JsonView& root) { reader.read_added_ids(root); });
    reader.add_named();
    return std::move(reader.settings);
}

}  // namespace headlight
