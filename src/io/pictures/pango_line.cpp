// A line of text, set by Pango.
#include <cstddef>
#include <memory>
#include <pango/pangocairo.h>

#include "core/address_space.h"
#include "io/pictures/figure_text.h"
#include "text/shown_tokens.h"
#include "text/utf8.h"

namespace headlight {
namespace {

using LayoutPtr = std::unique_ptr<PangoLayout, Release<g_object_unref>>;
using DescriptionPtr = std::unique_ptr<PangoFontDescription, Release<pango_font_description_free>>;

DescriptionPtr make_description(Font font, float size) {
    const FontFace face = font_face(font);
    DescriptionPtr description(pango_font_description_new());
    pango_font_description_set_family_static(description.get(), face.families);
    if (face.is_bold) pango_font_description_set_weight(description.get(), PANGO_WEIGHT_BOLD);
    if (face.is_italic) pango_font_description_set_style(description.get(), PANGO_STYLE_ITALIC);
    pango_font_description_set_absolute_size(description.get(), size * PANGO_SCALE);
    return description;
}

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

LayoutPtr make_layout(cairo_t* cairo, const std::string& text, float size, Font font) {
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

double in_units(int pango_units) {
    return static_cast<double>(pango_units) / PANGO_SCALE;
}

}  // namespace

struct TextLine::Parts {
    LayoutPtr layout;
};

TextLine::TextLine(cairo_t* cairo, const std::string& text, float size, Font font)
    : parts_(new Parts{make_layout(cairo, text, size, font)}) {}

TextLine::~TextLine() = default;
TextLine::TextLine(TextLine&&) noexcept = default;

double TextLine::width() const {
    PangoRectangle extents;
    pango_layout_get_extents(parts_->layout.get(), nullptr, &extents);
    return in_units(extents.width);
}

double TextLine::baseline() const {
    return in_units(pango_layout_get_baseline(parts_->layout.get()));
}

bool TextLine::lacks_glyphs() const {
    return pango_layout_get_unknown_glyphs_count(parts_->layout.get()) > 0;
}

TextLine::Ink TextLine::ink() const {
    PangoRectangle ink;
    pango_layout_get_pixel_extents(parts_->layout.get(), &ink, nullptr);
    return {ink.x, ink.y, ink.width, ink.height};
}

void TextLine::draw(cairo_t* cairo) const {
    pango_cairo_show_layout(cairo, parts_->layout.get());
}

}  // namespace headlight
