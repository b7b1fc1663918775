#include "core/evaluation/segment.h"

#include <optional>

#include "core/operations/operations.h"

namespace headlight {
namespace {

/// With less work than this a segment is not worth waking other threads.
constexpr double kParallelWork = 4e6;
/// Every matrix in the scratch memory begins at a multiple of this many numbers.
constexpr Index kAlignment = 16;
/// Stored matrices from this size on do not stay in the caches until they are read.
constexpr Index kLargeBytes = Index(4) << 20;

bool is_zero(const PlannedTensor& tensor, bool is_overridden) {
    const auto known = tensor.operation->is_zero;
    return known && !is_overridden && known(tensor.settings);
}

/// Decides which tensors are computed, from what, and where.
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
    /// The rows before it are there in every tensor that is stored.
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
        if (tensor.is_leaf() && operations::handed_through(*tensor.operation, tensor.settings,
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

    /// The tensor's index in the segment; none if it is not in it.
    std::optional<std::size_t> find_index(TensorId id) const {
        const auto it = std::lower_bound(made_.ids.begin(), made_.ids.end(), id);
        if (it == made_.ids.end() || *it != id) return std::nullopt;
        return static_cast<std::size_t>(it - made_.ids.begin());
    }

    /// The tensor whose matrix is read in place of `id`: copies that are not stored have none.
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

    /// Parts that read the same rows and differ only in matrices from outside the segment, such as
    /// the projections of all heads, are computed together.
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
    bool is_large(const Segment::Part& part) const {
        const Index bytes = made_.blocks.rows * part.columns * Index(sizeof(Scalar));
        return bytes >= kLargeBytes && !part.is_overridden && made_.blocks.n_blocks() > 1 &&
               made_.is_cut;
    }

    void place_where_needed(Segment::Part& part, std::vector<std::size_t>& free) {
        if (!part.is_stored || is_large(part)) place(part, free);
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

}  // namespace headlight
