// Handouts: pages in frames, with lines to write on.
#include "present/handout.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "figure/figure_parts.h"

using namespace headlight;

namespace {

std::vector<PageFigure> wide_pages(std::size_t n) {
    PageFigure page{
        .figure = {kWidePage, kPageHeight, {}}, .background = {250, 250, 255, 255}, .note = {}};
    page.figure.add(TextMark{{40, 40}, "words"});
    return std::vector<PageFigure>(n, page);
}

/// The sheets as they are printed: every figure in its place.
std::vector<Figure> printed(const HandoutSheets& handout) {
    std::vector<Figure> sheets;
    for (const PaperPage& sheet : handout.sheets) {
        sheets.push_back({static_cast<float>(sheet.width), static_cast<float>(sheet.height), {}});
        for (const auto& [figure, at, scale] : sheet.figures)
            add_part(sheets.back(), *figure, at, scale);
    }
    return sheets;
}

template <class Kind>
std::vector<Kind> marks_of(const Figure& figure) {
    std::vector<Kind> marks;
    for (const Mark& mark : figure.marks)
        if (const auto* found = std::get_if<Kind>(&mark)) marks.push_back(*found);
    return marks;
}

}  // namespace

TEST_CASE("handouts: each page stands in a frame of its own, on its own background") {
    const std::vector<PageFigure> pages = wide_pages(5);
    for (const int n : {2, 4}) {
        const HandoutSheets handout = lay_out_handout(pages, n);
        std::size_t n_frames = 0;
        for (const Figure& sheet : printed(handout)) {
            const auto frames = marks_of<RectMark>(sheet);
            const auto words = marks_of<TextMark>(sheet);
            REQUIRE(frames.size() == words.size());
            n_frames += frames.size();
            for (std::size_t k = 0; k < frames.size(); ++k) {
                const Box& box = frames[k].box;
                CHECK(box.contains(words[k].at));
                CHECK(box.width / box.height == doctest::Approx(kWidePage / kPageHeight));
                CHECK(box.x >= 0);
                CHECK(box.right() <= sheet.width);
                CHECK(frames[k].stroke.a == 255);
                CHECK(frames[k].stroke_width > 0);
                CHECK(frames[k].fill == pages[0].background);
                for (std::size_t l = 0; l < k; ++l)
                    CHECK(common_part(box, frames[l].box).is_empty());
            }
        }
        CHECK(n_frames == pages.size());
    }
    // A page that is a sheet has the paper's edge.
    for (const Figure& sheet : printed(lay_out_handout(pages, 1)))
        CHECK(marks_of<RectMark>(sheet).empty());
}

TEST_CASE("handouts: two pages a sheet leave lines to write on under each") {
    const Figure sheet = printed(lay_out_handout(wide_pages(2), 2)).front();
    const auto frames = marks_of<RectMark>(sheet);
    const auto lines = marks_of<LineMark>(sheet);
    REQUIRE(frames.size() == 2);
    for (const RectMark& frame : frames)
        CHECK(std::ranges::count_if(lines, [&](const LineMark& line) {
                  const float below = line.from.y - frame.box.bottom();
                  return line.from.x >= frame.box.x && below > 0 && below < sheet.height / 4;
              }) >= 2);
    for (const LineMark& line : lines)
        for (const RectMark& frame : frames) CHECK_FALSE(frame.box.contains(line.from));
    CHECK(marks_of<LineMark>(printed(lay_out_handout(wide_pages(4), 4)).front()).empty());
}
