// Segment: tensors with the same number of rows, computed together, one block of rows at a time.
//
// Goals: a tensor that is not kept never exists as a whole. Blocks can run in parallel. Everything
// that depends only on shapes is decided once for all traces of a plan. The tensors computed
// together affect the size of the blocks, but not the bits: an operation gives the same bits for
// any block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/pieces.h"
#include "core/progress.h"
#include "core/trace.h"

namespace headlight {

/// One flag for each tensor of a plan.
using Flags = std::vector<std::uint8_t>;

/// The effect of an intervention on a tensor, as the flag of the tensor.
enum Override : std::uint8_t {
    kComputed,     // nothing
    kRowsChanged,  // rows, each by itself; or all of it, since it is given
    kWholeChanged  // rows that depend on each other: the matrix must be whole
};
Override find_override(const Tensor& tensor);

/// Estimates the multiply-adds of one tensor, only from shapes.
double estimate_work(const Plan& plan, const PlannedTensor& tensor);
double total_work(const Plan& plan);  // of all of them

/// True if the tensor can be computed in blocks of rows. A tensor of edges with cells set by hand
/// cannot: the edges of one node are several rows of the matrix.
bool is_cut(const PlannedTensor& tensor, std::uint8_t override);

/// Returns the inputs that the tensor's value depends on. These are all of them, except that a sum
/// with a mask that is open everywhere depends on its first input only. `overridden`: the tensors
/// with cells set by hand.
std::span<const TensorId> read_inputs(const Plan& plan, TensorId id, const Flags& overridden);

/// The division of rows into blocks, each 512 KB of the widest matrix, within two limits. Each
/// block reads all weights and keys, so it needs enough rows to be worth that. The blocks must also
/// be numerous enough to keep all threads busy.
struct RowBlocks {
    RowBlocks() = default;
    RowBlocks(Index n_rows, Index widest, int n_threads = 1, Index first = 0);

    Index n_blocks() const {
        return std::max<Index>(1, (rows - begin + block_rows - 1) / block_rows);
    }
    Index most_rows() const { return std::min(block_rows, rows - begin); }
    Index first_row(Index block) const { return begin + block * block_rows; }
    Index count(Index block) const { return std::min(block_rows, rows - first_row(block)); }

    Index rows = 0, block_rows = 1;
    Index begin = 0;  // the rows before it are there already
};

struct Segment {
    /// The source of an input: an earlier part of the segment, or a matrix in the trace.
    struct Source {
        Index part = -1;
        TensorId id = 0;
        bool is_by_row = false;

        bool operator==(const Source&) const = default;
    };

    /// A tensor that is computed.
    struct Part {
        TensorId id = 0;
        const Operation* operation = nullptr;
        Index columns = 0;
        Index offset = -1;       // in the scratch memory; −1: written directly to its matrix
        bool is_stored = false;  // in the trace
        bool is_overridden = false;
        std::vector<std::size_t> together = {};  // later parts that are computed with this one
        bool is_with_earlier = false;            // computed together with an earlier part
        std::vector<std::size_t> to_copy = {};   // parts to copy from scratch to trace after this
        std::size_t sources_begin = 0, sources_end = 0;
    };

    /// A tensor that shares an existing matrix: another tensor's, or the one in its own settings.
    struct Sharing {
        TensorId id = 0, from = 0;
    };

    std::vector<TensorId> ids;
    std::vector<Part> parts;
    std::vector<Source> sources;  // of the first part, then of the second, …
    std::vector<Sharing> shared;  // in the order of computation
    RowBlocks blocks;
    Index scratch_size = 0;  // numbers
    double work = 0;         // estimated multiply-adds
    bool is_cut = false;     // into blocks
    bool is_parallel = false;

    /// True if one thread computes several blocks, one after another.
    bool has_pieces(int n_threads) const {
        return n_threads == 1 && is_cut && !parts.empty() && blocks.n_blocks() > 1;
    }
    std::span<const Source> part_sources(const Part& part) const {
        return {sources.data() + part.sources_begin, part.sources_end - part.sources_begin};
    }
};

/// The use that a segment is made for.
struct SegmentUse {
    const Plan& plan;
    const Flags &stored, &overridden;      // stored in the trace; how each is overridden
    const std::vector<Index>& first_rows;  // those that a stored tensor has already; empty: none
    int n_threads = 1;
};

/// True if two tensors that cannot be cut are those of two heads of one layer, which their
/// operation computes together.
bool are_heads_together(const PlannedTensor& a, const PlannedTensor& b);

/// Makes a segment of the tensors `ids`, which are ascending. Either there is only one, or all have
/// the same number of rows, can be cut, and read each other by row, or all are of heads together.
/// Stored tensors get `computed` and `value` in the trace; the others exist only block by block.
Segment make_segment(const SegmentUse& use, std::vector<TensorId> ids);

/// Computes the segment in a trace of its plan. Cells are set by hand in exactly the tensors that
/// `SegmentUse::overridden` named. Inputs from other segments must have values. If the tensor of a
/// result has a matrix that nothing else uses, that matrix is overwritten. The progress of
/// `for_each` advances with every block, and can throw to end the work.
void run(const Segment& segment, Trace& trace, const ForEach& for_each);
/// Computes a segment that has pieces block by block.
Pieces<> run_in_pieces(const Segment& segment, Trace& trace, const ForEach& for_each);

/// Returns the computed matrix with the intervention applied; the same matrix where there is none.
MatrixPtr after_intervention(const Trace& trace, TensorId id, const MatrixPtr& computed);

/// Returns the tensor's rows that are not padding; null: all of them.
CountedRows counted_rows(const Plan& plan, const PlannedTensor& tensor);

/// Returns the whole result of one tensor before the intervention, bit for bit the same as in a
/// segment.
Matrix compute_alone(const Tensor& tensor, const Call& whole);

}  // namespace headlight
