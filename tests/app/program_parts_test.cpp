// Workspaces, parts of the network, sentences beside each other, images and steps, driven by
// events.
#include <algorithm>
#include <doctest/doctest.h>
#include <utility>

#include "app/driver.h"
#include "core/analyses/head_metrics.h"
#include "model/presets.h"

namespace headlight::program_parts_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";

/// A window with a preset in it.
struct PresetDriver : Driver {
    explicit PresetDriver(const char* name) {
        program().workbench().open(find_preset(name)->make(), {});
        move_to({5, 5});
    }
};

void type_into(Driver& d, const std::string& field, const std::string& text) {
    d.click("text " + field);
    d.press(Key::A, Modifier::Ctrl);
    d.type(text);
}

std::size_t count_regions(Driver& d, const std::string& kind) {
    const auto& boxes = d.regions().boxes();
    return static_cast<std::size_t>(std::count_if(
        boxes.begin(), boxes.end(), [&](const auto& box) { return box.first.starts_with(kind); }));
}

}  // namespace

TEST_CASE("workspaces: each tab keeps its own study") {
    Driver d;
    d.replace_sentence("mine");
    d.click("tab Alignment");
    CHECK(d.document().alignment());
    CHECK(d.has("text Source"));
    d.click("tab Graph");
    CHECK(d.document().graph());
    d.click("tab Image");
    CHECK(d.document().image());
    CHECK(d.has("canvas Image"));
    d.click("tab Sentence");
    CHECK(d.document().sentence()->text == "mine");
}

TEST_CASE("alignment: typing into the source changes keys, into the target queries") {
    Driver d;
    d.click("tab Alignment");
    type_into(d, "Source", "one two three");
    type_into(d, "Target", "un deux");
    CHECK(d.document().alignment()->source == "one two three");
    CHECK(d.document().alignment()->target == "un deux");
    CHECK(d.undo_label() == "Change the target");
    const Tensor& pattern = *shown_pattern(d.trace(), make_components(d.trace()), d.selection());
    CHECK(pattern.value->rows() == 3);
    CHECK(pattern.value->cols() == 3);
    d.click("button ↶");
    CHECK(d.document().alignment()->target != "un deux");
    CHECK(d.document().alignment()->source == "one two three");
}

TEST_CASE("parts: a click opens one, with its cards and a large matrix") {
    PresetDriver d("encoder");
    d.click("part blocks.0.mlp");
    CHECK(d.selection().component == "blocks.0.mlp");
    CHECK(d.has("card blocks.0.mlp.pre"));
    CHECK(!d.has("card " + kPattern));
    CHECK(d.selection().chosen.starts_with("blocks.0."));
    // The heads are still those of the attention before it.
    CHECK(d.has("head 3"));
    d.click("part blocks.1.attn");
    CHECK(d.selection().chosen == "blocks.1.attn.heads.0.pattern");
    CHECK(d.has("card blocks.1.attn.heads.0.pattern"));
    d.click("part analyses");
    CHECK(d.trace().at(d.selection().chosen).value);
}

TEST_CASE("parts: the terms of a sum are drawn even if one of them is a bias") {
    PresetDriver d("encoder");
    d.resize(1280, 1000);  // tall enough for the bars
    d.click("part blocks.0.mlp");
    d.click("card blocks.0.mlp.pre");
    d.click(CellPlace{"blocks.0.mlp.pre", 1, 1});
    CHECK(d.selection().current_cell()->path == "blocks.0.mlp.pre");
}

TEST_CASE("parts: with many layers, only the open one shows its parts") {
    PresetDriver d("transformer");
    d.click("part encoder.blocks.0.attn");
    CHECK(d.has("part encoder.blocks.0.mlp"));
    CHECK(!d.has("part decoder.blocks.1.mlp"));
    d.click("part decoder.blocks.1.attn");
    CHECK(d.has("part decoder.blocks.1.cross"));
    CHECK(d.has("part decoder.blocks.1.mlp"));
    CHECK(!d.has("part encoder.blocks.0.mlp"));
}

TEST_CASE("parts: the list beside the heads opens every attention") {
    PresetDriver d("head-metrics");
    CHECK(count_regions(d, "button Layer ") == 4);
    CHECK(count_regions(d, "head ") == 12);
    d.click("button Layer 2");
    d.click("head 11");
    CHECK(d.selection().chosen == "blocks.2.attn.heads.11.pattern");
}

TEST_CASE("all heads: where they look blank on a scale of 0 to 1, another one is offered") {
    Driver d;
    d.click("part all heads");
    CHECK(!d.has("button Log scale"));
    std::string words;
    for (int k = 0; k < 200; ++k) words += "w" + std::to_string(k) + " ";
    d.replace_sentence(words);
    d.settle();
    CHECK(d.texts().find("heads look nearly blank on a scale of 0 to 1") != std::string::npos);
    d.click("button Log scale");
    CHECK(d.selection().scales.of(Quantity::Probability).scale == PictureSettings::Scale::Log);
    CHECK(d.texts().find("probability, log from") != std::string::npos);
    CHECK(!d.has("button Log scale"));
    d.click("button 0 to 1");
    CHECK(d.has("button Log scale"));
}

