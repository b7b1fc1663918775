#include "io/arrays/recorded_arrays.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <utility>

#include "core/analyses/pattern_faults.h"
#include "core/error.h"
#include "graph/text_lines.h"
#include "io/arrays/recording_index.h"
#include "model/imports/known_names.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

std::uint64_t rows_of_pattern(const StoredArray& array) {
    return array.shape[array.shape.size() - 2];
}

/// Returns the first rows, at most about a million cells; a matrix that lies column by column is
/// read whole.
Matrix first_rows(const StoredArray& array) {
    constexpr std::uint64_t kCells = 1 << 20;
    const std::uint64_t n_key = array.shape.back();
    if (array.layout == Layout::ColumnByColumn) return read_matrix(array);
    const std::uint64_t n_rows =
        std::min(count_elements(array) / n_key, std::max<std::uint64_t>(1, kCells / n_key));
    Matrix rows(static_cast<Index>(n_rows), static_cast<Index>(n_key));
    read_numbers(array, 0, view(rows));
    return rows;
}

/// True if the rows are not negative and sum to 1, or to 0 where all is masked. Not all rows may
/// sum to 0.
bool are_probabilities(const Matrix& rows) {
    bool has_sum = false;
    for (Index i = 0; i < rows.rows(); ++i) {
        const Scalar sum = rows.row(i).sum();
        if (!(rows.row(i).array() >= 0).all()) return false;
        if (std::abs(sum) > 0 && !(std::abs(sum - 1) <= kSumTolerance)) return false;
        has_sum = has_sum || sum > 0;
    }
    return has_sum;
}

/// Excludes the identity and other permutations, which may be any matrix.
bool is_permutation(const Matrix& matrix) {
    return matrix.rows() == matrix.cols() && ((matrix.array() == 0) || (matrix.array() == 1)).all();
}

bool is_empty_pattern(const StoredArray& array) {
    return array.shape.back() == 0 || count_elements(array) == 0;
}

bool is_square_stack(const StoredArray& array) {
    const std::size_t n = array.shape.size();
    return !array.holds_text() && n >= 3 && array.shape[n - 1] == array.shape[n - 2];
}

/// True of an array of several heads whose rows and columns differ in number.
bool is_oblong_stack(const StoredArray& array) {
    const std::size_t n = array.shape.size();
    if (array.holds_text() || n < 3 || n > 5 || array.shape[n - 1] == array.shape[n - 2])
        return false;
    if (is_empty_pattern(array) || array.shape.back() > kMaxWords ||
        array.layout == Layout::ColumnByColumn)
        return false;
    return are_probabilities(first_rows(array));
}

bool is_matrix(const StoredArray& array) {
    return !array.holds_text() && array.shape.size() == 2;
}

bool is_single_pattern(const StoredArray& array) {
    if (is_empty_pattern(array) || array.shape[1] < 2 || array.shape[1] > kMaxWords ||
        array.shape[0] > kMaxWords)
        return false;
    const Matrix rows = first_rows(array);
    return are_probabilities(rows) && !is_permutation(rows);
}

/// Returns patterns of one layer and one head each, if the file has no other matrices.
StoredArrays single_patterns(const StoredArrays& arrays) {
    StoredArrays found;
    std::ranges::copy_if(arrays, std::back_inserter(found), is_matrix);
    const auto is_token_list = [](const StoredArray& array) {
        return array.shape[0] == 1 &&
               (array.type.kind == NumberKind::Signed || array.type.kind == NumberKind::Unsigned);
    };
    std::erase_if(found, is_token_list);
    const bool has_others = std::ranges::any_of(arrays, [](const StoredArray& array) {
        return !array.holds_text() && array.shape.size() > 2;
    });
    if (has_others || !std::ranges::all_of(found, is_single_pattern)) found.clear();
    return found;
}

StoredArrays attention_among(const StoredArrays& arrays) {
    StoredArrays found;
    std::ranges::copy_if(arrays, std::back_inserter(found), [](const StoredArray& array) {
        return is_square_stack(array) || is_oblong_stack(array);
    });
    return found.empty() ? single_patterns(arrays) : found;
}

std::string named(const StoredArray& array) {
    return fmt::format("{} {}", in_quotes(array.name), shape_list(array.shape));
}

