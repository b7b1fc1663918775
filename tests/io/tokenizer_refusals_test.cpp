// What read_tokenizer refuses, and how it says so.
#include <chrono>
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "byte_vocabulary.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/tokenizers/read_tokenizer.h"

namespace headlight::tokenizer_refusals_test {
namespace {

std::string refusal_of_json(const std::string& json) {
    try {
        static_cast<void>(read_tokenizer_json(json, "t"));
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

std::string refusal_of_folder(const TemporaryFolder& folder) {
    try {
        static_cast<void>(read_tokenizer(folder.file("")));
    } catch (const Error& error) {
        std::string text = error.what();
        const std::string path = folder.file("");
        for (std::size_t at; (at = text.find(path)) != std::string::npos;)
            text.replace(at, path.size(), "…/");
        for (std::size_t at; (at = text.find("//")) != std::string::npos;) text.erase(at, 1);
        return text;
    }
    return "read";
}

/// A WordPiece tokenizer with these further members.
std::string word_piece_json(const std::string& members) {
    return R"({"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
"max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "a": 1, "##b": 2}})" +
           members + "}";
}

std::string byte_pair_json(const std::string& vocabulary, const std::string& merges) {
    return R"({"model": {"type": "BPE", "unk_token": "u", "vocab": )" + vocabulary +
           R"(, "merges": )" + merges + "}}";
}

std::string unigram_json(const std::string& vocabulary, const std::string& unknown) {
    return R"({"model": {"type": "Unigram", "unk_id": )" + unknown + R"(, "vocab": )" + vocabulary +
           "}}";
}

}  // namespace

TEST_CASE("read_tokenizer_json: components that are not known are refused by their names") {
    const auto with = [](const std::string& members) {
        return refusal_of_json(word_piece_json(members));
    };
    CHECK(with("") == "read");
    CHECK(with(R"(, "truncation": {"max_length": 7}, "padding": {"x": []})") == "read");
    CHECK(with(R"(, "normalizer": {"type": "Folding"})")
              .starts_with("[t] line 2, normalizer.type: the normalizer 'Folding' is not known; "
                           "known are 'BertNormalizer', 'NFC'"));
    CHECK(
        with(
            R"(, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "UnicodeScripts"}]})")
            .starts_with("[t] line 2, pre_tokenizer.pretokenizers[0].type: the pre-tokenizer "
                         "'UnicodeScripts' is not known"));
    CHECK(with(R"(, "post_processor": {"type": "Odd"})")
              .starts_with("[t] line 2, post_processor.type: the post-processor 'Odd'"));
    CHECK(with(R"(, "decoder": {"type": "CTC"})")
              .starts_with("[t] line 2, decoder.type: the decoder 'CTC' is not known"));
    CHECK(refusal_of_json(R"({"model": {"type": "WordLevel"}})") ==
          "[t] line 1, model.type: the model 'WordLevel' is not known; known are 'BPE', "
          "'WordPiece', 'Unigram'");
    CHECK(with(R"(, "pretokenizer": null)") ==
          "[t] line 2, pretokenizer: unknown key; did you mean 'pre_tokenizer'?");
    CHECK(with(R"(, "version": "2.0")") ==
          "[t] line 2, version: only version 1.0 is known, not '2.0'");
}

TEST_CASE("read_tokenizer_json: a regular expression that is not known is quoted, never run") {
    CHECK(refusal_of_json(word_piece_json(
              R"(, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+$"},
"behavior": "Isolated", "invert": false})")) ==
          "[t] line 2, pre_tokenizer.pattern.Regex: this regular expression is not known, and "
          "none is run: '(a+)+$'");
}

TEST_CASE("read_tokenizer_json: ids that are odd are refused at their place") {
    CHECK(refusal_of_json(byte_pair_json(R"({"u": 0, "a": 1, "b": 1})", "[]")) ==
          "[t] line 1, model.vocab.b: the id 1 is that of 'a', too");
    CHECK(refusal_of_json(byte_pair_json(R"({"u": 0, "a": -1})", "[]")) ==
          "[t] line 1, model.vocab.a: must be a whole number from 0 to 4194303, not -1");
    CHECK(refusal_of_json(byte_pair_json(R"({"u": 0, "a": "1"})", "[]")) ==
          "[t] line 1, model.vocab.a: must be a whole number from 0 to 4194303, not the text '1'");
    CHECK(refusal_of_json(byte_pair_json(R"({"u": 0, "a": 2147483648})", "[]"))
              .starts_with("[t] line 1, model.vocab.a: must be a whole number from 0 to 4194303"));
    CHECK(refusal_of_json(byte_pair_json(R"({"u": 0, "u": 1})", "[]"))
              .starts_with("[t] line 1: the key 'u' is here for the second time"));
    CHECK(refusal_of_json(byte_pair_json(R"({"u": 0, "a": 4194303})", "[]")) ==
          "[t] line 1, model.vocab.a: the id 4194303 is too large for a vocabulary of 2 pieces");
    CHECK(refusal_of_json(byte_pair_json("{\"u\": 0, \"" + std::string(4097, 'x') + "\": 1}", "[]"))
              .ends_with("a piece has at most 4096 bytes, this one 4097"));
    CHECK(refusal_of_json(byte_pair_json("{}", "[]")) ==
          "[t] line 1, model.vocab: the vocabulary is empty");
    const auto gap = read_tokenizer_json(byte_pair_json(R"({"u": 0, "a": 3})", "[]"), "t");
    REQUIRE(gap->notes().size() == 1);
    CHECK(gap->notes()[0] == "the vocabulary has no piece with id 1, 2");
    CHECK_THROWS_WITH(gap->piece_at(2), "[t] no token has the id 2; the ids are below 4");
    CHECK(gap->decode(std::vector<PieceId>{3, 2, 77}) == "a");
}

TEST_CASE("read_tokenizer_json: merges that lead nowhere are refused at their place") {
    const std::string vocabulary = R"({"u": 0, "a": 1, "b": 2, "ab": 3})";
    const auto with = [&](const std::string& merges) {
        return refusal_of_json(byte_pair_json(vocabulary, merges));
    };
    CHECK(with(R"(["a b"])") == "read");
    CHECK(with(R"([["a", "b"]])") == "read");
    CHECK(with(R"(["a b", "b a"])") ==
          "[t] line 1, model.merges[1]: the vocabulary has no piece 'ba'");
    CHECK(with(R"(["a c"])") == "[t] line 1, model.merges[0]: the vocabulary has no piece 'c'");
    CHECK(with(R"(["a b c"])") ==
          "[t] line 1, model.merges[0]: a merge is two pieces with a space "
          "between them, not 'a b c'");
    CHECK(with(R"([["a"]])") == "[t] line 1, model.merges[0]: a merge has two pieces");
    CHECK(with(R"([7])") ==
          "[t] line 1, model.merges[0]: must be a text between \"quotes\", not 7");
}

TEST_CASE("read_tokenizer_json: without a token for all that is unknown a model is refused") {
    CHECK(refusal_of_json(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})")
              .starts_with("[t] line 1, model: there is no 'unk_token', and no piece for every "
                           "byte"));
    CHECK(refusal_of_json(byte_pair_json(R"({"a": 0})", "[]")) ==
          "[t] line 1, model.unk_token: the vocabulary has no piece 'u'");
    CHECK(refusal_of_json(unigram_json(R"([["a", 0]])", "null"))
              .starts_with("[t] line 1, model: there is no 'unk_id'"));
    CHECK(refusal_of_json(unigram_json(R"([["a", 0]])", "1")) ==
          "[t] line 1, model.unk_id: must be a whole number from 0 to 0, not 1");
    CHECK(refusal_of_json(unigram_json(R"([["a", 1e40]])", "0"))
              .starts_with("[t] line 1, model.vocab[0][1]: must be a number"));
    CHECK(refusal_of_json(unigram_json("[]", "0")) ==
          "[t] line 1, model.vocab: the vocabulary is empty");
    const std::string byte_level =
        R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "model": {"type": "BPE", "merges": [], "vocab": )";
    CHECK(refusal_of_json(byte_level + test::byte_vocabulary(-1, R"("x1": 256)") + "}}") == "read");
    CHECK(refusal_of_json(byte_level + test::byte_vocabulary(10, R"("x1": 256)") + "}}") ==
          "[t: model.vocab] the vocabulary has no piece 'Ċ', which stands for the byte 10; without "
          "it not every text has tokens");
}

TEST_CASE("read_tokenizer_json: added tokens must be those of the vocabulary") {
    const auto with = [](const std::string& id, const std::string& content) {
        return refusal_of_json(word_piece_json(
            R"(, "added_tokens": [{"id": 7, "content": "z", "single_word": false, "lstrip": false,
"rstrip": false, "normalized": false, "special": true}, {"id": )" +
            id + R"(, "content": ")" + content +
            R"(", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
"special": true}])"));
    };
    CHECK(with("1", "a") == "read");
    CHECK(with("8", "new") == "read");
    CHECK(
        with("2", "a").starts_with("[t] line 3, added_tokens[1]: the token 'a' has the id 2, but "
                                   "in the vocabulary it is 1"));
    CHECK(with("1", "new")
              .starts_with("[t] line 3, added_tokens[1]: the token 'new' has the id 1, "
                           "which is that of the piece 'a'"));
    CHECK(with("7", "y").ends_with("has the id 7 of another one"));
    CHECK(with("8", "z") == "[t] the added token 'z' is spelled like another one");
    CHECK(with("8", "").ends_with("a token has at least one character"));
}

