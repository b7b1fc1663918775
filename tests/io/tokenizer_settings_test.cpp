// What the files beside a vocabulary say: it is followed, refused or noted, never left out. The
// expected pieces are those of transformers 5.24 with the same files.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "byte_vocabulary.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/tokenizers/read_tokenizer.h"

namespace headlight::tokenizer_settings_test {
namespace {

using Pieces = std::vector<std::string>;

/// A vocab.txt, and the same as a tokenizer.json.
class BertFolder {
  public:
    BertFolder() {
        write_file(file("vocab.txt"),
                   "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nThe\n[unused1]\n##s\n");
    }
    std::string file(const char* name) const { return folder_.file(name); }
    void write(const char* name, const std::string& text) const { write_file(file(name), text); }
    void add_tokenizer_json() const {
        write("tokenizer.json", R"({"version": "1.0",
"added_tokens": [{"id": 2, "content": "[CLS]", "single_word": false, "lstrip": false,
 "rstrip": false, "normalized": false, "special": true}],
"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
 "strip_accents": null, "lowercase": true},
"pre_tokenizer": {"type": "BertPreTokenizer"},
"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
 "max_input_chars_per_word": 100, "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3,
 "[MASK]": 4, "the": 5, "cat": 6, "The": 7, "[unused1]": 8, "##s": 9}}})");
    }

    std::shared_ptr<const Tokenizer> read() const { return read_tokenizer(folder_.file("")); }
    Pieces pieces(const std::string& text) const {
        const auto tokenizer = read();
        Pieces pieces;
        for (const Token& token : tokenizer->encode(text))
            pieces.push_back(tokenizer->piece_at(token.id));
        return pieces;
    }
    /// The notes, or the refusal, without the folder.
    std::string said() const {
        std::string text;
        try {
            const auto tokenizer = read();
            for (const std::string& note : tokenizer->notes()) text += note + "\n";
        } catch (const Error& error) {
            text = error.what();
            text.erase(1, text.rfind('/', text.find(']')));
        }
        return text;
    }

  private:
    TemporaryFolder folder_;
};

/// vocab.json with a letter for each byte, and the tokens of GPT-2 and of RoBERTa.
class ByteFolder {
  public:
    ByteFolder() {
        write("vocab.json", test::byte_vocabulary(
                                -1, R"("he": 256, "<|endoftext|>": 257, "<s>": 258, "</s>": 259)"));
        write("merges.txt", "#version: 0.2\nh e\n");
    }
    void write(const char* name, const std::string& text) const {
        write_file(folder_.file(name), text);
    }
    /// Of "the".
    Pieces pieces() const {
        const auto tokenizer = read_tokenizer(folder_.file(""));
        Pieces pieces;
        for (const Token& token : tokenizer->encode("the"))
            pieces.push_back(tokenizer->piece_at(token.id));
        return pieces;
    }
    std::string refusal() const {
        try {
            return pieces().front();
        } catch (const Error& error) {
            return error.what();
        }
    }

