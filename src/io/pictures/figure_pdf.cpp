#include "io/pictures/figure_pdf.h"

#include <cairo-pdf.h>
#include <utility>

#include "core/error.h"
#include "io/pictures/figure_painter.h"

namespace headlight {
namespace {

constexpr double kLongestSide = 14400;                   // points: what readers show
constexpr const char* kNoDate = "1970-01-01T00:00:00Z";  // else the same figure had other bytes

struct Output {
    std::string bytes;
    const Steps& steps;
    bool is_cancelled = false;
};

/// Nothing may be thrown through Cairo, which gives up after a failure.
cairo_status_t append(void* output, const unsigned char* data, unsigned int size) {
    Output& to = *static_cast<Output*>(output);
    try {
        to.steps.advance(0);
        to.bytes.append(reinterpret_cast<const char*>(data), size);
    } catch (const Cancelled&) {
        to.is_cancelled = true;
        return CAIRO_STATUS_WRITE_ERROR;
    }
    return CAIRO_STATUS_SUCCESS;
}

void paint_page(cairo_surface_t* surface, const Figure& figure, const FigureSheet& sheet,
                const Steps& steps) {
    const ContextPtr cairo(cairo_create(surface));
    const Color background = sheet.background;
    if (background.a > 0) {
        cairo_set_source_rgba(cairo.get(), background.r / 255.0, background.g / 255.0,
                              background.b / 255.0, background.a / 255.0);
        cairo_paint(cairo.get());
    }
    cairo_scale(cairo.get(), sheet.scale, sheet.scale);
    paint_figure(cairo.get(), figure, {PaintedOn::Background::Paper, sheet.scale, steps});
    cairo_show_page(cairo.get());
}

}  // namespace

std::string write_pdf(const Figure& figure, const FigureSheet& sheet, const Steps& steps) {
    const double width = figure.width * sheet.scale, height = figure.height * sheet.scale;
    if (!(width > 0) || !(height > 0) || width > kLongestSide || height > kLongestSide)
        throw Error("pdf", "a page of " + std::to_string(width) + " × " + std::to_string(height) +
                               " points is not possible; use up to 14400 (change the size)");
    Output output{{}, steps};
    const SurfacePtr surface(cairo_pdf_surface_create_for_stream(append, &output, width, height));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR,
                                   "Headlight " HEADLIGHT_VERSION);
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, kNoDate);
    paint_page(surface.get(), figure, sheet, steps);
    cairo_surface_finish(surface.get());
    if (output.is_cancelled) throw Cancelled{};
    const cairo_status_t status = cairo_surface_status(surface.get());
    if (status != CAIRO_STATUS_SUCCESS) throw Error("pdf", cairo_status_to_string(status));
    return std::move(output.bytes);
}

}  // namespace headlight
