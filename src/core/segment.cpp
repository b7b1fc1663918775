#include "core/segment.h"

#include <algorithm>
#include <optional>

#include "core/numeric/row_functions.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// A segment with less work than this is not worth waking anybody.
constexpr double kParallelWork = 4e6;
/// Into how many tasks a larger one is parted, at most.
constexpr Index kTasks = 32;
/// Every matrix in the scratch begins at a multiple of this, in numbers.
constexpr Index kAlignment = 16;

/// Stored matrices from this size on would not stay in the caches until they are read.
constexpr Index kLargeBytes = Index(4) << 20;

/// How rows are cut into blocks: 512 KB of the widest matrix. Fewer rows than the least would have
/// every block read all weights and keys for little; more than the most leave too few tasks.
class Cut {
  public:
    Cut(Index rows, Index widest, int n_threads = 1) : rows_(rows) {
        constexpr Index cells = 131072, least = 64, kTile = 12;  // products make 6 rows at once
        const Index most = n_threads > 1 ? std::max(least, rows / (2 * n_threads))
                                         : std::max<Index>(256, rows / kTasks);
        block_rows_ = std::clamp(cells / std::max<Index>(1, widest), least, most);
        block_rows_ = (block_rows_ + kTile - 1) / kTile * kTile;
    }

    Index n_blocks() const { return std::max<Index>(1, (rows_ + block_rows_ - 1) / block_rows_); }
    Index most_rows() const { return std::min(block_rows_, rows_); }
    Index first_row(Index block) const { return block * block_rows_; }
    Index count(Index block) const { return std::min(block_rows_, rows_ - first_row(block)); }

  private:
    Index rows_, block_rows_ = 1;
};

/// Rows that are computed together, and the memory for those that are not stored.
struct RowBlock {
    Index first = 0, count = 0;
    Scalar* scratch = nullptr;
};

Index widest_of(const Trace& trace, std::span<const TensorId> ids) {
    Index widest = 0;
    for (const TensorId id : ids) widest = std::max(widest, trace[id].columns().size);
    return widest;
}

ConstView rows_of(ConstView matrix, const RowBlock& block) {
    return {matrix.data() + block.first * matrix.cols(), block.count, matrix.cols()};
}

/// Where a result is made: in its whole matrix, or in the scratch.
struct Target {
    Scalar* whole = nullptr;
    Index offset = 0, columns = 0;

    View rows(const RowBlock& block) const {
        Scalar* data = whole ? whole + block.first * columns : block.scratch + offset;
        return {data, block.count, columns};
    }
};

/// Where an input comes from: an earlier part of the segment, or a matrix that is there already.
struct Source {
    Index part = -1;
    const Matrix* matrix = nullptr;
    bool is_by_row = false;
};

/// One tensor that is computed.
struct Part {
    TensorId id = 0;
    const Operation* operation = nullptr;
    Target computed, value;   // the same where nothing is held
    Scalar* large = nullptr;  // the whole matrix, where it is made in the scratch all the same
    std::vector<std::size_t> to_copy = {};  // large parts that nobody reads after this one
    std::size_t sources_begin = 0, sources_end = 0;
    Matrix prepared = {};
};

/// True if the tensor is made by copying its first input.
bool is_copy(const Trace& trace, const Tensor& tensor) {
    return tensor.operation()->is_copy ||
           read_inputs(trace, tensor).size() < tensor.inputs().size();
}

class Segment {
  public:
    Segment(Trace& trace, std::span<const TensorId> ids, const std::vector<bool>& stored,
            const ForEach& for_each)
        : trace_(trace),
          ids_(ids),
          stored_(stored),
          for_each_(for_each),
          rows_(trace[ids[0]].rows().size),
          part_of_(ids.size(), -1) {
        for (const TensorId id : ids) work_ += estimate_work(trace, trace[id].planned());
        is_parallel_ = work_ >= kParallelWork && for_each.n_threads() > 1;
        cut_ = Cut(rows_, widest_of(trace, ids), is_parallel_ ? for_each.n_threads() : 1);
        parts_.reserve(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) add(i);
        lay_out_scratch();
        prepare();
    }

