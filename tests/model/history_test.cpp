#include "model/history.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace headlight::history_test {
namespace {

Edit set_heads(int n_heads, std::string gesture = {}) {
    return {.label = "Set heads to " + std::to_string(n_heads),
            .change = [n_heads](Document& d) { d.sentence()->layer.attention.n_heads = n_heads; },
            .gesture = std::move(gesture)};
}

int heads_of(const History& history) {
    return history.state().sentence()->layer.attention.n_heads;
}

}  // namespace

TEST_CASE("History: an amended document has no step of its own") {
    History history(built_in_sentence());
    history.apply(set_heads(2));
    history.apply(set_heads(3));
    history.undo();
    const auto reseed = [](Document& d) { d.seed = 7; };
    CHECK(history.amend(reseed));
    CHECK_FALSE(history.amend(reseed));
    CHECK(history.undo_label() == "Set heads to 2");
    CHECK(history.redo_label() == "Set heads to 3");
    CHECK(history.state().seed == 7);
    CHECK(history.steps().size() == 3);
    history.undo();
    CHECK(history.state() == built_in_sentence());
    history.redo();
    CHECK(history.state().seed == 7);
}

TEST_CASE("History: undo and redo work, with the names of the steps") {
    History history(built_in_sentence());
    CHECK_FALSE(history.can_undo());
    CHECK(history.undo_label() == "");
    history.apply(set_heads(2));
    history.apply(set_heads(3));
    CHECK(history.undo_label() == "Set heads to 3");
    history.undo();
    CHECK(heads_of(history) == 2);
    CHECK(history.undo_label() == "Set heads to 2");
    CHECK(history.redo_label() == "Set heads to 3");
    history.undo();
    CHECK(history.state() == built_in_sentence());
    CHECK_FALSE(history.can_undo());
    history.redo();
    history.redo();
    CHECK(heads_of(history) == 3);
    CHECK_FALSE(history.can_redo());
}

TEST_CASE("History: undo ∘ do is the identity, and so is redo ∘ undo") {
    History history(built_in_sentence());
    for (int n_heads = 1; n_heads < 9; ++n_heads) {
        const Document before = history.state();
        history.apply(set_heads(n_heads));
        const Document after = history.state();
        CHECK_FALSE(before == after);
        history.undo();
        CHECK(history.state() == before);
        history.redo();
        CHECK(history.state() == after);
    }
}

TEST_CASE("History: without steps, undo and redo leave the document unchanged") {
    History history(built_in_graph());
    history.undo();
    history.redo();
    CHECK(history.state() == built_in_graph());
}

TEST_CASE("History: an edit after undo discards the redo steps") {
    History history(built_in_sentence());
    history.apply(set_heads(2));
    history.undo();
    history.apply(set_heads(5));
    CHECK_FALSE(history.can_redo());
    CHECK(heads_of(history) == 5);
}

TEST_CASE("History: an edit that changes nothing adds no step") {
    History history(built_in_sentence());
    history.apply(set_heads(2));
    history.undo();
    history.apply(set_heads(4));
    CHECK(heads_of(history) == 4);
    CHECK_FALSE(history.can_undo());
    CHECK(history.can_redo());
}

TEST_CASE("History: the edits of one gesture form one step, named by the last") {
    History history(built_in_sentence());
    for (const int n_heads : {5, 6, 7}) history.apply(set_heads(n_heads, "drag heads"));
    CHECK(history.undo_label() == "Set heads to 7");
    history.undo();
    CHECK(heads_of(history) == 4);
    CHECK_FALSE(history.can_undo());
    history.redo();
    CHECK(heads_of(history) == 7);
}

TEST_CASE("History: a gesture whose last edit restores the document adds no step") {
    History history(built_in_sentence());
    history.apply(set_heads(2));
    for (const int n_heads : {5, 6, 2}) history.apply(set_heads(n_heads, "drag heads"));
    CHECK(history.undo_label() == "Set heads to 2");
    CHECK_FALSE(history.can_redo());
    history.apply(set_heads(7, "drag heads"));
    history.undo();
    CHECK(heads_of(history) == 2);
}

TEST_CASE(
    "History: another gesture, an edit without one, the end of a gesture, and undo each start a "
    "new step") {
    History history(built_in_sentence());
    history.apply(set_heads(1, "a"));
    history.apply(set_heads(2, "b"));
    history.apply(set_heads(3));
    history.apply(set_heads(5, "b"));
    history.end_gesture();
    history.apply(set_heads(6, "b"));
    history.apply(set_heads(7, "b"));
    history.undo();
    CHECK(heads_of(history) == 5);
    history.apply(set_heads(8, "b"));
    for (const int expected : {5, 3, 2, 1, 4}) {
        history.undo();
        CHECK(heads_of(history) == expected);
    }
    CHECK_FALSE(history.can_undo());
}

