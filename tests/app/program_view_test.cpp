// A study that is saved with its view opens with it.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/files/file.h"
#include "io/studies/study.h"

namespace headlight::program_view_test {

TEST_CASE("view: a saved study opens as it was seen, and looking is no change") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    const CellPlace cell{"blocks.0.attn.heads.2.pattern", 3, 1};
    Pointed held;
    {
        Driver d;
        show(d.program().workbench().workspace(), cell.path);
        d.program().loop().wake();
        d.settle();
        d.click(cell);
        held = d.selection().held();
        d.press(Key::S, Modifier::Ctrl);
        d.answer_dialog(file);
        d.click("head 0");
        CHECK(d.texts().find("edited") == std::string::npos);
        d.push(make_event(InputEvent::Kind::Quit));
        d.settle();
        CHECK(d.program().loop().has_quit());
    }
    Driver d;
    d.drop(file);
    CHECK(d.message() == "");
    CHECK(d.selection().head == 2);
    CHECK(d.selection().chosen == cell.path);
    CHECK(d.selection().held() == held);
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("view: what cannot be shown is named, and the study is there") {
    const TemporaryFolder folder;
    const std::string file = folder.with(
        "a.headlight", write_study(built_in_sentence(), {},
                                   {{"tensor", "blocks.0.attn.heads.2.pattern"}, {"row", "77"}}));
    Driver d;
    d.drop(file);
    CHECK(d.message().find("The view that was saved with the study cannot be shown: ") == 0);
    CHECK(d.message().find("77") != std::string::npos);
    CHECK(d.document() == built_in_sentence());
    CHECK(d.selection().head == 0);
    CHECK(d.selection().held().cell);  // as in any new study
}

}  // namespace headlight::program_view_test