    void run() const {
        if (parts_.empty()) return advance(1);
        if (!is_cut(trace_[ids_[0]])) {
            std::vector<ConstView> in;
            run_block({0, rows_, nullptr}, in);
            return advance(1);
        }
        const Index n = cut_.n_blocks();
        const Index n_tasks = work_ < kParallelWork ? 1 : std::min(n, kTasks);
        if (n_tasks == 1) return run_blocks(0, n);
        for_each_(n_tasks, [&](Index t) { run_blocks(t * n / n_tasks, (t + 1) * n / n_tasks); });
    }

  private:
    // ---- what is computed, from what, and where ----

    void add(std::size_t i) {
        const TensorId id = ids_[i];
        Tensor& tensor = trace_.tensors()[id];
        const bool copies = is_copy(trace_, tensor), is_held = !tensor.hold.cells.empty();
        if (copies && !is_held && !stored_[id]) return;
        if (copies && !is_held && trace_[origin(tensor.inputs()[0])].value) {
            tensor.computed = tensor.value = trace_[origin(tensor.inputs()[0])].value;
            return;
        }
        if (hand_through(tensor)) return;
        part_of_[i] = std::ssize(parts_);
        Part part;
        part.id = id;
        part.operation = copies ? &operations::copy : tensor.operation();
        part.computed.columns = part.value.columns = tensor.columns().size;
        part.sources_begin = sources_.size();
        const std::span<const TensorId> inputs = read_inputs(trace_, tensor);
        for (std::size_t k = 0; k < inputs.size(); ++k)
            sources_.push_back(
                source(inputs[k], is_cut(tensor) && part.operation->reads_by_row(k)));
        part.sources_end = sources_.size();
        if (stored_[id]) store(part);
        parts_.push_back(std::move(part));
    }

    /// A leaf whose matrix is there already shares it.
    static bool hand_through(Tensor& tensor) {
        if (!tensor.is_leaf()) return false;
        tensor.computed = operations::handed_through(*tensor.operation(), tensor.settings(),
                                                     tensor.rows().size, tensor.columns().size);
        if (!tensor.computed) return false;
        tensor.value = held_value(tensor, tensor.computed);
        return true;
    }

    /// Where the tensor stands among those of the segment.
    std::optional<std::size_t> place_of(TensorId id) const {
        const auto it = std::lower_bound(ids_.begin(), ids_.end(), id);
        if (it == ids_.end() || *it != id) return std::nullopt;
        return static_cast<std::size_t>(it - ids_.begin());
    }

    /// Behind the tensors of the segment that only stand for their input, and are nowhere.
    TensorId origin(TensorId id) const {
        for (auto place = place_of(id); place && part_of_[*place] < 0 && !trace_[id].value;
             place = place_of(id))
            id = trace_[id].inputs()[0];
        return id;
    }

    Source source(TensorId input, bool is_by_row) const {
        const TensorId id = origin(input);
        const auto place = place_of(id);
        return {place ? part_of_[*place] : -1, trace_[id].value.get(), is_by_row};
    }

    /// Gives the tensor the matrices that are to be filled.
    void store(Part& part) {
        Tensor& tensor = trace_.tensors()[part.id];
        const auto make = [&](MatrixPtr& matrix) {
            auto made = std::make_shared<Matrix>(tensor.rows().size, tensor.columns().size);
            Scalar* const data = made->data();
            matrix = std::move(made);
            return data;
        };
        Scalar* const whole = make(tensor.computed);
        tensor.value = tensor.computed;
        const bool is_held = !tensor.hold.cells.empty();
        const bool is_large = tensor.computed->size() * Index(sizeof(Scalar)) >= kLargeBytes;
        if (is_large && !is_held && cut_.n_blocks() > 1 && is_cut(tensor)) {
            part.large = whole;
            return;
        }
        part.computed.whole = part.value.whole = whole;
        if (is_held) part.value.whole = make(tensor.value);
    }

