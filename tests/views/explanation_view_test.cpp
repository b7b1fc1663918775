// The arithmetic of a cell as a figure.
#include "views/explanation_view.h"

#include <doctest/doctest.h>

#include "../figure/marks.h"
#include "app_state/workspace.h"
#include "core/error.h"
#include "model/presets.h"
#include "views/view_figure.h"

namespace headlight::explanation_view_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";

/// The sentence of a new window, seen in it.
struct Sentence : Workspace {
    Sentence() : Workspace(built_in_sentence(), [] {}) {
        for (int k = 0; k < 4; ++k) {
            prepare(*this);
            session.wait();
        }
        prepare(*this);
    }
    Scene scene() { return make_scene(*this, theme_named(ThemeName::Light)); }
    void hold(const std::string& path, Index row, Index column) {
        selection.keep_held(pick_at(*trace, trace->at(path), row, column));
    }
    Figure figure(Point room) {
        FigureLook look;
        look.room = room;
        return view_figure(scene(), ViewId::Explanation, look, test::fake_measure).figure;
    }
};

bool has_part(const Figure& figure, const std::string& part) {
    for (const TextMark& text : test::texts_of(figure))
        if (text.text.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("explanation: it names the cell, its value, and every term of its softmax") {
    Sentence study;
    study.hold(kPattern, 7, 1);
    const Figure figure = study.figure({760, 400});
    CHECK(test::has_text(figure, "it → cat"));
    CHECK(has_part(figure, "Softmax of 12 scores"));
    for (const char* head : {"score", "− max", "exp", "weight"})
        CHECK(test::has_text(figure, head));
    CHECK(figure.left_out.empty());
    CHECK(test::outside_mark(figure) == "");
}

TEST_CASE("explanation: it lists the terms of the step that was chosen, in the chosen order") {
    Sentence study;
    study.hold(kPattern, 7, 1);
    study.selection.looks.explanation = {"scores", TermOrder::AsComputed};
    const Figure figure = study.figure({760, 400});
    CHECK(!has_part(figure, "Softmax of"));
    CHECK(has_part(figure, "factors"));
    // A step that the cell does not have gives way to the last one.
    study.selection.looks.explanation.terms_of = "nothing";
    CHECK(has_part(study.figure({760, 400}), "Softmax of"));
}

TEST_CASE("explanation: a step that an option names is one of the cell's, or is refused by name") {
    Sentence study;
    study.hold(kPattern, 7, 1);
    study.selection.looks.explanation = {"scores", TermOrder::Strongest, true};
    CHECK(has_part(study.figure({760, 400}), "factors"));
    study.selection.looks.explanation.terms_of = "nosuch";
    CHECK_THROWS_WITH_AS(study.figure({760, 400}),
                         "[--terms-of] the cell has no step 'nosuch' with terms; it has 'scores', "
                         "'masked_scores', 'pattern'",
                         Error);
}

TEST_CASE("explanation: in a narrow room the terms stand below; what has no room is counted") {
    Sentence study;
    study.hold(kPattern, 7, 1);
    const Figure narrow = study.figure({400, 600});
    CHECK(has_part(narrow, "Softmax of 12 scores"));
    CHECK(test::outside_mark(narrow) == "");
    for (const Point room : {Point{760, 400}, Point{400, 600}, Point{310, 560}}) {
        CAPTURE(room.x);
        CHECK(test::overlapping_texts(study.figure(room)) == "");
    }
    study.hold("blocks.0.attn.heads.0.q", 7, 0);
    const Figure low = study.figure({720, 150}), lower = study.figure({420, 110});
    for (const Figure* figure : {&low, &lower}) {
        CHECK(test::outside_mark(*figure) == "");
        REQUIRE(figure->left_out.size() == 1);
        CHECK(figure->left_out.front().what == "terms");
    }
    CHECK(has_part(low, "of 32 terms"));
    CHECK(lower.left_out.front().count == 32);
}

TEST_CASE("explanation: a held row is told by its largest number, and nothing held by no figure") {
    Sentence study;
    study.selection.keep_held(pick_item(7));
    REQUIRE(explained_cell(*study.trace, study.selection));
    CHECK(explained_cell(*study.trace, study.selection)->row == 7);
    study.selection.release();
    CHECK(!is_shown(study.scene(), ViewId::Explanation));
    CHECK_THROWS_WITH_AS(study.figure({760, 400}), doctest::Contains("no cell is held"), Error);
}

TEST_CASE("explanation: marks that are hidden do not hide the cell that it is of") {
    Sentence study;
    study.hold(kPattern, 7, 1);
    FigureLook look;
    look.selected = FigureLook::Selected::Hidden;
    CHECK(has_part(view_figure(study.scene(), ViewId::Explanation, look, test::fake_measure).figure,
                   "it → cat"));
}

TEST_CASE("explanation: every cell of the study has a figure, in any room") {
    Sentence study;
    for (const Tensor& tensor : study.trace->tensors()) {
        if (!tensor.value || tensor.value->size() == 0) continue;
        INFO(tensor.path());
        study.hold(tensor.path(), tensor.rows().size - 1, 0);
        for (const Point room : {Point{760, 400}, Point{300, 500}, Point{120, 80}}) {
            const Figure figure = study.figure(room);
            CHECK(figure.width > 0);
        }
    }
}

}  // namespace headlight::explanation_view_test
