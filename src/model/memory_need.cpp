#include "model/memory_need.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "core/error.h"
#include "core/evaluation/segment.h"
#include "core/numeric/short_number.h"

namespace headlight {
namespace {

double count_cells(const PlannedTensor& tensor) {
    return static_cast<double>(tensor.rows.size) * static_cast<double>(tensor.columns.size);
}

std::string gigabytes(double bytes) {
    return short_number(static_cast<Scalar>(bytes / 1e9)) + " GB";
}

}  // namespace

double memory_bytes() {
    return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double count_bytes(const Plan& plan) {
    double bytes = 0;
    for (const PlannedTensor& tensor : plan.tensors())
        bytes += count_cells(tensor) * sizeof(Scalar);
    return bytes;
}

void check_memory_need(const Plan& plan, const Watched& watched, double most_bytes) {
    double bytes = count_bytes(plan);
    if (bytes <= most_bytes) return;  // as a rule, and at once
    bytes = count_kept_bytes(plan, watched);
    if (bytes <= most_bytes) return;
    throw Error("memory", "this needs {}, and the machine has {}; {}", gigabytes(bytes),
                gigabytes(most_bytes), largest_matrix(plan));
}

StudyBounds bounds_of_changes(const Plan& written) {
    constexpr StudyBounds kLeast{.work = 2e9, .bytes = 256e6};
    return {std::max(kLeast.work, 2 * total_work(written)),
            std::max(kLeast.bytes, 2 * count_bytes(written))};
}

void check_bounds(const Plan& plan, const StudyBounds& bounds) {
    const double work = total_work(plan), bytes = count_bytes(plan);
    const auto fail = [&](const std::string& needed, const std::string& most) {
        throw Error("memory", "this needs {}, more than a change may take here ({}); {}", needed,
                    most, largest_matrix(plan));
    };
    const auto seconds = [](double multiply_adds) {
        constexpr double kInASecond = 2e9;
        return short_number(static_cast<Scalar>(multiply_adds / kInASecond)) + " s or longer";
    };
    if (bytes > bounds.bytes) fail(gigabytes(bytes), gigabytes(bounds.bytes));
    if (work > bounds.work) fail(seconds(work), seconds(bounds.work));
}

std::string largest_matrix(const Plan& plan) {
    if (plan.tensors().empty()) return "it has no matrix";
    const PlannedTensor& largest = *std::ranges::max_element(plan.tensors(), {}, count_cells);
    return fmt::format("its largest matrix, {}, is {}", largest.path,
                       shape_text(largest.rows.size, largest.columns.size));
}

}  // namespace headlight
