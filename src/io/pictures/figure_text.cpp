#include "io/pictures/figure_text.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/address_space.h"
#include "core/error.h"
#include "text/shown_tokens.h"
#include "text/utf8.h"

namespace headlight {
namespace {

DescriptionPtr make_description(Font font, float size) {
    const FontFace face = font_face(font);
    DescriptionPtr description(pango_font_description_new());
    pango_font_description_set_family_static(description.get(), face.families);
    if (face.is_bold) pango_font_description_set_weight(description.get(), PANGO_WEIGHT_BOLD);
    if (face.is_italic) pango_font_description_set_style(description.get(), PANGO_STYLE_ITALIC);
    pango_font_description_set_absolute_size(description.get(), size * PANGO_SCALE);
    return description;
}

/// Remembers widths, since figures that are fitted to their room ask for the same words again.
class MeasuredLines {
  public:
    float width(const std::string& text, float size, Font font) {
        Widths& widths = widths_[{size, font}];
        const auto found = widths.find(text);
        if (found != widths.end()) return found->second;
        if (++n_widths_ > kMostWidths) {
            widths_.clear();
            n_widths_ = 1;
        }
        const LayoutPtr line = make_line(cairo_.get(), text, size, font);
        return widths_[{size, font}][text] = static_cast<float>(line_width(line.get()));
    }

  private:
    using Widths = std::unordered_map<std::string, float>;
    static constexpr std::size_t kMostWidths = 20'000;  // some 2 MB

    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo_{
        cairo_create(make_pixels(1, 1).get()), cairo_destroy};
    std::map<std::pair<float, Font>, Widths> widths_;
    std::size_t n_widths_ = 0;
};

void make_signs_faint(PangoLayout& layout, const std::string& text) {
    const std::vector<ByteRange> signs = signs_in(text);
    if (signs.empty()) return;
    PangoAttrList* attributes = pango_attr_list_new();
    for (const ByteRange& sign : signs) {
        PangoAttribute* faint =
            pango_attr_foreground_alpha_new(static_cast<guint16>(kSignOpacity * 0xFFFF));
        faint->start_index = static_cast<guint>(sign.begin);
        faint->end_index = static_cast<guint>(sign.end);
        pango_attr_list_insert(attributes, faint);
    }
    pango_layout_set_attributes(&layout, attributes);
    pango_attr_list_unref(attributes);
}

}  // namespace

SurfacePtr make_pixels(int width, int height) {
    SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
        throw Error("export", "there is no memory for a picture of {} pixels",
                    shape_text(width, height));
    return surface;
}

FontFace font_face(Font font) {
    switch (font) {
        case Font::Regular:
            return {"Inter, DejaVu Sans, sans-serif"};
        case Font::Bold:
            return {"Inter, DejaVu Sans, sans-serif", true};
        case Font::Math:
            return {"DejaVu Serif, serif", false, true};
        case Font::Mono:
            return {"DejaVu Sans Mono, monospace"};
    }
    return {"sans-serif"};
}

std::string with_sided_arrows(std::string text) {
    constexpr std::string_view kMark = "\u200e";
    for (const std::string_view arrow : {" → ", " ← "})
        for (std::size_t at = 0; (at = text.find(arrow, at)) != std::string::npos;) {
            text.insert(at + arrow.size(), kMark);
            text.insert(at, kMark);
            at += arrow.size() + 2 * kMark.size();
        }
    return text;
}

namespace {

/// The memory for Fontconfig, Pango, their threads and the fonts.
constexpr std::size_t kRoomForFonts = std::size_t{160} << 20;

/// Checks once that there is memory for the fonts; afterwards they are there.
void need_fonts() {
    static const bool has_room = [] {
        need_address_space(kRoomForFonts, "the fonts of a figure");
        return true;
    }();
    static_cast<void>(has_room);
}

}  // namespace

LayoutPtr make_line(cairo_t* cairo, const std::string& text, float size, Font font) {
    need_fonts();
    LayoutPtr layout(pango_cairo_create_layout(cairo));
    PangoContext* context = pango_layout_get_context(layout.get());
    const FontOptionsPtr options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options.get());
    pango_cairo_context_set_resolution(context, 72);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_layout_set_font_description(layout.get(), make_description(font, size).get());
    pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
    pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
    pango_layout_set_auto_dir(layout.get(), FALSE);
    const std::string valid = repair_utf8(with_sided_arrows(drawable_line(text)));
    pango_layout_set_text(layout.get(), valid.data(), static_cast<int>(valid.size()));
    make_signs_faint(*layout, valid);
    return layout;
}

double line_width(PangoLayout* line) {
    PangoRectangle extents;
    pango_layout_get_extents(line, nullptr, &extents);
    return static_cast<double>(extents.width) / PANGO_SCALE;
}

MeasureText pango_measure() {
    return [lines = std::make_shared<MeasuredLines>()](const std::string& text, float size,
                                                       Font font) {
        return lines->width(text, size, font);
    };
}

}  // namespace headlight
