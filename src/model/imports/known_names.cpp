#include "model/imports/known_names.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "core/operations/operations.h"
#include "core/settings.h"
#include "model/imports/tensor_mapping.h"

namespace headlight {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

NumberedName numbered(std::string_view name) {
    constexpr long kMost = 100'000'000;
    NumberedName key;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_digit(name[i])) {
            key.text += name[i];
            continue;
        }
        if (i == 0 || !is_digit(name[i - 1])) key.text += '#', key.numbers.push_back(0);
        long& number = key.numbers.back();
        number = std::min(kMost, number * 10 + (name[i] - '0'));
    }
    return key;
}

namespace {

enum class Cut { Whole, Rows, Columns };  // into heads

/// An array whose name ends like this becomes these tensors.
struct Rule {
    std::string_view ending;
    std::string_view target;  // below an attention; * is a head; "../" below its block;
                              // "/" below the whole stack
    Cut cut = Cut::Whole;
    Turn turn = Turn::Kept;
    int share = 0, shares = 1;  // the number of one of `shares` equal parts
    /// The target in a block that also attends to a source, where it differs.
    std::string_view in_decoder = {};
    NormType norm = NormType::Layer;  // Rms: the gain of an RMS norm, which is none of a layer norm
};

constexpr Turn kT = Turn::Transposed;

constexpr std::string_view kLayerBias = "bias";

/// The names of modules that hold all layers. A norm directly in one comes after the last layer.
/// "model", as in LLaMA, is not among them: its norm is an RMS norm with a rule of its own.
constexpr std::array<std::string_view, 3> kWholeModels = {"encoder", "decoder", "transformer"};

/// The rules, of which the first ones whose ending fits count.
constexpr std::array kRules = {
    // PyTorch: nn.MultiheadAttention, y = x Wᵀ + b
    Rule{"in_proj_weight", "heads.*.W_Q", Cut::Rows, kT, 0, 3},
    Rule{"in_proj_weight", "heads.*.W_K", Cut::Rows, kT, 1, 3},
    Rule{"in_proj_weight", "heads.*.W_V", Cut::Rows, kT, 2, 3},
    Rule{"in_proj_bias", "heads.*.b_Q", Cut::Rows, kT, 0, 3},
    Rule{"in_proj_bias", "heads.*.b_K", Cut::Rows, kT, 1, 3},
    Rule{"in_proj_bias", "heads.*.b_V", Cut::Rows, kT, 2, 3},
    Rule{"q_proj_weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"k_proj_weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"v_proj_weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"out_proj.weight", "W_O", Cut::Whole, kT},
    Rule{"out_proj.bias", "b_O", Cut::Whole, kT},
    // PyTorch: nn.TransformerEncoderLayer
    Rule{"linear1.weight", "../mlp.W_in", Cut::Whole, kT},
    Rule{"linear1.bias", "../mlp.b_in", Cut::Whole, kT},
    Rule{"linear2.weight", "../mlp.W_out", Cut::Whole, kT},
    Rule{"linear2.bias", "../mlp.b_out", Cut::Whole, kT},
    Rule{"norm1.weight", "../ln1.w", Cut::Whole, kT},
    Rule{"norm1.bias", "../ln1.b", Cut::Whole, kT},
    Rule{"norm2.weight", "../ln2.w", Cut::Whole, kT, 0, 1, "../ln_cross.w"},
    Rule{"norm2.bias", "../ln2.b", Cut::Whole, kT, 0, 1, "../ln_cross.b"},
    Rule{"norm3.weight", "../ln2.w", Cut::Whole, kT},
    Rule{"norm3.bias", "../ln2.b", Cut::Whole, kT},
    // After the last layer: PyTorch's nn.TransformerEncoder and many others; GPT-2
    Rule{"norm.weight", "/ln_final.w", Cut::Whole, kT},
    Rule{"norm.bias", "/ln_final.b", Cut::Whole, kT},
    Rule{"ln_f.weight", "/ln_final.w", Cut::Whole, kT},
    Rule{"ln_f.bias", "/ln_final.b", Cut::Whole, kT},
    // Hugging Face: LLaMA and many others
    Rule{"q_proj.weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"k_proj.weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"v_proj.weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"q_proj.bias", "heads.*.b_Q", Cut::Rows, kT},
    Rule{"k_proj.bias", "heads.*.b_K", Cut::Rows, kT},
    Rule{"v_proj.bias", "heads.*.b_V", Cut::Rows, kT},
    Rule{"o_proj.weight", "W_O", Cut::Whole, kT},
    Rule{"input_layernorm.weight", "../ln1.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"post_attention_layernorm.weight", "../ln2.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"model.norm.weight", "/ln_final.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    // Meta's LLaMA
    Rule{"attention_norm.weight", "../ln1.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"ffn_norm.weight", "../ln2.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"attention.wq.weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"attention.wk.weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"attention.wv.weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"attention.wo.weight", "W_O", Cut::Whole, kT},
    // Hugging Face: BERT, GPT-2 (whose weights are not transposed)
    Rule{"query.weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"key.weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"value.weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"query.bias", "heads.*.b_Q", Cut::Rows, kT},
    Rule{"key.bias", "heads.*.b_K", Cut::Rows, kT},
    Rule{"value.bias", "heads.*.b_V", Cut::Rows, kT},
    Rule{"attention.output.dense.weight", "W_O", Cut::Whole, kT},
    Rule{"attention.output.dense.bias", "b_O", Cut::Whole, kT},
    Rule{"attn.c_attn.weight", "heads.*.W_Q", Cut::Columns, Turn::Kept, 0, 3},
    Rule{"attn.c_attn.weight", "heads.*.W_K", Cut::Columns, Turn::Kept, 1, 3},
    Rule{"attn.c_attn.weight", "heads.*.W_V", Cut::Columns, Turn::Kept, 2, 3},
    Rule{"attn.c_attn.bias", "heads.*.b_Q", Cut::Rows, kT, 0, 3},
    Rule{"attn.c_attn.bias", "heads.*.b_K", Cut::Rows, kT, 1, 3},
    Rule{"attn.c_attn.bias", "heads.*.b_V", Cut::Rows, kT, 2, 3},
    Rule{"attn.c_proj.weight", "W_O"},
    Rule{"attn.c_proj.bias", "b_O", Cut::Whole, kT},
    // TransformerLens: [heads, d_model, d_head] and [heads, d_head, d_model], y = x W + b
    Rule{"W_Q", "heads.*.W_Q", Cut::Rows},
    Rule{"W_K", "heads.*.W_K", Cut::Rows},
    Rule{"W_V", "heads.*.W_V", Cut::Rows},
    Rule{"W_O", "W_O"},
    Rule{"b_Q", "heads.*.b_Q", Cut::Rows},
    Rule{"b_K", "heads.*.b_K", Cut::Rows},
    Rule{"b_V", "heads.*.b_V", Cut::Rows},
    Rule{"b_O", "b_O", Cut::Whole, kT},
    Rule{"mlp.W_in", "../mlp.W_in"},
    Rule{"mlp.b_in", "../mlp.b_in", Cut::Whole, kT},
    Rule{"mlp.W_out", "../mlp.W_out"},
    Rule{"mlp.b_out", "../mlp.b_out", Cut::Whole, kT},
    // TransformerLens, where heads share keys and values: [groups, d_model, d_head]
    Rule{"_W_K", "heads.*.W_K", Cut::Rows},
    Rule{"_W_V", "heads.*.W_V", Cut::Rows},
    Rule{"_b_K", "heads.*.b_K", Cut::Rows},
    Rule{"_b_V", "heads.*.b_V", Cut::Rows},
    // PyTorch Geometric: GATConv and GATv2Conv. l is the node that is read, r the one that reads.
    Rule{"lin.weight", "heads.*.W", Cut::Rows, kT},
    Rule{"lin_src.weight", "heads.*.W", Cut::Rows, kT},
    Rule{"att_src", "heads.*.a_src", Cut::Rows, kT},
    Rule{"att_dst", "heads.*.a_dst", Cut::Rows, kT},
    Rule{"lin_edge.weight", "heads.*.W_edge", Cut::Rows, kT},
    Rule{"att_edge", "heads.*.a_edge", Cut::Rows, kT},
    Rule{"lin_l.weight", "heads.*.W_src", Cut::Rows, kT},
    Rule{"lin_r.weight", "heads.*.W_dst", Cut::Rows, kT},
    Rule{"att", "heads.*.a", Cut::Rows, kT},
    // Tensors that a layer of GATConv has and a layer here lacks.
    Rule{kLayerBias, ""},
};

constexpr std::string_view kHeads = ".heads.*.";

/// True if `name` is `ending`, or ends so after a point.
bool ends_like(std::string_view name, std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    const std::size_t before = name.size() - ending.size();
    return before == 0 || name[before - 1] == '.';
}

/// Lists every attention that has weights, such as "blocks.0.attn".
std::vector<Location> list_attentions(const Plan& plan) {
    std::vector<Location> attentions;
    for (const PlannedTensor& tensor : plan.tensors()) {
        if (tensor.identity.head != 0 || !tensor.is_leaf()) continue;
        const Location attention = tensor.identity.of_head(-1);
        if (std::ranges::count(attentions, attention) == 0) attentions.push_back(attention);
    }
    return attentions;
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

using Names = std::set<std::string, std::less<>>;

class Guess {
  public:
    Guess(const std::vector<ArrayShape>& arrays, const Plan& plan)
        : arrays_(arrays), plan_(plan), attentions_(list_attentions(plan)) {
        for (const ArrayShape& array : arrays) {
            const auto rules = rules_for(array);
            if (rules.empty() || is_of_stack(*rules[0])) continue;
            const std::string_view name = prefix(array, rules[0]->ending);
            (is_of_attention(*rules[0]) ? attention_names_ : block_names_).emplace(name);
        }
    }

    GuessedMappings make() {
        for (const ArrayShape& array : arrays_) add(array);
        return std::move(result_);
    }

  private:
    void add(const ArrayShape& array) {
        const TensorMapping exact{array.name, std::nullopt, Turn::Kept, array.name};
        const PlannedTensor* tensor = plan_.find(array.name);
        if (tensor && fits(exact, array, *tensor)) return accept(array, {exact});
        std::vector<TensorMapping> found;
        std::string problem;
        const std::vector<const Rule*> rules = rules_for(array);
        for (const Rule* rule : rules) {
            const std::string refusal = follow(*rule, array, found);
            if (problem.empty()) problem = refusal;
        }
        if (!rules.empty() && problem.empty()) return accept(array, found);
        if (rules.empty() && tensor)
            problem = "the study's is " + shape_text(tensor->rows.size, tensor->columns.size);
        if (rules.empty() && !tensor) problem = "no known name";
        refuse(array, problem + what_fits(array));
    }

    /// Accepts all of the mappings, or none where another array came first.
    void accept(const ArrayShape& array, const std::vector<TensorMapping>& mappings) {
        for (const TensorMapping& mapping : mappings) {
            const auto first =
                std::ranges::find(result_.mappings, mapping.path, &TensorMapping::path);
            if (first != result_.mappings.end())
                return refuse(array, fmt::format("{} is taken from {}", mapping.path, first->name));
        }
        result_.mappings.insert(result_.mappings.end(), mappings.begin(), mappings.end());
    }

    void refuse(const ArrayShape& array, std::string why) {
        result_.problems.push_back({array.name, std::move(why)});
    }

    /// Returns the rules with the longest matching ending.
    std::vector<const Rule*> rules_for(const ArrayShape& array) const {
        std::vector<const Rule*> rules;
        for (const Rule& rule : kRules) {
            if (!ends_like(array.name, rule.ending)) continue;
            if (rule.ending == kLayerBias && !is_beside_graph_attention(array)) continue;
            if (is_of_stack(rule) && !stands_in_whole_model(prefix(array, rule.ending))) continue;
            if (!rules.empty() && rules[0]->ending.size() < rule.ending.size()) rules.clear();
            if (rules.empty() || rules[0]->ending == rule.ending) rules.push_back(&rule);
        }
        return rules;
    }

    /// True of "", "encoder.", "transformer.decoder.": names that cannot be those of one layer.
    static bool stands_in_whole_model(std::string_view name) {
        return name.empty() || std::ranges::any_of(kWholeModels, [&](std::string_view model) {
                   return ends_like(name.substr(0, name.size() - 1), model);
               });
    }

    bool is_beside_graph_attention(const ArrayShape& bias) const {
        const std::string beside(prefix(bias, kLayerBias));
        return std::ranges::any_of(arrays_, [&](const ArrayShape& array) {
            return array.name == beside + "att" || array.name == beside + "att_src";
        });
    }

    static std::string_view prefix(const ArrayShape& array, std::string_view ending) {
        return std::string_view(array.name).substr(0, array.name.size() - ending.size());
    }

    /// Returns the attention that a name belongs to.
    std::optional<Location> attention_for(const ArrayShape& array, std::string_view ending) const {
        const std::string_view name = prefix(array, ending);
        const bool is_cross =
            has(name, "multihead_attn") || has(name, "cross") || has(name, "encoder_attn");
        std::vector<Location> those;
        for (const Location& attention : attentions_) {
            const bool other_side =
                (name.starts_with("encoder.") && attention.network != Network::Encoder) ||
                (name.starts_with("decoder.") && attention.network != Network::Decoder);
            const bool crosses = attention.component == ComponentKind::CrossAttention;
            if (!other_side && crosses == is_cross) those.push_back(attention);
        }
        if (those.empty()) those = attentions_;
        for (const Location& attention : attentions_)
            if (name == attention.path() + ".") return attention;
        const std::size_t layer = find_layer(name);
        if (layer < those.size()) return those[layer];
        return std::nullopt;
    }

    /// True if the file has attentions of other layers, and none beside this name.
    bool is_without_attention(std::string_view name) const {
        return !attention_names_.empty() &&
               std::ranges::none_of(attention_names_, [&](const std::string& attention) {
                   return attention.starts_with(name);
               });
    }

    static bool is_of_stack(const Rule& rule) { return rule.target.starts_with("/"); }
    static bool is_of_attention(const Rule& rule) { return !rule.target.starts_with("../"); }

    /// Returns the layer of a name. Names around an attention belong to its layer, wherever the
    /// file's numbers begin and whatever layers have no attention.
    std::size_t find_layer(std::string_view name) const {
        if (attention_names_.contains(name)) return rank(name, attention_names_);
        for (const std::string& attention : attention_names_)
            if (attention.starts_with(name)) return rank(attention, attention_names_);
        return rank(name, block_names_);
    }

    /// Counts the names that differ from `name` only by smaller numbers.
    static std::size_t rank(std::string_view name, const Names& names) {
        const NumberedName key = numbered(name);
        std::set<NumberedName> before;
        for (const std::string& other : names)
            if (NumberedName one = numbered(other); one.text == key.text && one < key)
                before.insert(std::move(one));
        return before.size();
    }

    /// Adds the mappings that the rule gives for the array; returns the reason if there are none,
    /// else "".
    std::string follow(const Rule& rule, const ArrayShape& array,
                       std::vector<TensorMapping>& found) const {
        if (rule.target.empty()) return "the study has no such bias";
        if (is_of_stack(rule)) return whole(rule, array, path_in_stack(rule, array), found);
        if (!is_of_attention(rule) && is_without_attention(prefix(array, rule.ending)))
            return "no attention of its layer is in the file";
        const std::optional<Location> found_attention = attention_for(array, rule.ending);
        if (!found_attention)
            return attentions_.empty() ? "the study has no attention with weights"
                                       : "the study has too few layers";
        const std::string attention = found_attention->path(),
                          block = found_attention->beside("").path;
        const bool is_decoder = !rule.in_decoder.empty() && plan_.find(block + "ln_cross.w");
        const std::string target(is_decoder ? rule.in_decoder : rule.target);
        if (target.starts_with("../")) return whole(rule, array, block + target.substr(3), found);
        if (rule.cut == Cut::Whole)
            return whole(rule, array, fmt::format("{}.{}", attention, target), found);
        return cut(rule, array, fmt::format("{}.{}", attention, target), found);
    }

    /// Returns the path in the stack that the name means, in a study with two stacks.
    std::string path_in_stack(const Rule& rule, const ArrayShape& array) const {
        const std::string path(rule.target.substr(1));
        for (const std::string side : {"encoder.", "decoder."})
            if (prefix(array, rule.ending).ends_with(side) && plan_.find(side + path))
                return side + path;
        return path;
    }

    std::string whole(const Rule& rule, const ArrayShape& array, const std::string& path,
                      std::vector<TensorMapping>& found) const {
        const PlannedTensor* tensor = plan_.find(path);
        if (!tensor) return missing(path);
        if (rule.norm == NormType::Rms && !is_of_rms_norm(*tensor))
            return "it is of an RMS norm, and the study has layer norms; set norm_type to rms";
        const TensorMapping mapping{array.name, std::nullopt, rule.turn, path};
        if (!fits(mapping, array, *tensor))
            return fmt::format("{} is {}", path,
                               shape_text(tensor->rows.size, tensor->columns.size));
        found.push_back(mapping);
        return "";
    }

    bool is_of_rms_norm(const PlannedTensor& gain) const {
        return std::ranges::any_of(plan_.tensors(), [&](const PlannedTensor& tensor) {
            return tensor.operation == &operations::rms_norm && &plan_[tensor.inputs[1]] == &gain;
        });
    }

    /// Cuts the array into one head after another, along the rows or the columns of the rule's
    /// share.
    std::string cut(const Rule& rule, const ArrayShape& array, const std::string& of_heads,
                    std::vector<TensorMapping>& found) const {
        const std::string pattern = shared_if_grouped(of_heads);
        const bool is_rows = rule.cut == Cut::Rows;
        const Index all = is_rows ? array.rows : array.columns, share = all / rule.shares;
        Index begin = rule.share * share;
        const auto head_path = [&](int head) { return numbered_path(pattern, head); };
        if (!plan_.find(head_path(0))) return missing(head_path(0));
        std::vector<TensorMapping> heads;
        for (int h = 0; const PlannedTensor* tensor = plan_.find(head_path(h)); ++h) {
            const bool along_rows = is_rows == (rule.turn == Turn::Kept);
            const Index extent = along_rows ? tensor->rows.size : tensor->columns.size;
            CellRange part{0, 0, array.rows, array.columns};
            (is_rows ? part.row : part.column) = begin;
            (is_rows ? part.rows : part.columns) = extent;
            heads.push_back({array.name, part, rule.turn, head_path(h)});
            if (!fits(heads.back(), array, *tensor)) break;
            begin += extent;
        }
        const PlannedTensor& last = plan_.at(heads.back().path);
        if (!fits(heads.back(), array, last) || begin != (rule.share + 1) * share ||
            share * rule.shares != all)
            return fmt::format(
                "the study has {} of {}, each {}; its heads and widths must be those of the file{}",
                count(pattern), pattern, shape_text(last.rows.size, last.columns.size),
                grouping_that_fits(
                    of_heads, share,
                    is_rows == (rule.turn == Turn::Kept) ? last.rows.size : last.columns.size));
        found.insert(found.end(), heads.begin(), heads.end());
        return "";
    }

    static std::string numbered_path(const std::string& pattern, int number) {
        const std::size_t star = pattern.find('*');
        return pattern.substr(0, star) + std::to_string(number) + pattern.substr(star + 1);
    }

    int count(const std::string& pattern) const {
        int n = 0;
        while (plan_.find(numbered_path(pattern, n))) ++n;
        return n;
    }

    /// Returns the pattern of the groups, "kv.*.W_K", for keys and values that heads share.
    std::string shared_if_grouped(const std::string& pattern) const {
        const std::size_t heads = pattern.find(kHeads);
        if (heads == std::string::npos || plan_.find(numbered_path(pattern, 0))) return pattern;
        std::string grouped = pattern;
        grouped.replace(heads, kHeads.size(), ".kv.*.");
        return plan_.find(numbered_path(grouped, 0)) ? grouped : pattern;
    }

    /// Names the setting that fits if the file has keys or values for fewer heads than the study.
    std::string grouping_that_fits(const std::string& pattern, Index size, Index width) const {
        const Index n_heads = count(pattern.substr(0, pattern.find(kHeads)) + ".heads.*.W_Q");
        const bool is_key_or_value = pattern.ends_with("_K") || pattern.ends_with("_V");
        if (!is_key_or_value || size % width != 0) return "";
        const Index n_groups = size / width;
        if (n_groups == 0 || n_groups >= n_heads || n_heads % n_groups != 0) return "";
        return fmt::format("; it fits {} K, V heads that the {} heads share (n_kv_heads)", n_groups,
                           n_heads);
    }

    static std::string missing(const std::string& path) {
        const std::string_view last = last_segments(path);
        return "the study has no " + path +
               (path.starts_with("ln_final.") ? "; switch its final norm on"
                : last.starts_with("b_")      ? "; switch its biases on"
                                              : "");
    }

    std::string what_fits(const ArrayShape& array) const {
        TensorMapping mapping{array.name, std::nullopt, Turn::Kept, ""};
        std::vector<std::string> paths = fitting_paths(mapping, array, plan_);
        std::string how;
        if (paths.empty()) {
            mapping.turn = kT;
            paths = fitting_paths(mapping, array, plan_);
            how = ", transposed";
        }
        if (paths.empty()) return "; no leaf of the study has this shape";
        std::string text = fmt::format("; of this shape{}: ", how);
        constexpr std::size_t kShown = 3;
        for (std::size_t i = 0; i < std::min(kShown, paths.size()); ++i)
            text += (i ? ", " : "") + paths[i];
        return paths.size() > kShown ? text + ", …" : text;
    }

    const std::vector<ArrayShape>& arrays_;
    const Plan& plan_;
    std::vector<Location> attentions_;
    Names attention_names_, block_names_;  // beginnings of the file's names
    GuessedMappings result_;
};

}  // namespace

std::string without_wrappers(std::string name) {
    constexpr std::string_view kFirst = "module.";
    for (const std::string_view wrapper :
         {"_orig_mod.", "_fsdp_wrapped_module.", "_checkpoint_wrapped_module."})
        for (std::size_t at = 0; (at = name.find(wrapper, at)) != std::string::npos;)
            if (at == 0 || name[at - 1] == '.')
                name.erase(at, wrapper.size());
            else
                ++at;
    while (name.starts_with(kFirst)) name.erase(0, kFirst.size());
    return name;
}

GuessedMappings guess_mappings(const std::vector<ArrayShape>& arrays, const Plan& plan) {
    std::map<std::string, std::string> original;
    std::vector<ArrayShape> plain = arrays;
    for (ArrayShape& array : plain) {
        std::string name = without_wrappers(array.name);
        if (!original.emplace(name, array.name).second) return Guess(arrays, plan).make();
        array.name = std::move(name);
    }
    GuessedMappings guess = Guess(plain, plan).make();
    for (TensorMapping& mapping : guess.mappings) mapping.name = original.at(mapping.name);
    for (UnusedArray& array : guess.problems) array.name = original.at(array.name);
    return guess;
}

std::string described(const ArrayShape& array) {
    return fmt::format("{} ({})", array.name, shape_text(array.rows, array.columns));
}

}  // namespace headlight