TEST_CASE("read_tokenizer_json: templates name tokens that there are") {
    const auto with = [](const std::string& id, const std::string& part) {
        return refusal_of_json(word_piece_json(
            R"(, "post_processor": {"type": "TemplateProcessing", "single": [)" + part +
            R"(], "pair": [], "special_tokens": {"[X]": {"id": "[X]", "ids": [)" + id +
            R"(], "tokens": ["[X]"]}}})"));
    };
    const std::string special = R"({"SpecialToken": {"id": "[X]", "type_id": 0}})";
    CHECK(with("2", special) == "read");
    CHECK(with("99", special) == "[t] no token has the id 99; the ids are below 3");
    CHECK(with("2", R"({"SpecialToken": {"id": "[Y]", "type_id": 0}})")
              .ends_with("'special_tokens' has no '[Y]'"));
    CHECK(with("2", R"({"Sequence": {"id": "B", "type_id": 0}})")
              .ends_with("there is no text B in a template for one text"));
}

TEST_CASE(
    "read_tokenizer_json: a table of characters that is broken is refused, or finds nothing") {
    const auto with = [](const std::string& table) {
        return refusal_of_json(
            word_piece_json(R"(, "normalizer": {"type": "Precompiled", "precompiled_charsmap": ")" +
                            table + "\"}"));
    };
    CHECK(with("!").ends_with("is not base64"));
    CHECK(with("AAA=").ends_with("the table of characters is too short"));
    CHECK(with("/////w==")
              .ends_with("the table of characters should have 4294967295 bytes of "
                         "units, but 0 follow"));
    CHECK(with("BAAAAP////8=") == "read");  // one unit that leads out of the array
    const auto read = read_tokenizer_json(
        word_piece_json(
            R"(, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "BAAAAP////8="})"),
        "t");
    CHECK(read->encode("ab").size() == 2);
}