/// "; the columns of 'a' sum to 1": a matrix that was saved with the source as its rows.
std::string hint_at_turned(const StoredArrays& arrays) {
    for (const StoredArray& array : arrays) {
        if (!is_matrix(array) || is_empty_pattern(array) || array.shape[0] > kMaxWords ||
            array.shape[1] > kMaxWords)
            continue;
        const Matrix turned = read_matrix(array).transpose();
        if (are_probabilities(turned) && !is_permutation(turned))
            return fmt::format(
                ". The columns of {} sum to 1: save it turned, with a row for each token that "
                "reads",
                in_quotes(array.name));
    }
    return "";
}

[[noreturn]] void fail_without_attention(const ArrayFile& file, const std::string& name) {
    std::string arrays;
    constexpr std::size_t kShown = 5;
    for (std::size_t i = 0; i < std::min(kShown, file.arrays.size()); ++i)
        arrays += (i ? ", " : "") + named(file.arrays[i]);
    if (file.arrays.size() > kShown) arrays += ", …";
    throw Error(name,
                "holds no recorded attention, an array of [layers, heads, n, n] or [heads, n, n], "
                "or of a source that is read [layers, heads, n, m], [heads, n, m] or n × m with "
                "rows that sum to 1; it holds {}{}. Weights are imported into a study: headlight "
                "import STUDY FILE",
                arrays.empty() ? "no array" : arrays, hint_at_turned(file.arrays));
}

/// Reads [layers, heads, n, m], with a batch of one after the layers, [heads, n, m] or n × m.
ArrayPatterns patterns_in_one(const StoredArray& array) {
    const auto& shape = array.shape;
    if (shape.size() > 5 || (shape.size() == 5 && shape[1] != 1))
        throw Error(array.data.name,
                    "is {}; read are [layers, heads, n, n] and [heads, n, n]. Of a batch save one: "
                    "attention[:, 0]",
                    shape_list(shape));
    ArrayPatterns patterns;
    patterns.n_query = rows_of_pattern(array), patterns.n_key = shape.back();
    patterns.n_heads = shape.size() == 2 ? 1 : shape[shape.size() - 3];
    const std::uint64_t n_layers = shape.size() <= 3 ? 1 : shape[0];
    const std::uint64_t layer = n_layers == 0 ? 0 : count_elements(array) / n_layers;
    if (n_layers > kMaxPatterns) throw Error(array.data.name, "has too many layers");
    for (std::uint64_t l = 0; l < n_layers; ++l) {
        patterns.arrays.push_back(array);
        patterns.firsts.push_back(l * layer);
    }
    return patterns;
}

/// Reads one array for each layer: [heads, n, m], or with a batch of one before the heads, or n ×
/// m.
ArrayPatterns patterns_of_layers(StoredArrays layers) {
    std::ranges::sort(layers, {}, [](const StoredArray& array) { return numbered(array.name); });
    const StoredArray& first = layers[0];
    for (const StoredArray& layer : layers) {
        if (layer.shape != first.shape)
            throw Error(layer.data.name, "is {}, but {}; layers must be of one shape",
                        shape_list(layer.shape), named(first));
        if (layer.shape.size() > 4 || (layer.shape.size() == 4 && layer.shape[0] != 1))
            throw Error(layer.data.name,
                        "is {}, and there are several such arrays; one array a layer is [heads, n, "
                        "n], all layers in one are [layers, heads, n, n]",
                        shape_list(layer.shape));
    }
    ArrayPatterns patterns;
    patterns.n_query = rows_of_pattern(first), patterns.n_key = first.shape.back();
    patterns.n_heads = first.shape.size() == 2 ? 1 : first.shape[first.shape.size() - 3];
    patterns.firsts.assign(layers.size(), 0);
    patterns.arrays = std::move(layers);
    return patterns;
}

void check(const ArrayPatterns& patterns, const std::string& name) {
    for (const StoredArray& array : patterns.arrays)
        if (array.layout == Layout::ColumnByColumn)
            throw Error(array.data.name,
                        "stands column by column; save it with numpy.ascontiguousarray");
    if (patterns.n_query == 0 || patterns.n_key == 0 || patterns.n_heads == 0 ||
        patterns.arrays.empty())
        throw Error(name, "its attention is empty: there is no layer, head or token");
    const std::uint64_t most = std::max(patterns.n_query, patterns.n_key);
    if (most > kMaxWords)
        throw Error(name, "has {} tokens; at most {} are shown: save a part of them", most,
                    kMaxWords);
    if (patterns.n_heads > kMaxPatterns / patterns.arrays.size())
        throw Error(name, "has {} of {}; at most {} heads are shown",
                    counted(std::ssize(patterns.arrays), "layer"),
                    counted(static_cast<std::int64_t>(patterns.n_heads), "head"), kMaxPatterns);
}

