#include "core/evaluation/segment.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sys/mman.h>
#include <utility>

#include "core/numeric/row_functions.h"
#include "core/operations/mask_operations.h"
#include "core/operations/operations.h"

#ifdef __linux__
#endif

namespace headlight {
namespace {

/// The least work of a segment that is worth waking other threads.
constexpr double kParallelWork = 4e6;
/// The alignment of every matrix in the scratch memory, in numbers.
constexpr Index kAlignment = 16;
/// The least size of stored matrices that do not stay in the caches until they are read.
constexpr Index kLargeBytes = Index(4) << 20;

bool is_zero(const PlannedTensor& tensor, bool is_overridden) {
    const auto known = tensor.operation->is_zero;
    return known && !is_overridden && known(tensor.settings);
}

/// Decides which tensors are computed, from which sources, and where.
class SegmentMaker {
  public:
    SegmentMaker(const SegmentUse& use, std::vector<TensorId> ids)
        : use_(use), plan_(use.plan), part_of_(ids.size(), -1), is_shared_(ids.size()) {
        const PlannedTensor& first = plan_[ids[0]];
        made_.ids = std::move(ids);
        made_.is_cut = is_cut(first, use.overridden[made_.ids[0]]);
        Index widest = 0;
        for (const TensorId id : made_.ids) {
            made_.work += estimate_work(plan_, plan_[id]);
            widest = std::max(widest, plan_[id].columns.size);
        }
        const Index begin = first_row_to_compute(), rows = first.rows.size;
        if (rows > 0) made_.work *= static_cast<double>(rows - begin) / static_cast<double>(rows);
        made_.is_parallel = made_.work >= kParallelWork && use.n_threads > 1;
        made_.blocks = RowBlocks(rows, widest, made_.is_parallel ? use.n_threads : 1, begin);
    }

    Segment make() {
        made_.parts.reserve(made_.ids.size());
        for (std::size_t i = 0; i < made_.ids.size(); ++i) add(i);
        join_alike();
        lay_out_scratch();
        return std::move(made_);
    }

  private:
    /// Returns the first row to compute; the rows before it exist in every tensor that is stored.
    Index first_row_to_compute() const {
        if (!made_.is_cut || use_.first_rows.empty()) return 0;
        Index begin = plan_[made_.ids[0]].rows.size;
        for (const TensorId id : made_.ids)
            if (use_.stored[id]) begin = std::min(begin, use_.first_rows[id]);
        return begin;
    }

    void add(std::size_t i) {
        const TensorId id = made_.ids[i];
        const PlannedTensor& tensor = plan_[id];
        const bool copies = is_copy(id), is_overridden = use_.overridden[id];
        if (copies && !is_overridden && !use_.stored[id]) return;
        const TensorId from = copies ? origin(tensor.inputs[0]) : id;
        if (copies && !is_overridden && is_whole(from)) return share(i, from);
        if (tensor.is_leaf() && operations::constant_value(*tensor.operation, tensor.settings,
                                                           tensor.rows.size, tensor.columns.size))
            return share(i, id);
        add_part(i, copies);
    }

    /// True if the tensor is a copy of its first input.
    bool is_copy(TensorId id) const {
        return plan_[id].operation->is_copy ||
               read_inputs(plan_, id, use_.overridden).size() < plan_[id].inputs.size();
    }

    void share(std::size_t i, TensorId from) {
        made_.shared.push_back({made_.ids[i], from});
        is_shared_[i] = true;
    }

    void add_part(std::size_t i, bool copies) {
        const TensorId id = made_.ids[i];
        const PlannedTensor& tensor = plan_[id];
        part_of_[i] = std::ssize(made_.parts);
        Segment::Part part;
        part.id = id;
        part.operation = copies ? &operations::copy : tensor.operation;
        part.columns = tensor.columns.size;
        part.is_stored = use_.stored[id];
        part.is_overridden = use_.overridden[id] != kComputed;
        part.sources_begin = made_.sources.size();
        const std::span<const TensorId> inputs = read_inputs(plan_, id, use_.overridden);
        for (std::size_t k = 0; k < inputs.size(); ++k)
            made_.sources.push_back(source(
                inputs[k], is_cut(tensor, use_.overridden[id]) && part.operation->reads_by_row(k)));
        part.sources_end = made_.sources.size();
        made_.parts.push_back(std::move(part));
    }

    /// Returns the tensor's index in the segment; none if it is not in it.
    std::optional<std::size_t> find_index(TensorId id) const {
        const auto it = std::lower_bound(made_.ids.begin(), made_.ids.end(), id);
        if (it == made_.ids.end() || *it != id) return std::nullopt;
        return static_cast<std::size_t>(it - made_.ids.begin());
    }

    /// Returns the tensor whose matrix is read in place of `id`: copies that are not stored have
    /// none.
    TensorId origin(TensorId id) const {
        for (auto index = find_index(id); index && part_of_[*index] < 0 && !is_shared_[*index];
             index = find_index(id))
            id = plan_[id].inputs[0];
        return id;
    }

