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

void paint_page(cairo_surface_t* surface, const PaperPage& page, const Steps& steps) {
    const ContextPtr cairo(cairo_create(surface));
    const Color background = page.background;
    if (background.a > 0) {
        cairo_set_source_rgba(cairo.get(), background.r / 255.0, background.g / 255.0,
                              background.b / 255.0, background.a / 255.0);
        cairo_paint(cairo.get());
    }
    for (const PlacedFigure& placed : page.figures) {
        cairo_save(cairo.get());
        cairo_translate(cairo.get(), placed.at.x, placed.at.y);
        cairo_scale(cairo.get(), placed.scale, placed.scale);
        paint_figure(cairo.get(), *placed.figure,
                     {PaintedOn::Background::Paper, placed.scale, steps});
        cairo_restore(cairo.get());
    }
    cairo_show_page(cairo.get());
}

}  // namespace

std::string write_pdf(std::span<const PaperPage> pages, const Steps& steps) {
    if (pages.empty()) throw Error("pdf", "there is no page to write");
    for (const PaperPage& page : pages) {
        const bool has_size = page.width > 0 && page.height > 0 && page.width <= kLongestSide &&
                              page.height <= kLongestSide;
        if (!has_size)
            throw Error(
                "pdf",
                "a page of {:f} × {:f} points is not possible; use up to 14400 (change the size)",
                page.width, page.height);
    }
    Output output{{}, steps};
    const SurfacePtr surface(cairo_pdf_surface_create_for_stream(
        append, &output, pages.front().width, pages.front().height));
    cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);  // journals ask it
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR,
                                   "Headlight " HEADLIGHT_VERSION);
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, kNoDate);
    for (const PaperPage& page : pages) {
        cairo_pdf_surface_set_size(surface.get(), page.width, page.height);
        paint_page(surface.get(), page, steps);
    }
    cairo_surface_finish(surface.get());
    if (output.is_cancelled) throw Cancelled{};
    const cairo_status_t status = cairo_surface_status(surface.get());
    if (status != CAIRO_STATUS_SUCCESS) throw Error("pdf", cairo_status_to_string(status));
    return std::move(output.bytes);
}

std::string write_pdf(const Figure& figure, const FigureSheet& sheet, const Steps& steps) {
    const PaperPage page{figure.width * double(sheet.scale),
                         figure.height * double(sheet.scale),
                         sheet.background,
                         {{&figure, {}, sheet.scale}}};
    return write_pdf({&page, 1}, steps);
}

}  // namespace headlight
