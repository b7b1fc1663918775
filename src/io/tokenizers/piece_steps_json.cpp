// The post-processors and decoders of a tokenizer.json.
#include <algorithm>
#include <utility>

#include "io/tokenizers/component_json.h"
#include "text/printable.h"

namespace headlight {
namespace {

PieceId read_special_id(const JsonView& view) {
    return static_cast<PieceId>(view.integer(0, static_cast<std::int64_t>(kMostPieces) - 1));
}

/// ["[SEP]", 102].
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

/// [CLS] text [SEP], which pairs begin with as well.
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
    if (!named) special.fail("'special_tokens' has no " + in_quotes(special.at("id").text()));
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
    steps.push_back(RangeTrimming{view.at("add_prefix_space").flag()
                                      ? RangeTrimming::Prefix::Space
                                      : RangeTrimming::Prefix::None});
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
    return {read_character(view.at("replacement")),
            never ? MetaspaceDecoding::First::Space : MetaspaceDecoding::First::Nothing};
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
        return WordPieceDecoding{view.at("prefix").text(),
                                 view.at("cleanup").flag() ? WordPieceDecoding::Spaces::CleanedUp
                                                           : WordPieceDecoding::Spaces::AsTheyAre};
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
