// The selection by numbers, as another program reads and sets it.
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

#include "app_state/workspace.h"
#include "core/error.h"

namespace headlight::selected_place_test {
namespace {

void settle(Workspace& space) {
    for (int k = 0; k < 8; ++k) {
        prepare(space);
        space.session.wait();
    }
    prepare(space);
}

/// A recording of two layers of three heads over four words.
Document small_recording() {
    RecordedStudy study{.file = "/recording",
                        .text = {{"the", "cat", "sat", "down"}, {}},
                        .attentions = {{.n_layers = 2, .n_heads = 3}}};
    study.source = std::make_shared<const MatrixSource>(
        MatrixSource{[](Index, Index, View rows) { rows.setConstant(0.25f); }});
    Document document;
    document.study = study;
    return document;
}

struct Computed {
    Computed() { settle(space); }
    Workspace space{small_recording(), [] {}};
};

SelectedPlace cell(int layer, int head, Index row, Index column) {
    return {.path = "", .layer = layer, .head = head, .row = row, .column = column};
}

std::string problem_of(Workspace& space, const SelectedPlace& place) {
    try {
        select_place(space, place);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a selected place: layer, head and cell come back as they were set") {
    Computed computed;
    select_place(computed.space, cell(1, 2, 3, 0));
    SelectedPlace wanted = cell(1, 2, 3, 0);
    wanted.path = "blocks.1.attn.heads.2.pattern";
    CHECK(selected_place(computed.space) == wanted);
}

TEST_CASE("a selected place: only what differs moves, so that a path that was read is no bar") {
    Computed computed;
    select_place(computed.space, cell(0, 0, 1, 1));
    SelectedPlace changed = selected_place(computed.space);
    changed.head = 2;
    select_place(computed.space, changed);
    CHECK(selected_place(computed.space).path == "blocks.0.attn.heads.2.pattern");
    CHECK(selected_place(computed.space).row == 1);
    select_place(computed.space, {.path = "blocks.1.attn.heads.1.pattern"});
    CHECK(selected_place(computed.space).layer == 1);
    CHECK(selected_place(computed.space).head == 1);
}

TEST_CASE("a selected place: a row without a column is a word") {
    Computed computed;
    computed.space.selection.release();
    select_place(computed.space, {.path = "", .row = 2});
    CHECK(selected_place(computed.space).row == 2);
    CHECK_FALSE(selected_place(computed.space).column);
}

TEST_CASE("a selected place: what is not there is named, and the selection stays") {
    Computed computed;
    select_place(computed.space, cell(1, 1, 1, 1));
    const SelectedPlace before = selected_place(computed.space);
    const auto refuses = [&](const SelectedPlace& place, const char* wanted) {
        CHECK(problem_of(computed.space, place).find(wanted) != std::string::npos);
        CHECK(selected_place(computed.space) == before);
    };
    refuses({.path = "", .layer = 2}, "there is no attention in a layer 2");
    refuses({.path = "", .layer = 0, .head = 3}, "there is no head 3; there are 3 heads");
    refuses({.path = "blocks.2.attn"}, "blocks.2.attn");
    refuses(cell(0, 0, 4, 0), "none in row 4, column 0");
    refuses({.path = "", .column = 1}, "a column needs a row");
    Workspace empty{small_recording(), [] {}};
    CHECK(problem_of(empty, cell(0, 0, 0, 0)).find("nothing is computed") != std::string::npos);
    CHECK(selected_place(empty) == SelectedPlace{});
}

}  // namespace headlight::selected_place_test
