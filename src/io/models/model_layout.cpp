#include "io/models/model_layout.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "model/imports/known_names.h"
#include "model/weights.h"
#include "text/strings.h"

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
        into.array() += static_cast<Scalar>(part.plus);
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
                    n == 1 ? fmt::format("{} is {}; a weight must be a finite number", place, value)
                           : fmt::format("{} of {} numbers are not finite, the first is {}, {}; a "
                                         "weight must be a finite number",
                                         n, values.size(), place, value));
    }

    /// Rows of the part, before it is turned.
    void read_cut(const ArrayPart& part, Index first, View into) const {
        const StoredArray& array = arrays_[part.array];
        const Index width = oriented_shape(array).columns, row = part.first_row + first;
        if (part.columns == width)
            return read_numbers(array, static_cast<std::uint64_t>(row * width), into);
        into = whole(part.array)->block(row, part.first_column, into.rows(), part.columns);
    }

    /// Reads a kernel: row (place · channels + channel) of the matrix is column (channel · places +
    /// place) of the array, which has one row an output.
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

namespace {

/// Returns the pattern with numbers in place of # and *, and with groups in place of heads for
/// tensors that several heads share.
std::string filled(std::string_view pattern, const Identity& of) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        constexpr std::string_view kHeads = "heads.*";
        if (of.kv_group >= 0 && pattern.substr(i).starts_with(kHeads)) {
            text += fmt::format("kv.{}", of.kv_group);
            i += kHeads.size() - 1;
        } else if (pattern[i] == '#') {
            text += std::to_string(of.layer);
        } else if (pattern[i] == '*') {
            text += std::to_string(of.head);
        } else {
            text += pattern[i];
        }
    }
    return text;
}

class Placing {
  public:
    Placing(const Family& family, const ModelConfig& config, const Plan& plan,
            const StoredArrays& arrays)
        : family_(family), config_(config), plan_(plan), arrays_(arrays) {
        for (const PlannedTensor& tensor : plan.tensors()) count_heads(tensor);
    }

    ModelLayout make(const std::string& source) {
        for (const PlannedTensor& tensor : plan_.tensors())
            if (is_learned(tensor)) add(tensor);
        if (!problems_.empty()) fail(source);
        for (std::size_t k = 0; k < arrays_.size(); ++k)
            if (!used_.contains(k) && !is_unused(arrays_[k].name))
                layout_.left_over.push_back(arrays_[k].name);
        return std::move(layout_);
    }

  private:
    /// True if an array has to give the tensor its numbers: tensors that the model already has, for
    /// example, need none.
    static bool is_learned(const PlannedTensor& tensor) {
        return can_be_stored(tensor) && !tensor.settings.stored &&
               tensor.identity.network != Network::Probe &&
               tensor.identity.component != ComponentKind::Analyses;
    }

    /// The tensors of one name in an attention, of which each head (or group of heads) has one, or
    /// the only one of its name in another part of a layer.
    struct Kind {
        Network network;
        ComponentKind component;
        int layer;
        std::string_view name;
        auto operator<=>(const Kind&) const = default;
    };
    struct Outputs {
        Index n_heads = 1, width = 0;  // of one of them
        Index all() const { return n_heads * width; }
    };
    static Kind kind_of(const PlannedTensor& tensor) {
        const Identity& identity = tensor.identity;
        return {identity.network, identity.component, identity.layer, tensor.name()};
    }
    static Index head_of(const PlannedTensor& tensor) {
        return std::max({tensor.identity.head, tensor.identity.kv_group, 0});
    }

    void count_heads(const PlannedTensor& tensor) {
        if (!is_learned(tensor)) return;
        Outputs& outputs = outputs_[kind_of(tensor)];
        outputs.n_heads = std::max(outputs.n_heads, head_of(tensor) + 1);
        outputs.width = tensor.columns.size;
    }

    bool is_unused(std::string_view array) const {
        return std::ranges::any_of(family_.unused, [&](std::string_view glob) {
            std::string pattern(glob);
            std::ranges::replace(pattern, '#', '*');
            return matches(pattern, array);
        });
    }

    /// Takes the first rule whose array is there, else reports the array of the first rule as
    /// missing.
    void add(const PlannedTensor& tensor) {
        const FamilyRule* missing = nullptr;
        for (const FamilyRule& rule : family_.rules) {
            if (filled(rule.tensor, tensor.identity) != tensor.path) continue;
            const auto array = find(filled(rule.array, tensor.identity));
            if (array) return add(tensor, rule, *array);
            if (!missing) missing = &rule;
        }
        if (missing)
            problems_.push_back(filled(missing->array, tensor.identity) + " is missing");
        else
            problems_.push_back("nothing is known to become " + tensor.path);
    }

    std::optional<std::size_t> find(const std::string& name) const {
        const auto at = std::ranges::lower_bound(arrays_, name, {}, &StoredArray::name);
        if (at == arrays_.end() || at->name != name) return std::nullopt;
        return static_cast<std::size_t>(at - arrays_.begin());
    }

