// Studies: which are open, in which tabs, and what they are called.
#include "app_state/studies.h"

#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"

namespace headlight::studies_test {
namespace {

using Names = std::vector<std::string>;

Document sentence(const std::string& text) {
    Document document = built_in_sentence();
    document.sentence()->text = text;
    return document;
}

Studies make_studies() {
    return Studies([] {});
}

Names names(const Studies& studies) {
    return tab_names(studies, studies.kind());
}

}  // namespace

TEST_CASE("studies: the first of each workspace keep its number, others count on") {
    Studies studies = make_studies();
    CHECK(studies.all().size() == kWorkspaces);
    for (std::size_t place = 0; place < kWorkspaces; ++place) {
        studies.show_place(place);
        CHECK(studies.number() == place);
    }
    studies.add(sentence("one"));
    CHECK(studies.kind() == WorkspaceKind::Sentence);
    CHECK(studies.number() == kWorkspaces);
    studies.add(built_in_graph());
    CHECK(studies.kind() == WorkspaceKind::Graph);
    CHECK(studies.number() == kWorkspaces + 1);
    studies.show(WorkspaceKind::Sentence);
    CHECK(studies.number() == kWorkspaces);
    CHECK(studies.shown().session.document() == sentence("one"));
}

TEST_CASE("studies: a closed one leaves its neighbour, the last one the trained one") {
    Studies studies = make_studies();
    studies.add(sentence("one"));
    studies.add(sentence("two"));
    studies.show_number(kWorkspaces);
    studies.close(kWorkspaces);
    CHECK(studies.number() == kWorkspaces + 1);
    studies.close(kWorkspaces + 1);
    CHECK(studies.number() == 0);
    CHECK(studies.tabs(WorkspaceKind::Sentence).size() == 1);
    studies.shown().session.apply({.label = "Edit", .change = [](Document& document) {
                                       document.sentence()->text = "edited";
                                   }});
    Workspace* closed = &studies.shown();
    studies.close(0);
    CHECK(closed->session.document() == sentence("edited"));  // a frame may look at it
    studies.forget_closed();
    CHECK(studies.number() == 0);  // that of the workspace was free again
    CHECK(studies.shown().session.document() == find_ready_study(kFirstStudy)->make());
    CHECK(studies.shown().session.document().weights);
    studies.add(sentence("three"));
    CHECK(studies.number() == kWorkspaces);
}

TEST_CASE("studies: there are no more than a journal can number") {
    Studies studies = make_studies();
    while (studies.all().size() < kMostOpenStudies) studies.add(sentence("one more"));
    CHECK_THROWS_WITH_AS(studies.add(sentence("too many")),
                         "[tabs] too many studies are open; close one first", Error);
    CHECK(studies.all().size() == kMostOpenStudies);
    CHECK(studies.number() == kMostOpenStudies - 1);
}

TEST_CASE("studies: a copy is as unsaved as what it is of, and of no file") {
    const TemporaryFolder folder;
    Studies studies = make_studies();
    save_study(studies.shown(), folder.file("a.headlight"));
    studies.shown().selection.head = 2;
    studies.add_copy();
    CHECK(studies.shown().file.empty());
    CHECK(!has_changes(studies.shown()));
    CHECK(studies.shown().selection.head == 2);
    CHECK(studies.find_file(folder.file("a.headlight"))->number == 0);
    CHECK(studies.find_file(folder.file("b/../a.headlight")) != nullptr);
    studies.show_number(0);
    studies.shown().session.apply({.label = "Edit", .change = [](Document& document) {
                                       document.sentence()->text = "edited";
                                   }});
    studies.add_copy();
    CHECK(has_changes(studies.shown()));
    CHECK(studies.find_changed()->number == 0);
    CHECK(studies.find_changed({0})->number == studies.number());
    CHECK(!studies.find_changed({0, studies.number()}));
}

TEST_CASE("studies: the next tab and the one before go around the row") {
    Studies studies = make_studies();
    studies.turn(Studies::Turn::Next);
    CHECK(studies.number() == 0);
    studies.add(sentence("one"));
    studies.add(sentence("two"));
    std::vector<StudyNumber> seen;
    for (int k = 0; k < 3; ++k) {
        studies.turn(Studies::Turn::Next);
        seen.push_back(studies.number());
    }
    CHECK(seen == std::vector<StudyNumber>{0, 6, 7});
    studies.turn(Studies::Turn::Previous);
    CHECK(studies.number() == 6);
}

TEST_CASE("studies: tabs are called by file, title or text, no two alike") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("one"));
    std::filesystem::create_directory(folder.file("two"));
    Studies studies = make_studies();
    save_study(studies.shown(), folder.file("one/a.headlight"));
    studies.add(sentence("short"));
    studies.add(sentence("short"));
    studies.add(sentence("A sentence of more than forty letters is cut"));
    studies.add(sentence("first line\nsecond line"));
    CHECK(names(studies) == Names{"a.headlight", "short", "short (2)",
                                  "A sentence of more than forty letters i…", "first line"});
    save_study(studies.shown(), folder.file("two/a.headlight"));
    CHECK(names(studies).front() == "one/a.headlight");
    CHECK(names(studies).back() == "two/a.headlight");
    studies.add(built_in_graph());
    CHECK(names(studies).back() == "Zachary's karate club (2)");
}

TEST_CASE("studies: another tab is compared with as it is now") {
    Studies studies = make_studies();
    studies.add(sentence("a b"));
    studies.add(sentence("c d"));
    prepare(studies.shown());
    studies.shown().session.wait();
    prepare(studies.shown());
    const auto choices = comparison_choices(studies);
    const auto choice = std::ranges::find(choices, "a b", &ComparisonChoice::name);
    REQUIRE(choice != choices.end());
    CHECK(std::ranges::find(choices, "c d", &ComparisonChoice::name) == choices.end());
    ComparisonRun& comparison = studies.shown().comparison;
    comparison.start(choice->other);
    const auto follow = [&] {
        studies.follow_compared();
        prepare(studies.shown());
    };
    follow();
    CHECK(*comparison.now().document == sentence("a b"));
    studies.show_number(6);
    studies.shown().session.apply({.label = "Edit", .change = [](Document& document) {
                                       document.sentence()->text = "a b c";
                                   }});
    studies.show_number(7);
    follow();
    CHECK(*comparison.now().document == sentence("a b c"));
    CHECK(comparison.now().name_b == "a b c");
    studies.close(6);
    follow();
    CHECK(*comparison.now().document == sentence("a b c"));
}

}  // namespace headlight::studies_test
