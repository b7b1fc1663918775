// Windows that run out of memory: this is reported, and the work stays open.
#include <doctest/doctest.h>
#include <new>

#include "../io/fault.h"
#include "app/driver.h"

namespace headlight::short_of_memory_test {
namespace {

void draw_frames(Driver& d) {
    d.push(make_event(InputEvent::Kind::Refresh));
    d.settle();
}

/// Draws with the n-th allocation failing. True if there were so many.
bool draw_with_fault(Driver& d, long n) {
    memory_fault = {n, false};
    try {
        draw_frames(d);
    } catch (const std::bad_alloc&) {  // outside the workbench
    }
    memory_fault.countdown = 0;
    return memory_fault.has_struck;
}

}  // namespace

TEST_CASE("memory: a study that does not fit into memory is reported and undone") {
    Driver d;
    const Document before = d.document();
    d.session().set_memory_bytes(1e6);
    d.session().apply({.label = "Type", .change = [](Document& document) {
                           for (int i = 0; i < 300; ++i)
                               document.sentence()->text += " w" + std::to_string(i);
                       }});
    draw_frames(d);
    CHECK(d.texts().find("This is too large") != std::string::npos);
    CHECK(d.texts().find("its largest matrix, mask, is") != std::string::npos);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == before);
    CHECK(d.session().trace());
    CHECK(d.texts().find("This is too large") == std::string::npos);
}

TEST_CASE("memory: if a frame runs out of memory, the work stays open and can be shown again") {
    Driver d;
    d.replace_sentence("the work of today");
    const Document work = d.document();
    long n_told = 0;
    for (long n = 1; draw_with_fault(d, n); n += 13) {
        INFO("the failing allocation was number ", n);
        REQUIRE(d.document() == work);
        draw_frames(d);
        if (d.session().trace()) continue;
        ++n_told;
        REQUIRE(d.message().starts_with("There is not enough to show this study"));
        d.session().resume();
        draw_frames(d);
        REQUIRE(d.session().trace());
    }
    CHECK(n_told > 3);
}

}  // namespace headlight::short_of_memory_test