TEST_CASE(
    "all heads: the field of an own metric takes the keyboard, and its problem is seen whole") {
    PresetDriver d("head-metrics");
    d.click("part all heads");
    d.choose("Sort by", "own metric…");
    REQUIRE(d.types_into_field());
    d.type("no_such(1)");
    CHECK(d.texts().find("there is no function") != std::string::npos);
    CHECK(d.selection().looks.heads.order.measure == "no_such(1)");
    d.press(Key::Enter);
    // What an option has said is in the list and in the field.
    d.selection().looks.heads.order = {.by = HeadsOrder::By::Measure, .measure = "max(pattern)"};
    d.program().loop().wake();
    d.settle();
    CHECK(d.texts().find("max(pattern)") != std::string::npos);
    d.choose("Sort by", "layer");
    CHECK(d.selection().looks.heads.order == HeadsOrder());
}

TEST_CASE("all heads: every head is shown, sorted by a metric; a click opens one") {
    PresetDriver d("head-metrics");
    d.click("part all heads");
    CHECK(d.has("head 0.0"));
    CHECK(d.has("head 3.11"));
    CHECK(d.has("point 3.11"));
    CHECK(d.trace().at("blocks.3.attn.heads.11.pattern").value);
    d.choose("Sort by", head_metric_names()[static_cast<std::size_t>(HeadMetric::First)]);
    CHECK(d.selection().view == ViewId::Heads);
    CHECK(d.selection().looks.heads.order.metric == HeadMetric::First);
    CHECK(d.trace().at("blocks.3.attn.heads.11.metrics").value);
    const auto first = static_cast<Index>(HeadMetric::First);
    std::string best;
    Scalar most = -1, second = -1;
    for (int layer = 0; layer < 4; ++layer)
        for (int head = 0; head < 12; ++head) {
            const std::string path =
                "blocks." + std::to_string(layer) + ".attn.heads." + std::to_string(head);
            const Scalar value = (*d.trace().at(path + ".metrics").value)(0, first);
            if (value > most) {
                second = std::exchange(most, value);
                best = std::to_string(layer) + "." + std::to_string(head);
            } else {
                second = std::max(second, value);
            }
        }
    const auto place = [&](const std::string& head) { return *d.regions().find("head " + head); };
    for (const auto& [name, box] : d.regions().boxes())
        if (name.starts_with("head ") && name.find('.') != std::string::npos)
            CHECK_MESSAGE((box.y > place(best).y || box.x >= place(best).x), name);
    // The filter shows all its digits.
    d.double_click(d.locate("field at least"));
    d.press(Key::A, Modifier::Ctrl);
    d.type("0.0254");
    d.press(Key::Enter);
    CHECK(d.texts().find("0.0254") != std::string::npos);
    // Only heads with a high metric.
    d.double_click(d.locate("field at least"));
    d.press(Key::A, Modifier::Ctrl);
    d.type(std::to_string((most + second) / 2));
    d.press(Key::Enter);
    CHECK(d.has("head " + best));
    CHECK(count_regions(d, "point ") == 1);
    d.click("point " + best);
    CHECK(d.selection().view == ViewId::Matrix);
    CHECK(d.selection().component == "blocks." + best.substr(0, best.find('.')) + ".attn");
    CHECK(std::to_string(d.selection().head) == best.substr(best.find('.') + 1));
}

TEST_CASE("all heads: attentions without metrics are shown, too, and so are a graph's") {
    for (const char* preset : {"transformer", "graph-layers", "image"}) {
        PresetDriver d(preset);
        d.click("part all heads");
        CHECK(d.has("head 0.1"));
        d.click("head 0.1");
        CHECK(d.selection().head == 1);
        CHECK(d.selection().view == ViewId::Matrix);
    }
}