TEST_CASE("read_tokenizer: files that are no vocabularies are refused by what they are") {
    const std::string lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:1\n";
    const TemporaryFolder folder;
    CHECK(refusal_of_folder(folder) ==
          "[…/] has no tokenizer: no tokenizer.json, no vocab.json "
          "with merges.txt, no vocab.txt");
    write_file(folder.file("vocab.txt"), lfs);
    CHECK(refusal_of_folder(folder).starts_with(
        "[…/vocab.txt] is no list of pieces; this is a Git LFS pointer"));
    write_file(folder.file("vocab.txt"), "a\n[UNK]\n");
    CHECK(refusal_of_folder(folder) == "[…/vocab.txt] the vocabulary has no '[CLS]'");
    write_file(folder.file("vocab.txt"), std::string("a\n\0", 3));
    CHECK(refusal_of_folder(folder) ==
          "[…/vocab.txt] line 2: a zero byte; this is not a text file");
    write_file(folder.file("vocab.json"), "{}");
    CHECK(refusal_of_folder(folder) == "[…/] has vocab.json, but no merges.txt; both are needed");
    write_file(folder.file("merges.txt"), "#version: 0.2\n");
    CHECK(refusal_of_folder(folder) == "[…/vocab.json] line 1: the vocabulary is empty");
    write_file(folder.file("tokenizer.json"), lfs);
    CHECK(refusal_of_folder(folder).starts_with(
        "[…/tokenizer.json] is not JSON; this is a Git LFS pointer"));
    write_file(folder.file("tokenizer.json"), "");
    CHECK(refusal_of_folder(folder) == "[…/tokenizer.json] is empty");
}

