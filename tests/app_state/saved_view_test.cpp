// The view that is kept with a study: written, read, and shown again.
#include "views/saved_view.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

#include "../temporary_folder.h"
#include "app_state/workspace.h"
#include "core/error.h"
#include "io/open_document.h"
#include "io/text/json_view.h"
#include "views/held.h"
#include "views/view_figure.h"

namespace headlight::saved_view_test {
namespace {

void compute(Workspace& space) {
    for (int k = 0; k < 8; ++k) {
        prepare(space);
        space.session.wait();
        space.comparison.wait();
    }
    prepare(space);
}

Document two_sentences() {
    Document document = built_in_sentence();
    document.sentence()->text = "the cat sat there\na dog ran";
    document.sentence()->layer.n_layers = 2;
    return document;
}

/// A study of those sentences, seen in a window of its own.
struct Seen : Workspace {
    explicit Seen(const Document& document, const ViewWords& words = {})
        : Workspace(document, [] {}) {
        open_study(*this, document, {.path = "a.headlight", .view = words});
        compute(*this);
    }

    ViewWords words() { return saved_view(make_scene(*this, theme_named(ThemeName::Light))); }
};

/// What is shown is shown again by its words, in a window that has seen nothing.
std::unique_ptr<Seen> again(Seen& seen) {
    auto next = std::make_unique<Seen>(seen.session.document(), seen.words());
    CHECK(next->view_problem == "");
    CHECK(next->view_notes.empty());
    CHECK(next->words() == seen.words());
    return next;
}

std::string problem_of(const ViewWords& words, const Document& document = two_sentences()) {
    Seen seen(document, words);
    CHECK(seen.words() == Seen(document).words());  // the usual view
    return seen.view_problem;
}

}  // namespace

TEST_CASE("kept view: part, matrix, heads, sentence and held cell come back") {
    Seen seen(two_sentences());
    seen.selection.sentence = 1;
    compute(seen);
    show(seen, "blocks.1.attn.heads.2.pattern");
    seen.selection.also_heads = {0, 3};
    seen.selection.keep_held(pick_at(*seen.trace, seen.trace->at(seen.selection.chosen), 2, 1));
    compute(seen);
    const auto next = again(seen);
    CHECK(next->selection.sentence == 1);
    CHECK(next->selection.component == "blocks.1.attn");
    CHECK(next->selection.head == 2);
    CHECK(next->selection.also_heads == std::vector<int>{0, 3});
    CHECK(next->selection.chosen == "blocks.1.attn.heads.2.pattern");
    CHECK(next->selection.held() == seen.selection.held());
    CHECK(next->selection.view == ViewId::Matrix);
}

TEST_CASE("kept view: the options that have no effect are noted, as by the command line") {
    const std::string path = "blocks.1.attn.heads.2.pattern";
    const Seen seen(two_sentences(), {{"tensor", path}, {"heads", "1"}, {"nodes", "group"}});
    CHECK(seen.view_problem == "");
    CHECK(seen.view_notes ==
          std::vector<std::string>{"heads: " + path + " is of head 2, which is the chosen one",
                                   "nodes: without effect, the study has no graph"});
}

TEST_CASE("kept view: a part without heads, several held words, and nothing held come back") {
    Seen seen(two_sentences());
    show(seen, "embed");
    compute(seen);
    seen.selection.release();
    const auto empty = again(seen);
    CHECK(empty->selection.held().is_empty());
    CHECK(empty->selection.chosen == "embed");
    show(seen, "blocks.0.attn.heads.1.pattern");
    seen.selection.keep_held(pick_item(1));
    seen.selection.toggle(pick_item(3));
    compute(seen);
    const auto words = again(seen);
    CHECK(words->selection.held() == seen.selection.held());
}

TEST_CASE("kept view: the large explanation of a cell comes back, with its list of terms") {
    Seen seen(two_sentences());
    show(seen, "blocks.1.attn.heads.2.pattern");
    seen.selection.keep_held(pick_at(*seen.trace, seen.trace->at(seen.selection.chosen), 2, 1));
    seen.selection.explains = true;
    seen.selection.looks.explanation = {"scores", TermOrder::AsComputed};
    compute(seen);
    REQUIRE(shown_view(make_scene(seen, theme_named(ThemeName::Light))) == ViewId::Explanation);
    const auto next = again(seen);
    CHECK(next->selection.explains);
    CHECK(next->selection.held() == seen.selection.held());
    CHECK(next->selection.looks.explanation.terms_of == "scores");
    CHECK(next->selection.looks.explanation.order == TermOrder::AsComputed);
    // Without a held cell the window explains nothing, and shows its matrix.
    seen.selection.release();
    CHECK(shown_view(make_scene(seen, theme_named(ThemeName::Light))) == ViewId::Matrix);
}

TEST_CASE("kept view: vectors in the plane come back, with the matrix beside them") {
    Document document = built_in_sentence();
    document.sentence()->layer.d_model = 4;
    document.sentence()->layer.attention.n_heads = 2;
    Seen seen(document);
    show(seen, "blocks.0.attn.heads.0.q");
    show(seen, "plane");
    seen.selection.looks.matrix.against = "blocks.0.attn.heads.0.k";
    compute(seen);
    REQUIRE(shown_view(make_scene(seen, theme_named(ThemeName::Light))) == ViewId::Plane);
    CHECK(seen.trace->at("blocks.0.attn.heads.0.k").value);
    const auto next = again(seen);
    CHECK(next->selection.view == ViewId::Plane);
    CHECK(next->selection.chosen == "blocks.0.attn.heads.0.q");
    CHECK(next->selection.looks.matrix.against == "blocks.0.attn.heads.0.k");
    // A matrix that is no plane shows itself.
    seen.selection.chosen = "blocks.0.attn.heads.0.pattern";
    compute(seen);
    CHECK(shown_view(make_scene(seen, theme_named(ThemeName::Light))) == ViewId::Matrix);
}

TEST_CASE("kept view: all heads, lines between words, colours and zoom come back") {
    Seen seen(two_sentences());
    show(seen, "heads");
    const HeadsOrder order{.by = HeadsOrder::By::Measure, .measure = "mean(pattern[*, 0])"};
    seen.selection.looks.heads.order = order;
    const auto heads = again(seen);
    CHECK(heads->selection.view == ViewId::Heads);
    CHECK(heads->selection.looks.heads.order == order);
    // A measure that is none yet, as while it is typed, takes nothing else of the view with it.
    seen.selection.looks.heads.order.measure = "mean(patt";
    CHECK(again(seen)->selection.view == ViewId::Heads);
    CHECK(again(seen)->selection.looks.heads.order == HeadsOrder());
    show(seen, "words");
    seen.selection.looks.words.layout = WordView::Layout::Line;
    seen.selection.looks.words.strongest_percent = 25;
    const auto lines = again(seen);
    CHECK(lines->selection.view == ViewId::Words);
    CHECK(lines->selection.looks.words.layout == WordView::Layout::Line);
    CHECK(lines->selection.looks.words.strongest_percent == 25);
    seen.selection.view = ViewId::Matrix;
    seen.selection.scales.of(Quantity::Signed).scale = PictureSettings::Scale::Log;
    seen.selection.scales.of(Quantity::Probability).range = PictureSettings::Range::Fitted;
    seen.selection.views.set(seen.trace->at(seen.selection.chosen), {2, 1.5, 1});
    const auto coloured = again(seen);
    CHECK(coloured->selection.scales.of(Quantity::Signed).scale == PictureSettings::Scale::Log);
    CHECK(coloured->selection.scales.of(Quantity::Probability).range ==
          PictureSettings::Range::Fitted);
    CHECK(coloured->selection.views.of(coloured->trace->at(coloured->selection.chosen)).zoom == 2);
}

TEST_CASE("kept view: a head or a sentence as B comes back, another study does not") {
    Seen seen(two_sentences());
    for (const char* name : {"Layer 0 · head 3", "sentence 2"}) {
        compare_with(seen, name);
        seen.comparison.show(Comparison::Show::Difference);
        compute(seen);
        const auto next = again(seen);
        REQUIRE(next->comparison.now().is_on());
        CHECK(next->comparison.now().name_b == seen.comparison.now().name_b);
        CHECK(next->comparison.now().show == Comparison::Show::Difference);
    }
    compare_with(seen, "as it is now");
    compute(seen);
    CHECK(!again(seen)->comparison.now().is_on());
}

TEST_CASE("kept view: an edge of a graph, its colours and its zoom come back") {
    Seen seen(built_in_graph());
    show(seen, "gat.0.heads.1.pattern");
    seen.selection.looks.graph.zoom = {2, 0.25f, 0.5f};
    seen.selection.keep_held(pick_at(*seen.trace, seen.trace->at(seen.selection.chosen), 5, 0));
    compute(seen);
    const auto next = again(seen);
    CHECK(next->selection.held() == seen.selection.held());
    CHECK(next->selection.looks.graph.zoom.zoom == 2);
}

TEST_CASE("kept view: what the study does not have leaves its usual view, and is named") {
    CHECK(problem_of({{"zebra", "1"}}) == "there is no option 'zebra'");
    CHECK(problem_of({{"what", "zebra"}}) == "there is no view 'zebra'");
    CHECK(problem_of({{"what", "graph"}}) == "the study has nothing for that view");
    CHECK(problem_of({{"sentence", "3"}}) == "the study has sentences 1 to 2");
    CHECK(problem_of({{"heads", "9"}}).starts_with("there is no head 9"));
    CHECK(problem_of({{"heads", "a"}}) == "heads: 'a' is not a list of heads such as 1,0,3");
    CHECK(problem_of({{"row", "99"}}).find("99") != std::string::npos);
    CHECK(problem_of({{"tensor", "blocks.7.attn.heads.0.pattern"}}).find("blocks.7") !=
          std::string::npos);
    CHECK(problem_of({{"part", "blocks.7"}}).find("no part 'blocks.7'") != std::string::npos);
    CHECK(problem_of({{"with", "b.headlight"}}) == "there is no head or sentence 'b.headlight'");
    CHECK(problem_of({{"what", "compared"}}) == "no B is named for it");
}

TEST_CASE("kept view: it is in the saved file, and neither an edit nor a step") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    Seen seen(two_sentences());
    show(seen, "blocks.1.attn.heads.2.pattern");
    compute(seen);
    save_study(seen, file);
    CHECK(!has_changes(seen));
    show(seen, "heads");
    compute(seen);
    CHECK(!has_changes(seen));
    CHECK(!seen.session.history().can_undo());
    const OpenedFile opened = open_document(file);
    CHECK(opened.document == seen.session.document());
    CHECK(*find_word(opened.view, "tensor") == "blocks.1.attn.heads.2.pattern");
    CHECK(!find_word(opened.view, "what"));
    reload_study(seen);
    compute(seen);
    CHECK(seen.selection.view == ViewId::Matrix);
    CHECK(seen.selection.chosen == "blocks.1.attn.heads.2.pattern");
    CHECK(!has_changes(seen));
}

