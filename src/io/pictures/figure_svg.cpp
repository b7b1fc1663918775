#include "io/pictures/figure_svg.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "figure/cell_grid.h"
#include "figure/color_scale.h"
#include "io/pictures/figure_painter.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"
#include "io/text/base64.h"
#include "text/shown_tokens.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Writes a number in thousandths of a point, the same in every locale.
std::string number(double value) {
    if (!std::isfinite(value)) return "0";
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer,
                                   std::round(value * 1000) / 1000 + 0.0, std::chars_format::fixed);
    return {buffer, end.ptr};
}

std::string attribute(const char* name, const std::string& value) {
    return fmt::format(" {}=\"{}\"", name, value);
}
std::string attribute(const char* name, double value) {
    return attribute(name, number(value));
}

/// False for characters that XML cannot hold: most control ones, and two more.    [XML 1.0, Char]
bool is_in_xml(char32_t c) {
    return (c >= 0x20 && c != 0xFFFE && c != 0xFFFF) || c == '\t' || c == '\n';
}

/// Escapes the text for an element or an attribute, without the characters that XML cannot hold.
std::string escaped(const std::string& text) {
    std::string allowed;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_code_point(text, at);
        at += c.size_bytes;
        if (is_in_xml(c.value)) allowed += encode_code_point(c.value);
    }
    return xml_escaped(allowed);
}

/// `name` is "fill" or "stroke".
std::string paint(const std::string& name, Color color) {
    if (color.a == 0) return attribute(name.c_str(), "none");
    constexpr char kDigits[] = "0123456789abcdef";
    std::string hex = "#";
    for (const int channel : {color.r, color.g, color.b}) {
        hex += kDigits[channel / 16];
        hex += kDigits[channel % 16];
    }
    std::string text = attribute(name.c_str(), hex);
    if (color.a < 255) text += attribute((name + "-opacity").c_str(), color.a / 255.0);
    return text;
}

/// Escapes the text for an element, with fainter signs for invisible characters.
std::string with_faint_signs(const std::string& text, Color color) {
    std::string content;
    std::size_t at = 0;
    for (const ByteRange& sign : signs_in(text)) {
        content += fmt::format("{}<tspan{}>{}</tspan>", escaped(text.substr(at, sign.begin - at)),
                               attribute("fill-opacity", kSignOpacity * color.a / 255.0),
                               text.substr(sign.begin, sign.end - sign.begin));
        at = sign.end;
    }
    return content + escaped(text.substr(at));
}

std::string stroke(Color color, float width) {
    if (color.a == 0 || !(width > 0)) return {};
    return paint("stroke", color) + attribute("stroke-width", width);
}

std::string place(const Box& box) {
    return attribute("x", box.x) + attribute("y", box.y) + attribute("width", box.width) +
           attribute("height", box.height);
}

std::string point(Point p) {
    return fmt::format("{} {}", number(p.x), number(p.y));
}

/// Writes each kind of mark.
class SvgWriter {
  public:
    void operator()(const RectMark& mark) {
        text_ += "<rect" + place(mark.box);
        if (mark.radius > 0) text_ += attribute("rx", mark.radius);
        text_ += paint("fill", mark.fill) + stroke(mark.stroke, mark.stroke_width) + "/>\n";
    }

    void operator()(const CircleMark& mark) {
        text_ += "<circle" + attribute("cx", mark.center.x) + attribute("cy", mark.center.y) +
                 attribute("r", mark.radius) + paint("fill", mark.fill) +
                 stroke(mark.stroke, mark.stroke_width) + "/>\n";
    }

    void operator()(const LineMark& mark) {
        add_path(fmt::format("M{}L{}", point(mark.from), point(mark.to)), {0, 0, 0, 0},
                 stroke(mark.color, mark.width));
    }

    void operator()(const CurveMark& mark) {
        add_path(fmt::format("M{}C{} {} {}", point(mark.from), point(mark.control_1),
                             point(mark.control_2), point(mark.to)),
                 {0, 0, 0, 0}, stroke(mark.color, mark.width));
    }

    void operator()(const TriangleMark& mark) {
        add_path(fmt::format("M{}L{}L{}Z", point(mark.a), point(mark.b), point(mark.c)), mark.fill,
                 "");
    }

    void operator()(const TextMark& mark) {
        if (mark.text.empty() || !(mark.size > 0)) return;
        const FontFace face = font_face(mark.font);
        text_ += "<text" + attribute("x", mark.at.x) + attribute("y", mark.at.y) +
                 attribute("font-family", face.families) + attribute("font-size", mark.size);
        if (face.is_bold) text_ += attribute("font-weight", "bold");
        if (face.is_italic) text_ += attribute("font-style", "italic");
        if (mark.align != Align::Start)
            text_ += attribute("text-anchor", mark.align == Align::End ? "end" : "middle");
        if (mark.angle_deg != 0)
            text_ += attribute(
                "transform", fmt::format("rotate({} {})", number(mark.angle_deg), point(mark.at)));
        // Readers of SVG leave out blanks before and after the text, and the second of two.
        const bool has_blanks_to_keep = mark.text.front() == ' ' || mark.text.back() == ' ' ||
                                        mark.text.find("  ") != std::string::npos;
        if (has_blanks_to_keep) text_ += attribute("xml:space", "preserve");
        text_ +=
            fmt::format("{}>{}</text>\n", paint("fill", mark.color),
                        with_faint_signs(with_sided_arrows(drawable_line(mark.text)), mark.color));
    }

