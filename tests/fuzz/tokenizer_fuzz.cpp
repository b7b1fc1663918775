// Fuzz target: tokenizer.json, and what it makes of a text that has some of everything.
#include "fuzz/fuzz_target.h"
#include "io/tokenizers/read_tokenizer.h"
#include "text/utf8.h"

using namespace headlight;

namespace {

void expect_sound_tokens(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<PieceId> ids;
    for (const Token& token : tokenizer.encode_pair(text, "a b")) {
        const std::size_t size = token.origin == TokenOrigin::SecondText ? 3 : text.size();
        fuzz::expect(token.begin <= size && token.end <= size);
        fuzz::expect(!find_invalid_utf8(tokenizer.shown_piece(token.id)));
        ids.push_back(token.id);
    }
    fuzz::expect(!find_invalid_utf8(tokenizer.decode(ids)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(fuzz::bytes_of(data, size));
    fuzz::expect_only_errors([&] {
        const auto tokenizer = read_tokenizer_json(bytes, "input");
        expect_sound_tokens(*tokenizer, " Ab a\u0301b, 中12 \n\n\u00a0[CLS]a A b?");
        expect_sound_tokens(*tokenizer, repair_utf8(bytes.substr(0, 500)));
        static_cast<void>(tokenizer->encode(""));
    });
    return 0;
}