    /// True if the tensor's whole matrix is in the trace: filled before the first block, or to be
    /// filled by this segment.
    bool is_whole(TensorId id) const {
        const auto index = find_index(id);
        return !index || is_shared_[*index] || (part_of_[*index] >= 0 && use_.stored[id]);
    }

    Segment::Source source(TensorId input, bool is_by_row) const {
        const TensorId id = origin(input);
        const auto index = find_index(id);
        return {index ? part_of_[*index] : -1, id, is_by_row};
    }

    /// Joins parts that read the same rows and differ only in matrices from outside the segment,
    /// such as the projections of all heads: they are computed together.
    void join_alike() {
        for (std::size_t p = 0; p < made_.parts.size(); ++p) {
            if (made_.parts[p].is_with_earlier || !can_join(made_.parts[p])) continue;
            for (std::size_t q = p + 1; q < made_.parts.size(); ++q) {
                if (!are_alike(made_.parts[p], made_.parts[q])) continue;
                made_.parts[p].together.push_back(q);
                made_.parts[q].is_with_earlier = true;
            }
        }
    }

    bool can_join(const Segment::Part& part) const {
        const std::span<const Segment::Source> sources = made_.part_sources(part);
        return part.operation->forward_together && !part.is_overridden &&
               plan_[part.id].settings.group_rows == 0 &&
               std::ranges::all_of(sources.subspan(1), [](const Segment::Source& source) {
                   return source.part < 0 && !source.is_by_row;
               });
    }

    bool are_alike(const Segment::Part& a, const Segment::Part& b) const {
        if (a.operation != b.operation || a.columns != b.columns || !can_join(b)) return false;
        if (are_heads_together(plan_[a.id], plan_[b.id])) return true;
        const auto of_a = made_.part_sources(a), of_b = made_.part_sources(b);
        return of_a.size() == of_b.size() && of_a[0] == of_b[0];
    }

    /// Assigns places in the scratch memory; a place is free again once its last reader is done.
    void lay_out_scratch() {
        std::vector<Segment::Part>& parts = made_.parts;
        std::vector<std::size_t> last_use(parts.size());
        for (std::size_t p = 0; p < parts.size(); ++p) {
            last_use[p] = p;
            for (const Segment::Source& source : made_.part_sources(parts[p]))
                if (source.part >= 0) last_use[static_cast<std::size_t>(source.part)] = p;
        }
        std::vector<std::size_t> free;  // parts whose places can be reused
        for (std::size_t p = 0; p < parts.size(); ++p) {
            if (!parts[p].is_with_earlier) place_where_needed(parts[p], free);
            for (const std::size_t q : parts[p].together) place_where_needed(parts[q], free);
            const auto end_use = [&](std::size_t q) {
                if (parts[q].offset < 0 || last_use[q] != p) return;
                free.push_back(q);
                if (parts[q].is_stored) parts[p].to_copy.push_back(q);
                last_use[q] = parts.size();  // an input that is read twice is freed once
            };
            for (const Segment::Source& source : made_.part_sources(parts[p]))
                if (source.part >= 0) end_use(static_cast<std::size_t>(source.part));
            end_use(p);
        }
    }

    /// A large matrix is made in the scratch memory and copied past the caches.
    void place_where_needed(Segment::Part& part, std::vector<std::size_t>& free) {
        const Index bytes = made_.blocks.rows * part.columns * Index(sizeof(Scalar));
        const bool is_large = bytes >= kLargeBytes && !part.is_overridden &&
                              made_.blocks.n_blocks() > 1 && made_.is_cut;
        if (!part.is_stored || is_large) place(part, free);
    }

    void place(Segment::Part& part, std::vector<std::size_t>& free) {
        const auto it = std::ranges::find(
            free, part.columns, [&](std::size_t other) { return made_.parts[other].columns; });
        if (it != free.end()) {
            part.offset = made_.parts[*it].offset;
            free.erase(it);
            return;
        }
        part.offset = made_.scratch_size;
        const Index size = made_.blocks.most_rows() * part.columns;
        made_.scratch_size += (size + kAlignment - 1) / kAlignment * kAlignment;
    }

