// The parts of tokenizers: splits, normal forms, pieces, ranges.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "text/subwords/byte_letters.h"
#include "text/subwords/character_classes.h"
#include "text/subwords/text_pattern.h"
#include "text/subwords/tokenizer.h"
#include "text/utf8.h"

namespace headlight::subwords_test {
namespace {

using Words = std::vector<std::string>;

template <typename MatchEnd>
Words words_by(std::string_view text, MatchEnd match_end) {
    Words words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = match_end(text, at);
        REQUIRE(end > at);
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

Words gpt2_words(std::string_view text) {
    return words_by(text, gpt2_match_end);
}

Words llama3_words(std::string_view text) {
    return words_by(text, [](std::string_view utf8, std::size_t at) {
        return llama3_match_end(utf8, at, 3, MarksAre::Symbols);
    });
}

std::string form_of(std::string_view text, UnicodeForm form) {
    AlignedText aligned(text);
    aligned.change(unicode_form(text, form));
    return aligned.text();
}

PieceTable table(const Words& pieces) {
    return PieceTable(std::vector<std::optional<std::string>>(pieces.begin(), pieces.end()));
}

template <typename Model>
std::string pieces_of(const Model& model, std::string_view word) {
    std::vector<FoundPiece> found;
    model.find(word, found);
    std::string text;
    for (const FoundPiece& piece : found)
        text += (text.empty() ? "" : " ") + *model.pieces().find_piece(piece.id) + "@" +
                std::to_string(piece.begin);
    return text;
}

/// By the definition of byte pair encoding: look for the best pair, join it, begin anew.
std::vector<PieceId> joined_slowly(std::vector<PieceId> ids,
                                   const std::vector<BytePairs::Merge>& merges) {
    for (;;) {
        const auto can_join = [&](const BytePairs::Merge& merge) {
            for (std::size_t k = 0; k + 1 < ids.size(); ++k)
                if (ids[k] == merge.left && ids[k + 1] == merge.right) {
                    ids[k] = merge.joined;
                    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(k) + 1);
                    return true;
                }
            return false;
        };
        if (std::ranges::none_of(merges, can_join)) return ids;
    }
}

}  // namespace

TEST_CASE("gpt2_match_end: contractions, glued blanks, and the last blank of a run") {
    CHECK(gpt2_words("I'm  don't 'T 12ab!? x") ==
          Words{"I", "'m", " ", " don", "'t", " '", "T", " 12", "ab", "!?", " x"});
    CHECK(gpt2_words("a \n\n b  ") == Words{"a", " \n\n", " b", "  "});
    CHECK(gpt2_words("\u00a0x\u3000y") == Words{"\u00a0", "x", "\u3000", "y"});
    CHECK(gpt2_words("'") == Words{"'"});
    CHECK(gpt2_words("e\u0301") == Words{"e", "\u0301"});
}

TEST_CASE("llama3_match_end: digits by three, capitals in contractions, line ends with symbols") {
    CHECK(llama3_words("I'LL 12345 (x)\n\n y") ==
          Words{"I", "'LL", " ", "123", "45", " (", "x", ")\n\n", " y"});
    CHECK(llama3_words("a  \n  b\u00a0c 'ſ") ==
          Words{"a", "  \n", " ", " b", "\u00a0c", " '", "ſ"});
    CHECK(llama3_words("x'ſy") == Words{"x", "'ſ", "y"});
}

TEST_CASE("split scanners: the words of random texts are the text, and none is empty") {
    std::mt19937 random(3);
    constexpr std::u32string_view kLetters = U"a'sTlL1² \n\r\t.\u00a0\u0301中ſ👍";
    for (int n = 0; n < 3000; ++n) {
        std::string text;
        for (std::size_t k = random() % 12; k > 0; --k)
            text += encode_code_point(kLetters[random() % kLetters.size()]);
        CAPTURE(text);
        for (const Words& words : {gpt2_words(text), llama3_words(text)}) {
            std::string all;
            for (const std::string& word : words) all += word;
            CHECK(all == text);
        }
    }
}

TEST_CASE("unicode_form: composes, decomposes and orders marks; what is later stays") {
    CHECK(form_of("e\u0301\u0323", UnicodeForm::Nfc) == "ẹ\u0301");
    CHECK(form_of("ẹ\u0301", UnicodeForm::Nfd) == "e\u0323\u0301");
    CHECK(form_of("ﬁ½Å", UnicodeForm::Nfkc) == "fi1⁄2Å");
    CHECK(form_of("\u1112\u1161\u11ab", UnicodeForm::Nfc) == "한");
    CHECK(form_of("\U00011938", UnicodeForm::Nfd) == "\U00011938");
    AlignedText text("xe\u0301y");
    text.change(unicode_form(text.text(), UnicodeForm::Nfc));
    CHECK(text.text() == "xéy");
    CHECK(text.source(1, 3) == TextSource{1, 2});  // of its first character, as Hugging Face has it
    CHECK(text.source(3, 4) == TextSource{4, 5});
}

TEST_CASE("byte_letters: every byte has its letter, and the letter its byte") {
    for (std::size_t byte = 0; byte < 256; ++byte)
        CHECK(find_byte(byte_letters()[byte]) == static_cast<unsigned char>(byte));
    CHECK(byte_letters()[' '] == U'Ġ');
    CHECK(byte_letters()[0xAD] == U'\u0143');
    CHECK(!find_byte(U'\u0144'));
    CHECK(!find_bytes("▁a"));
}

TEST_CASE("BytePairs: the heap joins the pairs that the definition joins") {
    const Words letters = {"a", "b", "c"};
    Words pieces = letters;
    std::vector<BytePairs::Merge> merges;
    std::mt19937 random(7);
    while (pieces.size() < 40) {
        const auto left = static_cast<PieceId>(random() % pieces.size());
        const auto right = static_cast<PieceId>(random() % pieces.size());
        const std::string joined = pieces[left] + pieces[right];
        if (joined.size() > 8 || std::ranges::find(pieces, joined) != pieces.end()) continue;
        merges.push_back({left, right, static_cast<PieceId>(pieces.size())});
        pieces.push_back(joined);
    }
    const BytePairs model(table(pieces), merges, {});
    for (int n = 0; n < 3000; ++n) {
        std::string word;
        std::vector<PieceId> ids;
        for (std::size_t k = random() % 30; k > 0; --k) {
            ids.push_back(static_cast<PieceId>(random() % letters.size()));
            word += letters[ids.back()];
        }
        std::vector<FoundPiece> found;
        model.find(word, found);
        std::vector<PieceId> found_ids;
        for (const FoundPiece& piece : found) found_ids.push_back(piece.id);
        CAPTURE(word);
        CHECK(found_ids == joined_slowly(ids, merges));
    }
}

TEST_CASE("WordPieces: the longest piece first; what cannot be covered is unknown as a whole") {
    const WordPieces model(
        table({"[UNK]", "want", "##want", "##ed", "wa", "un", "runn", "##ing", "中"}), {0});
    CHECK(pieces_of(model, "unwanted") == "un@0 ##want@2 ##ed@6");
    CHECK(pieces_of(model, "running") == "runn@0 ##ing@4");
    CHECK(pieces_of(model, "unwantedX") == "[UNK]@0");
    CHECK(pieces_of(model, "中") == "中@0");
    const WordPieces letters(table({"[UNK]", "a", "##a"}), {0});
    CHECK(pieces_of(letters, std::string(100, 'a')).starts_with("a@0 ##a@1"));
    CHECK(pieces_of(letters, std::string(101, 'a')) == "[UNK]@0");
}

TEST_CASE("Unigrams: the sum of scores decides; what is unknown in a row is one piece") {
    const Unigrams model(table({"<unk>", "a", "b", "ab", "abc"}), {0, -1, -1, -3, -3}, {0});
    CHECK(pieces_of(model, "ab") == "a@0 b@1");
    CHECK(pieces_of(model, "abc") == "abc@0");
    CHECK(pieces_of(model, "a中xb") == "a@0 <unk>@1 b@5");
}

TEST_CASE("AddedTokenFinder: the longest from the left, with its blanks, by itself where it must") {
    const AddedToken mask{1, "<m>", false, true, true, false, true};
    const AddedToken longer{2, "<m><m>", false, false, false, false, true};
    const AddedToken word{3, "cat", true, false, false, false, false};
    AddedTokenFinder finder;
    CHECK(finder.add(mask, "<m>"));
    CHECK(finder.add(longer, "<m><m>"));
    CHECK(finder.add(word, "cat"));
    CHECK(!finder.add(word, "<m>"));
    const auto found = [&](std::string_view text, SpecialInText special) {
        std::string parts;
        for (const auto& [begin, end, token] : finder.parts_in(text, special))
            parts += (token ? std::to_string(token->id) : "-") + "[" +
                     std::string(text.substr(begin, end - begin)) + "]";
        return parts;
    };
    CHECK(found("a  <m> \nb", SpecialInText::Recognised) == "-[a]1[  <m> \n]-[b]");
    CHECK(found("<m><m><m>", SpecialInText::Recognised) == "2[<m><m>]1[<m>]");
    CHECK(found("cats cat écat", SpecialInText::Recognised) == "-[cats ]3[cat]-[ écat]");
    CHECK(found("<m> cat", SpecialInText::PlainText) == "-[<m> ]3[cat]");
    CHECK(found("", SpecialInText::Recognised).empty());
}

TEST_CASE("character classes: those of Unicode 16 and of BERT, whatever the library knows") {
    CHECK(is_pattern_letter(U'\U000105C0'));  // Unicode 16
    CHECK(!is_pattern_letter(0x16EA0));       // Unicode 17
    CHECK(is_pattern_number(U'½'));
    CHECK(is_pattern_blank(0x85));
    CHECK(!is_pattern_blank(0x200B));
    CHECK(is_bert_punctuation(U'$'));
    CHECK(!is_bert_punctuation(U'€'));
    CHECK(!is_bert_punctuation(0x2E52));  // Unicode 14
    CHECK(!is_bert_accent(0x1ABF));       // Unicode 13
    CHECK(is_bert_accent(0x301));
    CHECK(is_bert_control(0x200D));
    CHECK(!is_bert_control(U'\n'));
}

}  // namespace headlight::subwords_test
