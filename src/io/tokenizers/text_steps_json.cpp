// The normalizers and pre-tokenizers of a tokenizer.json.
#include <utility>

#include "core/error.h"
#include "io/text/base64.h"
#include "io/tokenizers/component_json.h"
#include "text/printable.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::pair<std::string_view, SplitBehaviour> kBehaviours[] = {
    {"Removed", SplitBehaviour::Removed},
    {"Isolated", SplitBehaviour::Isolated},
    {"MergedWithPrevious", SplitBehaviour::MergedWithPrevious},
    {"MergedWithNext", SplitBehaviour::MergedWithNext},
    {"Contiguous", SplitBehaviour::Contiguous},
};

constexpr std::pair<std::string_view, UnicodeForm> kForms[] = {
    {"NFC", UnicodeForm::Nfc},
    {"NFD", UnicodeForm::Nfd},
    {"NFKC", UnicodeForm::Nfkc},
    {"NFKD", UnicodeForm::Nfkd},
};

BertCleaning read_bert_cleaning(const JsonView& view) {
    view.expect_keys({"type", "clean_text", "handle_chinese_chars", "strip_accents", "lowercase"});
    BertCleaning step;
    step.cleans = view.at("clean_text").flag();
    step.isolates_ideographs = view.at("handle_chinese_chars").flag();
    step.lowers_case = view.at("lowercase").flag();
    step.strips_accents = flag_or(view, "strip_accents", step.lowers_case);
    return step;
}

CharacterMapping read_character_mapping(const JsonView& view) {
    view.expect_keys({"type", "precompiled_charsmap"});
    const JsonView table = view.at("precompiled_charsmap");
    const auto bytes = from_base64(table.text());
    if (!bytes) table.fail("is not base64");
    try {
        return {std::make_shared<CharacterMap>(*bytes)};
    } catch (const std::invalid_argument& error) {
        table.fail(error.what());
    }
}

TextNormalizer read_normalizer(const JsonView& view) {
    const std::string& type = view.at("type").text();
    if (type == "BertNormalizer") return read_bert_cleaning(view);
    if (type == "Precompiled") return read_character_mapping(view);
    for (const auto& [name, form] : kForms)
        if (type == name) return FormChange{form};
    if (type == "Lowercase") return LowerCase{};
    if (type == "Nmt") return NmtCleaning{};
    if (type == "ByteLevel") return ByteLettering{};
    if (type == "Strip") {
        view.expect_keys({"type", "strip_left", "strip_right"});
        return EndStripping{view.at("strip_left").flag(), view.at("strip_right").flag()};
    }
    if (type == "Replace") {
        view.expect_keys({"type", "pattern", "content"});
        return Replacement{read_text_pattern(view.at("pattern")),
                           read_replacement(view.at("content"))};
    }
    if (type == "Prepend") {
        view.expect_keys({"type", "prepend"});
        return Prefix{read_replacement(view.at("prepend"))};
    }
    refuse_component(view, "normalizer",
                     {"BertNormalizer", "NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Strip",
                      "Replace", "Prepend", "Precompiled", "Nmt", "ByteLevel", "Sequence"});
}

ByteLevelSplit read_byte_level_split(const JsonView& view) {
    view.expect_keys({"type", "add_prefix_space", "trim_offsets", "use_regex"});
    ByteLevelSplit step;
    if (view.at("add_prefix_space").flag()) step.first = ByteLevelSplit::First::WithSpace;
    if (!flag_or(view, "use_regex", true)) step.words = ByteLevelSplit::Words::Whole;
    return step;
}

MetaspaceSplit::Prepends read_prepends(const JsonView& view, std::string_view add_prefix_key) {
    using Prepends = MetaspaceSplit::Prepends;
    constexpr std::pair<std::string_view, Prepends> kSchemes[] = {
        {"never", Prepends::Never}, {"first", Prepends::First}, {"always", Prepends::Always}};
    const auto scheme = view.find("prepend_scheme");
    const Prepends prepends = scheme ? scheme->choice(kSchemes) : Prepends::Always;
    if (flag_or(view, add_prefix_key, true)) return prepends;
    if (scheme && prepends != Prepends::Never)
        scheme->fail("says something else than " + in_quotes(add_prefix_key));
    return Prepends::Never;
}

MetaspaceSplit read_metaspace_split(const JsonView& view) {
    view.expect_keys(
        {"type", "replacement", "str_rep", "add_prefix_space", "prepend_scheme", "split"});
    MetaspaceSplit step;
    step.mark = encode_code_point(read_character(view.at("replacement")));
    step.prepends = read_prepends(view, "add_prefix_space");
    if (!flag_or(view, "split", true)) step.words = MetaspaceSplit::Words::Whole;
    return step;
}

PatternSplit read_pattern_split(const JsonView& view) {
    view.expect_keys({"type", "pattern", "behavior", "invert"});
    return {read_text_pattern(view.at("pattern")), view.at("behavior").choice(kBehaviours),
            view.at("invert").flag() ? PatternSplit::Matches::Words
                                     : PatternSplit::Matches::Delimiters};
}

PreTokenizer read_pre_tokenizer(const JsonView& view) {
    const std::string& type = view.at("type").text();
    if (type == "ByteLevel") return read_byte_level_split(view);
    if (type == "BertPreTokenizer") return BertSplit{};
    if (type == "Metaspace") return read_metaspace_split(view);
    if (type == "Whitespace") return WordSplit{};
    if (type == "WhitespaceSplit") return BlankSplit{};
    if (type == "Split") return read_pattern_split(view);
    if (type == "Digits") {
        view.expect_keys({"type", "individual_digits"});
        return DigitSplit{view.at("individual_digits").flag() ? SplitBehaviour::Isolated
                                                              : SplitBehaviour::Contiguous};
    }
    if (type == "Punctuation") {
        view.expect_keys({"type", "behavior"});
        const auto behaviour = view.find("behavior");
        return PunctuationSplit{behaviour ? behaviour->choice(kBehaviours)
                                          : SplitBehaviour::Isolated};
    }
    refuse_component(view, "pre-tokenizer",
                     {"ByteLevel", "BertPreTokenizer", "Metaspace", "Whitespace", "WhitespaceSplit",
                      "Split", "Digits", "Punctuation", "Sequence"});
}

}  // namespace

std::vector<TextNormalizer> read_normalizers(const JsonView& view) {
    std::vector<TextNormalizer> steps;
    for_each_step(view, "normalizers",
                  [&](const JsonView& step) { steps.push_back(read_normalizer(step)); });
    return steps;
}

std::vector<PreTokenizer> read_pre_tokenizers(const JsonView& view) {
    std::vector<PreTokenizer> steps;
    for_each_step(view, "pretokenizers",
                  [&](const JsonView& step) { steps.push_back(read_pre_tokenizer(step)); });
    return steps;
}

}  // namespace headlight