TEST_CASE("find: matrices, parts, studies and commands are found by several names") {
    Driver d;
    const std::string sentence = d.document().sentence()->text;
    const auto find = [&](const std::string& words) {
        d.press(Key::K, Modifier::Ctrl);
        d.type(words);
        d.press(Key::Enter);
        CHECK(!d.has("text Find"));
    };
    find("heads.2.masked");
    CHECK(d.selection().chosen == "blocks.0.attn.heads.2.masked_scores");
    CHECK(d.selection().head == 2);
    find("all heads");
    CHECK(d.selection().view == ViewId::Heads);
    find("who ranks");  // found by its topic
    CHECK(d.document().graph()->layer.mechanism == GraphMechanism::GatV2);
    CHECK(d.undo_label() == "Start the study gatv2");
    d.click("button ↶");
    CHECK(d.document().graph()->layer.mechanism == GraphMechanism::Gat);
    find("sentence words");
    CHECK(d.document().sentence()->text == sentence);
    // Pointer and arrows choose, too; Esc or a click outside changes nothing.
    d.click("button Find…");
    d.type("blocks.0.attn.w_o");
    d.click("found blocks.0.attn.W_O");
    CHECK(d.selection().chosen == "blocks.0.attn.W_O");
    d.press(Key::K, Modifier::Ctrl);
    d.type("heads.1.");
    d.press(Key::Down);
    d.press(Key::Enter);
    CHECK(d.selection().chosen.starts_with("blocks.0.attn.heads.1."));
    CHECK(d.selection().chosen != "blocks.0.attn.heads.1.W_Q");  // the first
    const std::string chosen = d.selection().chosen;
    d.press(Key::K, Modifier::Ctrl);
    d.type("no such thing");
    d.press(Key::Enter);
    CHECK(d.has("text Find"));
    d.press(Key::Escape);
    CHECK(!d.has("text Find"));
    CHECK(d.selection().chosen == chosen);
}

TEST_CASE("help: one list has every key, and closes again") {
    Driver d;
    d.press(Key::F1);
    CHECK(d.has("dialog Keys and gestures"));
    d.press(Key::Escape);
    CHECK(!d.has("dialog Keys and gestures"));
    CHECK(d.selection().held().cell);  // Esc was the list's
    d.press(Key::K, Modifier::Ctrl);
    d.type("keys");
    d.press(Key::Enter);
    CHECK(d.has("dialog Keys and gestures"));
    d.click(Point{5, 5});
    CHECK(!d.has("dialog Keys and gestures"));
}

TEST_CASE("find_entries: every word must match; names come before descriptions") {
    const std::vector<PaletteEntry> entries = {
        {"alpha", "how narrow", "matrix", {}},
        {"blocks.0.attn.alpha", "", "matrix", {}},
        {"quadratic", "alpha says how narrowly", "study", {}},
        {"Save", "Ctrl+S", "command", {}}};
    using Places = std::vector<std::size_t>;
    CHECK(find_entries(entries, "") == Places{0, 1, 2, 3});
    CHECK(find_entries(entries, "ALPHA") == Places{0, 1, 2});
    CHECK(find_entries(entries, "narrow alpha") == Places{0, 2});
    CHECK(find_entries({{"Masks", "masks", "lesson", {}}, {"Mean", "", "command", {}}}, "lesson") ==
          Places{0});
    CHECK(find_entries(entries, "  ") == Places{0, 1, 2, 3});
    CHECK(find_entries(entries, "beta").empty());
}

TEST_CASE("find_entries: a setting before a study of its name, and punctuation does not matter") {
    const std::vector<PaletteEntry> entries = {{"causal", "no word reads a later one", "study", {}},
                                               {"kv-cache", "a causal decoder", "study", {}},
                                               {"who-is-it", "the last adjective", "study", {}},
                                               {"Who is “it”?", "who-is-it", "lesson", {}},
                                               {"Causal: on", "Mask", "setting", {}},
                                               {"Biased: acausal", "", "setting", {}}};
    using Places = std::vector<std::size_t>;
    CHECK(find_entries(entries, "causal") == Places{4, 0, 5, 1});
    CHECK(find_entries(entries, "who is it") == Places{2, 3});
    CHECK(find_entries(entries, "who is “it”?") == Places{2, 3});
    CHECK(find_entries(entries, "kv cache") == Places{1});
    CHECK(find_entries(entries, "?").size() == 1);
}

TEST_CASE("steps: one chip stands for all steps, and arrows lead from step to step") {
    PresetDriver d("bahdanau");
    d.click("part encoder.forward");
    d.click("part encoder.forward.steps");
    CHECK(d.selection().component == "encoder.forward.steps.0");
    CHECK(!d.has("button step before"));
    d.click("button step after");
    d.click("button step after");
    CHECK(d.selection().component == "encoder.forward.steps.2");
    CHECK(d.has("card encoder.forward.steps.2.h"));
    CHECK(d.trace().at("encoder.forward.steps.2.h").value);
    d.click("button step before");
    CHECK(d.selection().component == "encoder.forward.steps.1");
}

TEST_CASE("steps: on-demand tensors of decoding are computed when shown") {
    PresetDriver d("kv-cache");
    const std::size_t n_attentions = count_regions(d, "button Layer ");
    CHECK(n_attentions == 0);  // a single layer; the attentions of its steps are not separate ones
    d.click("part decoding.steps");
    CHECK(d.selection().component == "decoding.steps.0.blocks.0.attn");
    CHECK(d.trace().at("decoding.steps.0.blocks.0.attn.heads.0.k").value);
    CHECK(d.trace().at(d.selection().chosen).value);
}

