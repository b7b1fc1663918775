// tokenizer.json.
#include "bad/bad_inputs.h"

namespace headlight::bad {
namespace {

std::string added(const std::string& id, const std::string& content, const std::string& flag) {
    return R"({"id": )" + id + R"(, "content": ")" + content + R"(", "single_word": )" + flag +
           R"(, "lstrip": )" + flag + R"(, "rstrip": )" + flag + R"(, "normalized": )" + flag +
           R"(, "special": true})";
}

std::string unigram(const std::string& members) {
    return R"({"model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true,
"vocab": [["<unk>", 0], ["▁", -2], ["▁a", -3], ["b", -4.5], ["ab", -5], ["<0x63>", -9]]})" +
           members + "}";
}

std::string byte_pairs(const std::string& members) {
    return R"({"model": {"type": "BPE", "unk_token": "?", "fuse_unk": true, "byte_fallback": true,
"vocab": {"?": 0, "a": 1, "b": 2, "ab": 3, "Ġ": 4, "Ġab": 5, "<0xC3>": 6}, "merges": ["a b", "Ġ ab"]})" +
           members + "}";
}

/// BPE with this id of a third piece.
std::string ids(const std::string& id) {
    return R"({"model": {"type": "BPE", "unk_token": "?", "vocab": {"?": 0, "a": 1, "b": )" + id +
           R"(}, "merges": []}})";
}
const std::string kPiecePlace = "line 1, model.vocab.b: ";

/// BPE of a, aa and aaa with these merges.
std::string merges(const std::string& list) {
    return R"({"model": {"type": "BPE", "unk_token": "?", "vocab": {"?": 0, "a": 1, "b": 2, "aa": 3, "aaa": 4}, "merges": [)" +
           list + "]}}";
}

std::string replacements(const std::string& from, const std::string& to, int n_steps) {
    std::string steps;
    for (int k = 0; k < n_steps; ++k)
        steps += (k > 0 ? ", " : "") + (R"({"type": "Replace", "pattern": {"String": ")" + from +
                                        R"("}, "content": ")" + to + "\"}");
    return steps;
}

}  // namespace

std::string good_tokenizer() {
    return R"({"version": "1.0", "added_tokens": [)" + added("1", "[CLS]", "false") +
           R"(],
"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
"strip_accents": null, "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
"model": {"type": "WordPiece", "unk_token": "?", "continuing_subword_prefix": "##",
"max_input_chars_per_word": 9, "vocab": {"?": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "##b": 4}}})";
}

std::vector<BadInput> tokenizer_inputs() {
    return {
        {"an empty object", "{}", "line 1: the key 'model' is missing"},
        {"a list", "[]", "line 1: must be an object { … }, not a list"},
        {"a model without a name", R"({"model": {}})", "line 1, model: the key 'type' is missing"},
        {"10 million [", repeated("[", 10'000'000),
         "line 1: nested too deep; at most 64 levels are read"},
        {"sequences within sequences",
         byte_pairs(", \"decoder\": " + repeated(R"({"type": "Sequence", "decoders": [)", 40) +
                    repeated("]}", 40)),
         "line 2: nested too deep; at most 64 levels are read"},
        {"ids out of range", ids("-1"),
         kPiecePlace + "must be a whole number from 0 to 4194303, not -1"},
        {"an id of 2^63", ids("9223372036854775808"),
         kPiecePlace + "must be a whole number from 0 to 4194303, not 9223372036854775808"},
        {"an id far from the others", ids("1000000"),
         kPiecePlace + "the id 1000000 is too large for a vocabulary of 3 pieces"},
        {"an id twice", ids("1"), kPiecePlace + "the id 1 is that of 'a', too"},
        {"half an id", ids("2.5"),
         kPiecePlace + "must be a whole number from 0 to 4194303, not 2.5"},
        {"a merge of a piece that is not there", merges("[\"a\", \"z\"]"),
         "line 1, model.merges[0]: the vocabulary has no piece 'z'"},
        {"a merge to a piece that is not there", merges("[\"b\", \"b\"]"),
         "line 1, model.merges[0]: the vocabulary has no piece 'bb'"},
        {"a merge with nothing", merges("[\"a\", \"\"]"),
         "line 1, model.merges[0]: the vocabulary has no piece ''"},
        {"a merge of one piece", merges("\"a\""),
         "line 1, model.merges[0]: a merge is two pieces with a space between them, not 'a'"},
        {"a merge of three", merges("\"a a b\""),
         "line 1, model.merges[0]: a merge is two pieces with a space between them, not 'a a b'"},
        {"merges in a circle", merges("[\"a\", \"a\"], [\"aa\", \"a\"], [\"a\", \"aa\"]"),
         "read: ⟨words⟩"},
        {"replacements that lengthen each other",
         byte_pairs(", \"normalizer\": {\"type\": \"Sequence\", \"normalizers\": [" +
                    replacements("a", "aaaaaaaaaaaaaaaa", 20) + "]}"),
         "its steps make a text of ⟨words⟩, which is too much"},
        {"decoders that lengthen each other",
         byte_pairs(", \"decoder\": {\"type\": \"Sequence\", \"decoders\": [" +
                    replacements("a", "aaaaaaaaaaaaaaaa", 20) + "]}"),
         "its steps make a text of ⟨words⟩, which is too much"},
        {"a long replacement",
         byte_pairs(", \"normalizer\": {\"type\": \"Prepend\", \"prepend\": \"" +
                    std::string(100, 'x') + "\"}"),
         "line 2, normalizer.prepend: has 100 bytes; at most 64 are put in"},
        {"a regular expression", byte_pairs(R"(, "pre_tokenizer": {"type": "Split",
"pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": false})"),
         "line 3, pre_tokenizer.pattern.Regex: this regular expression is not known, and none is "
         "run: '(a+)+$'"},
        {"a table of characters", unigram(R"(, "normalizer": {"type": "Precompiled",
"precompiled_charsmap": "BAAAAAEAAABiAA=="}, "pre_tokenizer": {"type": "Metaspace", "replacement": "▁",
"prepend_scheme": "first", "split": false}, "decoder": {"type": "Metaspace", "replacement": "▁"})"),
         "read: 9 tokens"},
        {"all forms, digits and punctuation",
         unigram(
             R"(, "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "NFD"},
{"type": "Nmt"}, {"type": "Lowercase"}, {"type": "Strip", "strip_left": true, "strip_right": true}]},
"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": true},
{"type": "Punctuation", "behavior": "Contiguous"}, {"type": "Whitespace"}]},
"added_tokens": [)" +
             added("6", "A b", "true") + "]"),
         "read: 6 tokens"},
        {"letters of bytes, prefixes and templates",
         byte_pairs(R"(, "normalizer": {"type": "ByteLevel"}, "pre_tokenizer": {"type": "Split",
"pattern": {"String": "Ġ"}, "behavior": "MergedWithNext", "invert": false},
"post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel", "add_prefix_space": true,
"trim_offsets": true}, {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x", "type_id": 1}},
{"Sequence": {"id": "A", "type_id": 0}}], "pair": [], "special_tokens": {"x": {"id": "x", "ids": [0, 6],
"tokens": ["?", "<0xC3>"]}}}]}, "decoder": {"type": "ByteLevel",
"add_prefix_space": true, "trim_offsets": true, "use_regex": true})"),
         "read: 10 tokens"},
    };
}

}  // namespace headlight::bad