    const SegmentUse& use_;
    const Plan& plan_;
    Segment made_;
    std::vector<Index> part_of_;  // the part of each tensor; −1: it is not computed
    std::vector<bool> is_shared_;
};

}  // namespace

double estimate_work(const Plan& plan, const PlannedTensor& tensor) {
    constexpr double kCell = 8;  // an exp, a random number, a few sums
    double each = kCell;
    for (std::size_t i = 0; i < tensor.inputs.size(); ++i)
        if (!tensor.operation->reads_by_row(i))
            each = std::max(each, static_cast<double>(plan[tensor.inputs[0]].columns.size));
    return each * static_cast<double>(tensor.rows.size) * static_cast<double>(tensor.columns.size);
}

double total_work(const Plan& plan) {
    double work = 0;
    for (const PlannedTensor& tensor : plan.tensors()) work += estimate_work(plan, tensor);
    return work;
}

Override find_override(const Tensor& tensor) {
    const Intervention& intervention = tensor.intervention;
    if (intervention.is_empty()) return tensor.is_given ? kRowsChanged : kComputed;
    // A cell set in a row of edges affects several rows of the matrix.
    return tensor.row_edges() || intervention.ablation == Ablation::Mean ? kWholeChanged
                                                                         : kRowsChanged;
}

bool is_cut(const PlannedTensor& tensor, std::uint8_t override) {
    return tensor.operation->by_row != kWhole && override != kWholeChanged;
}

bool are_heads_together(const PlannedTensor& a, const PlannedTensor& b) {
    if (a.operation != b.operation || !a.operation->forward_together ||
        a.operation->by_row != kWhole || a.settings.edges != b.settings.edges)
        return false;
    Identity other = b.identity;
    other.head = a.identity.head;
    return a.identity.head >= 0 && b.identity.head >= 0 && a.identity == other;
}

std::span<const TensorId> read_inputs(const Plan& plan, TensorId id, const Flags& overridden) {
    const PlannedTensor& tensor = plan[id];
    const std::span<const TensorId> all = tensor.inputs;
    const bool is_first =
        tensor.operation->is_copy_beside_zeros && is_zero(plan[all[1]], overridden[all[1]]);
    return is_first ? all.first(1) : all;
}

Segment make_segment(const SegmentUse& use, std::vector<TensorId> ids) {
    return SegmentMaker(use, std::move(ids)).make();
}

namespace {

/// Asks the system for large pages. Memory that was just allocated is also filled faster then. Does
/// nothing for small memory, and where the system has no such pages.
void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t kPage = std::uintptr_t(2) << 20;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) / kPage * kPage;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kPage * kPage;
    // The system may refuse this request, which loses nothing.
    if (begin < end)
        static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
#endif
}

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

/// Makes room for a result of the tensor's shape in a new matrix. It takes over the memory of
/// `matrix` if that has the shape and nothing but the tensor uses it (`own_uses` times). The object
/// is never the same one: a weak pointer to the old matrix, by which somebody keeps results of a
/// look-up, expires.
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

    void run_blocks(Index begin, Index end) const {
        Eigen::Array<Scalar, Eigen::Dynamic, 1> scratch(segment_.scratch_size);
        std::vector<ConstView> in;
        in.reserve(4);
        for (Index b = begin; b < end; ++b) {
            run_block({segment_.blocks.first_row(b), segment_.blocks.count(b), scratch.data()}, in);
            advance(segment_.blocks.n_blocks());
        }
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
        tensor.computed = operations::constant_value(*tensor.operation(), tensor.settings(),
                                                     tensor.rows().size, tensor.columns().size);
        tensor.value = after_intervention(trace_, sharing.id, tensor.computed);
    }

    /// Prepares once everything that all blocks share, if there are several blocks.
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

    /// Returns all rows of an input; null data with the right shape if the segment itself makes the
    /// input.
    ConstView whole(const Segment::Source& source) const {
        if (source.part < 0) return view(*trace_[source.id].value);
        const Segment::Part& part = segment_.parts[static_cast<std::size_t>(source.part)];
        return {nullptr, segment_.blocks.rows, part.columns};
    }

    /// Reports one of `n_pieces` equal pieces as done.
    void advance(Index n_pieces) const {
        if (Progress* progress = for_each_.progress())
            progress->advance(segment_.work / static_cast<double>(n_pieces));
    }

    /// Runs one block; `in` is only memory to reuse.
    void run_block(const RowBlock& block, std::vector<ConstView>& in) const {
        for (std::size_t p = 0; p < segment_.parts.size(); ++p) {
            const Segment::Part& part = segment_.parts[p];
            in.clear();
            if (!part.together.empty())
                run_together(p, block, in);
            else if (!part.is_with_earlier)
                part.operation->forward(call(p, block, in), rows(p, block, wholes_[p].computed));
            for (const std::size_t large : part.to_copy) {
                const Index columns = segment_.parts[large].columns;
                copy_past_caches(rows(large, block, nullptr).data(),
                                 wholes_[large].computed + block.first * columns,
                                 block.count * columns);
            }
            if (part.is_overridden) intervene(p, block);
        }
    }

    /// Returns the call of the part's operation. Its inputs are appended to `in`, whose capacity
    /// must suffice.
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
        if (tensor.intervention.is_of_all_rows())
            change_every_row(tensor.intervention, value, counted_rows(trace_, tensor));
        intervene_on_rows(tensor.intervention, value, block.first, tensor.row_edges());
    }

    /// Returns the block's rows of a part, in the matrix `whole` or in the scratch memory.
    View rows(std::size_t p, const RowBlock& block, Scalar* whole) const {
        const Segment::Part& part = segment_.parts[p];
        Scalar* const data =
            part.offset < 0 ? whole + block.first * part.columns : block.scratch + part.offset;
        return {data, block.count, part.columns};
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

Pieces<> run_in_pieces(const Segment& segment, Trace& trace, const ForEach& for_each) {
    const Run run(segment, trace, for_each);
    for (Index b = 0; b < segment.blocks.n_blocks(); ++b) {
        run.run_blocks(b, b + 1);
        co_await kPause;
    }
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
    change_every_row(tensor.intervention, view(*value), counted_rows(trace, tensor));
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
