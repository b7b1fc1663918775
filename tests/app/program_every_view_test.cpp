// Every view in the window, on slides of every size, as a page of a lecture and beside the notes of
// its speaker.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "app/driver.h"
#include "io/studies/ready_studies.h"
#include "views/saved_view.h"
#include "views/view_figure.h"

namespace headlight::program_every_view_test {
namespace {

void show_view(Driver& d, ViewId view) {
    show_in_window(d.selection(), view);
    d.program().loop().wake();
    d.settle();
}

/// The views that can stand in the middle of the window.
std::vector<ViewEntry> middle_views(Driver& d) {
    std::vector<ViewEntry> views;
    for (const ViewEntry& view : list_views(d.scene()))
        if (view.stands_in_middle()) views.push_back(view);
    return views;
}

/// Nothing is said but that a page was added.
void check_message(Driver& d) {
    INFO(d.message());
    CHECK((d.message().empty() || d.message().starts_with("Page ")));
}

void check_slides(Driver& d, const ViewEntry& view) {
    d.press(Key::F5);
    // A step has the name of its matrix.
    const std::string chosen = d.selection().chosen;
    for (const auto& [width, height] : {std::pair(1280, 720), {1280, 800}, {1920, 1080}}) {
        CAPTURE(width);
        d.resize(static_cast<float>(width), static_cast<float>(height));
        check_message(d);
        CHECK((d.has(std::string("slide ") + view.word) || d.has("slide " + chosen)));
        CHECK(d.has("button Leave"));
    }
    d.press(Key::F5);
    CHECK(!d.has("button Leave"));
}

/// The pages that were added are presented, with the speaker's window open.
void check_pages(Driver& d, std::size_t n) {
    d.click("tab Lecture");
    d.resize(1280, 720);
    d.press(Key::F5);
    d.press(Key::S);
    d.press(Key::Home);
    for (std::size_t page = 0; page < n; ++page) {
        CAPTURE(page);
        check_message(d);
        CHECK(d.has("page"));
        CHECK(d.texts().find(fmt::format("{} / {}", page + 1, n)) != std::string::npos);
        CHECK(d.program().loop().second_picture().width > 0);
        d.press(Key::PageDown);
    }
}

void check_study(const std::string& name) {
    CAPTURE(name);
    Driver d({1280, 720, 1});
    d.program().workbench().open(find_ready_study(name)->make(), {});
    d.program().loop().wake();
    d.settle();
    const std::vector<ViewEntry> views = middle_views(d);
    REQUIRE(!views.empty());
    const Tensor& tensor = d.trace().at(d.selection().chosen);
    d.selection().keep_held(pick_at(d.trace(), tensor, 1, 0));
    for (const ViewEntry& view : views) {
        const std::string word = view.word;
        CAPTURE(word);
        d.resize(1280, 720);
        show_view(d, view.id);
        check_message(d);
        CHECK(shown_view(d.scene()) == view.id);
        check_slides(d, view);
        d.press(Key::A, Modifier::CtrlShift);
    }
    check_pages(d, views.size());
}

}  // namespace

TEST_CASE("every view of a sentence is in the window, on slides and on pages") {
    check_study("three-questions");
}

TEST_CASE("every view of a language model is in the window, on slides and on pages") {
    check_study("language-model");
}

TEST_CASE(
    "every view of two texts, a graph and a picture is in the window, on slides and on pages") {
    for (const char* name : {"translation", "karate", "image"}) check_study(name);
}

}  // namespace headlight::program_every_view_test