TEST_CASE("sentences: a sentence can be added beside the first, and removed") {
    Driver d;
    const std::string first = d.document().sentence()->text;
    d.click("button Add sentence");
    CHECK(d.document().sentence()->text.starts_with(first + "\n"));
    CHECK(d.selection().sentence == 1);
    type_into(d, "Sentence 2", "The dog slept");
    CHECK(d.document().sentence()->text == first + "\nThe dog slept");
    d.click("button 1");
    CHECK(d.selection().sentence == 0);
    d.click("button Side by side");
    ComparisonRun& comparison = d.program().workbench().comparison();
    REQUIRE(comparison.now().other<OtherSentence>());
    CHECK(comparison.now().other<OtherSentence>()->sentence == 1);
    CHECK(d.has("picture B"));
    d.click("button Alone");
    CHECK(!comparison.now().is_on());
    d.click("button 2");
    d.click("button Remove");
    CHECK(d.document().sentence()->text == first);
}

TEST_CASE("sentences: an emptied sentence disappears, and later fields keep their places") {
    Driver d;
    d.click("button Add sentence");
    type_into(d, "Sentence 2", "The dog slept");
    d.click("button Add sentence");
    type_into(d, "Sentence 3", "It woke up");
    d.click("text Sentence 2");
    d.press(Key::A, Modifier::Ctrl);
    d.press(Key::Delete);
    CHECK(d.has("text Sentence 3"));
    CHECK(!d.has("button 3"));
    d.click("button 2");
    CHECK(d.scene().trace.items()[0] == "It");
    d.click("button Remove");
    CHECK(d.document().sentence()->text.find("woke") == std::string::npos);
}

TEST_CASE("sentences: a pin in the second sentence stays in its rows") {
    PresetDriver d("batch");
    const Index n = d.trace().at(kPattern).columns().size;
    d.click("button 2");
    const CellPlace cell{kPattern, 1, 2};
    d.click(cell);
    d.click("button Pin");
    REQUIRE(d.document().interventions.contains(kPattern));
    CHECK(d.document().interventions.at(kPattern).find(n + 1, 2));
    CHECK(!d.document().interventions.at(kPattern).find(1, 2));
    d.set_number("Value", "0.5");
    CHECK(d.value({kPattern, n + 1, 2}) == 0.5f);
    d.click("button Reset");
    CHECK(d.document().interventions.empty());
}

TEST_CASE("sentences: masking a pair of the second sentence does not change the first") {
    PresetDriver d("batch");
    const Index n = d.trace().at(kPattern).columns().size;
    const Scalar first = d.value({kPattern, 1, 0});
    d.click("button 2");
    d.click(CellPlace{kPattern, 1, 0});
    d.click("button Mask this pair");
    CHECK(d.value({kPattern, n + 1, 0}) == 0);
    CHECK(d.value({kPattern, 1, 0}) == first);
}

TEST_CASE("image: a click on a patch holds it as the query") {
    PresetDriver d("image");
    d.click("canvas Image");
    const auto query = d.selection().held().indices.query;
    REQUIRE(query);
    d.hover("canvas Attention");
    CHECK(d.selection().held().indices.query == query);
    const Pixels before = d.screenshot();
    d.move_to({5, 5});
    d.click("head 2");
    CHECK(d.selection().chosen == "blocks.0.attn.heads.2.pattern");
    CHECK(d.screenshot().rgba != before.rgba);
}

TEST_CASE("parts: where there is no head to ablate, the reason is told") {
    PresetDriver d("bahdanau");
    d.resize(1400, 1800);  // the whole inspector
    CHECK(d.texts().find("Recorded: there") == std::string::npos);
    CHECK(d.texts().find("The decoder's one attention is no head") != std::string::npos);
}

TEST_CASE("find_entries: an edge is found by its ends, with any arrow between them, or none") {
    const std::vector<PaletteEntry> entries = {{"a", "a node of the graph", "node", {}},
                                               {"b", "a node of the graph", "node", {}},
                                               {"Tab", "a b", "command", {}},
                                               {"ab → b", "an edge of the graph", "edge", {}},
                                               {"b → a", "an edge of the graph", "edge", {}},
                                               {"a → b", "an edge of the graph", "edge", {}}};
    for (const char* query : {"a b", "a → b", "a -> b", "a->b", "A → B", "a – b"}) {
        const std::vector<std::size_t> found = find_entries(entries, query);
        REQUIRE(!found.empty());
        CHECK_MESSAGE(found.front() == 5, query);
    }
    CHECK(find_entries(entries, "b a").front() == 4);
}

}  // namespace headlight::program_parts_test
