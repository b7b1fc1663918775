// The view of logits, as the window, files and pages show it.
#include "views/readout_view.h"

#include <doctest/doctest.h>

#include "app_state/workspace.h"
#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "views/export/export_arguments.h"
#include "views/readout_words.h"
#include "views/view_figure.h"

namespace headlight::readout_view_test {
namespace {

float measure_six(const std::string& text, float size, Font) {
    return 0.6f * size * static_cast<float>(text.size());
}

/// The language model of little stories, seen in a window.
struct Story : Workspace {
    Story() : Workspace(trained_study(task_named("language-model")), [] {}) { compute(); }

    void compute() {
        for (int k = 0; k < 6; ++k) {
            prepare(*this);
            session.wait();
            sweep.wait();
        }
        prepare(*this);
    }
    Scene scene() { return make_scene(*this, theme_named(ThemeName::Light)); }
};

bool has_text(const Figure& figure, const std::string& part) {
    for (const Mark& mark : figure.marks)
        if (const auto* text = std::get_if<TextMark>(&mark))
            if (text->text.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("the view of logits is of the held word, else of the last one") {
    Story story;
    CHECK(has_readout(story.scene().trace));
    story.selection.release();
    const LogitView last = make_readout(story.scene());
    const Tensor& logits = story.trace->at("logits");
    CHECK(last.question.row == logits.rows().size - 1);
    Index likeliest = 0;
    logits.value->row(last.question.row).maxCoeff(&likeliest);
    CHECK(last.question.word == likeliest);
    CHECK(last.word == shown_label(*story.trace, logits.columns(), likeliest));
    CHECK(last.next.front().name == last.word);
    CHECK(last.lens.size() == list_streams(*story.trace).size());
    CHECK(last.lens.back().likeliest.front().name == last.word);
    double all = last.more_sum;
    for (const LikelyWord& word : last.next) all += word.probability;
    CHECK(all == doctest::Approx(1));

    AxisIndices third;
    third.query = 2;
    story.selection.keep_held({.indices = third, .cell = {}});
    CHECK(make_readout(story.scene()).question.row == 2);
}

TEST_CASE("a word is asked for by its name, and one that is not known is named") {
    Story story;
    story.selection.looks.readout = {"boy", "girl"};
    const LogitView asked = make_readout(story.scene());
    CHECK(asked.word == "boy");
    CHECK(asked.minus == "girl");
    CHECK(asked.problem == "");
    CHECK(asked.logit == doctest::Approx(logit_asked(*story.trace, asked.question)));
    story.selection.looks.readout = {"xyzzy", ""};
    CHECK(make_readout(story.scene()).problem == "the vocabulary has no word “xyzzy”");
    story.selection.looks.readout = {"xyzzy", "girl"};
    CHECK(make_readout(story.scene()).minus == "");
}

TEST_CASE("the figure of logits says what it shows, and what the sweep was of") {
    Story story;
    story.selection.view = ViewId::Readout;
    CHECK(shown_view(story.scene()) == ViewId::Readout);
    const LogitView view = make_readout(story.scene());
    const Figure before = readout_figure(story.scene(), view, {900, 500}, measure_six);
    CHECK(has_text(before, "Logit lens"));
    CHECK(has_text(before, view.word));
    CHECK_FALSE(has_text(before, "Change of the logit"));

    start_sweep(story, {.kind = SweepKind::Zero});
    story.compute();
    REQUIRE(story.sweep.done() != nullptr);
    const Figure after = readout_figure(story.scene(), view, {900, 900}, measure_six);
    CHECK(has_text(after, "Change of the logit: " + asked_text(view)));
    CHECK(has_text(after, "Logit lens"));
    // Beside B there may be room for one of the two only, and nothing runs over the edge.
    for (const Point size : {Point{900, 240}, Point{900, 120}, Point{400, 330}, Point{400, 900}}) {
        const Figure small = readout_figure(story.scene(), view, size, measure_six);
        CHECK(has_text(small, "Change of the logit: "));
        CHECK(has_text(small, "Logit lens") == (size.y == 900));
        for (const Mark& mark : small.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) CHECK(text->at.y <= size.y);
    }
    const auto input = sweep_input(story.scene());
    REQUIRE(input.has_value());
    CHECK(*input->values == story.sweep.done()->result.change);
    CHECK(input->formula.find("before the study was changed") == std::string::npos);

    story.session.apply({.label = "Seed", .change = [](Document& changed) { ++changed.seed; }});
    story.compute();
    CHECK(sweep_input(story.scene())->formula.find("before the study was changed") !=
          std::string::npos);
    CHECK_THROWS_WITH(start_sweep(story, {.kind = SweepKind::Patch}),
                      doctest::Contains("there is no B to patch from"));
}

TEST_CASE("cards of logits without room are left out and counted; none is empty") {
    Story story;
    const LogitView view = make_readout(story.scene());
    const auto cards = [&](Point size) {
        const Figure figure = readout_figure(story.scene(), view, size, measure_six);
        int n = 0;
        for (const char* title : {"Next word", "Logit lens", "Where the logit comes from"})
            n += has_text(figure, title) ? 1 : 0;
        Index n_left_out = 0;
        for (const LeftOut& missing : figure.left_out)
            if (missing.what == "cards") n_left_out += missing.count;
        CHECK(n + n_left_out == 3);
        CHECK(has_text(figure, view.next.front().name));
        CHECK(has_text(figure, " more, in sum "));
        for (const Mark& mark : figure.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) CHECK(text->at.y <= size.y);
        return n;
    };
    CHECK(cards({900, 300}) == 3);
    CHECK(cards({400, 900}) == 3);
    CHECK(cards({590, 295}) == 2);
    CHECK(cards({340, 290}) == 2);
    CHECK(cards({340, 150}) == 1);
}

TEST_CASE("a cancelled sweep leaves the result of the last one") {
    Story story;
    start_sweep(story, {.kind = SweepKind::Zero});
    story.compute();
    const Matrix before = story.sweep.done()->result.change;
    start_sweep(story, {.kind = SweepKind::Resample, .resampling = {1, 1000}});
    CHECK(story.sweep.is_running());
    story.sweep.cancel();
    story.compute();
    CHECK_FALSE(story.sweep.is_running());
    CHECK(story.sweep.done()->order.settings.kind == SweepKind::Zero);
    CHECK(story.sweep.done()->result.change == before);
}

TEST_CASE("the picture of a sweep says its quantity, its parts and its path") {
    Story story;
    start_sweep(story, {.over = SweepSites::Layers, .quantity = SweepQuantity::Loss});
    story.compute();
    const auto losses = sweep_input(story.scene(), "another word");
    REQUIRE(losses.has_value());
    CHECK(losses->title == "Change of the loss: mean of the text's own next tokens, in nats");
    CHECK(losses->column_labels == std::vector<std::string>{"attention", "MLP"});
    CHECK(losses->formula.find("of another word") == std::string::npos);
    CHECK_FALSE(losses->selected.column.has_value());
    start_sweep(story, {.path = SweepPath{1, 0, HeadInput::Key}});
    story.compute();
    const auto along = sweep_input(story.scene());
    CHECK(along->formula.find("only head 1.0's keys see it") != std::string::npos);
    CHECK(along->row_labels == std::vector<std::string>{"layer 0"});
}

TEST_CASE("an export's command says which logit is shown") {
    Story story;
    story.selection.view = ViewId::Readout;
    story.selection.looks.readout = {"boy", "girl"};
    ExportChoice choice;
    choice.view = ViewId::Readout;
    const std::vector<std::string> words = export_arguments(story.scene(), choice);
    const auto value_of = [&](const std::string& option) {
        const auto at = std::ranges::find(words, option);
        return at == words.end() ? std::string() : *(at + 1);
    };
    CHECK(value_of("--what") == "logits");
    CHECK(value_of("--word") == "boy");
    CHECK(value_of("--minus") == "girl");
}

TEST_CASE("a token that is a mark stands in quotation marks among words") {
    CHECK(token_in_words(",") == "“,”");
    CHECK(token_in_words("␣--") == "“␣--”");
    for (const char* word : {"␣to", "[MASK]", "␣", "don't", ""})
        CHECK(token_in_words(word) == word);
    CHECK(logit_place(LogitsName::NextWord, ".") == " after “.”");
    LogitView view;
    view.word = ",", view.minus = "␣the", view.after = "␣to";
    CHECK(asked_text(view) == "“,” − ␣the after ␣to");
}

}  // namespace headlight::readout_view_test
