#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "core/evaluation/segment.h"
#include "core/numeric/large_pages.h"
#include "core/numeric/row_functions.h"
#include "core/operations/mask_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// The most tasks that a segment is divided into.
constexpr Index kTasks = 32;

/// Rows that are computed together, and the memory for parts that are not stored.
struct RowBlock {
    Index first = 0, count = 0;
    Scalar* scratch = nullptr;
};

ConstView rows_within(ConstView matrix, const RowBlock& block) {
    return {matrix.data() + block.first * matrix.cols(), block.count, matrix.cols()};
}

/// A new matrix for a result of the tensor's shape. It takes over the memory of `matrix` if that
/// has the shape and nothing but the tensor uses it (`own_uses` times). Never the same matrix: who
/// keeps what was looked up in it (a weak pointer) learns that it is gone.
Scalar* make_room(MatrixPtr& matrix, const Tensor& tensor, long own_uses) {
    const Index rows = tensor.rows().size, columns = tensor.columns().size;
    const bool is_free = matrix && matrix.use_count() == own_uses && matrix->rows() == rows &&
                         matrix->cols() == columns;
    if (is_free) {
        std::atomic_thread_fence(std::memory_order_acquire);  // after the reads of former users
        auto made = std::make_shared<Matrix>(std::move(const_cast<Matrix&>(*matrix)));
        Scalar* const data = made->data();
        matrix = std::move(made);
        return data;
    }
    auto made = std::make_shared<Matrix>(rows, columns);
    Scalar* const data = made->data();
    prefer_large_pages(data, static_cast<std::size_t>(made->size()) * sizeof(Scalar));
    matrix = std::move(made);
    return data;
}

/// One run of a segment on a trace.
class Run {
  public:
    Run(const Segment& segment, Trace& trace, const ForEach& for_each)
        : segment_(segment), trace_(trace), for_each_(for_each), wholes_(segment.parts.size()) {
        for (std::size_t p = 0; p < segment.parts.size(); ++p)
            if (segment.parts[p].is_stored) store(p);
        for (const Segment::Sharing& sharing : segment.shared) share(sharing);
        prepare();
    }

    void run() const {
        if (segment_.parts.empty()) return advance(1);
        if (!segment_.is_cut) {
            std::vector<ConstView> in;
            run_block({0, segment_.blocks.rows, nullptr}, in);
            return advance(1);
        }
        if (segment_.blocks.begin == segment_.blocks.rows) return advance(1);
        const Index n = segment_.blocks.n_blocks();
        const Index n_tasks = segment_.is_parallel ? std::min(n, kTasks) : 1;
        if (n_tasks == 1) return run_blocks(0, n);
        for_each_(n_tasks, [&](Index t) { run_blocks(t * n / n_tasks, (t + 1) * n / n_tasks); });
    }

  private:
    /// The whole matrices of a part that is stored.
    struct Whole {
        Scalar *computed = nullptr, *value = nullptr;  // equal if no cell is set by hand
    };

    /// Gives the tensor of a stored part the matrices to fill.
    void store(std::size_t p) {
        const Segment::Part& part = segment_.parts[p];
        Tensor& tensor = trace_.tensors()[part.id];
        Whole& whole = wholes_[p];
        const bool is_one = tensor.computed == tensor.value;
        whole.computed = make_room(tensor.computed, tensor, is_one ? 2 : 1);
        if (part.is_overridden) {
            if (is_one) tensor.value.reset();
            whole.value = make_room(tensor.value, tensor, 1);
        } else {
            whole.value = whole.computed;
            if (tensor.value != tensor.computed) tensor.value = tensor.computed;
        }
    }

    void share(const Segment::Sharing& sharing) {
        Tensor& tensor = trace_.tensors()[sharing.id];
        if (sharing.from != sharing.id) {
            tensor.computed = tensor.value = trace_[sharing.from].value;
            return;
        }
        tensor.computed = operations::handed_through(*tensor.operation(), tensor.settings(),
                                                     tensor.rows().size, tensor.columns().size);
        tensor.value = after_intervention(trace_, sharing.id, tensor.computed);
    }

