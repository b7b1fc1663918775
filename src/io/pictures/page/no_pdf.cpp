// PDF is written by the program alone.
#include "core/error.h"
#include "io/host.h"
#include "io/pictures/figure_pdf.h"

namespace headlight {

std::string write_pdf(std::span<const PaperPage>, const Steps&) {
    throw Error("pdf", host().lacks.pdf);
}

std::string write_pdf(const Figure&, const FigureSheet&, const Steps&) {
    throw Error("pdf", host().lacks.pdf);
}

}  // namespace headlight
