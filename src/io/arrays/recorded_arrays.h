// Finds out which arrays of a file are attention, and which tokens read which.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mechanisms/recorded.h"
#include "io/arrays/array_file.h"
#include "io/text/csv.h"

namespace headlight {

/// The patterns of one kind: layer l begins at element `firsts[l]` of `arrays[l]`.
struct ArrayPatterns {
    RecordedKind kind = RecordedKind::Self;
    std::vector<StoredArray> arrays = {};
    std::vector<std::uint64_t> firsts = {};
    std::uint64_t n_heads = 1, n_query = 0, n_key = 0;

    void read(const RecordedMatrix& matrix, Index first_row, View rows) const;
};

/// The patterns of a file, at most one of each kind; those of the source come first.
struct RecordedArrays {
    std::vector<ArrayPatterns> kinds;
    std::uint64_t n_tokens = 0, n_source = 0;  // 0: there is no source

    std::uint64_t count_patterns() const;
    std::uint64_t count_cells() const;
};

/// True if there is an array that looks like attention: at least three dimensions, the last two of
/// one size, or of different sizes and with rows that sum to 1; or if all arrays of numbers that
/// are matrices have such rows.
bool has_attention(const StoredArrays& arrays);

/// True if a table with labels may be attention. It may also be a graph's table or any other.
bool is_table_of_attention(const CsvMatrix& table);

/// Finds the recorded patterns in a file that `name` names. A source is read where rows and columns
/// differ in number, where names say "cross", and where the file names a source's tokens. Throws
/// Error if there is no attention, or if its shapes contradict each other.
RecordedArrays find_recorded_arrays(const ArrayFile& file, const std::string& name,
                                    bool names_source);

}  // namespace headlight
