#include "present/handout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "core/plan.h"
#include "figure/legend.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/figure_text.h"
#include "io/text/base64.h"
#include "io/text/json_text.h"
#include "present/page/page_scope.h"
#include "present/page/page_text_figure.h"
#include "text/strings.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

constexpr Point kA4{595.276f, 841.89f};  // points
constexpr float kPaperMargin = 36, kPaperGap = 24;

/// The places of the pages on a sheet, in reading order, without their heights.
struct Sheet {
    Point size;
    int n_columns, n_rows;
};

/// Returns the line of the directive that says which view the page shows.
int view_line(const LecturePage& page) {
    for (const char* key : {"what", "tensor", "with"})
        for (const Directive& directive : page.directives)
            if (directive.key == key) return directive.line;
    return page.line;
}

/// Draws what lies under a page on paper: its own background in a thin frame, and below it lines to
/// write on, if at least two have room.
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

}  // namespace

PageFigure draw_page(const PageSource& source, const PrintedPage& page, const PrintLook& look,
                     const MeasureText& measure) {
    const std::optional<ThemeName> own = page_theme(source.lecture, page.open.index);
    const Theme& theme = theme_named(look.theme.value_or(own.value_or(ThemeName::Light)));
    try {
        return page_figure(source, page, look.size, theme, measure);
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
            PrintedPage page{written, {}, {}, {}, open, {}};
            fill_words(source, page);
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
        for (const PageFigure& page : pages)
            sheets.push_back(
                {page.figure.width, page.figure.height, page.background, {{&page.figure, {}, 1}}});
        return handout;
    }
    if (n_per_sheet != 2 && n_per_sheet != 4)
        throw Error("handout", "there can be 1, 2 or 4 pages on a sheet, not {}", n_per_sheet);
    const Sheet sheet = n_per_sheet == 2 ? Sheet{kA4, 1, 2} : Sheet{{kA4.y, kA4.x}, 2, 2};
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

namespace {

constexpr Point kFigureRoom{820, 400};  // points
constexpr Index kMostCells = 10'000;    // of a heatmap whose cells are named

constexpr const char* kStyle = R"(<style>
body{font:18px/1.5 Inter,"DejaVu Sans",sans-serif;max-width:860px;margin:2em auto;padding:0 1em;
color:#1d1d1b;background:#fff}
h1{font-size:1.9em}h2{font-size:1.5em;margin-top:2.2em;border-top:1px solid #ddd;padding-top:1em}
em{color:#0069a8;font-style:normal}i.f{font-family:"DejaVu Serif",serif}p.f{text-align:center}
figure{position:relative;margin:1em 0}figure img{width:100%;display:block}
@media print{figure,.task{break-inside:avoid}}
figure b.cell{position:absolute;border:2px solid #1d1d1b;pointer-events:none;box-sizing:border-box}
#tip{position:fixed;background:#1d1d1b;color:#fff;padding:.2em .6em;border-radius:.3em;
font-size:.8em;pointer-events:none;display:none}
.task{background:#e6edf6;border-radius:.4em;padding:.7em 1em}.task p{margin:.2em 0}
.from{color:#666;font-size:.75em}
@media print{h2{page-break-before:always}}
</style>
)";

constexpr const char* kScript = R"(<div id="tip"></div><script>
const tip=document.getElementById("tip");
for(const f of document.querySelectorAll("figure")){
const maps=JSON.parse(f.dataset.maps||"[]"),w=+f.dataset.w,h=+f.dataset.h;
const mark=document.createElement("b");mark.className="cell";mark.style.display="none";
f.append(mark);
f.onmousemove=e=>{const r=f.querySelector("img").getBoundingClientRect();
const x=(e.clientX-r.left)/r.width*w,y=(e.clientY-r.top)/r.height*h;
const m=maps.find(m=>x>=m.x&&y>=m.y&&x<m.x+m.w&&y<m.y+m.h);
tip.style.display=mark.style.display=m?"block":"none";if(!m)return;
const R=m.v.length,C=m.v[0].length;
const i=Math.min(R-1,Math.floor((y-m.y)/m.h*R)),j=Math.min(C-1,Math.floor((x-m.x)/m.w*C));
const name=(n,k)=>n?n[k]:k;
tip.textContent="["+name(m.r,i)+", "+name(m.c,j)+"] = "+m.v[i][j];
tip.style.left=e.clientX+14+"px";tip.style.top=e.clientY+14+"px";
const s=r.width/w;mark.style.left=(m.x+j*m.w/C)*s+"px";mark.style.top=(m.y+i*m.h/R)*s+"px";
mark.style.width=m.w/C*s+"px";mark.style.height=m.h/R*s+"px";};
f.onmouseleave=()=>{tip.style.display=mark.style.display="none"};}
</script>
)";

/// Writes x_i, K^{T} with <sub> and <sup>.
class FormulaHtml {
  public:
    explicit FormulaHtml(const std::string& formula) : text_(formula) {}

    std::string write() {
        std::string html;
        while (next_ < text_.size()) html += take();
        return html;
    }

  private:
    std::string take() {
        const char c = text_[next_++];
        if (c == '_' || c == '^') {
            const std::string tag = c == '_' ? "sub" : "sup";
            return fmt::format("<{}>{}</{}>", tag, take_script(), tag);
        }
        if (c == '\\' && next_ < text_.size()) return xml_escaped(text_.substr(next_++, 1));
        return c == '{' || c == '}' ? "" : take_character(next_ - 1);
    }
    std::string take_script() {
        if (next_ >= text_.size()) return {};
        if (text_[next_] != '{') return take_character(next_);
        ++next_;
        std::string inside;
        while (next_ < text_.size() && text_[next_] != '}') inside += take();
        ++next_;
        return inside;
    }
    std::string take_character(std::size_t from) {
        next_ = from + 1;
        while (next_ < text_.size() && (static_cast<unsigned char>(text_[next_]) & 0xC0) == 0x80)
            ++next_;
        return xml_escaped(text_.substr(from, next_ - from));
    }

    const std::string& text_;
    std::size_t next_ = 0;
};

std::string span_html(const TextSpan& span) {
    using Kind = TextSpan::Kind;
    std::string html = span.kind == Kind::Formula || span.is_in_formula
                           ? fmt::format("<i class=\"f\">{}</i>", FormulaHtml(span.text).write())
                       : span.kind == Kind::Code
                           ? fmt::format("<code>{}</code>", xml_escaped(span.text))
                           : xml_escaped(span.text);
    if (span.is_bold || span.kind == Kind::Value) html = fmt::format("<b>{}</b>", html);
    return span.is_emphasis ? fmt::format("<em>{}</em>", html) : html;
}

std::string text_html(const PageText& text) {
    std::string html;
    for (const TextBlock& block : text.blocks) {
        std::string inside;
        for (const TextSpan& span : block.spans) inside += span_html(span);
        using Kind = TextBlock::Kind;
        const std::string indent = fmt::format("{}em", block.level + 1);
        if (block.kind == Kind::Item)
            html += fmt::format("<p style=\"margin:.2em 0 .2em {}\">{} {}</p>\n", indent,
                                xml_escaped(block.label), inside);
        else
            html += (block.kind == Kind::Formula ? "<p class=\"f\">" : "<p>") + inside + "</p>\n";
    }
    return html;
}

std::string title_html(const std::string& title) {
    std::string html;
    for (const TextSpan& span : title_spans(title)) html += span_html(span);
    return html;
}

/// Writes the text without paragraphs.
std::string line_html(const PageText& text) {
    std::string html;
    for (const TextBlock& block : text.blocks) {
        if (!html.empty()) html += ' ';
        for (const TextSpan& span : block.spans) html += span_html(span);
    }
    return html;
}

std::string names_json(const Trace& trace, const Axis& axis) {
    if (!has_names(axis)) return "null";
    std::string json;
    for (Index k = 0; k < axis.size; ++k)
        append_part(json, ",", json_string(axis_label(trace, axis, k)));
    return fmt::format("[{}]", json);
}

/// Writes the heatmaps of a figure, for the script; with names where a heatmap has the chosen
/// tensor's shape.
std::string maps_json(const Figure& figure, const Scene& scene) {
    const Tensor& tensor = scene.trace.at(scene.selection.chosen);
    std::string json;
    for (const Mark& mark : figure.marks) {
        const auto* map = std::get_if<HeatmapMark>(&mark);
        if (!map || !map->values || !map->clip.is_empty() || is_legend_bar(*map)) continue;
        const Matrix& values = *map->values;
        if (values.size() == 0 || values.size() > kMostCells) continue;
        const bool is_chosen =
            values.rows() == tensor.rows().size && values.cols() == tensor.columns().size;
        json += json.empty() ? "" : ",";
        json += fmt::format(R"({{"x":{},"y":{},"w":{},"h":{},"r":{},"c":{},"v":[)",
                            number_text(map->box.x), number_text(map->box.y),
                            number_text(map->box.width), number_text(map->box.height),
                            is_chosen ? names_json(scene.trace, tensor.rows()) : "null",
                            is_chosen ? names_json(scene.trace, tensor.columns()) : "null");
        for (Index i = 0; i < values.rows(); ++i) json += (i > 0 ? "," : "") + json_row(values, i);
        json += "]}";
    }
    return fmt::format("[{}]", json);
}

/// `room` says whether its numbers are covered; then the script does not know them either.
std::string figure_html(const Scene& scene, ViewId view, const PageRoom& room,
                        const Color& background) {
    Figure figure = page_view_figure(scene, view, room, pango_measure()).figure;
    const bool is_covered = room.cover == PageRoom::Cover::On;
    std::string origin = shown_origin(scene);
    const std::string missing = missing_words(figure);
    origin = missing + (origin.empty() || missing.empty() ? "" : " · ") + origin;
    figure.height = std::max(figure.height, 1.0f);
    const std::string svg = write_svg(figure, {.scale = 1, .dpi = 144, .background = background});
    return fmt::format(
        "<figure data-w=\"{}\" data-h=\"{}\" data-maps=\"{}\"><img alt=\"\" style=\"width:{}%\" "
        "src=\"data:image/svg+xml;base64,{}\"></figure>\n"
        "<p class=\"from\">{}</p>\n",
        number_text(figure.width), number_text(figure.height),
        is_covered ? "[]" : xml_escaped(maps_json(figure, scene)),
        number_text(std::min(100.0f, 100 * figure.width / kFigureRoom.x)), base64(svg),
        xml_escaped(origin));
}

std::string curves_html(const PageCurves& curves, const Theme& theme) {
    const Figure figure = page_curves_figure(curves, kFigureRoom, theme, pango_measure());
    const std::string svg = write_svg(figure, {.scale = 1, .dpi = 144, .background = theme.card});
    return fmt::format("<figure><img alt=\"\" src=\"data:image/svg+xml;base64,{}\"></figure>\n",
                       base64(svg));
}

/// Describes a step of a solution as a reader makes it.
std::string step_in_words(const Directive& change) {
    if (change.key == "set") return change.value;
    if (change.key == "ablate") return fmt::format("the output of {} set to zero", change.value);
    if (change.key == "change") return "the changes that the lecture holds";
    return fmt::format("the {} “{}”", change.key, change.value);
}

/// Draws boxes to tick; names that are to be put in order stand beside each other.
std::string choices_html(const PageTask& task, const TaskText& text) {
    const bool is_order = task.kind == PageTask::Kind::Order;
    std::string html;
    for (const PageText& choice : text.choices)
        html += is_order ? (html.empty() ? "<p>" : " · ") + line_html(choice)
                         : fmt::format("<p><label><input type=\"checkbox\"> {}</label></p>\n",
                                       line_html(choice));
    return is_order && !html.empty() ? html + "</p>\n" : html;
}

/// The right answer, and what was covered, appear with a click; before their day they are not in
/// the file.
std::string task_html(const PrintedPage& page, const PageSource& source,
                      const std::string& uncovered) {
    const PageTask& task = *page.task;
    const TaskText& text = page.task_text;
    std::string html = "<div class=\"task\">" + text_html(text.question) + choices_html(task, text);
    for (const PageText& hint : text.hints)
        html += fmt::format("<details><summary>Hint</summary>{}</details>\n", text_html(hint));
    if (!may_show_answer(task, today()))
        return html + fmt::format("<p>The answer is given from {} on.</p></div>\n",
                                  xml_escaped(task.answer_from));
    html += "<details><summary>Answer</summary>";
    std::string answer;
    if (task.kind == PageTask::Kind::Choice) {
        for (std::size_t k = 0; k < text.choices.size(); ++k)
            if (task.choices[k].is_right) html += text_html(text.choices[k]);
    } else if (task.kind != PageTask::Kind::Goal) {
        const PageScope scope(source, page.open, {task.expression});
        answer = right_answer(task, scope.scope());
    } else {
        for (const Directive& change : task.solution)
            append_part(answer, "; ", step_in_words(change));
    }
    return html + xml_escaped(answer) + uncovered + "</details></div>\n";
}

}  // namespace

std::string write_handout_html(const PageSource& source, const PrintLook& look,
                               Progress& progress) {
    const Lecture& lecture = source.lecture;
    const std::string* author = find_value(lecture.directives, "author");
    std::string html = fmt::format(
        "<!doctype html>\n"
        "<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<title>{}</title>\n"
        "{}</head><body>\n"
        "<h1>{}</h1>\n"
        "{}{}",
        xml_escaped(plain_title(lecture.title)), kStyle, title_html(lecture.title),
        author ? fmt::format("<p>{}</p>\n", xml_escaped(*author)) : "",
        text_html(read_page_text(lecture.text, source.name, lecture.text_lines)));
    print_pages(source, look, progress, [&](const PrintedPage& page) {
        html +=
            fmt::format("<h2>{}</h2>\n{}", title_html(page.written.title), text_html(page.text));
        const Theme& theme = theme_named(look.theme.value_or(ThemeName::Light));
        std::string uncovered;
        if (page.open.space && page.open.view) {
            const Scene scene = make_scene(*page.open.space, theme);
            const auto add = [&](std::string& to, PageRoom::Cover cover) {
                to += figure_html(scene, *page.open.view, {kFigureRoom, 1, cover}, theme.card);
            };
            const bool is_covered = page.task && covers_matrix(*page.task);
            add(html, is_covered ? PageRoom::Cover::On : PageRoom::Cover::Off);
            if (is_covered) add(uncovered, PageRoom::Cover::Off);
        }
        if (page.open.curves) html += curves_html(*page.open.curves, theme);
        if (page.task) html += task_html(page, source, uncovered);
    });
    return html + kScript + "</body></html>\n";
}

}  // namespace headlight