TEST_CASE("kept view: written words are read again, repeated ones too; old files have none") {
    const ViewWords words = {
        {"colors", "Lagoon"}, {"colors", "signed:Red to blue"}, {"row", "\"7\""}};
    const std::string text = write_study(built_in_sentence(), {}, words);
    CHECK(read_view({"a", parse_json(text, "a")}) == words);
    CHECK(read_study(text, "a") == built_in_sentence());
    const std::string old = write_study(built_in_sentence());
    CHECK(old.find("view") == std::string::npos);
    CHECK(read_view({"a", parse_json(old, "a")}).empty());
}

TEST_CASE("kept view: a B that was read from a file comes back, and one that is gone is named") {
    const TemporaryFolder folder;
    Document other = two_sentences();
    other.sentence()->layer.attention.temperature = 3;
    const std::string file = folder.with("b.headlight", write_study(other));
    Seen seen(two_sentences());
    compare_with_file(seen, file);
    seen.comparison.show(Comparison::Show::Both);
    compute(seen);
    REQUIRE(seen.comparison.now().trace);
    const auto next = again(seen);
    REQUIRE(next->comparison.now().document);
    CHECK(*next->comparison.now().document == other);
    CHECK(next->comparison.now().show == Comparison::Show::Both);
    CHECK(next->comparison.now().name_b == seen.comparison.now().name_b);
    const ViewWords words = seen.words();
    std::filesystem::remove(file);
    CHECK(problem_of(words).find("b.headlight") != std::string::npos);
}

}  // namespace headlight::saved_view_test
