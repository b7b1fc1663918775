// headlight tokens: the tokens that a trained model's tokenizer makes of a text.
#include <algorithm>
#include <vector>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "io/models/model_config.h"
#include "io/models/open_model.h"
#include "io/text/json_text.h"
#include "io/tokenizers/read_tokenizer.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Returns the text without bytes that are no UTF-8; a note says if there were any.
std::string repaired(const std::string& text, const char* name, const Streams& streams) {
    if (!find_invalid_utf8(text)) return text;
    write_note(streams, std::string(name) + ": bytes that are not UTF-8 are read as �");
    return repair_utf8(text);
}

void write_token_lines(const Tokenizer& tokenizer, const std::vector<Token>& tokens,
                       std::ostream& out) {
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        out << k << '\t' << token.id << '\t' << printable(tokenizer.piece_at(token.id)) << '\t'
            << printable(tokenizer.shown_piece(token.id)) << '\t';
        if (token.origin == TokenOrigin::Template)
            out << '-';
        else
            out << token.begin << ".." << token.end;
        out << '\n';
    }
}

/// Numbers the texts as the study does: the next text also begins after a separator that was typed.
std::vector<int> token_types(const std::filesystem::path& folder, const Tokenizer& tokenizer,
                             const std::vector<Token>& tokens) {
    constexpr int kUsual = 2;  // of BERT
    const int n_types =
        is_model_folder(folder) ? ModelConfig(folder).count("type_vocab_size", kUsual) : kUsual;
    std::vector<int> types;
    int type = 0;
    for (const Token& token : tokens) {
        types.push_back(type);
        if (tokenizer.piece_at(token.id) == kPartSeparator)
            type = std::min(type + 1, std::max(0, n_types - 1));
    }
    return types;
}

void write_tokens_json(const Tokenizer& tokenizer, const std::vector<Token>& tokens,
                       const std::vector<int>& types, std::ostream& out) {
    out << '[';
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        out << (k > 0 ? ",\n " : "\n ") << "{\"id\": " << token.id
            << ", \"piece\": " << json_string(tokenizer.piece_at(token.id))
            << ", \"shown\": " << json_string(tokenizer.shown_piece(token.id));
        if (token.origin != TokenOrigin::Template)
            out << ", \"text\": " << (token.origin == TokenOrigin::FirstText ? 1 : 2)
                << ", \"begin\": " << token.begin << ", \"end\": " << token.end;
        out << ", \"type\": " << types[k]
            << ", \"special\": " << (tokenizer.is_special(token.id) ? "true" : "false") << '}';
    }
    out << (tokens.empty() ? "]\n" : "\n]\n");
}

}  // namespace

void list_tokens(const ListTokens& options, const Streams& streams) {
    const auto tokenizer = read_tokenizer(options.folder);
    for (const std::string& note : tokenizer->notes()) write_note(streams, note);
    EncodeOptions encoding;
    if (options.omits_specials) encoding.specials = SpecialTokens::Omit;
    const std::string text = repaired(options.text, "TEXT", streams);
    const std::vector<Token> tokens =
        options.second
            ? tokenizer->encode_pair(text, repaired(*options.second, "SECOND", streams), encoding)
            : tokenizer->encode(text, encoding);
    if (options.json)
        write_tokens_json(*tokenizer, tokens, token_types(options.folder, *tokenizer, tokens),
                          streams.out);
    else
        write_token_lines(*tokenizer, tokens, streams.out);
}

void add_tokens_options(Options command, ListTokens& tokens) {
    command.argument(
        "FOLDER", tokens.folder,
        "A model's folder, with tokenizer.json, vocab.txt, or vocab.json and merges.txt");
    command.argument("TEXT", tokens.text, "What is split into tokens");
    command.optional_argument("SECOND", tokens.second, "Another text, for models that read two");
    command.flag("--no-specials", tokens.omits_specials,
                 "Without the tokens that the model puts around a text, such as [CLS]");
    command.flag("--json", tokens.json, "For programs");
    command.example("  headlight tokens models/gpt2 \"The cat was tired\"");
}

}  // namespace headlight