TEST_CASE("History: an edit that throws changes nothing") {
    History history(built_in_sentence());
    history.apply(set_heads(2));
    history.undo();
    const Edit failing{.label = "fail",
                       .change =
                           [](Document& d) {
                               d.seed = 99;
                               throw Error("edit", "it cannot be done");
                           },
                       .gesture = "a"};
    CHECK_THROWS_WITH_AS(history.apply(failing), "[edit] it cannot be done", Error);
    CHECK(history.state() == built_in_sentence());
    CHECK_FALSE(history.can_undo());
    CHECK(history.redo_label() == "Set heads to 2");
}

TEST_CASE("History: the documents of all steps stay within the stated memory") {
    Document document = built_in_sentence();
    document.sentence()->text = std::string(1000, 'x');
    const std::size_t one = count_bytes(document, nullptr);
    History history(document, 10 * one + one / 2);
    for (int k = 0; k < 40; ++k)
        history.apply({"Step " + std::to_string(k), [k](Document& d) {
                           d.sentence()->text[static_cast<std::size_t>(k)] = 'y';
                       }});
    CHECK(history.steps().size() == 10);
    CHECK(history.undo_label() == "Step 39");
    while (history.can_undo()) history.undo();
    CHECK(history.steps().front().label == "Step 30");
    CHECK(history.state().sentence()->text.substr(29, 4) == "yyxx");
}

TEST_CASE("History: the open document stays, however large it is") {
    History history(built_in_sentence(), 1);
    history.apply(set_heads(2));
    CHECK(heads_of(history) == 2);
    CHECK_FALSE(history.can_undo());
}

TEST_CASE("History: steps share the matrices that they do not change") {
    Document document = built_in_sentence();
    document.interventions["a"] = intervene_on_all(Matrix::Zero(100, 100));
    document.interventions["b"] = intervene_on_all(Matrix::Zero(3, 3));
    const std::size_t one = count_bytes(document, nullptr);
    History history(document, 2 * one);
    for (int k = 0; k < 40; ++k)
        history.apply(
            {"Step", [k](Document& d) { d.interventions["b"].set(0, 0, Scalar(k + 1)); }});
    CHECK(history.steps().size() == 41);
    for (int k = 0; k < 3; ++k)
        history.apply(
            {"Step", [k](Document& d) { d.interventions["a"].set(0, 0, Scalar(k + 1)); }});
    CHECK(history.steps().size() == 2);
    history.undo();
    CHECK(history.state().interventions.at("a").find(0, 0)->value == 2);
}

TEST_CASE("History: a copy is a separate history of the same documents") {
    History history(built_in_sentence());
    history.apply(set_heads(2));
    const History copy = history;
    history.undo();
    history.apply(set_heads(3));
    CHECK(heads_of(copy) == 2);
    CHECK(copy.previous() == history.previous());
}

TEST_CASE("History: a history can be made from steps and a place in them") {
    History history(built_in_sentence());
    for (const int n : {2, 3, 5}) history.apply(set_heads(n));
    history.undo();
    History same(history.steps(), history.at());
    CHECK(same.undo_label() == "Set heads to 3");
    CHECK(same.redo_label() == "Set heads to 5");
    same.apply(set_heads(7));
    CHECK_FALSE(same.can_redo());
    for (const int expected : {3, 2, 4}) {
        same.undo();
        CHECK(heads_of(same) == expected);
    }
}

TEST_CASE("Edits: the queued edits come out once, in order") {
    Edits edits;
    edits.push("one", [](Document& d) { d.seed = 2; });
    edits.push(
        "two", [](Document& d) { d.seed = 3; }, "drag");
    const std::vector<Edit> taken = edits.take();
    REQUIRE(taken.size() == 2);
    CHECK(taken[0].label == "one");
    CHECK(taken[1].gesture == "drag");
    CHECK(edits.take().empty());
    CHECK_FALSE(edits.take_end_of_gesture());
    edits.end_gesture();
    CHECK(edits.take_end_of_gesture());
    CHECK_FALSE(edits.take_end_of_gesture());
}

TEST_CASE("History: a gesture that ends where it began adds no step") {
    History history(built_in_sentence());
    history.apply(set_heads(2));
    for (const int n_heads : {3, 5, 2}) history.apply(set_heads(n_heads, "drag"));
    CHECK(heads_of(history) == 2);
    CHECK(history.undo_label() == "Set heads to 2");
    CHECK_FALSE(history.can_redo());
    history.apply(set_heads(7, "drag"));
    CHECK(history.undo_label() == "Set heads to 7");
    history.undo();
    CHECK(heads_of(history) == 2);
}

TEST_CASE("History: an edit that changes nothing reports that") {
    History history(built_in_sentence());
    CHECK(history.apply(set_heads(2)));
    CHECK_FALSE(history.apply(set_heads(2)));
}

}  // namespace headlight::history_test