    /// Prepares once what all blocks share, if there are several blocks.
    void prepare() {
        if (segment_.blocks.n_blocks() < 2 || !segment_.is_cut) return;
        std::vector<std::size_t> parts;
        for (std::size_t p = 0; p < segment_.parts.size(); ++p)
            if (segment_.parts[p].operation->prepare) parts.push_back(p);
        if (parts.empty()) return;
        prepared_.resize(segment_.parts.size());
        (segment_.is_parallel ? for_each_ : serial())(std::ssize(parts), [&](Index k) {
            const std::size_t p = parts[static_cast<std::size_t>(k)];
            const Segment::Part& part = segment_.parts[p];
            std::vector<ConstView> in;
            for (const Segment::Source& source : segment_.part_sources(part))
                in.push_back(whole(source));
            prepared_[p] =
                part.operation->prepare({in, trace_[part.id].settings(), segment_.blocks.rows,
                                         part.columns, 0, &trace_, part.id});
        });
    }

    /// All rows of an input; null data with the right shape if the segment itself makes the input.
    ConstView whole(const Segment::Source& source) const {
        if (source.part < 0) return view(*trace_[source.id].value);
        return {nullptr, segment_.blocks.rows, part_at(source.part).columns};
    }

    const Segment::Part& part_at(Index p) const {
        return segment_.parts[static_cast<std::size_t>(p)];
    }

    void run_blocks(Index begin, Index end) const {
        Eigen::Array<Scalar, Eigen::Dynamic, 1> scratch(segment_.scratch_size);
        std::vector<ConstView> in;
        in.reserve(4);
        for (Index b = begin; b < end; ++b) {
            run_block({segment_.blocks.first_row(b), segment_.blocks.count(b), scratch.data()}, in);
            advance(segment_.blocks.n_blocks());
        }
    }

    /// Reports one of `n_pieces` equal pieces as done.
    void advance(Index n_pieces) const {
        if (Progress* progress = for_each_.progress())
            progress->advance(segment_.work / static_cast<double>(n_pieces));
    }

    /// `in` is only memory to reuse.
    void run_block(const RowBlock& block, std::vector<ConstView>& in) const {
        for (std::size_t p = 0; p < segment_.parts.size(); ++p) {
            const Segment::Part& part = segment_.parts[p];
            in.clear();
            if (!part.together.empty())
                run_together(p, block, in);
            else if (!part.is_with_earlier)
                part.operation->forward(call(p, block, in), rows(p, block, wholes_[p].computed));
            for (const std::size_t large : part.to_copy) copy_large(large, block);
            if (part.is_overridden) intervene(p, block);
        }
    }

    /// The call of the part's operation. Its inputs are appended to `in`, whose capacity must
    /// suffice.
    Call call(std::size_t p, const RowBlock& block, std::vector<ConstView>& in) const {
        const Segment::Part& part = segment_.parts[p];
        const std::size_t begin = in.size();
        for (const Segment::Source& source : segment_.part_sources(part))
            in.push_back(input(source, block));
        const bool is_prepared = !prepared_.empty() && prepared_[p].size() > 0;
        return {std::span(in).subspan(begin),
                trace_[part.id].settings(),
                block.count,
                part.columns,
                block.first,
                &trace_,
                part.id,
                is_prepared ? &prepared_[p] : nullptr};
    }

    void run_together(std::size_t p, const RowBlock& block, std::vector<ConstView>& in) const {
        const Segment::Part& part = segment_.parts[p];
        std::vector<Call> calls;
        std::vector<View> results;
        calls.reserve(part.together.size() + 1);
        results.reserve(part.together.size() + 1);
        in.reserve((part.together.size() + 1) * segment_.part_sources(part).size());
        const auto add = [&](std::size_t q) {
            calls.push_back(call(q, block, in));
            results.push_back(rows(q, block, wholes_[q].computed));
        };
        add(p);
        for (const std::size_t q : part.together) add(q);
        part.operation->forward_together(calls, results);
    }

    void intervene(std::size_t p, const RowBlock& block) const {
        const Tensor& tensor = trace_[segment_.parts[p].id];
        const View computed = rows(p, block, wholes_[p].computed);
        View value = rows(p, block, wholes_[p].value);
        if (value.data() != computed.data()) value = computed;
        if (tensor.intervention.ablation != Ablation::None)
            ablate_rows(tensor.intervention.ablation, value, counted_rows(trace_, tensor));
        intervene_on_rows(tensor.intervention, value, block.first, tensor.row_edges());
    }

