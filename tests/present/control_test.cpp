// What a page lets one change on its slide.
#include <algorithm>
#include <doctest/doctest.h>
#include <string>

#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "model/settings/setting_text.h"
#include "present/lessons.h"
#include "present/page/page_control.h"
#include "present/tasks/task.h"

using namespace headlight;

namespace {

using Kind = PageControl::Kind;

/// A study of the program, evaluated.
struct Opened {
    explicit Opened(const std::string& study) : space(find_ready_study(study)->make(), {}) {
        settle(space);
    }
    PageControl read(const std::string& text) const {
        return read_control(text, space.session.document(), *space.trace);
    }
    std::string error(const std::string& text) const {
        try {
            read(text);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
    Workspace space;
};

/// The page shows the mask, which a drag opens and closes, or the solution sets cells of what is
/// seen.
bool is_set_by_hand(const PageTask& task, const OpenPage& page) {
    if (page.space->selection.chosen == "mask") return true;
    return std::ranges::all_of(task.solution, [&](const Directive& change) {
        return change.key == "set" && change.value.starts_with(page.space->selection.chosen);
    });
}

}  // namespace

TEST_CASE("controls: words of a setting, and heads to switch off") {
    const Opened who("who-is-it");
    CHECK(who.read("layer.positions").kind == Kind::Choice);
    CHECK(who.read("layer.mask.causal").kind == Kind::Choice);
    const PageControl all = who.read("heads"), one = who.read("blocks.1.attn.heads");
    CHECK(all.kind == Kind::Heads);
    CHECK(controlled_heads(who.space.components, all).size() == 2);
    const auto attentions = controlled_heads(who.space.components, one);
    REQUIRE(attentions.size() == 1);
    CHECK(attentions.front()->path == "blocks.1.attn");
    CHECK(attentions.front()->n_heads == 4);
    CHECK(who.error("blocks.7.attn.heads").find("no setting") != std::string::npos);
    CHECK(who.error("layer.attention.temperature").find("LOW:HIGH") != std::string::npos);
}

TEST_CASE("controls: the label of a slider says its cell in words") {
    const auto label = [](const char* study, const char* cell) {
        const Opened opened(study);
        return cell_in_words(*opened.space.trace, control_cell(*opened.space.trace, cell));
    };
    CHECK(label("who-is-it", "embed[tired, 0]") == "embedding of tired, number 0");
    CHECK(label("who-is-it", "mask[it, cat]") == "M of it, cat");
    CHECK(label("who-is-it", "blocks.0.attn.heads.1.W_K[3, 2]") == "W_K, row 3, column 2");
    CHECK(label("karate", "embed[5, 1]") == "features of 5, number 1");
}

TEST_CASE("controls: B, which is the study with one change, is what A is now with that change") {
    const Lecture lecture = read_lecture(
        "# T\n\n## P\n\nWords.\n\n```headlight\nstudy: who-is-it\ntensor: "
        "blocks.1.attn.heads.0.pattern\nwith: text The cat didn't cross the street because it was "
        "wide\ncontrol: layer.attention.temperature = 0.2:10\n```\n",
        "a.lecture");
    PageDocuments documents(lecture, {}, "a.lecture");
    Workspace space(no_study(), {});
    const OpenPage page = open_page({lecture, documents, "a.lecture"}, 0, space);
    REQUIRE(page.space);
    page.space->session.apply({.label = "Set temperature",
                               .change =
                                   [](Document& document) {
                                       set_number_setting(document, "layer.attention.temperature",
                                                          10);
                                   },
                               .gesture = ""});
    settle(*page.space);
    REQUIRE(page.space->comparison.now().document);
    const SentenceStudy& b = *page.space->comparison.now().document->sentence();
    CHECK(b.layer.attention.temperature == 10);
    CHECK(b.text.ends_with("it was wide"));
    CHECK(page.space->session.document().sentence()->text != b.text);
}

TEST_CASE("lessons: what a goal asks for can be done on its slide") {
    int n_goals = 0;
    for (const Lesson& lesson : lessons()) {
        const Lecture lecture = read_lesson(lesson.name);
        PageDocuments documents(lecture, {}, std::string(lesson.name));
        const PageSource source{lecture, documents, std::string(lesson.name)};
        for (std::size_t k = 0; k < lecture.pages.size(); ++k) {
            const auto task = read_task(lecture.pages[k], source.name);
            if (!task || task->kind != PageTask::Kind::Goal) continue;
            ++n_goals;
            INFO(source.name << ": " << lecture.pages[k].title);
            Workspace space(no_study(), {});
            const OpenPage page = open_page(source, k, space);
            CHECK((!page.controls.empty() || is_set_by_hand(*task, page)));
        }
    }
    CHECK(n_goals > 20);
}
