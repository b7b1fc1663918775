#include "figure/labels.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "figure/marks.h"

namespace headlight::labels_test {
using namespace headlight::test;

TEST_CASE("shortened: the result fits, has whole characters, and is the text if that fits") {
    std::mt19937 random(4);
    for (int k = 0; k < 2000; ++k) {
        TextMark mark{{}, random_word(random), 10};
        const float room = static_cast<float>(random() % 90);
        const std::string text = shortened(mark, room, fake_measure);
        CHECK(fake_measure(text, 10, mark.font) <= room);
        if (fake_measure(mark.text, 10, mark.font) <= room)
            CHECK(text == mark.text);
        else if (room >= 5.5f)
            CHECK(text.ends_with("…"));
        CHECK((text.empty() || (text[0] & 0xc0) != 0x80));
    }
    CHECK(shortened({{}, "Wirtschaft", 10}, 33, fake_measure) == "Wirts…");
    CHECK(shortened({{}, "an apple", 10}, 22.1f, fake_measure) == "an…");
}

TEST_CASE(
    "chosen_labels: no two are closer than allowed, and the first important one is included") {
    std::mt19937 random(9);
    for (int round = 0; round < 1000; ++round) {
        LabelRow row;
        row.count = random() % 2000 + 1;
        row.pitch = static_cast<float>(random() % 1000 + 1) / 50;
        row.min_distance = 14;
        for (int k = 0; k < 3; ++k) row.important.push_back(random() % row.count);
        const auto chosen = chosen_labels(row);
        CHECK(std::find(chosen.begin(), chosen.end(), row.important[0]) != chosen.end());
        for (std::size_t k = 1; k < chosen.size(); ++k)
            CHECK((chosen[k] - chosen[k - 1]) * row.pitch >= row.min_distance);
    }
    CHECK(chosen_labels({5, 20, 14, {}}) == std::vector<Index>{0, 1, 2, 3, 4});
    CHECK(chosen_labels({100, 2, 14, {}}) ==
          std::vector<Index>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90});
    CHECK(chosen_labels({}).empty());
}

TEST_CASE("TakenSpans: free spans are taken, overlapping ones refused") {
    TakenSpans taken;
    CHECK(taken.take(10, 20));
    CHECK(taken.take(20, 30));
    CHECK_FALSE(taken.take(15, 16));
    CHECK_FALSE(taken.take(5, 11));
    CHECK_FALSE(taken.take(0, 100));
    CHECK_FALSE(taken.take(29, 31));
    CHECK(taken.take(0, 10));
}

}  // namespace headlight::labels_test
