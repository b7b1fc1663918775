#include "core/segment.h"

#include <algorithm>

namespace headlight {
namespace {

/// A segment with less work than this is not worth waking anybody.
constexpr double kParallelWork = 4e6;
/// Into how many tasks a larger one is parted, at most.
constexpr Index kTasks = 32;
/// Every matrix in the scratch begins at a multiple of this, in numbers.
constexpr Index kAlignment = 16;

/// How rows are cut into blocks: 512 KB of the widest matrix. Fewer rows than the least would have
/// every block read all weights and keys for little; more than the most leave too few tasks.
class Cut {
  public:
    Cut(Index rows, Index widest) : rows_(rows) {
        constexpr Index cells = 131072, least = 64;
        const Index most = std::max<Index>(256, rows / kTasks);
        block_rows_ = std::clamp(cells / std::max<Index>(1, widest), least, most);
    }

    Index n_blocks() const { return std::max<Index>(1, (rows_ + block_rows_ - 1) / block_rows_); }
    Index most_rows() const { return std::min(block_rows_, rows_); }
    Index first_row(Index block) const { return block * block_rows_; }
    Index count(Index block) const { return std::min(block_rows_, rows_ - first_row(block)); }

  private:
    Index rows_, block_rows_ = 1;
};

/// Rows that are computed together, and the memory for those that are not stored.
struct Block {
    Index first = 0, count = 0;
    Scalar* scratch = nullptr;
};

Index widest_of(const Trace& trace, std::span<const TensorId> ids) {
    Index widest = 0;
    for (const TensorId id : ids) widest = std::max(widest, trace[id].columns.size);
    return widest;
}

ConstView rows_of(ConstView matrix, const Block& block) {
    return {matrix.data() + block.first * matrix.cols(), block.count, matrix.cols()};
}

/// Where a result goes: into its whole matrix, or into the scratch.
struct Target {
    Scalar* whole = nullptr;
    Index offset = 0, columns = 0;

