// What one sees of "Three questions": the heads beside each other, the answers, what has moved.
#include <algorithm>
#include <doctest/doctest.h>

#include "app_state/studies.h"
#include "app_state/workspace.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "views/answer.h"
#include "views/panels_view.h"
#include "views/selection.h"
#include "views/view_figure.h"

namespace headlight::questions_view_test {
namespace {

constexpr const char *kTired = "The cat didn't cross the street because it was too tired",
                     *kWide = "The cat didn't cross the street because it was too wide";

Document study(const char* text = kTired) {
    Document document = find_ready_study(kFirstStudy)->make();
    document.sentence()->text = text;
    return document;
}

struct Seen : Workspace {
    explicit Seen(const Document& document) : Workspace(document, [] {}) { compute(); }

    void compute() {
        for (int k = 0; k < 4; ++k) {
            prepare(*this);
            session.wait();
        }
        prepare(*this);
    }
    Scene scene() const { return make_scene(*this, theme_named(ThemeName::Light)); }
};

Trace trace_of(const char* text) {
    return evaluate(study(text), nullptr, {.everything = true, .globs = {}});
}

}  // namespace

TEST_CASE("questions: the first study shows three heads beside each other, and “it” is held") {
    const Seen seen(study());
    CHECK(seen.selection.view == ViewId::Panels);
    REQUIRE(seen.selection.held().indices.query);
    CHECK(seen.trace->items()[static_cast<std::size_t>(*seen.selection.held().indices.query)] ==
          "it");

    const ShownPanels shown = list_panels(seen.scene(), FigureLook::Heading::Shown);
    REQUIRE(shown.problem.empty());
    REQUIRE(shown.input.panels.size() == 3);
    REQUIRE(shown.input.bars.size() == 1);
    CHECK(shown.input.bars.front().stripes.size() == 3);
    CHECK(shown.input.bars.front().name.ends_with("a colour for each head"));
    const char* titles[] = {"who: which noun?", "state: which adjective?", "action: which verb?"};
    const char* answers[] = {"cat", "tired", "cross"};
    for (std::size_t q = 0; q < 3; ++q) {
        const PanelInput& panel = shown.input.panels[q];
        CHECK(panel.titles.front() == titles[q]);
        CHECK(panel.matrix.numbers == HeatmapInput::Numbers::Small);
        REQUIRE(panel.matrix.selected.column);
        CHECK(panel.matrix.column_labels[static_cast<std::size_t>(*panel.matrix.selected.column)] ==
              answers[q]);
        CHECK(panel.matrix.scale.colors == shown.input.bars.front().stripes[q].colors);
    }
}

TEST_CASE("questions: the panels are the heads' answers, whatever other matrix was looked at") {
    Seen seen(study());
    seen.selection.chosen = "embed";
    REQUIRE(seen.trace->find("embed"));
    const ShownPanels shown = list_panels(seen.scene(), FigureLook::Heading::Shown);
    REQUIRE(shown.input.panels.size() == 3);
    CHECK(shown.input.panels.front().titles.front() == "who: which noun?");
}

TEST_CASE("questions: the held answer follows the text, and another held cell stays") {
    Seen seen(study());
    const auto held = [&] { return seen.selection.held().cell.value_or(CellPlace{}).column; };
    const auto type = [&](const char* text) {
        seen.session.apply(
            {.label = "Text", .change = [&](Document& d) { d.sentence()->text = text; }});
        seen.compute();
    };
    CHECK(held() == 1);
    type(kWide);
    CHECK(held() == 5);
    type(kTired);
    CHECK(held() == 1);
    // Word by word: for a moment there is no “it”, and then it is another word.
    type("The dog");
    type("The old dog chased the cat because it was hungry");
    REQUIRE(seen.selection.held().cell);
    CHECK(seen.selection.held().cell->row == 7);
    CHECK(held() == 2);
    type(kTired);
    const Tensor& who = seen.trace->at("blocks.1.attn.heads.0.pattern");
    seen.selection.keep_held(pick_at(*seen.trace, who, 7, 3));
    type(kWide);
    CHECK(held() == 3);
}

TEST_CASE("questions: one map for all heads has one bar of one colour") {
    Seen seen(study());
    seen.selection.scales.of(Quantity::Probability).colors = "Viridis";
    const ShownPanels shown = list_panels(seen.scene(), FigureLook::Heading::Shown);
    REQUIRE(shown.input.bars.size() == 1);
    CHECK(shown.input.bars.front().stripes.empty());
    CHECK(shown.input.bars.front().name.find("own colour") == std::string::npos);
}

TEST_CASE("questions: the answers are those of the held word, one after another") {
    const Trace tired = trace_of(kTired), wide = trace_of(kWide);
    const auto answer = find_answer(tired, std::nullopt, 1);
    REQUIRE(answer);
    CHECK(answer->kind == Answer::Kind::Questions);
    CHECK(answer->after == "it");
    REQUIRE(answer->rows.size() == 3);
    CHECK(answer->rows[0].label == "who: cat");
    CHECK(answer->rows[1].label == "state: tired");
    CHECK(answer->rows[2].label == "action: cross");
    for (const AnswerRow& row : answer->rows) CHECK(row.probability > Scalar(0.95));
    CHECK(find_answer(wide, std::nullopt, 1)->rows[0].label == "who: street");
    CHECK(find_answer(wide, 5, 1)->rows[1].label == "state: wide");
    CHECK(find_answer(wide, 5, 1)->after == "street");
}

TEST_CASE("questions: below a sentence of another kind stands no accuracy") {
    const Seen inside(study()), outside(study("The weather in Rome is nice today"));
    CHECK(shown_origin(inside.scene()).find("held-out pairs of nouns right") != std::string::npos);
    const std::string origin = shown_origin(outside.scene());
    CHECK(origin.find("not a sentence of the kind that it was trained on") != std::string::npos);
    CHECK(origin.find("%") == std::string::npos);
}

TEST_CASE("changed rows: what moves with a word is marked for a moment, and no more than that") {
    const Trace tired = trace_of(kTired), typing = trace_of("The cat didn't cross"),
                wide = trace_of(kWide);
    const Components components = make_components(tired.plan());
    const Component* heads = attention_of_questions(components);
    REQUIRE(heads);
    ChangedRows changed;
    const auto rows = [&](const char* head) {
        return changed.rows_of("blocks.1.attn.heads." + std::string(head) + ".pattern");
    };
    changed.follow(tired, heads, 10);
    CHECK(changed.strength() == 0);
    changed.follow(tired, heads, 20);
    CHECK(changed.strength() == 0);
    // While it is typed there are fewer words; letters may take two seconds each.
    changed.follow(typing, heads, 20.1);
    CHECK(rows("0").empty());
    changed.follow(typing, heads, 22);
    changed.follow(wide, heads, 22.5);
    CHECK(changed.strength() == doctest::Approx(1));
    // Of who: it was too wide. Of state: what was said of the cat is said of the street now.
    CHECK(rows("0") == std::vector<Index>{7, 8, 9, 10});
    CHECK(rows("1") == std::vector<Index>{1, 5});
    CHECK(rows("2").empty());
    changed.follow(wide, heads, 23);
    CHECK(changed.strength() < 1);
    CHECK(changed.strength() > 0);
    changed.follow(wide, heads, 26);
    CHECK(changed.strength() == 0);
    CHECK(rows("0").empty());
    // Another text has no row to be compared with.
    changed.follow(typing, heads, 30);
    CHECK(rows("0").empty());
}

}  // namespace headlight::questions_view_test
