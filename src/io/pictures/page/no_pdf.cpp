// PDF is written by the program alone.
#include "core/error.h"
#include "io/pictures/figure_pdf.h"

namespace headlight {
namespace {

[[noreturn]] void refuse() {
    throw Error(
        "pdf",
        "the page in the browser writes SVG, PNG and GIF; print an SVG to PDF, or export with "
        "the program");
}

}  // namespace

std::string write_pdf(std::span<const PaperPage>, const Steps&) {
    refuse();
}

std::string write_pdf(const Figure&, const FigureSheet&, const Steps&) {
    refuse();
}

}  // namespace headlight
