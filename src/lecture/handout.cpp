#include "lecture/handout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "io/pictures/figure_text.h"

namespace headlight {
namespace {

constexpr Point kA4{595.276f, 841.89f};  // points
constexpr float kPaperMargin = 36, kPaperGap = 24;

/// Places of the pages on a sheet, in reading order, without their heights.
struct Sheet {
    Point size;
    int n_columns, n_rows;
};

Sheet sheet_of(int n_per_sheet) {
    if (n_per_sheet == 2) return {kA4, 1, 2};
    if (n_per_sheet == 4) return {{kA4.y, kA4.x}, 2, 2};
    throw Error("handout",
                "there can be 1, 2 or 4 pages on a sheet, not " + std::to_string(n_per_sheet));
}

/// Of what says which view the page shows.
int view_line(const LecturePage& page) {
    for (const char* key : {"what", "tensor", "with"})
        for (const Directive& directive : page.directives)
            if (directive.key == key) return directive.line;
    return page.line;
}

/// What is under a page on paper: its own background in a thin frame, and below it lines to write
/// on, if at least two have room.
Figure paper_frame(Point size, float room, Color background) {
    constexpr float kPitch = 22, kLeastLines = 2;
    constexpr Color kFrame{200, 200, 200, 255}, kRule{215, 215, 215, 255};
    Figure figure{size.x, room, {}};
    figure.add(RectMark{{0, 0, size.x, size.y}, background, kFrame, 0.75f, 3});
    const float n_lines = std::floor((room - size.y) / kPitch);
    if (n_lines < kLeastLines) return figure;
    for (float k = 1; k <= n_lines; ++k) {
        const float y = size.y + k * kPitch;
        figure.add(LineMark{{0, y}, {size.x, y}, kRule, 0.5f});
    }
    return figure;
}

PaperPage own_sheet(const PageFigure& page) {
    return {page.figure.width, page.figure.height, page.background, {{&page.figure, {}, 1}}};
}

}  // namespace

PageFigure draw_page(const PageSource& source, const PrintedPage& page, const PrintLook& look,
                     const MeasureText& measure) {
    const OpenPage& open = page.open;
    const Theme& theme = theme_named(
        look.theme.value_or(page_theme(source.lecture, open.index).value_or(ThemeName::Light)));
    std::optional<Scene> scene;
    if (open.space) scene.emplace(make_scene(*open.space, theme));
    const PageParts parts{.scene = scene ? &*scene : nullptr,
                          .view = open.view,
                          .curves = open.curves ? &*open.curves : nullptr,
                          .title = page.written.title,
                          .text = page.text,
                          .task = page.task ? &*page.task : nullptr,
                          .task_text = &page.task_text,
                          .number = {open.index, source.lecture.pages.size()}};
    try {
        return page_figure(parts, look.size, theme, measure);
    } catch (const Error& error) {
        throw Error({source.name, view_line(page.written)}, said(error));
    }
}

void print_pages(const PageSource& source, const PrintLook& look, Progress& progress,
                 const std::function<void(const PrintedPage&)>& take) {
    const MeasureText measure = pango_measure();
    const std::size_t first = look.page.value_or(0);
    const std::size_t end = look.page ? first + 1 : source.lecture.pages.size();
    Workspace space(no_study(), {});
    progress.begin(static_cast<double>(end - first));
    for (std::size_t k = first; k < end; ++k) {
        const LecturePage& written = source.lecture.pages[k];
        progress.enter(written.title);
        try {
            OpenPage open = open_page(source, k, space);
            PageText text = filled_text(source, open);
            std::optional<PageTask> task = read_task(written, source.name);
            TaskText task_text = task ? filled_task(source, open, *task) : TaskText{};
            PrintedPage page{written, std::move(text), std::move(task), std::move(task_text), open,
                             {}};
            page.figure = draw_page(source, page, look, measure);
            take(page);
        } catch (const Error& error) {
            throw page_error(source.name, written, error);
        }
        progress.advance(1);
    }
}

HandoutSheets lay_out_handout(const std::vector<PageFigure>& pages, int n_per_sheet) {
    HandoutSheets handout;
    std::vector<PaperPage>& sheets = handout.sheets;
    if (n_per_sheet == 1) {
        for (const PageFigure& page : pages) sheets.push_back(own_sheet(page));
        return handout;
    }
    const Sheet sheet = sheet_of(n_per_sheet);
    const float columns = static_cast<float>(sheet.n_columns);
    const float rows = static_cast<float>(sheet.n_rows);
    const Point room{(sheet.size.x - 2 * kPaperMargin - (columns - 1) * kPaperGap) / columns,
                     (sheet.size.y - 2 * kPaperMargin - (rows - 1) * kPaperGap) / rows};
    for (std::size_t k = 0; k < pages.size(); ++k) {
        const auto place = static_cast<int>(k % static_cast<std::size_t>(n_per_sheet));
        if (place == 0) sheets.push_back({sheet.size.x, sheet.size.y, {255, 255, 255, 255}, {}});
        const Figure& figure = pages[k].figure;
        const float scale = std::min(room.x / figure.width, room.y / figure.height);
        const auto column = static_cast<float>(place % sheet.n_columns);
        const auto row = static_cast<float>(place / sheet.n_columns);
        const Point at{kPaperMargin + column * (room.x + kPaperGap),
                       kPaperMargin + row * (room.y + kPaperGap)};
        const Point size{figure.width * scale, figure.height * scale};
        handout.frames.push_back(paper_frame(size, room.y, pages[k].background));
        sheets.back().figures.push_back({&handout.frames.back(), at, 1});
        sheets.back().figures.push_back({&figure, at, scale});
    }
    return handout;
}

std::string write_handout_pdf(const std::vector<PageFigure>& pages, int n_per_sheet) {
    return write_pdf(lay_out_handout(pages, n_per_sheet).sheets);
}

}  // namespace headlight
