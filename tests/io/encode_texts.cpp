// Tokens of many texts, for comparisons with other tokenizers.
//
//     encode_texts FOLDER < TEXTS > TOKENS
// TEXTS: each 4 bytes of length, the lowest first, and UTF-8. TOKENS: a line for each text, with
// "id:begin:end:type" for each token, blanks between them, then a tab and the text decoded from the
// ids, as hexadecimal digits. Time on the error stream.
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>

#include "io/tokenizers/read_tokenizer.h"

using namespace headlight;

namespace {

double secs_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string hexadecimal(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (const char byte : bytes) {
        digits += kDigits[static_cast<unsigned char>(byte) >> 4];
        digits += kDigits[static_cast<unsigned char>(byte) & 15];
    }
    return digits;
}

void write_tokens(const Tokenizer& tokenizer, const std::vector<Token>& tokens) {
    std::string line;
    std::vector<PieceId> ids;
    for (const Token& token : tokens) {
        ids.push_back(token.id);
        line += (line.empty() ? "" : " ") + std::to_string(token.id) + ":" +
                std::to_string(token.begin) + ":" + std::to_string(token.end) + ":" +
                std::to_string(token.type);
    }
    line += "\t" + hexadecimal(tokenizer.decode(ids)) + "\n";
    std::fwrite(line.data(), 1, line.size(), stdout);
}

void encode_all(const std::filesystem::path& folder) {
    const auto begin = std::chrono::steady_clock::now();
    const auto tokenizer = read_tokenizer(folder);
    for (const std::string& note : tokenizer->notes()) std::cerr << "note: " << note << '\n';
    std::cerr << "read in " << secs_since(begin) << " s\n";
    const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
    double secs = 0;
    for (std::size_t at = 0; at + 4 <= bytes.size();) {
        std::size_t size = 0;
        for (std::size_t k = 4; k-- > 0;)
            size = size << 8 | static_cast<unsigned char>(bytes[at + k]);
        at += 4;
        const auto start = std::chrono::steady_clock::now();
        const auto tokens = tokenizer->encode(std::string_view(bytes).substr(at, size));
        secs += secs_since(start);
        write_tokens(*tokenizer, tokens);
        at += size;
    }
    std::cerr << "encoded " << bytes.size() << " bytes in " << secs << " s\n";
}

}  // namespace

int main(int n_arguments, char** arguments) try {
    if (n_arguments != 2) return 2;
    encode_all(arguments[1]);
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
