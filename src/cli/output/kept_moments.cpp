#include "cli/output/kept_moments.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "io/files/checksum.h"
#include "io/text/json_text.h"

namespace headlight {
namespace {

double number_in(const JsonView& view) {
    const std::string& digits = view.text();
    double number = 0;
    const auto [rest, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || rest != digits.data() + digits.size() || !std::isfinite(number))
        view.fail("is no finite number");
    return number;
}

}  // namespace

std::string moments_json(const Moments& m) {
    std::string json = fmt::format("[{}", m.n);
    for (const double number : {m.mean, m.square, m.low, m.high})
        json += fmt::format(", \"{}\"", number_text(number));
    return json + "]";
}

std::uint64_t checksum_in(const JsonView& view) {
    const auto sum = parse_checksum(view.text());
    if (!sum) view.fail("is no checksum");
    return *sum;
}

Moments moments_in(const JsonView& view) {
    if (view.size() != 5) view.fail("must be five numbers");
    return {static_cast<long>(view[0].integer(0, kMostCounted)), number_in(view[1]),
            number_in(view[2]), number_in(view[3]), number_in(view[4])};
}

}  // namespace headlight