    void operator()(const HeatmapMark& mark) {
        if (!mark.values || mark.values->size() == 0 || mark.seen().is_empty()) return;
        if (mark.clip.is_empty()) return add_heatmap(mark);
        const std::string id = fmt::format("frame{}", ++n_frames_);
        text_ +=
            fmt::format("<clipPath{}><rect{}/></clipPath>\n<g{}>\n", attribute("id", id),
                        place(mark.seen()), attribute("clip-path", fmt::format("url(#{})", id)));
        add_heatmap(seen_cells(mark));
        text_ += "</g>\n";
    }

    void operator()(const PictureMark& mark) {
        if (mark.pixels && !mark.box.is_empty()) embed(*mark.pixels, mark.box, steps_);
    }

    std::string take() { return std::move(text_); }
    void begin(const Steps& steps) { steps_ = steps; }

  private:
    void add_path(const std::string& steps, Color fill, const std::string& more) {
        text_ += fmt::format("<path{}{}{}/>\n", attribute("d", steps), paint("fill", fill), more);
    }

    void add_heatmap(const HeatmapMark& mark) {
        mark.values->size() <= kMostVectorCells ? add_cells(mark) : add_image(mark);
        if (mark.grid_width > 0) add_grid(mark);
    }

    /// Draws cells with edges that are not smoothed, so that no gaps appear between them.
    void add_cells(const HeatmapMark& mark) {
        const Matrix& values = *mark.values;
        const CellGrid grid{mark.box, values.rows(), values.cols()};
        text_ += "<g shape-rendering=\"crispEdges\">\n";
        for (Index i = 0; i < values.rows(); ++i) {
            for (Index j = 0; j < values.cols(); ++j)
                text_ += fmt::format("<rect{}{}/>\n", place(grid.cell_box(i, j)),
                                     paint("fill", value_color(mark.scale, values(i, j))));
            steps_.advance(1.0 / static_cast<double>(values.rows()));
        }
        text_ += "</g>\n";
    }

    void add_image(const HeatmapMark& mark) {
        const MatrixPtr values =
            pooled(mark.values, kMostImageCells, kMostImageCells, mark.far_out, steps_.part(0.3));
        Pixels pixels{static_cast<int>(values->cols()), static_cast<int>(values->rows()), {}};
        pixels.rgba.reserve(static_cast<std::size_t>(values->size()) * 4);
        for (Index i = 0; i < values->rows(); ++i) {
            for (Index j = 0; j < values->cols(); ++j) {
                const Color color = value_color(mark.scale, (*values)(i, j));
                pixels.rgba.insert(pixels.rgba.end(), {color.r, color.g, color.b, color.a});
            }
            steps_.advance(0.3 / static_cast<double>(values->rows()));
        }
        embed(pixels, mark.box, steps_.part(0.4));
    }

    void embed(const Pixels& pixels, const Box& box, const Steps& steps) {
        text_ += fmt::format(
            "<image{} preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
            "style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64,{}\"/>\n",
            place(box), base64(write_pixels(pixels, {.steps = steps})));
    }

    void add_grid(const HeatmapMark& mark) {
        const CellGrid grid{mark.box, mark.values->rows(), mark.values->cols()};
        std::string steps;
        for (Index j = 1; j < grid.columns; ++j) {
            const float x = grid.column_box(j).x;
            steps += fmt::format("M{}V{}", point({x, mark.box.y}), number(mark.box.bottom()));
        }
        for (Index i = 1; i < grid.rows; ++i) {
            const float y = grid.row_box(i).y;
            steps += fmt::format("M{}H{}", point({mark.box.x, y}), number(mark.box.right()));
        }
        if (!steps.empty()) add_path(steps, {0, 0, 0, 0}, stroke(mark.grid_color, mark.grid_width));
    }

    std::string text_;
    int n_frames_ = 0;
    Steps steps_;  // of the next mark
};

}  // namespace

std::string write_svg(const Figure& figure, const FigureSheet& sheet, const Steps& steps) {
    SvgWriter writer;
    if (sheet.background.a > 0)
        writer(RectMark{.box = {0, 0, figure.width, figure.height}, .fill = sheet.background});
    const double work = drawing_work(figure);
    for (const Mark& mark : figure.marks) {
        const Steps of_mark = steps.part(drawing_work(mark) / work);
        writer.begin(of_mark);
        std::visit(writer, mark);
        if (!std::holds_alternative<HeatmapMark>(mark)) of_mark.advance(1);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        "version=\"1.1\"{}{}{} xml:space=\"preserve\">\n"
        "{}</svg>\n",
        attribute("width", number(figure.width * sheet.scale) + "pt"),
        attribute("height", number(figure.height * sheet.scale) + "pt"),
        attribute("viewBox", fmt::format("0 0 {} {}", number(figure.width), number(figure.height))),
        writer.take());
}

}  // namespace headlight