    View rows(const Block& block) const {
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

struct Part {
    TensorId id = 0;
    Target computed, value;  // the same where nothing is held
    std::size_t sources_begin = 0, sources_end = 0;
};

class Segment {
  public:
    Segment(Trace& trace, std::span<const TensorId> ids, const std::vector<bool>& stored)
        : trace_(trace),
          ids_(ids),
          rows_(trace[ids[0]].rows.size),
          cut_(rows_, widest_of(trace, ids)),
          parts_(ids.size()) {
        bool is_all_stored = true;
        for (std::size_t p = 0; p < ids.size(); ++p) {
            add_part(p);
            if (stored[ids[p]]) store(p);
            is_all_stored = is_all_stored && stored[ids[p]];
        }
        if (!is_all_stored) lay_out_scratch();
    }

    void run(const ForEach& for_each) const {
        if (!is_cut(trace_[ids_[0]])) {
            std::vector<ConstView> in;
            return run_block({0, rows_, nullptr}, in);
        }
        const Index n = cut_.n_blocks();
        const Index n_tasks = work_ < kParallelWork ? 1 : std::min(n, kTasks);
        if (n_tasks == 1) return run_blocks(0, n);
        for_each(n_tasks, [&](Index t) { run_blocks(t * n / n_tasks, (t + 1) * n / n_tasks); });
    }

  private:
    void add_part(std::size_t p) {
        const Tensor& tensor = trace_[ids_[p]];
        const bool cut = is_cut(tensor);
        Part& part = parts_[p];
        part.id = ids_[p];
        part.computed.columns = part.value.columns = tensor.columns.size;
        part.sources_begin = sources_.size();
        for (std::size_t i = 0; i < tensor.inputs.size(); ++i)
            sources_.push_back({part_of(tensor.inputs[i]), trace_[tensor.inputs[i]].value.get(),
                                cut && tensor.operation->reads_by_row(i)});
        part.sources_end = sources_.size();
        work_ += estimate_work(trace_, tensor);
    }

    Index part_of(TensorId id) const {
        const auto it = std::lower_bound(ids_.begin(), ids_.end(), id);
        return it != ids_.end() && *it == id ? it - ids_.begin() : -1;
    }

    /// Gives the tensor the matrices that are to be filled.
    void store(std::size_t p) {
        Tensor& tensor = trace_.tensors()[ids_[p]];
        const auto make = [&](MatrixPtr& matrix) {
            auto made = std::make_shared<Matrix>(tensor.rows.size, tensor.columns.size);
            Scalar* const data = made->data();
            matrix = std::move(made);
            return data;
        };
        Part& part = parts_[p];
        part.computed.whole = part.value.whole = make(tensor.computed);
        tensor.value = tensor.computed;
        if (!tensor.hold.cells.empty()) part.value.whole = make(tensor.value);
    }

    /// Places in the scratch, taken again once their last reader is done.
    void lay_out_scratch() {
        std::vector<std::size_t> last_use(parts_.size(), 0);
        for (std::size_t p = 0; p < parts_.size(); ++p)
            for (const Source& source : sources_of(parts_[p]))
                if (source.part >= 0) last_use[static_cast<std::size_t>(source.part)] = p;
        std::vector<Target> free;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            if (!parts_[p].computed.whole) place(parts_[p], free);
            for (const Source& source : sources_of(parts_[p])) {
                if (source.part < 0) continue;
                const auto q = static_cast<std::size_t>(source.part);
                if (parts_[q].value.whole || last_use[q] != p) continue;
                free.push_back(parts_[q].value);
                last_use[q] = parts_.size();  // an input that is read twice is freed once
            }
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

    void run_blocks(Index begin, Index end) const {
        Eigen::Array<Scalar, Eigen::Dynamic, 1> scratch(scratch_size_);
        std::vector<ConstView> in;
        for (Index b = begin; b < end; ++b)
            run_block({cut_.first_row(b), cut_.count(b), scratch.data()}, in);
    }

    /// `in`: memory that is used again.
    void run_block(const Block& block, std::vector<ConstView>& in) const {
        for (const Part& part : parts_) {
            const Tensor& tensor = trace_[part.id];
            in.clear();
            for (const Source& source : sources_of(part)) in.push_back(input(source, block));
            const View computed = part.computed.rows(block);
            tensor.operation->forward(
                {in, tensor.settings, block.count, computed.cols(), block.first, &trace_, part.id},
                computed);
            if (tensor.hold.cells.empty()) continue;
            View value = part.value.rows(block);
            if (value.data() != computed.data()) value = computed;
            hold_rows(tensor.hold, value, block.first, tensor.row_edges());
        }
    }

    ConstView input(const Source& source, const Block& block) const {
        if (source.part >= 0)
            return read_only(parts_[static_cast<std::size_t>(source.part)].value.rows(block));
        return source.is_by_row ? rows_of(view(*source.matrix), block) : view(*source.matrix);
    }

    Trace& trace_;
    std::span<const TensorId> ids_;
    Index rows_;
    Cut cut_;
    std::vector<Part> parts_;
    std::vector<Source> sources_;  // of all parts, one after another
    Index scratch_size_ = 0;
    double work_ = 0;
};

}  // namespace

double estimate_work(const Trace& plan, const Tensor& tensor) {
    constexpr double kCell = 8;  // an exp, a random number, a few sums
    double each = kCell;
    for (std::size_t i = 0; i < tensor.inputs.size(); ++i)
        if (!tensor.operation->reads_by_row(i))
            each = std::max(each, static_cast<double>(plan[tensor.inputs[0]].columns.size));
    return each * static_cast<double>(tensor.rows.size) * static_cast<double>(tensor.columns.size);
}

bool is_cut(const Tensor& tensor) {
    return tensor.operation->by_row != kWhole && (tensor.hold.cells.empty() || !tensor.row_edges());
}

void run_segment(Trace& trace, std::span<const TensorId> ids, const std::vector<bool>& stored,
                 const ForEach& for_each) {
    Segment(trace, ids, stored).run(for_each);
}

Matrix compute_alone(const Tensor& tensor, const Call& whole) {
    Matrix result(whole.rows, whole.columns);
    const bool is_by_block = is_cut(tensor);
    const Cut cut(whole.rows, whole.columns);
    std::vector<ConstView> in;
    for (Index b = 0; b < (is_by_block ? cut.n_blocks() : 1); ++b) {
        const Block block = is_by_block ? Block{cut.first_row(b), cut.count(b), nullptr}
                                        : Block{0, whole.rows, nullptr};
        in.clear();
        for (std::size_t i = 0; i < whole.in.size(); ++i)
            in.push_back(is_by_block && tensor.operation->reads_by_row(i)
                             ? rows_of(whole.in[i], block)
                             : whole.in[i]);
        const View rows(result.data() + block.first * whole.columns, block.count, whole.columns);
        tensor.operation->forward(
            {in, whole.settings, block.count, whole.columns, block.first, whole.trace, whole.id},
            rows);
    }
    return result;
}

}  // namespace headlight
