// Fuzz target: exports; for any numbers and labels, the file is well-formed, and formats of numbers
// are read back unchanged.
//
// The first byte is the number of columns. Then come numbers of four bytes each up to a number 0,
// then the labels, one per line.
#include <cstring>
#include <memory>

#include "core/trace.h"
#include "fuzz/fuzz_target.h"
#include "io/arrays/archives.h"
#include "io/arrays/npy.h"
#include "io/pictures/figure_svg.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"
#include "text/utf8.h"
#include "traces.h"

using namespace headlight;

namespace {

constexpr std::size_t kMostNumbers = 64;

Matrix take_numbers(std::string_view& bytes) {
    const auto n_columns = static_cast<Index>(1 + (bytes.empty() ? 0 : bytes[0] & 7));
    bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));
    std::vector<Scalar> numbers;
    while (bytes.size() >= sizeof(float) && numbers.size() < kMostNumbers) {
        float number = 0;
        std::memcpy(&number, bytes.data(), sizeof number);
        bytes.remove_prefix(sizeof number);
        if (number == 0) break;
        numbers.push_back(number);
    }
    numbers.resize(std::max<std::size_t>(1, numbers.size() / static_cast<std::size_t>(n_columns)) *
                   static_cast<std::size_t>(n_columns));
    return Eigen::Map<const Matrix>(numbers.data(), static_cast<Index>(numbers.size()) / n_columns,
                                    n_columns);
}

std::vector<std::string> labels_of(std::string_view bytes, std::size_t n) {
    std::vector<std::string> labels;
    while (labels.size() < n) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        labels.push_back(repair_utf8(bytes.substr(0, end)));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return labels;
}

bool is_same(const Matrix& a, const Matrix& b) {
    const auto is_equal = [](Scalar x, Scalar y) {
        return x == y || (std::isnan(x) && std::isnan(y));
    };
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           std::equal(a.data(), a.data() + a.size(), b.data(), is_equal);
}

void expect_xml(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_code_point(text, at);
        const bool is_control = c.value < 0x20 && c.value != '\n' && c.value != '\t';
        fuzz::expect(c.is_valid && !is_control && c.value != 0xFFFE && c.value != 0xFFFF);
        at += c.size_bytes;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes = fuzz::bytes_of(data, size);
    const Matrix values = take_numbers(bytes);
    Plan plan;
    const auto n = static_cast<std::size_t>(std::max(values.rows(), values.cols()));
    plan.lists[0].names = std::make_shared<const std::vector<std::string>>(labels_of(bytes, n));
    plan.add({.path = "A",
              .symbol = "A",
              .equation = "A",
              .rows = {AxisKind::Query, values.rows()},
              .columns = {AxisKind::Key, values.cols()}});
    const Trace trace = trace_with(std::move(plan), {values});
    const Tensor& tensor = trace.at("A");
    fuzz::expect(is_same(read_csv(write_csv(trace, tensor), "input").values, values));
    fuzz::expect(is_same(read_csv(write_tsv(trace, tensor), "input").values, values));
    fuzz::expect(is_same(read_npy(write_npy(values), "input"), values));
    for (const ArchiveFormat& format : archive_formats())
        fuzz::expect(
            is_same(format.read(write_archive(format, {&tensor}), "a").at(0).second, values));
    Figure figure{100, 20, {}};
    figure.add(TextMark{{5, 15}, (*trace.lists()[0].names)[0], 12, {0, 0, 0}});
    expect_xml(write_svg(figure, {}));
    fuzz::expect(std::ranges::count(write_latex_table(trace, tensor), '\n') == 7 + values.rows());
    fuzz::expect(std::ranges::count(write_markdown_table(trace, tensor), '\n') ==
                 2 + values.rows());
    return 0;
}
