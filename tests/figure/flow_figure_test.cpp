#include "figure/flow_figure.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/compute.h"
#include "core/mechanisms/recurrent.h"
#include "core/mechanisms/transformer.h"
#include "figure/marks.h"

namespace headlight::flow_figure_test {
using namespace headlight::test;

namespace {

constexpr std::pair<float, float> kSizes[] = {{1030, 740}, {810, 470}, {330, 294}, {1400, 860}};
constexpr float kReadableWidth = 60, kReadableHeight = 60;

Trace sentence(const StackSettings& settings, Index n_words = 12) {
    std::vector<std::string> words;
    for (Index i = 0; i < n_words; ++i) words.push_back("w" + std::to_string(i));
    return compute(plan_sentences(std::vector<Words>{words}, settings, 1), {}, {}, nullptr);
}

Trace translation(RecurrentCellType cell) {
    RecurrentSettings settings;
    settings.cell_type = cell;
    return compute(plan_recurrent({"a", "b", "c"}, {"x", "y"}, settings, 1), {}, {}, nullptr);
}

FlowInput input_of(const Trace& trace, const Component& component, int head = 0) {
    FlowInput input{.trace = trace,
                    .component = component,
                    .shown = shown_tensors(trace, component, head),
                    .chosen = 0,
                    .hovered = {},
                    .held = {},
                    .arrangement = FlowArrangement::AroundMain,
                    .width = 1030,
                    .height = 740};
    input.chosen = input.shown.back();
    return input;
}

FlowFigure flow_of(const FlowInput& input) {
    return flow_figure(input, theme_named(ThemeName::Light), fake_measure);
}

bool overlap(const Box& a, const Box& b) {
    return a.x + 0.5f < b.right() && b.x + 0.5f < a.right() && a.y + 0.5f < b.bottom() &&
           b.y + 0.5f < a.bottom();
}

bool is_inside(const Box& inner, const FlowInput& input) {
    return inner.x >= 0 && inner.y >= 0 && inner.right() <= input.width + 0.5f &&
           inner.bottom() <= input.height + 0.5f;
}

/// The fault of the arrangement; empty if there is none.
std::string fault_of(const FlowFigure& flow, const FlowInput& input) {
    if (!is_inside(flow.main, input)) return "the large picture is outside";
    if (flow.main.width < 190 || flow.main.height < 90) return "the large picture is small";
    if (input.height > 400 && !flow.find(input.chosen)) return "the chosen tensor has no card";
    for (const FlowCard& card : flow.cards) {
        const std::string& path = input.trace[card.tensor].path();
        if (!is_inside(card.box, input)) return path + " is outside";
        if (overlap(card.box, flow.main)) return path + " covers the large picture";
        if (card.box.width < kReadableWidth || card.box.height < kReadableHeight)
            return path + " is too small";
        if (flow.card_at(card.box.center())->tensor != card.tensor) return path + " is not found";
        for (const FlowCard& other : flow.cards)
            if (&other != &card && overlap(card.box, other.box))
                return path + " and " + input.trace[other.tensor].path() + " overlap";
    }
    return "";
}

void check_all_components(const Trace& trace) {
    const Components components = make_components(trace);
    for (const Component& component : components)
        for (const auto& [width, height] : kSizes)
            for (const auto arrangement : {FlowArrangement::AroundMain, FlowArrangement::Row}) {
                FlowInput input = input_of(trace, component);
                input.width = width;
                input.height = height;
                input.arrangement = arrangement;
                INFO(component.path << ", " << width << " × " << height);
                CHECK(fault_of(flow_of(input), input) == "");
            }
}

std::vector<std::string> paths(const Trace& trace, const std::vector<TensorId>& ids) {
    std::vector<std::string> paths;
    for (const TensorId id : ids)
        paths.push_back(trace[id].path().substr(trace[id].path().rfind('.') + 1));
    return paths;
}

StackSettings full_stack() {
    StackSettings settings;
    settings.n_layers = 2;
    settings.block.norm = Norm::Pre;
    settings.block.mlp = Mlp::Gelu;
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    return settings;
}

}  // namespace

TEST_CASE("flow: cards of every component are inside, large enough, found, and never overlap") {
    StackSettings additive;
    additive.attention.score = Score::Additive;
    StackSettings shaw;
    shaw.attention.relative = RelativePositions::Shaw;
    for (const StackSettings& settings : {StackSettings{}, full_stack(), additive, shaw})
        check_all_components(sentence(settings));
    check_all_components(sentence({}, 1));
    check_all_components(sentence({}, 40));
    for (const RecurrentCellType cell : {RecurrentCellType::Gru, RecurrentCellType::Lstm})
        check_all_components(translation(cell));
}

TEST_CASE("flow: the law rejects a card outside, and two in one place") {
    const Trace trace = sentence({});
    const Components components = make_components(trace);
    const FlowInput input = input_of(trace, *find_component(components, "blocks.0.attn"));
    FlowFigure flow = flow_of(input);
    CHECK(fault_of(flow, input) == "");
    const Box box = flow.cards[0].box;
    flow.cards[0].box.x = -100;
    CHECK(fault_of(flow, input) == trace[flow.cards[0].tensor].path() + " is outside");
    flow.cards[0].box = box;
    flow.cards[1].box = box;
    CHECK(fault_of(flow, input) != "");
}

TEST_CASE("flow: a norm whose symbol has no room is not called like another card") {
    StackSettings settings;
    settings.block.norm = Norm::Pre;
    settings.norm_type = NormType::Rms;
    const Trace trace = sentence(settings);
    const Component attention = *find_component(make_components(trace), "blocks.0.attn");
    for (const auto& [width, height] : kSizes) {
        FlowInput input = input_of(trace, attention);
        input.width = width, input.height = height;
        const FlowFigure flow = flow_of(input);
        int n_out = 0;
        for (const auto& mark : flow.figure.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) n_out += text->text == "out";
        CHECK(n_out <= 1);
    }
}

TEST_CASE("flow: queries come before keys, and weights in the order of their results") {
    const Trace trace = sentence(full_stack());
    const Components components = make_components(trace);
    const FlowOrder order =
        order_flow(input_of(trace, *find_component(components, "blocks.1.attn")));
    CHECK(paths(trace, order.weights) == std::vector<std::string>{"W_Q", "W_K", "W_V"});
    CHECK(paths(trace, order.projections) == std::vector<std::string>{"q", "k", "v"});
    // The previous layer's output and the layer norm are at the start of the flow.
    CHECK(paths(trace, order.inputs) == std::vector<std::string>{"resid_post", "resid_pre", "out"});
}

TEST_CASE("flow: heads that share keys and values show their group's") {
    StackSettings settings;
    settings.attention.n_kv_heads = 2;
    const Trace trace = sentence(settings);
    const Components components = make_components(trace);
    const auto shown_with = [&](int head) {
        std::string shown;
        for (const TensorId id :
             shown_tensors(trace, *find_component(components, "blocks.0.attn"), head))
            if (trace[id].path().ends_with(".k")) shown += trace[id].path() + " ";
        return shown;
    };
    CHECK(shown_with(0) == "blocks.0.attn.kv.0.k ");
    CHECK(shown_with(3) == "blocks.0.attn.kv.1.k ");
}

TEST_CASE("flow: if cards have no room, weights go and activations stay") {
    const Trace trace = translation(RecurrentCellType::Gru);
    const Components components = make_components(trace);
    FlowInput input = input_of(trace, *find_component(components, "decoder.attn"));
    input.chosen = trace.id_at("decoder.attn.heads.0.pattern");
    const FlowFigure flow = flow_of(input);
    for (const char* path : {"encoder.h", "decoder.s", "decoder.context",
                             "decoder.attn.heads.0.scores", "decoder.attn.heads.0.pattern"})
        CHECK_MESSAGE(flow.find(trace.id_at(path)), path);
    CHECK(!flow.find(trace.id_at("decoder.W_ir")));
    // Except for the chosen one.
    input.chosen = trace.id_at("decoder.W_ir");
    CHECK(flow_of(input).find(input.chosen));
}

TEST_CASE("leave_out: as many cards stay as have room, always with the chosen one") {
    const Trace trace = sentence({});
    const Components components = make_components(trace);
    FlowInput input = input_of(trace, *find_component(components, "blocks.0.attn"));
    input.chosen = input.shown.front();
    std::vector<TensorId> cards = input.shown;
    leave_out(cards, 3, input);
    CHECK(cards == std::vector<TensorId>{input.chosen, input.shown[input.shown.size() - 2],
                                         input.shown.back()});
    leave_out(cards, 0, input);
    CHECK(cards == std::vector<TensorId>{input.chosen});
}

}  // namespace headlight::flow_figure_test