bool says(const StoredArray& array, std::string_view word) {
    return ascii_lower(array.name).find(word) != std::string::npos;
}

/// Sorts the arrays of a file by reader and by source.
class KindsOfArrays {
  public:
    KindsOfArrays(const StoredArrays& arrays, bool names_source) {
        for (const StoredArray& array : arrays)
            if (rows_of_pattern(array) != array.shape.back() || says(array, "cross"))
                add(RecordedKind::Cross, array);
        const bool says_cross = !of(RecordedKind::Cross).empty();
        for (const StoredArray& array : arrays) {
            if (rows_of_pattern(array) != array.shape.back() || says(array, "cross")) continue;
            if (!says_cross)
                add(names_source ? RecordedKind::Cross : RecordedKind::Self, array);
            else
                add(is_of_source(array) ? RecordedKind::Source : RecordedKind::Self, array);
        }
    }

    const StoredArrays& of(RecordedKind kind) const {
        return arrays_[static_cast<std::size_t>(kind)];
    }

  private:
    void add(RecordedKind kind, const StoredArray& array) {
        arrays_[static_cast<std::size_t>(kind)].push_back(array);
    }

    /// True if the array's tokens are those of the source. If both sides have the same number of
    /// tokens, the name decides.
    bool is_of_source(const StoredArray& array) const {
        const StoredArray& cross = of(RecordedKind::Cross).front();
        const std::uint64_t n = array.shape.back();
        const bool fits_source = n == cross.shape.back(), fits_tokens = n == rows_of_pattern(cross);
        if (fits_source && fits_tokens) return says(array, "enc") || says(array, "source");
        if (!fits_source && !fits_tokens)
            throw Error(array.data.name, "is {}, which fits neither the rows nor the columns of {}",
                        shape_list(array.shape), named(cross));
        return fits_source;
    }

    std::array<StoredArrays, 3> arrays_;
};

}  // namespace

void ArrayPatterns::read(const RecordedMatrix& matrix, Index first_row, View rows) const {
    const auto layer = static_cast<std::size_t>(matrix.layer);
    const auto row =
        static_cast<std::uint64_t>(matrix.head) * n_query + static_cast<std::uint64_t>(first_row);
    read_numbers(arrays[layer], firsts[layer] + row * n_key, rows);
}

std::uint64_t RecordedArrays::count_patterns() const {
    std::uint64_t count = 0;
    for (const ArrayPatterns& kind : kinds) count += kind.arrays.size() * kind.n_heads;
    return count;
}

std::uint64_t RecordedArrays::count_cells() const {
    std::uint64_t count = 0;
    for (const ArrayPatterns& kind : kinds)
        count += kind.arrays.size() * kind.n_heads * kind.n_query * kind.n_key;
    return count;
}

bool has_attention(const StoredArrays& arrays) {
    return std::ranges::any_of(arrays, is_square_stack) || !attention_among(arrays).empty();
}

bool is_table_of_attention(const CsvMatrix& table) {
    if (table.rows.empty() || table.columns.empty()) return false;
    if (table.rows == table.columns && !table.is_ours) return false;
    const bool has_shares = !((table.values.array() == 0) || (table.values.array() == 1)).all();
    return has_shares && table.values.cols() > 1 && are_probabilities(table.values);
}

RecordedArrays find_recorded_arrays(const ArrayFile& file, const std::string& name,
                                    bool names_source) {
    const StoredArrays found = attention_among(file.arrays);
    if (found.empty()) fail_without_attention(file, name);
    const KindsOfArrays kinds(found, names_source);
    RecordedArrays recorded;
    for (const RecordedKind kind :
         {RecordedKind::Source, RecordedKind::Self, RecordedKind::Cross}) {
        const StoredArrays& arrays = kinds.of(kind);
        if (arrays.empty()) continue;
        ArrayPatterns patterns =
            arrays.size() == 1 ? patterns_in_one(arrays[0]) : patterns_of_layers(arrays);
        check(patterns, name);
        patterns.kind = kind;
        if (kind != RecordedKind::Source) recorded.n_tokens = patterns.n_query;
        if (kind != RecordedKind::Self) recorded.n_source = patterns.n_key;
        recorded.kinds.push_back(std::move(patterns));
    }
    if (recorded.count_patterns() > kMaxPatterns)
        throw Error(name, "has {} heads in all; at most {} are shown", recorded.count_patterns(),
                    kMaxPatterns);
    return recorded;
}

}  // namespace headlight