  private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("read_tokenizer: a class that cuts texts otherwise is refused, wherever it is named") {
    const BertFolder bert;
    const auto with = [&](const char* file, const std::string& text) {
        bert.write(file, text);
        return bert.said();
    };
    CHECK(with("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizerFast"})") == "");
    CHECK(with("tokenizer_config.json", R"({"tokenizer_class": "ElectraTokenizer"})") == "");
    const std::string japanese = "BertJapaneseTokenizer' cuts texts by a program of its own";
    CHECK(with("tokenizer_config.json", R"({"tokenizer_class": "BertJapaneseTokenizer"})")
              .find("[tokenizer_config.json] line 1, tokenizer_class: '" + japanese) == 0);
    CHECK(with("tokenizer_config.json", R"({"tokenizer_class": "MPNetTokenizer"})")
              .find("vocab.txt of the class 'MPNetTokenizer' is not known; known are "
                    "'BertTokenizer'") != std::string::npos);
    CHECK(with("tokenizer_config.json", R"({"tokenizer_class": null})") == "");
    CHECK(
        with("config.json", R"({"model_type": "bert", "tokenizer_class": "BertJapaneseTokenizer"})")
            .find("[config.json] line 1, tokenizer_class: '" + japanese) == 0);
    // The file of the tokenizer is asked first.
    CHECK(with("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizer"})") == "");
    bert.write("tokenizer_config.json", "{}");
    bert.add_tokenizer_json();
    CHECK(bert.said().find(japanese) != std::string::npos);
    CHECK(with("config.json", R"({"model_type": "roberta"})") == "");
}

TEST_CASE("read_tokenizer: settings that make other tokens are refused or noted") {
    const BertFolder bert;
    const auto with = [&](const std::string& members) {
        bert.write("tokenizer_config.json", "{" + members + "}");
        return bert.said();
    };
    CHECK(with(R"("word_tokenizer_type": "mecab")") ==
          "[tokenizer_config.json] line 1, word_tokenizer_type: words that are cut by another "
          "program are not supported");
    CHECK(with(R"("word_tokenizer_type": "basic", "subword_tokenizer_type": "wordpiece")") == "");
    CHECK(with(R"("subword_tokenizer_type": "character")").find("subword_tokenizer_type: ") !=
          std::string::npos);
    CHECK(with(R"("split_special_tokens": true)").find("cut like words are not supported") !=
          std::string::npos);
    CHECK(with(R"("split_special_tokens": false, "do_basic_tokenize": true)") == "");
    CHECK(
        with(
            R"("model_max_length": 1000000000000000019884624838656, "clean_up_tokenization_spaces": true,
                  "chat_template": "{{ bos_token }}", "pad_token": "[PAD]")") == "");
    const std::string own = "the tokenizer is a program that comes with the model";
    CHECK(with(R"("auto_map": {"AutoTokenizer": ["tokens.Own", null]})").find(own) !=
          std::string::npos);
    CHECK(with(R"("auto_map": ["tokens.Own", null])").find(own) != std::string::npos);
    CHECK(with(R"("auto_map": {"AutoProcessor": "tokens.Own"})") == "");
    CHECK(
        with(R"("never_split": ["the"], "mecab_kwargs": {"mecab_dic": "ipadic"}, "other": null)") ==
        "keys of tokenizer_config.json that are not known, and not used: mecab_kwargs, "
        "never_split\n");
    bert.add_tokenizer_json();
    CHECK(with(R"("auto_map": {"AutoTokenizer": ["tokens.Own", null]})")
              .find("a program that comes with the model may make other tokens") == 0);
}

TEST_CASE("read_tokenizer: further special tokens are found in a text") {
    const std::string text = "The [unused1] cats";
    const BertFolder bert;
    CHECK(bert.pieces(text).size() > 6);
    const Pieces expected = {"[CLS]", "the", "[unused1]", "cat", "##s", "[SEP]"};
    for (const char* members : {R"("additional_special_tokens": ["[unused1]"])",
                                R"("extra_special_tokens": ["[unused1]"])",
                                R"("extra_special_tokens": {"image_token": "[unused1]"})",
                                R"("additional_special_tokens": [{"content": "[unused1]"}])"}) {
        CAPTURE(members);
        bert.write("tokenizer_config.json", std::string("{") + members + "}");
        CHECK(bert.pieces(text) == expected);
    }
    bert.write("tokenizer_config.json", "{}");
    bert.write("special_tokens_map.json", R"({"additional_special_tokens": ["[unused1]"]})");
    CHECK(bert.pieces(text) == expected);
}

TEST_CASE("read_tokenizer: what contradicts a tokenizer.json beside it is noted") {
    const BertFolder bert;
    bert.add_tokenizer_json();
    const auto with = [&](const std::string& members) {
        bert.write("tokenizer_config.json", "{" + members + "}");
        return bert.said();
    };
    CHECK(with(R"("do_lower_case": true, "strip_accents": null, "cls_token": "[CLS]")") == "");
    CHECK(with(R"("do_lower_case": false)") ==
          "tokenizer_config.json says do_lower_case: false, tokenizer.json does not: "
          "tokenizer.json counts\n");
    CHECK(with(R"("tokenize_chinese_chars": false)").find("tokenize_chinese_chars") !=
          std::string::npos);
    CHECK(with(R"("mask_token": "[MASK]", "additional_special_tokens": ["[unused1]"],
                  "added_tokens_decoder": {"3": {"content": "[SEP]"}})") ==
          "files beside tokenizer.json name tokens that it does not add; they are not found in a "
          "text: '[MASK]', '[unused1]', '[SEP]'\n");
}

TEST_CASE("read_tokenizer: without a named class vocab.json is read as the model's type says") {
    const ByteFolder folder;
    CHECK(folder.pieces() == Pieces{"t", "he"});
    folder.write("config.json", R"({"model_type": "gpt2"})");
    CHECK(folder.pieces() == Pieces{"t", "he"});
    folder.write("config.json", R"({"model_type": "roberta"})");
    CHECK(folder.pieces() == Pieces{"<s>", "t", "he", "</s>"});
    folder.write("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer"})");
    CHECK(folder.pieces() == Pieces{"t", "he"});
    folder.write("tokenizer_config.json", "{}");
    folder.write("config.json", R"({"model_type": "gpt2", "tokenizer_class": "RobertaTokenizer"})");
    CHECK(folder.pieces() == Pieces{"<s>", "t", "he", "</s>"});
    folder.write("config.json", R"({"model_type": "llama"})");
    CHECK(folder.refusal().find("of the class 'LlamaTokenizer' are not known") !=
          std::string::npos);
}

TEST_CASE("read_tokenizer: tokens before and after a text are added where the settings say so") {
    const ByteFolder folder;
    const auto with = [&](const std::string& members) {
        folder.write("tokenizer_config.json", "{" + members + "}");
        return folder.pieces();
    };
    CHECK(with(R"("add_bos_token": true)") == Pieces{"<|endoftext|>", "t", "he"});
    CHECK(with(R"("add_eos_token": true)") == Pieces{"t", "he", "<|endoftext|>"});
    CHECK(with(R"("add_eos_token": true, "eos_token": "</s>")") == Pieces{"t", "he", "</s>"});
    CHECK(with(R"("tokenizer_class": "Qwen2Tokenizer", "add_bos_token": true,
                  "bos_token": "<s>")") == Pieces{"<s>", "t", "he"});
}

}  // namespace headlight::tokenizer_settings_test