    /// Places in the scratch, taken again once their last reader is done.
    void lay_out_scratch() {
        std::vector<std::size_t> last_use(parts_.size());
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            last_use[p] = p;
            for (const Source& source : sources_of(parts_[p]))
                if (source.part >= 0) last_use[static_cast<std::size_t>(source.part)] = p;
        }
        std::vector<Target> free;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            if (!parts_[p].computed.whole) place(parts_[p], free);
            const auto done = [&](std::size_t q) {
                if (parts_[q].value.whole || last_use[q] != p) return;
                free.push_back(parts_[q].value);
                if (parts_[q].large) parts_[p].to_copy.push_back(q);
                last_use[q] = parts_.size();  // an input that is read twice is done once
            };
            for (const Source& source : sources_of(parts_[p]))
                if (source.part >= 0) done(static_cast<std::size_t>(source.part));
            done(p);
        }
    }

    void place(Part& part, std::vector<Target>& free) {
        const auto fits = [&](const Target& t) { return t.columns == part.value.columns; };
        const auto it = std::find_if(free.begin(), free.end(), fits);
        if (it != free.end()) {
            part.computed = part.value = *it;
            free.erase(it);
            return;
        }
        part.computed.offset = part.value.offset = scratch_size_;
        const Index size = cut_.most_rows() * part.value.columns;
        scratch_size_ += (size + kAlignment - 1) / kAlignment * kAlignment;
    }

    std::span<const Source> sources_of(const Part& part) const {
        return {sources_.data() + part.sources_begin, part.sources_end - part.sources_begin};
    }

    /// What all blocks share is made once, where there are several.
    void prepare() {
        if (cut_.n_blocks() < 2 || !is_cut(trace_[ids_[0]])) return;
        std::vector<Part*> parts;
        for (Part& part : parts_)
            if (part.operation->prepare) parts.push_back(&part);
        if (parts.empty()) return;
        (is_parallel_ ? for_each_ : serial())(std::ssize(parts), [&](Index k) {
            Part& part = *parts[static_cast<std::size_t>(k)];
            std::vector<ConstView> in;
            for (const Source& source : sources_of(part)) in.push_back(whole(source));
            part.prepared = part.operation->prepare({in, trace_[part.id].settings(), rows_,
                                                     part.computed.columns, 0, &trace_, part.id});
        });
    }

    /// All rows of an input; only their number, of one that is made in the segment.
    ConstView whole(const Source& source) const {
        if (source.part < 0) return view(*source.matrix);
        return {nullptr, rows_, parts_[static_cast<std::size_t>(source.part)].value.columns};
    }

    // ---- computing ----

    void run_blocks(Index begin, Index end) const {
        Eigen::Array<Scalar, Eigen::Dynamic, 1> scratch(scratch_size_);
        std::vector<ConstView> in;
        for (Index b = begin; b < end; ++b) {
            run_block({cut_.first_row(b), cut_.count(b), scratch.data()}, in);
            advance(cut_.n_blocks());
        }
    }

    /// One of so many equal pieces is done.
    void advance(Index n_pieces) const {
        if (Progress* progress = for_each_.progress())
            progress->advance(work_ / static_cast<double>(n_pieces));
    }

    /// `in`: memory that is used again.
    void run_block(const RowBlock& block, std::vector<ConstView>& in) const {
        for (const Part& part : parts_) {
            const Tensor& tensor = trace_[part.id];
            in.clear();
            for (const Source& source : sources_of(part)) in.push_back(input(source, block));
            const View computed = part.computed.rows(block);
            part.operation->forward(
                {in, tensor.settings(), block.count, computed.cols(), block.first, &trace_, part.id,
                 part.prepared.size() > 0 ? &part.prepared : nullptr},
                computed);
            for (const std::size_t large : part.to_copy) copy_large(parts_[large], block);
            if (tensor.hold.cells.empty()) continue;
            View value = part.value.rows(block);
            if (value.data() != computed.data()) value = computed;
            hold_rows(tensor.hold, value, block.first, tensor.row_edges());
        }
    }

    static void copy_large(const Part& part, const RowBlock& block) {
        const Index columns = part.value.columns;
        copy_past_caches(part.value.rows(block).data(), part.large + block.first * columns,
                         block.count * columns);
    }

    ConstView input(const Source& source, const RowBlock& block) const {
        if (source.part >= 0)
            return read_only(parts_[static_cast<std::size_t>(source.part)].value.rows(block));
        return source.is_by_row ? rows_of(view(*source.matrix), block) : view(*source.matrix);
    }

    Trace& trace_;
    std::span<const TensorId> ids_;
    const std::vector<bool>& stored_;
    const ForEach& for_each_;
    Index rows_;
    Cut cut_{0, 0};
    std::vector<Index> part_of_;  // of each tensor; −1: it is not computed
    std::vector<Part> parts_;
    std::vector<Source> sources_;  // of all parts, one after another
    Index scratch_size_ = 0;
    double work_ = 0;
    bool is_parallel_ = false;
};