    /// The block's rows of a part, in the matrix `whole` or in the scratch memory.
    View rows(std::size_t p, const RowBlock& block, Scalar* whole) const {
        const Segment::Part& part = segment_.parts[p];
        Scalar* const data =
            part.offset < 0 ? whole + block.first * part.columns : block.scratch + part.offset;
        return {data, block.count, part.columns};
    }

    void copy_large(std::size_t p, const RowBlock& block) const {
        const Index columns = segment_.parts[p].columns;
        copy_past_caches(rows(p, block, nullptr).data(),
                         wholes_[p].computed + block.first * columns, block.count * columns);
    }

    ConstView input(const Segment::Source& source, const RowBlock& block) const {
        if (source.part >= 0) {
            const auto p = static_cast<std::size_t>(source.part);
            return read_only(rows(p, block, wholes_[p].value));
        }
        const Matrix& matrix = *trace_[source.id].value;
        return source.is_by_row ? rows_within(view(matrix), block) : view(matrix);
    }

    const Segment& segment_;
    Trace& trace_;
    const ForEach& for_each_;
    std::vector<Whole> wholes_;     // one for each part
    std::vector<Matrix> prepared_;  // one for each part; empty if no part prepares anything
};

}  // namespace

RowBlocks::RowBlocks(Index n_rows, Index widest, int n_threads, Index first)
    : rows(n_rows), begin(first) {
    constexpr Index cells = 131072, least = 64, kTile = 12;  // products make 6 rows at once
    const Index most = n_threads > 1 ? std::max(least, (rows - begin) / (2 * n_threads))
                                     : std::max<Index>(256, (rows - begin) / kTasks);
    block_rows = std::clamp(cells / std::max<Index>(1, widest), least, most);
    block_rows = (block_rows + kTile - 1) / kTile * kTile;
}

void run(const Segment& segment, Trace& trace, const ForEach& for_each) {
    Run(segment, trace, for_each).run();
}

CountedRows counted_rows(const Plan& plan, const PlannedTensor& tensor) {
    const Axis& rows = tensor.rows;
    if (rows.kind != AxisKind::Query && rows.kind != AxisKind::Item) return nullptr;
    const auto& names = plan.lists[static_cast<std::size_t>(rows.list)].names;
    if (!names || std::ranges::find(*names, kPaddingWord) == names->end()) return nullptr;
    std::vector<Index> counted;
    for (Index i = 0; i < rows.size; ++i)
        if (axis_label(plan, rows, i) != kPaddingWord) counted.push_back(i);
    return std::make_shared<const std::vector<Index>>(std::move(counted));
}

MatrixPtr after_intervention(const Trace& trace, TensorId id, const MatrixPtr& computed) {
    const Tensor& tensor = trace[id];
    if (tensor.intervention.is_empty()) return computed;
    auto value = std::make_shared<Matrix>(*computed);
    ablate_rows(tensor.intervention.ablation, view(*value), counted_rows(trace, tensor));
    intervene_on_rows(tensor.intervention, view(*value), 0, tensor.row_edges());
    return value;
}

Matrix compute_alone(const Tensor& tensor, const Call& whole) {
    Matrix result(whole.rows, whole.columns);
    const bool is_by_block = is_cut(tensor, find_override(tensor));
    const RowBlocks blocks(whole.rows, whole.columns);
    std::vector<ConstView> in;
    for (Index b = 0; b < (is_by_block ? blocks.n_blocks() : 1); ++b) {
        const RowBlock block = is_by_block ? RowBlock{blocks.first_row(b), blocks.count(b), nullptr}
                                           : RowBlock{0, whole.rows, nullptr};
        in.clear();
        for (std::size_t i = 0; i < whole.in.size(); ++i)
            in.push_back(is_by_block && tensor.operation()->reads_by_row(i)
                             ? rows_within(whole.in[i], block)
                             : whole.in[i]);
        const View rows(result.data() + block.first * whole.columns, block.count, whole.columns);
        tensor.operation()->forward(
            {in, whole.settings, block.count, whole.columns, block.first, whole.trace, whole.id},
            rows);
    }
    return result;
}

}  // namespace headlight
