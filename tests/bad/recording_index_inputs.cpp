// The index of a recording of several texts.
#include <utility>

#include "bad/bad_inputs.h"

namespace headlight::bad {
namespace {

const std::string kTexts = R"([{"tokens": ["The", "cat"]}, {"tokens": ["Le"]}])",
                  kAttentions = R"([{"kind": "self", "layers": 2, "heads": 4}])",
                  kShards = R"(["a.safetensors", "b.safetensors"])",
                  kFirst = R"({"shard": 0, "text": 0, "kind": "self", "layers": [0, 2], )"
                           R"("heads": [0, 4], "pattern": "p"})",
                  kSecond = R"({"shard": 1, "text": 1, "kind": "self", "layers": [0, 2], )"
                            R"("heads": [0, 4], "pattern": "p"})";

/// What an index says, member by member.
struct IndexParts {
    std::string version = "1", texts = kTexts, attentions = kAttentions, shards = kShards,
                arrays = "[" + kFirst + ", " + kSecond + "]", more = "";
};

std::string index_with(const IndexParts& parts) {
    return "{\"attention\": " + parts.version + ", \"texts\": " + parts.texts +
           ", \"attentions\": " + parts.attentions + ", \"shards\": " + parts.shards +
           ", \"arrays\": " + parts.arrays + parts.more + "}";
}

std::string piece(const std::string& members) {
    return "[" + kSecond + ", {\"shard\": 0, \"text\": 0, \"kind\": \"self\", " + members + "}]";
}

std::string with_pieces(const std::string& pieces) {
    return index_with({.arrays = pieces});
}

std::string with_shard(const std::string& name) {
    return index_with({.shards = "[\"a.safetensors\", \"" + name + "\"]"});
}

std::string not_bare(const std::string& shown) {
    return "line 1, shards[1]: '" + shown +
           "' is not the name of a file in the folder of the index";
}

const std::string kAlongEdges = R"([{"kind": "edges", "layers": 1, "heads": 1}])",
                  kWithKeys =
                      R"([{"kind": "self", "layers": 2, "heads": 4, "kv_heads": 2, "d_k": 8}])";

std::vector<BadInput> shards_and_sizes() {
    return {
        {"a path upwards", with_shard("../b.safetensors"), not_bare("../b.safetensors")},
        {"a path from the root", with_shard("/etc/passwd"), not_bare("/etc/passwd")},
        {"a path downwards", with_shard("b/b.safetensors"), not_bare("b/b.safetensors")},
        {"a path with \\", with_shard("b\\\\b.safetensors"), not_bare("b\\b.safetensors")},
        {"the folder above", with_shard(".."), not_bare("..")},
        {"a name of nothing", with_shard(""), not_bare("")},
        {"a shard twice", with_shard("a.safetensors"), "line 1, shards[1]: is here twice"},
        {"a shard that is no text", index_with({.shards = "[1]"}),
         "line 1, shards[0]: must be a text between \"quotes\", not 1"},
        {"no shard", index_with({.shards = "[]"}), "line 1, arrays[0]: there is no shard"},
        {"a shard that is not listed",
         with_pieces(
             R"([{"shard": 2, "text": 0, "kind": "self", "layers": [0, 2], "heads": [0, 4], "pattern": "p"}])"),
         "line 1, arrays[0].shard: must be a whole number from 0 to 1, not 2"},
        {"2^31 nodes",
         index_with({.texts = R"([{"nodes": 2147483648, "edges": [[0], [0]]}])",
                     .attentions = kAlongEdges}),
         "line 1, texts[0].nodes: must be a whole number from 1 to 200000, not 2147483648"},
        {"an edge from nowhere",
         index_with({.texts = R"([{"nodes": 2, "edges": [[0], [2]]}])", .attentions = kAlongEdges}),
         "line 1, texts[0].edges[1][0]: is 2, but there are 2 nodes, counted from 0"},
        {"heads of too many layers",
         index_with({.texts = R"([{"nodes": 2, "edges": [[0], [1]]}])",
                     .attentions = R"([{"kind": "edges", "layers": 3, "heads": [1, 20000, 1]}])"}),
         "line 1, attentions: have 20002 heads in all layers; at most 20000 heads are shown"},
        {"10^9 patches",
         index_with({.texts = R"([{"patches": {"rows": 1000000000, "columns": 1, )"
                              R"("picture": "a.png", "pixels": [1, 1]}}])"}),
         "line 1, texts[0].patches.rows: must be a whole number from 1 to 4096, not 1000000000"},
        {"a picture in another folder",
         index_with({.texts = R"([{"patches": {"rows": 1, "columns": 1, )"
                              R"("picture": "/a.png", "pixels": [1, 1]}}])"}),
         "line 1, texts[0].patches.picture: '/a.png' is not the name of a file in the folder of "
         "the "
         "index"},
        {"10^9 layers",
         index_with({.attentions = R"([{"kind": "self", "layers": 1000000000, "heads": 4}])"}),
         "line 1, attentions[0].layers: must be a whole number from 1 to 20000, not "
         "1000000000"},
        {"20,004 heads",
         index_with({.attentions = R"([{"kind": "self", "layers": 5001, "heads": 4}])"}),
         "line 1, attentions: have 20004 heads in all layers; at most 20000 heads are shown"},
        {"2^70 layers",
         index_with(
             {.attentions = R"([{"kind": "self", "layers": 1180591620717411303424, "heads": 4}])"}),
         "line 1, attentions[0].layers: must be a whole number from 1 to 20000, not "
         "1180591620717411303424"},
        {"100,001 texts", index_with({.texts = "[" + repeated("{},", 100'000) + "{}]"}),
         "line 1, texts: has 100001 texts; at most 100000 are read"},
        {"4,097 tokens",
         index_with({.texts = "[{\"tokens\": [" + repeated("\"a\",", 4096) + "\"a\"]}]"}),
         "line 1, texts[0].tokens: has 4097 tokens; at most 4096 are shown"},
        {"a token of 1,001 bytes",
         index_with({.texts = "[{\"tokens\": [\"" + repeated("a", 1001) + "\"]}]"}),
         "line 1, texts[0].tokens[0]: has 1001 bytes; at most 1000 are shown"},
        {"65 levels", repeated("[", 65), "line 1: nested too deep; at most 64 levels are read"},
        {"100,000 levels", "{\"attention\": " + repeated("{\"a\": ", 100'000),
         "line 1: nested too deep; at most 64 levels are read"},
    };
}

}  // namespace

std::string good_recording_index() {
    return index_with({});
}

std::vector<BadInput> recording_index_inputs() {
    const std::string good = "read: 2 texts, 8 heads";
    std::vector<BadInput> inputs{
        {"empty", "", "is empty"},
        {"a list", "[]", "line 1: must be an object { … }, not a list"},
        {"nothing but the version", "{\"attention\": 1}",
         "line 1: the key 'attentions' is missing"},
        {"version 2", index_with({.version = "2"}),
         "line 1, attention: is version 2 of the format; version 1 is read"},
        {"a key that is not known", index_with({.more = ", \"atentions\": []"}),
         "line 1, atentions: unknown key; did you mean 'attentions'?"},
        {"no text", index_with({.texts = "[]"}),
         "line 1, texts: is empty; a recording has at least one text"},
        {"a text without tokens", index_with({.texts = "[{\"tokens\": []}]"}),
         "line 1, texts[0].tokens: is empty; a text has at least one token"},
        {"a source that nothing reads",
         index_with({.texts = R"([{"tokens": ["a"], "source": ["b"]}])"}),
         "line 1, texts[0].source: is there, but no attention of the kind 'cross' or 'source' "
         "reads it"},
        {"a cross-attention without source",
         index_with({.attentions = R"([{"kind": "cross", "layers": 2, "heads": 4}])"}),
         "line 1, texts[0]: has no 'source', which attention of the kind 'cross' or 'source' "
         "reads"},
        {"a kind that is not known",
         index_with({.attentions = R"([{"kind": "local", "layers": 2, "heads": 4}])"}),
         "line 1, attentions[0].kind: must be one of 'self', 'cross', 'source', 'edges', not the "
         "text "
         "'local'"},
        {"a kind twice",
         index_with(
             {.attentions =
                  R"([{"kind": "self", "layers": 2, "heads": 4}, {"kind": "self", "layers": 2, "heads": 4}])"}),
         "line 1, attentions[1]: is of a kind that came before"},
        {"no attention", index_with({.attentions = "[]"}),
         "line 1, attentions: is empty; a recording has at least one kind of attention"},
        {"3 kv heads of 4",
         index_with(
             {.attentions = R"([{"kind": "self", "layers": 2, "heads": 4, "kv_heads": 3}])"}),
         "line 1, attentions[0].kv_heads: does not divide the 4 heads"},
        {"arrays of a kind that is not listed",
         with_pieces(
             R"([{"shard": 0, "text": 0, "kind": "cross", "layers": [0, 2], "heads": [0, 4], "pattern": "p"}])"),
         "line 1, arrays[0].kind: is not a kind that 'attentions' lists"},
        {"no array", with_pieces("[]"), "line 1, arrays: text 0, kind 'self' is missing"},
        {"a missing text", with_pieces("[" + kFirst + "]"),
         "line 1, arrays: text 1, kind 'self' is missing"},
        {"a text twice", with_pieces("[" + kFirst + ", " + kFirst + ", " + kSecond + "]"),
         "line 1, arrays: text 0, kind 'self': a head is here more than once"},
        {"a text that is not listed",
         with_pieces(
             R"([{"shard": 0, "text": 2, "kind": "self", "layers": [0, 2], "heads": [0, 4], "pattern": "p"}])"),
         "line 1, arrays[0].text: must be a whole number from 0 to 1, not 2"},
        {"a missing head",
         with_pieces(piece(R"("layers": [0, 2], "heads": [0, 3], "pattern": "p")")),
         "line 1, arrays: text 0, kind 'self': layer 0, head 3 is missing"},
        {"a layer twice, another missing",
         with_pieces(
             "[" + kSecond +
             R"(, {"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 4], "pattern": "p"}, {"shard": 0, "text": 0, "kind": "self", "layers": [0, 1], "heads": [0, 4], "pattern": "p"}])"),
         "line 1, arrays: text 0, kind 'self': layer 0, head 0 is here more than once"},
        {"a range backwards",
         with_pieces(piece(R"("layers": [2, 0], "heads": [0, 4], "pattern": "p")")),
         "line 1, arrays[1].layers: is empty: the end comes after what is in it"},
        {"a range beyond the heads",
         with_pieces(piece(R"("layers": [0, 2], "heads": [0, 5], "pattern": "p")")),
         "line 1, arrays[1].heads[1]: must be a whole number from 0 to 4, not 5"},
        {"a range of one number",
         with_pieces(piece(R"("layers": [0], "heads": [0, 4], "pattern": "p")")),
         "line 1, arrays[1].layers: must be [first, end]"},
        {"no pattern", with_pieces(piece(R"("layers": [0, 2], "heads": [0, 4])")),
         "line 1, arrays[1]: the key 'pattern' is missing"},
        {"a pattern without a name",
         with_pieces(piece(R"("layers": [0, 2], "heads": [0, 4], "pattern": "")")),
         "line 1, arrays[1].pattern: an array's name has 1 to 1024 bytes"},
        {"queries without a width",
         with_pieces(piece(R"("layers": [0, 2], "heads": [0, 4], "pattern": "p", "q": "q")")),
         "line 1, arrays[1].q: is here, but 'attentions' has no 'd_k'"},
        {"a width without queries", index_with({.attentions = kWithKeys}),
         "line 1, arrays[0]: the key 'q' is missing, but 'attentions' has 'd_k'"},
        {"a cut through heads that share",
         index_with(
             {.attentions = kWithKeys,
              .arrays =
                  R"([{"shard": 0, "text": 0, "kind": "self", "layers": [0, 2], "heads": [0, 3], "pattern": "p", "q": "q", "k": "k"}])"}),
         "line 1, arrays[0].heads: cuts through heads that share keys and values; 2 of them do"},
        {"good", good_recording_index(), good},
        {"in two pieces",
         with_pieces(
             "[" + kSecond +
             R"(, {"shard": 0, "text": 0, "kind": "self", "layers": [0, 2], "heads": [0, 1], "pattern": "p"}, {"shard": 1, "text": 0, "kind": "self", "layers": [0, 2], "heads": [1, 4], "pattern": "p"}])"),
         good},
    };
    for (BadInput& input : shards_and_sizes()) inputs.push_back(std::move(input));
    return inputs;
}

}  // namespace headlight::bad