TEST_CASE("read_tokenizer: merges.txt is refused at its line, a class that is not known by name") {
    const TemporaryFolder folder;
    write_file(folder.file("vocab.json"), test::byte_vocabulary(-1, R"("ab": 256)"));
    const auto with = [&](const std::string& merges) {
        write_file(folder.file("merges.txt"), merges);
        return refusal_of_folder(folder);
    };
    CHECK(with("#version: 0.2\na b\n") == "read");
    CHECK(with("a b") == "read");
    CHECK(with("#version: 0.2\r\na b\r\n") == "read");
    CHECK(with("#version: 0.2\na b\na c\n") ==
          "[…/merges.txt] line 3: the vocabulary has no piece 'ac'");
    CHECK(with("#version: 0.2\n\na b\n") ==
          "[…/merges.txt] line 2: a merge is two pieces with a "
          "space between them, not ''");
    CHECK(with("a b c\n").starts_with("[…/merges.txt] line 1: a merge is two pieces"));
    write_file(folder.file("merges.txt"), "a b\n");
    write_file(folder.file("tokenizer_config.json"), R"({"tokenizer_class": "OddTokenizer"})");
    CHECK(refusal_of_folder(folder).starts_with(
        "[…/vocab.json] vocab.json and merges.txt of the class 'OddTokenizer' are not known"));
    write_file(folder.file("tokenizer_config.json"), R"({"added_tokens_decoder": {"x": {}}})");
    CHECK(refusal_of_folder(folder).starts_with(
        "[…/tokenizer_config.json] line 1, added_tokens_decoder.x: the id must be a number"));
    write_file(folder.file("vocab.json"), test::byte_vocabulary(32, R"("ab": 256)"));
    CHECK(refusal_of_folder(folder).starts_with(
        "[…/vocab.json] the vocabulary has no piece 'Ġ', which stands for the byte 32"));
}

TEST_CASE("read_tokenizer: vocab.txt follows its settings; a piece that comes twice is noted") {
    const TemporaryFolder folder;
    write_file(folder.file("vocab.txt"), "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\nA\r\na\r\na");
    const auto lower = read_tokenizer(folder.file(""));
    REQUIRE(lower->notes().size() == 1);
    CHECK(lower->notes()[0] ==
          "line 6 of the vocabulary, 'a', comes again as line 7, which counts");
    CHECK(lower->encode("A").at(1).id == 6);
    write_file(folder.file("tokenizer_config.json"), R"({"do_lower_case": false})");
    CHECK(read_tokenizer(folder.file(""))->encode("A").at(1).id == 4);
    CHECK(read_tokenizer(folder.file(""))->encode("[PAD]").at(1).id == 0);
}

TEST_CASE("read_tokenizer_json: 150,000 pieces and their merges are read in about half a second") {
    std::string vocabulary = R"({"u": 0)", merges = "[";
    for (int k = 0; k < 150'000; ++k) {
        const std::string piece = std::to_string(k);
        vocabulary += ", \"" + piece + "\": " + std::to_string(k + 1);
        if (k < 10) continue;
        const std::string comma = k > 10 ? "," : "";
        merges +=
            comma + "[\"" + piece.substr(0, piece.size() - 1) + "\",\"" + piece.back() + "\"]";
    }
    vocabulary += "}";
    const auto begin = std::chrono::steady_clock::now();
    const auto tokenizer = read_tokenizer_json(byte_pair_json(vocabulary, merges + "]"), "t");
    const std::chrono::duration<double> secs = std::chrono::steady_clock::now() - begin;
    CHECK(tokenizer->size() == 150'001);
    CHECK(secs.count() < 5);  // ten times what it takes, for machines that have other work
}

}  // namespace headlight::tokenizer_refusals_test
