// The normalizers and pre-tokenizers of a tokenizer.json.
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "io/text/base64.h"
#include "io/tokenizers/tokenizer_files.h"
#include "text/strings.h"
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
    step.adds_prefix_space = view.at("add_prefix_space").flag();
    step.splits_words = flag_or(view, "use_regex", true);
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
        scheme->fail("says something else than {}", in_quotes(add_prefix_key));
    return Prepends::Never;
}

MetaspaceSplit read_metaspace_split(const JsonView& view) {
    view.expect_keys(
        {"type", "replacement", "str_rep", "add_prefix_space", "prepend_scheme", "split"});
    MetaspaceSplit step;
    step.mark = encode_code_point(read_character(view.at("replacement")));
    step.prepends = read_prepends(view, "add_prefix_space");
    step.splits_words = flag_or(view, "split", true);
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

namespace {

PieceId read_special_id(const JsonView& view) {
    return static_cast<PieceId>(view.integer(0, static_cast<std::int64_t>(kMostPieces) - 1));
}

/// Reads ["[SEP]", 102].
PieceId read_named_special(const JsonView& view) {
    if (view.size() != 2) view.fail("must be [token, id]");
    static_cast<void>(view[0].text());
    return read_special_id(view[1]);
}

TemplatePart special_part(PieceId id, int type) {
    return {{id}, TokenOrigin::FirstText, type};
}

TemplatePart text_part(TokenOrigin text, int type) {
    return {{}, text, type};
}

/// Begins [CLS] text [SEP], with which pairs begin as well.
TemplateStep begin_template(const JsonView& view) {
    const PieceId cls = read_named_special(view.at("cls"));
    const PieceId sep = read_named_special(view.at("sep"));
    TemplateStep step;
    step.single = {special_part(cls, 0), text_part(TokenOrigin::FirstText, 0),
                   special_part(sep, 0)};
    step.pair = step.single;
    return step;
}

TemplateStep read_bert_template(const JsonView& view) {
    view.expect_keys({"type", "sep", "cls"});
    const PieceId sep = read_named_special(view.at("sep"));
    TemplateStep step = begin_template(view);
    step.pair.push_back(text_part(TokenOrigin::SecondText, 1));
    step.pair.push_back(special_part(sep, 1));
    return step;
}

TemplateStep read_roberta_template(const JsonView& view) {
    const PieceId sep = read_named_special(view.at("sep"));
    TemplateStep step = begin_template(view);
    step.pair.push_back(special_part(sep, 0));
    step.pair.push_back(text_part(TokenOrigin::SecondText, 0));
    step.pair.push_back(special_part(sep, 0));
    return step;
}

TemplatePart read_template_part(const JsonView& view, const JsonView& specials) {
    view.expect_keys({"Sequence", "SpecialToken"});
    constexpr std::int64_t kMostTypes = 1000;
    const auto type = [](const JsonView& part) {
        part.expect_keys({"id", "type_id"});
        return static_cast<int>(part.at("type_id").integer(0, kMostTypes));
    };
    if (const auto text = view.find("Sequence")) {
        constexpr std::pair<std::string_view, TokenOrigin> kTexts[] = {
            {"A", TokenOrigin::FirstText}, {"B", TokenOrigin::SecondText}};
        return text_part(text->at("id").choice(kTexts), type(*text));
    }
    const JsonView special = view.at("SpecialToken");
    TemplatePart part{{}, TokenOrigin::Template, type(special)};
    const auto named = specials.find(special.at("id").text());
    if (!named) special.fail("'special_tokens' has no {}", in_quotes(special.at("id").text()));
    named->at("ids").for_each_element(
        [&](const JsonView& id) { part.specials.push_back(read_special_id(id)); });
    if (part.specials.empty()) named->fail("has no ids");
    return part;
}

std::vector<TemplatePart> read_template_parts(const JsonView& view, const JsonView& specials,
                                              bool has_second) {
    std::vector<TemplatePart> parts;
    view.for_each_element([&](const JsonView& element) {
        parts.push_back(read_template_part(element, specials));
        if (parts.back().text == TokenOrigin::SecondText && !has_second)
            element.fail("there is no text B in a template for one text");
    });
    return parts;
}

TemplateStep read_template(const JsonView& view) {
    view.expect_keys({"type", "single", "pair", "special_tokens"});
    const JsonView specials = view.at("special_tokens");
    return {read_template_parts(view.at("single"), specials, false),
            read_template_parts(view.at("pair"), specials, true)};
}

void append_trimming(const JsonView& view, std::vector<PostProcessor>& steps) {
    if (!view.at("trim_offsets").flag()) return;
    steps.push_back(RangeTrimming{.keeps_prefix_space = view.at("add_prefix_space").flag()});
}

void append_post_processor(const JsonView& view, std::vector<PostProcessor>& steps) {
    const std::string& type = view.at("type").text();
    if (type == "ByteLevel") {
        view.expect_keys({"type", "add_prefix_space", "trim_offsets", "use_regex"});
        return append_trimming(view, steps);
    }
    const auto is_template = [](const PostProcessor& step) {
        return std::holds_alternative<TemplateStep>(step);
    };
    if (std::ranges::any_of(steps, is_template))
        view.fail("a second post-processor that adds tokens is not known");
    if (type == "BertProcessing") {
        steps.push_back(read_bert_template(view));
    } else if (type == "RobertaProcessing") {
        view.expect_keys({"type", "sep", "cls", "trim_offsets", "add_prefix_space"});
        append_trimming(view, steps);
        steps.push_back(read_roberta_template(view));
    } else if (type == "TemplateProcessing") {
        steps.push_back(read_template(view));
    } else {
        refuse_component(
            view, "post-processor",
            {"ByteLevel", "BertProcessing", "RobertaProcessing", "TemplateProcessing", "Sequence"});
    }
}

MetaspaceDecoding read_metaspace_decoding(const JsonView& view) {
    view.expect_keys(
        {"type", "replacement", "str_rep", "add_prefix_space", "prepend_scheme", "split"});
    const bool never =
        text_or(view, "prepend_scheme", "") == "never" || !flag_or(view, "add_prefix_space", true);
    return {.mark = read_character(view.at("replacement")), .drops_first = !never};
}

StripDecoding read_strip_decoding(const JsonView& view) {
    view.expect_keys({"type", "content", "start", "stop"});
    constexpr std::int64_t kMost = 1'000'000;
    return {read_character(view.at("content")),
            static_cast<std::size_t>(view.at("start").integer(0, kMost)),
            static_cast<std::size_t>(view.at("stop").integer(0, kMost))};
}

PieceDecoder read_decoder(const JsonView& view) {
    const std::string& type = view.at("type").text();
    if (type == "ByteLevel") return ByteLevelDecoding{};
    if (type == "Metaspace") return read_metaspace_decoding(view);
    if (type == "Fuse") return JoinDecoding{};
    if (type == "ByteFallback") return ByteFallbackDecoding{};
    if (type == "Strip") return read_strip_decoding(view);
    if (type == "WordPiece") {
        view.expect_keys({"type", "prefix", "cleanup"});
        return WordPieceDecoding{.prefix = view.at("prefix").text(),
                                 .cleans_up_spaces = view.at("cleanup").flag()};
    }
    if (type == "Replace") {
        view.expect_keys({"type", "pattern", "content"});
        return ReplaceDecoding{read_text_pattern(view.at("pattern")),
                               read_replacement(view.at("content"))};
    }
    if (type == "BPEDecoder") {
        view.expect_keys({"type", "suffix"});
        return SuffixDecoding{view.at("suffix").text()};
    }
    refuse_component(view, "decoder",
                     {"ByteLevel", "WordPiece", "Metaspace", "Replace", "Fuse", "Strip",
                      "ByteFallback", "BPEDecoder", "Sequence"});
}

}  // namespace

std::vector<PostProcessor> read_post_processors(const JsonView& view) {
    std::vector<PostProcessor> steps;
    for_each_step(view, "processors",
                  [&](const JsonView& step) { append_post_processor(step, steps); });
    return steps;
}

std::vector<PieceDecoder> read_decoders(const JsonView& view) {
    std::vector<PieceDecoder> steps;
    for_each_step(view, "decoders",
                  [&](const JsonView& step) { steps.push_back(read_decoder(step)); });
    return steps;
}

}  // namespace headlight
