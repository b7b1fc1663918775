// A monkey at the window: thousands of random events, and everything still holds.
#include <cstring>
#include <doctest/doctest.h>
#include <iterator>
#include <random>

#include "app/driver.h"
#include "long_checks.h"
#include "test_window.h"

namespace headlight::program_monkey_test {
namespace {

using Kind = InputEvent::Kind;

/// The same numbers with every standard library.
class Monkey {
  public:
    Monkey(Driver& driver, unsigned seed) : d_(driver), bits_(seed) {}

    void act() {
        const int choice = below(20);
        if (choice < 7) return d_.click(place());
        if (choice < 10) return drag();
        if (choice < 13) return type();
        if (choice < 17) return key();
        if (choice < 18) return wheel();
        if (choice < 19) return d_.double_click(place());
        resize();
    }

  private:
    int below(int n) { return static_cast<int>(bits_() % static_cast<unsigned>(n)); }

    /// A random point, mostly on something with a name; never where a file would be written.
    Point place() {
        const auto& boxes = d_.regions().boxes();
        if (below(4) == 0 || boxes.empty())
            return {static_cast<float>(below(1280)), static_cast<float>(below(800))};
        const auto& [name, box] = *std::next(boxes.begin(), below(static_cast<int>(boxes.size())));
        const Point at{box.x + box.width * static_cast<float>(below(100)) / 100,
                       box.y + box.height * static_cast<float>(below(100)) / 100};
        return leads_to_file(at) ? Point{3, 3} : at;
    }

    bool leads_to_file(Point at) {
        for (const char* name : {"button Save", "button Export", "button Open"}) {
            const auto box = d_.regions().find(name);
            if (box && box->contains(at) && d_.has("text File")) return true;
        }
        return false;
    }

    void drag() { d_.drag(place(), place(), below(4) == 0 ? Modifier::Shift : Modifier::None); }

    void type() {
        static const char* const kTexts[] = {"a",    " ",   "word ", "7",    "-0.5", "é",
                                             "🙂", "1e9", ".",     "שלום", "inf",  "0"};
        d_.type(kTexts[below(12)]);
    }

    void key() {
        static const Key kKeys[] = {
            Key::Tab,    Key::Left,      Key::Right, Key::Up,     Key::Down, Key::Home,    Key::End,
            Key::Delete, Key::Backspace, Key::Space, Key::Escape, Key::Z,    Key::Y,       Key::A,
            Key::X,      Key::V,         Key::Plus,  Key::Minus,  Key::Zero, Key::PageDown};
        const Modifier modifiers[] = {Modifier::None, Modifier::Ctrl, Modifier::Shift};
        const Key key = kKeys[below(20)];
        if (d_.has("text File")) return d_.press(Key::Escape);
        d_.press(key, modifiers[below(3)]);
    }

    void wheel() { d_.wheel(place(), static_cast<float>(below(7) - 3)); }

    void resize() {
        if (below(4) > 0) return d_.resize(1280, 800);
        d_.resize(static_cast<float>(300 + below(1500)), static_cast<float>(200 + below(1000)));
    }

    Driver& d_;
    std::mt19937 bits_;
};

/// Checks that the window's trace equals one that is computed from scratch.
void check_trace(Driver& d) {
    if (!d.session().trace()) {
        CHECK(d.session().error());
        return;
    }
    const Trace expected = evaluate(d.document(), nullptr, {.everything = true, .globs = {}});
    REQUIRE(d.trace().tensors().size() == expected.tensors().size());
    for (const Tensor& tensor : d.trace().tensors()) {
        if (!tensor.value) continue;
        INFO(tensor.path());
        const Matrix &a = *tensor.value, &b = *expected.at(tensor.path()).value;
        REQUIRE(a.rows() == b.rows());
        REQUIRE(a.cols() == b.cols());
        const auto size_bytes = static_cast<std::size_t>(a.size()) * sizeof(Scalar);
        CHECK((size_bytes == 0 || std::memcmp(a.data(), b.data(), size_bytes) == 0));
    }
}

/// A third of the actions where a check may not take long.
void run_monkey(const char* tab, unsigned seed, int n_actions) {
    if (!is_long_check()) n_actions /= 3;
    Driver d({1280, 800, 1});
    d.click(tab);
    Monkey monkey(d, seed);
    for (int i = 0; i < n_actions && !d.program().loop().has_quit(); ++i) {
        INFO("action " << i);
        REQUIRE_NOTHROW(monkey.act());
        if (i % 4 == 0) REQUIRE_NOTHROW(d.screenshot());
        if (i % 16 == 0) CHECK(looks_as_if_drawn_whole(d.program().loop()));
    }
    d.resize(1280, 800);
    // An animated value is computed in the frame after its change.
    if (d.has("button Pause")) d.click("button Pause");
    check_trace(d);
    while (d.session().history().can_undo()) d.session().undo();
    d.push(make_event(Kind::Refresh));
    d.settle();
    check_trace(d);
}

}  // namespace

TEST_CASE("monkey: random actions on a sentence break nothing") {
    run_monkey("tab Sentence", 1, 150);
}

TEST_CASE("monkey: random actions on a graph break nothing") {
    run_monkey("tab Graph", 2, 120);
}

TEST_CASE("monkey: random actions on an alignment break nothing") {
    run_monkey("tab Alignment", 3, 80);
}

TEST_CASE("monkey: random actions on an image break nothing") {
    run_monkey("tab Image", 4, 80);
}

}  // namespace headlight::program_monkey_test
