#include "io/models/model_source.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "core/error.h"

namespace headlight {
namespace {

class ModelArrays {
  public:
    ModelArrays(StoredArrays arrays, std::vector<ArrayPart> parts)
        : arrays_(std::move(arrays)), parts_(std::move(parts)) {}

    void read(Index number, Index first_row, View into) const {
        const ArrayPart& part = parts_[static_cast<std::size_t>(number)];
        if (part.channels > 0) {
            read_kernel(part, first_row, into);
        } else if (part.turn == Turn::Transposed) {
            Matrix cut(part.rows, part.columns);
            read_cut(part, 0, view(cut));
            into = cut.middleCols(first_row, into.rows()).transpose();
        } else {
            read_cut(part, first_row, into);
        }
        // The sum, which is fast, is finite only if all numbers are; large ones can add up to ∞.
        if (!std::isfinite(into.sum()) && !into.allFinite()) refuse(part.array);
    }

  private:
    /// Says how many numbers of the array are none, and which one is the first.
    [[noreturn]] void refuse(std::size_t index) const {
        const StoredArray& array = arrays_[index];
        const MatrixShape shape = matrix_shape(array);
        Matrix values(shape.rows, shape.columns);
        read_numbers(array, 0, view(values));
        const auto is_wrong = [](Scalar value) { return !std::isfinite(value); };
        const Scalar *begin = values.data(), *end = begin + values.size();
        const Index first = std::find_if(begin, end, is_wrong) - begin,
                    n = std::count_if(begin, end, is_wrong), row = first / shape.columns,
                    column = first % shape.columns;
        const std::string place = element_text(array, row, column),
                          value = not_a_number_text(array, row, column, values(row, column));
        throw Error(array.data.name,
                    n == 1 ? place + " is " + value + "; a weight must be a finite number"
                           : std::to_string(n) + " of " + std::to_string(values.size()) +
                                 " numbers are not finite, the first is " + place + ", " + value +
                                 "; a weight must be a finite number");
    }

    /// Rows of the part, before it is turned.
    void read_cut(const ArrayPart& part, Index first, View into) const {
        const StoredArray& array = arrays_[part.array];
        const Index width = oriented_shape(array).columns, row = part.first_row + first;
        if (part.columns == width)
            return read_numbers(array, static_cast<std::uint64_t>(row * width), into);
        into = whole(part.array)->block(row, part.first_column, into.rows(), part.columns);
    }

    /// Of a kernel: row (place · channels + channel) of the matrix is column (channel · places +
    /// place) of the array, one row an output.
    void read_kernel(const ArrayPart& part, Index first_row, View into) const {
        const StoredArray& array = arrays_[part.array];
        Matrix values(part.rows, part.columns);
        read_numbers(array, 0, view(values));
        const Index n_places = part.columns / part.channels;
        for (Index i = 0; i < into.rows(); ++i) {
            const Index row = first_row + i, place = row / part.channels,
                        channel = row % part.channels;
            into.row(i) = values.col(channel * n_places + place).transpose();
        }
    }

    /// Arrays that are cut into columns are read as a whole: one after another is cut into all its
    /// heads, so the last one is kept.
    MatrixPtr whole(std::size_t index) const {
        const std::lock_guard lock(mutex_);
        if (!last_ || last_index_ != index) {
            const ArrayShape shape = oriented_shape(arrays_[index]);
            Matrix values(shape.rows, shape.columns);
            read_numbers(arrays_[index], 0, view(values));
            last_ = std::make_shared<const Matrix>(std::move(values));
            last_index_ = index;
        }
        return last_;
    }

    StoredArrays arrays_;
    std::vector<ArrayPart> parts_;
    mutable std::mutex mutex_;
    mutable MatrixPtr last_;
    mutable std::size_t last_index_ = 0;
};

}  // namespace

std::shared_ptr<const MatrixSource> model_source(StoredArrays arrays,
                                                 std::vector<ArrayPart> parts) {
    const auto model = std::make_shared<const ModelArrays>(std::move(arrays), std::move(parts));
    return std::make_shared<const MatrixSource>(
        MatrixSource{[model](Index number, Index first_row, View into) {
            model->read(number, first_row, into);
        }});
}

ArrayShape oriented_shape(const StoredArray& array) {
    const MatrixShape shape = matrix_shape(array);
    if (array.shape.size() == 1) return {array.name, 1, shape.rows};
    return {array.name, shape.rows, shape.columns};
}

}  // namespace headlight