bool is_zero(const Tensor& tensor) {
    const auto known = tensor.operation()->is_zero;
    return known && tensor.hold.cells.empty() && known(tensor.settings());
}

}  // namespace

double estimate_work(const Plan& plan, const PlannedTensor& tensor) {
    constexpr double kCell = 8;  // an exp, a random number, a few sums
    double each = kCell;
    for (std::size_t i = 0; i < tensor.inputs.size(); ++i)
        if (!tensor.operation->reads_by_row(i))
            each = std::max(each, static_cast<double>(plan[tensor.inputs[0]].columns.size));
    return each * static_cast<double>(tensor.rows.size) * static_cast<double>(tensor.columns.size);
}

bool is_cut(const Tensor& tensor) {
    return tensor.operation()->by_row != kWhole &&
           (tensor.hold.cells.empty() || !tensor.row_edges());
}

std::span<const TensorId> read_inputs(const Trace& trace, const Tensor& tensor) {
    const std::span<const TensorId> all = tensor.inputs();
    const bool is_first = tensor.operation()->is_copy_beside_zeros && is_zero(trace[all[1]]);
    return is_first ? all.first(1) : all;
}

void run_segment(Trace& trace, std::span<const TensorId> ids, const std::vector<bool>& stored,
                 const ForEach& for_each) {
    Segment(trace, ids, stored, for_each).run();
}

MatrixPtr held_value(const Tensor& tensor, const MatrixPtr& computed) {
    if (tensor.hold.cells.empty()) return computed;
    return std::make_shared<const Matrix>(apply_hold(tensor.hold, *computed, tensor.row_edges()));
}

Matrix compute_alone(const Tensor& tensor, const Call& whole) {
    Matrix result(whole.rows, whole.columns);
    const bool is_by_block = is_cut(tensor);
    const Cut cut(whole.rows, whole.columns);
    std::vector<ConstView> in;
    for (Index b = 0; b < (is_by_block ? cut.n_blocks() : 1); ++b) {
        const RowBlock block = is_by_block ? RowBlock{cut.first_row(b), cut.count(b), nullptr}
                                           : RowBlock{0, whole.rows, nullptr};
        in.clear();
        for (std::size_t i = 0; i < whole.in.size(); ++i)
            in.push_back(is_by_block && tensor.operation()->reads_by_row(i)
                             ? rows_of(whole.in[i], block)
                             : whole.in[i]);
        const View rows(result.data() + block.first * whole.columns, block.count, whole.columns);
        tensor.operation()->forward(
            {in, whole.settings, block.count, whole.columns, block.first, whole.trace, whole.id},
            rows);
    }
    return result;
}

}  // namespace headlight
