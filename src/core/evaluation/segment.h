// Segment: tensors of equally many rows, computed together, one block of rows after another.
//
// Goals: what nobody keeps never exists as a whole; blocks can run at once; all that shapes decide
// is decided once, and run on one trace of the plan after another. How a tensor is cut depends on
// what is computed with it, its bits do not: operations give the same for any block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.h"
#include "core/trace.h"

namespace headlight {

/// One a tensor of a plan.
using Flags = std::vector<std::uint8_t>;

/// What an intervention changes in a tensor, as the flag of the tensor.
enum Override : std::uint8_t {
    kComputed,     // nothing
    kRowsChanged,  // rows, each by itself
    kWholeChanged  // rows that depend on each other: the matrix must be whole
};
Override override_of(const Tensor& tensor);

/// A rough count of the multiply-adds of one tensor, from shapes alone.
double estimate_work(const Plan& plan, const PlannedTensor& tensor);

/// True if the tensor can be computed by blocks of rows.
bool is_cut(const PlannedTensor& tensor, std::uint8_t override);

/// The inputs that the tensor's value depends on: all; but of a sum with a mask that is open
/// everywhere the first. `overridden`: the tensors with cells set by hand.
std::span<const TensorId> read_inputs(const Plan& plan, TensorId id, const Flags& overridden);

/// How rows are cut into blocks: 512 KB of the widest matrix. Fewer rows than the least would have
/// every block read all weights and keys for little; more than the most leave too few tasks.
struct RowBlocks {
    RowBlocks() = default;
    RowBlocks(Index n_rows, Index widest, int n_threads = 1);

    Index n_blocks() const { return std::max<Index>(1, (rows + block_rows - 1) / block_rows); }
    Index most_rows() const { return std::min(block_rows, rows); }
    Index first_row(Index block) const { return block * block_rows; }
    Index count(Index block) const { return std::min(block_rows, rows - first_row(block)); }

    Index rows = 0, block_rows = 1;
};

struct Segment {
    /// Where an input comes from: an earlier part of the segment, or a matrix of the trace.
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
        Index offset = -1;       // in the scratch; −1: it is made in its whole matrix
        bool is_stored = false;  // in the trace
        bool is_overridden = false;
        std::vector<std::size_t> together = {};  // parts that are computed with this one
        bool is_with_earlier = false;            // this is one of those
        std::vector<std::size_t> to_copy = {};  // parts that are stored from the scratch after this
        std::size_t sources_begin = 0, sources_end = 0;
    };

    /// A tensor that takes a matrix which is there: another one's, or that of its own settings.
    struct Sharing {
        TensorId id = 0, from = 0;
    };

    std::vector<TensorId> ids;
    std::vector<Part> parts;
    std::vector<Source> sources;  // of all parts, one after another
    std::vector<Sharing> shared;  // in the order of computation
    RowBlocks blocks;
    Index scratch_size = 0;  // numbers
    double work = 0;         // multiply-adds, by estimate
    bool is_cut = false;     // into blocks
    bool is_parallel = false;

    std::span<const Source> sources_of(const Part& part) const {
        return {sources.data() + part.sources_begin, part.sources_end - part.sources_begin};
    }
};

/// What a segment is made for.
struct SegmentUse {
    const Plan& plan;
    const Flags &stored, &overridden;  // what is left in the trace; how each is overridden
    int n_threads = 1;
};

/// Of the tensors `ids`, ascending. Either they have the same rows, can be cut, and read each other
/// by row, or there is one. Those that are stored are left in the trace as computed and value; the
/// others only exist block by block.
Segment make_segment(const SegmentUse& use, std::vector<TensorId> ids);

/// Computes it in a trace of that plan, with cells set by hand in the tensors that were named.
/// Inputs from outside must have values. A matrix in the place of a result is overwritten where
/// nobody else has it. Who follows `for_each` is told of every block, and throws from there what
/// ends the work.
void run(const Segment& segment, Trace& trace, const ForEach& for_each);

/// The computed matrix with the intervention applied; the same matrix where there is none.
MatrixPtr after_intervention(const Trace& trace, TensorId id, const MatrixPtr& computed);

/// The tensor's rows that are not padding; null: all of them.
CountedRows counted_rows(const Plan& plan, const PlannedTensor& tensor);

/// The whole result of one tensor, before the intervention, bit for bit as in a segment.
Matrix compute_alone(const Tensor& tensor, const Call& whole);

}  // namespace headlight
