#include "core/analyses/pattern_faults.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numeric/short_number.h"

namespace headlight {
namespace {

void append(std::string& text, const std::string& part) {
    text += (text.empty() ? "" : ", ") + part;
}

std::string counted(Index n, const char* what) {
    return std::to_string(n) + (n == 1 ? " cell is " : " cells are ") + what;
}

}  // namespace

std::string pattern_faults(const Matrix& pattern, Scalar tolerance) {
    Index n_nan = 0, n_infinite = 0, n_negative = 0;
    Scalar least = std::numeric_limits<Scalar>::max(), most = -least;
    for (Index i = 0; i < pattern.rows(); ++i) {
        Scalar sum = 0;
        for (Index j = 0; j < pattern.cols(); ++j) {
            const Scalar a = pattern(i, j);
            if (std::isnan(a)) ++n_nan;
            if (std::isinf(a)) ++n_infinite;
            if (a < -tolerance) ++n_negative;
            if (std::isfinite(a)) sum += a;
        }
        const bool is_masked = sum == 0 && pattern.row(i).isZero(0);
        if (!is_masked) least = std::min(least, sum), most = std::max(most, sum);
    }
    std::string text;
    if (n_nan > 0) append(text, counted(n_nan, "NaN"));
    if (n_infinite > 0) append(text, counted(n_infinite, "infinite"));
    if (n_negative > 0) append(text, counted(n_negative, "negative"));
    if (least <= most && (least < 1 - tolerance || most > 1 + tolerance)) {
        const std::string from = short_number(least), to = short_number(most);
        append(text, "rows sum to " + (from == to ? from : from + " … " + to) + " instead of 1");
    }
    return text;
}

}  // namespace headlight
