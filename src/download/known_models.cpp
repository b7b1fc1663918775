#include "download/known_models.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <glib.h>
#include <memory>
#include <vector>

#include "core/error.h"
#include "io/files/open_file.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// True for "owner/name", of letters, digits and -, _ and .
bool is_repository(const std::string& name) {
    const std::size_t slash = name.find('/');
    const auto is_word = [](std::string_view word) {
        return !word.empty() && word.front() != '.' &&
               std::ranges::all_of(word, [](unsigned char c) {
                   return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
               });
    };
    return slash != std::string::npos && is_word(std::string_view(name).substr(0, slash)) &&
           is_word(std::string_view(name).substr(slash + 1));
}

}  // namespace

std::span<const KnownModel> known_models() {
    static const std::array<KnownModel, 10> table = {{
        {"gpt2", "GPT-2, 124 M: writes on", "openai-community/gpt2",
         "607a30d783dfa663caf39e06633721c8d4cfcd7e", 548'105'171,
         "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707", "MIT"},
        {"distilgpt2", "GPT-2, 82 M: writes on", "distilbert/distilgpt2",
         "2290a62682d06624634c1f46a6ad5be0f47f38aa", 352'824'413,
         "e1ff18884359fe8beb795a5f414feb85a6ce3d929ad019c0d958c039d2b94a1b", "Apache-2.0"},
        {"pythia-70m", "GPT-NeoX, 70 M: writes on", "EleutherAI/pythia-70m",
         "a39f36b100fe8a5377810d56c3f4789b9c53ac42", 166'029'852,
         "ebfa4e2f18696ebd83716a0d39fe2c025f2ff8483f72a83ca59c475692fc9d15", "Apache-2.0"},
        {"smollm2-135m", "LLaMA, 135 M: writes on", "HuggingFaceTB/SmolLM2-135M",
         "93efa2f097d58c2a74874c7e644dbc9b0cee75a2", 269'060'552,
         "80521b40281d6ce74e35c9282c22539e75aa0ac8578892b2a59955ef78d55da1", "Apache-2.0"},
        {"qwen2.5-0.5b", "Qwen2, 494 M: writes on", "Qwen/Qwen2.5-0.5B",
         "060db6499f32faf8b98477b0a26969ef7d8b9987", 988'097'824,
         "88c142557820ccad55bb59756bfcfcf891de9cc6202816bd346445188a0ed342", "Apache-2.0"},
        {"bert-base-uncased", "BERT, 110 M: fills in words", "google-bert/bert-base-uncased",
         "86b5e0934494bd15c9632b12f734a8a67f723594", 440'449'768,
         "68d45e234eb4a928074dfd868cead0219ab85354cc53d20e772753c6bb9169d3", "Apache-2.0"},
        {"distilbert-base-uncased", "DistilBERT, 66 M: fills in words",
         "distilbert/distilbert-base-uncased", "12040accade4e8a0f71eabdb258fecc2e7e948be",
         267'954'768, "5e3f1108e3cb34ee048634875d8482665b65ac713291a7e32396fb18f6ff0063",
         "Apache-2.0"},
        {"roberta-base", "RoBERTa, 125 M: fills in words", "FacebookAI/roberta-base",
         "e2da8e2f811d1448a5b465c236feacd80ffbac7b", 498'818'054,
         "5bde1d28afb363d0103324efeb5afc8b2b397fe5e04beabb9b1ef355255ade81", "MIT"},
        {"all-minilm-l6-v2", "BERT, 22 M: the meaning of a sentence",
         "sentence-transformers/all-MiniLM-L6-v2", "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
         90'868'376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
         "Apache-2.0"},
        {"t5-small", "T5, 60 M: from a text to another", "google-t5/t5-small",
         "df1b051c49625cf57a3d0d8d3863ed4d13564fe4", 242'043'056, "", "Apache-2.0"},
    }};
    return table;
}

KnownModel known_model(const std::string& name) {
    const auto models = known_models();
    const auto found = std::ranges::find(models, name, &KnownModel::name);
    if (found != models.end()) return *found;
    if (is_repository(name)) return {name.substr(name.find('/') + 1), "", name, "main"};
    std::vector<std::string_view> names;
    for (const KnownModel& model : models) names.push_back(model.name);
    throw Error("get",
                "{} is not a model that is known; `headlight get --list` names those, and others "
                "are called OWNER/NAME{}",
                in_quotes(name), suggestion(name, names));
}

namespace {

constexpr std::size_t kSha256Digits = 64, kSha1Digits = 40;
constexpr std::uint64_t kSumBytes = 1 << 20;

bool are_digits(std::string_view text, std::size_t count) {
    return text.size() == count && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

void add_bytes(GChecksum& sum, std::string_view bytes) {
    g_checksum_update(&sum, reinterpret_cast<const guchar*>(bytes.data()),
                      static_cast<gssize>(bytes.size()));
}

}  // namespace

bool is_sha256(std::string_view text) {
    return are_digits(text, kSha256Digits);
}

bool is_git_blob(std::string_view text) {
    return are_digits(text, kSha1Digits);
}

std::string checksum_name(std::string_view checksum) {
    return (is_sha256(checksum) ? "SHA-256 " : "Git's SHA-1 ") + std::string(checksum);
}

std::string checksum_of(const std::filesystem::path& file, std::string_view like,
                        Progress& progress) {
    const ByteSource bytes = bytes_of_file(file);
    const GChecksumType type = is_git_blob(like) ? G_CHECKSUM_SHA1 : G_CHECKSUM_SHA256;
    const std::unique_ptr<GChecksum, void (*)(GChecksum*)> sum(g_checksum_new(type),
                                                               g_checksum_free);
    if (type == G_CHECKSUM_SHA1)
        add_bytes(*sum, "blob " + std::to_string(bytes.size) + std::string(1, '\0'));
    for (std::uint64_t begin = 0; begin < bytes.size; begin += kSumBytes) {
        const std::uint64_t count = std::min(kSumBytes, bytes.size - begin);
        add_bytes(*sum, bytes.bytes(begin, count));
        progress.advance(static_cast<double>(count));
    }
    return g_checksum_get_string(sum.get());
}

}  // namespace headlight