    /// Returns rows and columns as the rule counts them; a kernel has one row an output.
    ArrayShape shape_by(const FamilyRule& rule, std::size_t index) const {
        const StoredArray& array = arrays_[index];
        if (rule.kind == ArrayKind::Matrix) return oriented_shape(array);
        const auto& shape = array.shape;
        const bool has_square_windows =
            shape.size() == 4 && shape[2] == shape[3] && !is_among(0u, shape);
        if (!has_square_windows) return {array.name, 0, 0};  // it fits nothing
        const ArrayShape flat = oriented_shape(array);
        const auto n_outputs = static_cast<Index>(shape[0]);
        return {array.name, n_outputs, flat.rows / n_outputs * flat.columns};
    }
    void add(const PlannedTensor& tensor, const FamilyRule& rule, std::size_t index) {
        const NumberKind kind = arrays_[index].type.kind;
        if (kind != NumberKind::Float && kind != NumberKind::BrainFloat) {
            problems_.push_back(fmt::format("{} has whole numbers ({}), which weights are not",
                                            printable(arrays_[index].name),
                                            type_text(arrays_[index].type)));
            return;
        }
        const ArrayShape array = shape_by(rule, index);
        const bool is_turned =
            rule.turn == Turn::Transposed && array.rows > 0 && arrays_[index].shape.size() > 1;
        const Index inputs = is_turned ? array.columns : array.rows,
                    outputs = is_turned ? array.rows : array.columns;
        Cut cut = cut_for(tensor, rule);
        const bool skips_rows = are_positions(tensor) && family_.skipped_positions;
        const Index skipped = skips_rows ? family_.skipped_positions(config_) : 0;
        const bool has_rows = are_positions(tensor) ? inputs > skipped : inputs == tensor.rows.size;
        if (!has_rows || outputs != cut.all) {
            const Index rows = are_positions(tensor) ? inputs : tensor.rows.size;
            problems_.push_back(
                fmt::format("{} is {}, not {}", printable(arrays_[index].name),
                            shape_list(arrays_[index].shape),
                            is_turned ? shape_text(cut.all, rows) : shape_text(rows, cut.all)));
            return;
        }
        ArrayPart part{index, is_turned ? Turn::Transposed : Turn::Kept};
        part.rows = inputs - skipped, part.columns = tensor.columns.size;
        part.first_row = skipped, part.first_column = cut.first;
        if (is_turned) {
            std::swap(part.rows, part.columns);
            std::swap(part.first_row, part.first_column);
        }
        part.plus = rule.plus;
        if (rule.kind == ArrayKind::Kernel)
            part.channels = static_cast<Index>(arrays_[index].shape[1]);
        used_.insert(index);
        layout_.paths.push_back(tensor.path);
        layout_.parts.push_back(part);
    }

    /// The first of the array's outputs that the tensor takes, and the number of all of them.
    struct Cut {
        Index first = 0, all = 0;
    };
    Cut cut_for(const PlannedTensor& tensor, const FamilyRule& rule) const {
        Kind kind = kind_of(tensor);
        const Outputs own{outputs_.at(kind).n_heads, tensor.columns.size};
        Index before = 0, all = 0, n_groups = own.n_heads;
        for (const FamilyRule& other : family_.rules) {
            if (&other != &rule && (rule.sharing == Sharing::None || other.array != rule.array))
                continue;
            kind.name = other.tensor.substr(other.tensor.rfind('.') + 1);
            const auto shared = outputs_.find(kind);
            if (shared == outputs_.end()) continue;
            const Outputs outputs = &other == &rule ? own : shared->second;
            if (&other == &rule) before = all;
            all += outputs.all();
            n_groups = std::min(n_groups, outputs.n_heads);
        }
        if (rule.sharing != Sharing::InEachGroup)
            return {before + head_of(tensor) * own.width, all};
        const Index in_group = own.n_heads / n_groups, group = head_of(tensor) / in_group;
        return {(group * all + before) / n_groups + head_of(tensor) % in_group * own.width, all};
    }

    static bool are_positions(const PlannedTensor& tensor) {
        return tensor.rows.kind == AxisKind::Position;
    }
    [[noreturn]] void fail(const std::string& source) const {
        constexpr std::size_t kShown = 5;
        std::string text = "does not fit its config.json: ";
        std::set<std::string> met;
        for (const std::string& problem : problems_) {
            if (!met.insert(problem).second) continue;
            if (met.size() <= kShown) text += (met.size() > 1 ? "; " : "") + problem;
        }
        if (met.size() > kShown) text += fmt::format("; and {} more like it", met.size() - kShown);
        throw Error(source, text);
    }

    const Family& family_;
    const ModelConfig& config_;
    const Plan& plan_;
    const StoredArrays& arrays_;
    std::map<Kind, Outputs> outputs_;
    std::set<std::size_t> used_;
    std::vector<std::string> problems_;
    ModelLayout layout_;
};

void replace_ending(std::string& name, std::string_view ending, std::string_view by) {
    if (name.ends_with(ending)) name.replace(name.size() - ending.size(), ending.size(), by);
}

}  // namespace

StoredArrays renamed(const Family& family, StoredArrays arrays, const std::string& source) {
    for (StoredArray& array : arrays) {
        array.name = without_wrappers(std::move(array.name));
        if (!family.prefix.empty() && array.name.starts_with(family.prefix))
            array.name.erase(0, family.prefix.size());
        replace_ending(array.name, "LayerNorm.gamma", "LayerNorm.weight");
        replace_ending(array.name, "LayerNorm.beta", "LayerNorm.bias");
    }
    std::ranges::sort(arrays, {}, &StoredArray::name);
    const auto twice = std::ranges::adjacent_find(arrays, {}, &StoredArray::name);
    if (twice != arrays.end())
        throw Error(source, "has two arrays for {}: with and without '{}', or gamma and weight",
                    printable(twice->name), family.prefix);
    return arrays;
}

ModelLayout lay_out_model(const Family& family, const ModelConfig& config, const Plan& plan,
                          const StoredArrays& arrays, const std::string& source) {
    return Placing(family, config, plan, arrays).make(source);
}

}  // namespace headlight
