// Where weights come from, in the lines that a narrow figure has room for.
#include <doctest/doctest.h>

#include "app_state/workspace.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"
#include "views/view_figure.h"

namespace headlight::shown_origin_test {
namespace {

float half_of_size(const std::string& text, float size, Font) {
    return 0.5f * size * static_cast<float>(text.size());
}

/// Until everything is computed.
void settle(Workspace& space) {
    for (int round = 0; round < 6; ++round) {
        prepare(space);
        space.session.wait();
        space.comparison.wait();
    }
}

}  // namespace

TEST_CASE("origin: a narrow figure says it whole, in more lines") {
    const std::string origin =
        "trained: Who is it?, 4500 steps, seed 1, 100.0 % of held-out examples right; 4 matrices "
        "are set by hand";
    CHECK(origin_lines(origin, 900, half_of_size) == std::vector<std::string>{origin});
    for (const float width : {241.0f, 300.0f, 400.0f}) {
        Figure figure{width, 100, {}};
        add_origin(figure, origin, theme_named(ThemeName::Light), half_of_size);
        std::string said;
        float y = 100;
        for (const Mark& mark : figure.marks) {
            const auto& line = std::get<TextMark>(mark);
            said += (said.empty() ? "" : " ") + line.text;
            CHECK(half_of_size(line.text, line.size, line.font) <= width);
            CHECK(line.at.y > y);
            y = line.at.y;
        }
        CHECK(said == origin);
        CHECK(figure.height == 100 + origin_height(figure.marks.size()));
        CHECK(y < figure.height);
    }
    // What is longer than three lines is cut, and says so.
    CHECK(origin_lines(origin + origin + origin, 241, half_of_size).size() == 3);
}

TEST_CASE("origin: on one line the share of right answers gives way to what is said after it") {
    const std::string from = "trained: Who is it?, 4500 steps, seed 1",
                      right = ", 100.0 % of sentences with held-out pairs of nouns right",
                      row = "; only row “it” reaches the answer", whole = from + right + row;
    const auto in_line = [&](const std::string& origin, float width) {
        return origin_in_line(origin, 10, width, half_of_size);
    };
    const auto width_of = [](const std::string& text) { return half_of_size(text, 10, {}); };
    CHECK(in_line(whole, width_of(whole)) == whole);
    CHECK(in_line(whole, width_of(whole) - 1) == from + row);
    CHECK(in_line(whole, 10) == from + row);
    const std::string two = "A: " + from + right + "  ·  B: " + from + right;
    CHECK(in_line(two, width_of(two) - 1) == "A: " + from + "  ·  B: " + from + right);
    CHECK(in_line(two, 10) == "A: " + from + "  ·  B: " + from);
}

TEST_CASE("origin: the accuracy is said of the network that was tested, and of no other") {
    const Document tested = trained_study(task_named("three-questions"));
    const auto origin_of = [](const Document& document) {
        return study_origin(document, *plan(document));
    };
    const std::string from = "trained: Three questions, 19250 steps, seed 1";
    CHECK(origin_of(tested).starts_with(from + ", 99.9 % of answers in sentences"));

    Document hotter = tested;
    hotter.sentence()->layer.attention.temperature = 2;
    CHECK(origin_of(hotter) == from + "; the settings are not those that it was trained with");
    Document other_words = tested;
    other_words.sentence()->text = "Hello world!";
    CHECK(origin_of(other_words) == from + "; not a sentence of the kind that it was trained on");
    Document ablated = tested;
    ablated.interventions["blocks.0.attn.heads.1.z"] = {.cells = {}, .ablation = Ablation::Zero};
    CHECK(origin_of(ablated) == from + "; 1 matrix is set by hand");
    ablated.interventions.begin()->second.is_on = false;
    CHECK(origin_of(ablated) == origin_of(tested));

    Document graph = trained_study(task_named("karate"));
    graph.graph()->self_loops = Switch::Off;
    const std::string said = origin_of(graph);
    CHECK(said.find(" right") == std::string::npos);
    CHECK(said.ends_with("; the graph or the settings are not those that it was trained with"));
}

TEST_CASE("origin: of A and B each is judged") {
    Workspace space(trained_study(task_named("three-questions")), [] {});
    settle(space);
    OtherStudy other{.document = space.session.document()};
    other.document.sentence()->layer.attention.temperature = 2;
    space.comparison.start(other);
    settle(space);
    const std::string said = whole_origin(make_scene(space, theme_named(ThemeName::Light)));
    CHECK(said.find("nouns right  ·  ") != std::string::npos);
    CHECK(said.ends_with("; the settings are not those that it was trained with"));
}

}  // namespace headlight::shown_origin_test
