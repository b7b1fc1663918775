#include "model/known_names.h"

#include <algorithm>
#include <array>
#include <set>

#include "model/name_order.h"

namespace headlight {
namespace {

enum class Cut { Whole, Rows, Columns };  // into heads

/// An array whose name ends like this becomes these tensors.
struct Rule {
    std::string_view ending;
    std::string_view target;  // below an attention; * is a head; "../" below its block
    Cut cut = Cut::Whole;
    Turn turn = Turn::Kept;
    int share = 0, shares = 1;  // which of so many equal parts
    /// The target in a block that also attends to a source, where it differs.
    std::string_view in_decoder = {};
};

constexpr Turn kT = Turn::Transposed;

/// The first rules whose ending fits count.
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
    // Hugging Face: LLaMA and many others, BERT, GPT-2 (whose weights are not transposed)
    Rule{"q_proj.weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"k_proj.weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"v_proj.weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"q_proj.bias", "heads.*.b_Q", Cut::Rows, kT},
    Rule{"k_proj.bias", "heads.*.b_K", Cut::Rows, kT},
    Rule{"v_proj.bias", "heads.*.b_V", Cut::Rows, kT},
    Rule{"o_proj.weight", "W_O", Cut::Whole, kT},
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
    // PyTorch Geometric: GATConv and GATv2Conv. What is read is l, what reads is r.
    Rule{"lin.weight", "heads.*.W", Cut::Rows, kT},
    Rule{"lin_src.weight", "heads.*.W", Cut::Rows, kT},
    Rule{"att_src", "heads.*.a_src", Cut::Rows, kT},
    Rule{"att_dst", "heads.*.a_dst", Cut::Rows, kT},
    Rule{"lin_edge.weight", "heads.*.W_edge", Cut::Rows, kT},
    Rule{"att_edge", "heads.*.a_edge", Cut::Rows, kT},
    Rule{"lin_l.weight", "heads.*.W_src", Cut::Rows, kT},
    Rule{"lin_r.weight", "heads.*.W_dst", Cut::Rows, kT},
    Rule{"att", "heads.*.a", Cut::Rows, kT},
    // What a layer here does not have.
    Rule{"bias", ""},
};

/// True if `name` is `ending`, or ends so after a point.
bool ends_like(std::string_view name, std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    const std::size_t before = name.size() - ending.size();
    return before == 0 || name[before - 1] == '.';
}

/// "blocks.0.attn", of every attention that has weights.
std::vector<std::string> attention_paths(const Trace& plan) {
    std::vector<std::string> paths;
    for (const Tensor& tensor : plan.tensors()) {
        const std::size_t heads = tensor.path.find(".heads.0.");
        if (heads == std::string::npos || !tensor.is_leaf()) continue;
        std::string path = tensor.path.substr(0, heads);
        if (std::ranges::count(paths, path) == 0) paths.push_back(std::move(path));
    }
    return paths;
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

class Guess {
  public:
    Guess(const std::vector<ArrayShape>& arrays, const Trace& plan)
        : arrays_(arrays), plan_(plan), attentions_(attention_paths(plan)) {
        for (const ArrayShape& array : arrays) {
            const auto rules = rules_for(array);
            if (!rules.empty()) layers_.insert(numbered(prefix(array, rules[0]->ending)));
        }
    }

    GuessedMappings make() {
        for (const ArrayShape& array : arrays_) add(array);
        return std::move(result_);
    }

  private:
    void add(const ArrayShape& array) {
        const TensorMapping exact{array.name, std::nullopt, Turn::Kept, array.name};
        const Tensor* tensor = plan_.find(array.name);
        if (tensor && fits(exact, array, *tensor)) return accept({exact});
        std::vector<TensorMapping> found;
        std::string problem;
        const std::vector<const Rule*> rules = rules_for(array);
        for (const Rule* rule : rules) {
            const std::string refusal = follow(*rule, array, found);
            if (problem.empty()) problem = refusal;
        }
        if (!rules.empty() && problem.empty()) return accept(found);
        if (rules.empty() && tensor)
            problem = "the study's is " + shape_text(tensor->rows.size, tensor->columns.size);
        if (rules.empty() && !tensor) problem = "nothing is known by this name";
        result_.problems.push_back(described(array) + ": " + problem + what_fits(array));
    }

    void accept(const std::vector<TensorMapping>& mappings) {
        for (const TensorMapping& mapping : mappings)
            if (std::ranges::count(result_.mappings, mapping.path, &TensorMapping::path) == 0)
                result_.mappings.push_back(mapping);
    }

    /// Those of the longest ending.
    static std::vector<const Rule*> rules_for(const ArrayShape& array) {
        std::vector<const Rule*> rules;
        for (const Rule& rule : kRules) {
            if (!ends_like(array.name, rule.ending)) continue;
            if (!rules.empty() && rules[0]->ending.size() < rule.ending.size()) rules.clear();
            if (rules.empty() || rules[0]->ending == rule.ending) rules.push_back(&rule);
        }
        return rules;
    }

    static std::string_view prefix(const ArrayShape& array, std::string_view ending) {
        return std::string_view(array.name).substr(0, array.name.size() - ending.size());
    }

    /// The attention that a name speaks of; "" if there is none.
    std::string attention_for(const ArrayShape& array, std::string_view ending) const {
        const std::string_view name = prefix(array, ending);
        const bool is_cross =
            has(name, "multihead_attn") || has(name, "cross") || has(name, "encoder_attn");
        std::vector<std::string> those;
        for (const std::string& path : attentions_) {
            const bool other_side =
                (name.starts_with("encoder.") && !path.starts_with("encoder.")) ||
                (name.starts_with("decoder.") && !path.starts_with("decoder."));
            if (!other_side && path.ends_with(".cross") == is_cross) those.push_back(path);
        }
        if (those.empty()) those = attentions_;
        for (const std::string& path : attentions_)
            if (name == path + ".") return path;
        const auto key = numbered(name);
        std::size_t layer = 0;
        for (const auto& other : layers_)
            if (other.text == key.text && other.numbers < key.numbers) ++layer;
        return layer < those.size() ? those[layer] : "";
    }

    /// Adds what the rule makes of the array; returns why it cannot, or "".
    std::string follow(const Rule& rule, const ArrayShape& array,
                       std::vector<TensorMapping>& found) const {
        const std::string attention = attention_for(array, rule.ending);
        if (attention.empty())
            return attentions_.empty() ? "the study has no attention with weights"
                                       : "the study has too few layers";
        const std::string block = attention.substr(0, attention.rfind('.') + 1);
        const bool is_decoder = !rule.in_decoder.empty() && plan_.find(block + "ln_cross.w");
        const std::string target(is_decoder ? rule.in_decoder : rule.target);
        if (target.empty()) return "the study has no such bias";
        if (target.starts_with("../")) return whole(rule, array, block + target.substr(3), found);
        if (rule.cut == Cut::Whole) return whole(rule, array, attention + "." + target, found);
        return cut(rule, array, attention + "." + target, found);
    }

    std::string whole(const Rule& rule, const ArrayShape& array, const std::string& path,
                      std::vector<TensorMapping>& found) const {
        const Tensor* tensor = plan_.find(path);
        if (!tensor) return missing(path);
        const TensorMapping mapping{array.name, std::nullopt, rule.turn, path};
        if (!fits(mapping, array, *tensor))
            return path + " is " + shape_text(tensor->rows.size, tensor->columns.size);
        found.push_back(mapping);
        return "";
    }

    /// One head after another, along the rows or the columns of the rule's share.
    std::string cut(const Rule& rule, const ArrayShape& array, const std::string& pattern,
                    std::vector<TensorMapping>& found) const {
        const bool is_rows = rule.cut == Cut::Rows;
        const Index all = is_rows ? array.rows : array.columns, share = all / rule.shares;
        Index begin = rule.share * share;
        const std::size_t star = pattern.find('*');
        const auto path_of = [&](int head) {
            return pattern.substr(0, star) + std::to_string(head) + pattern.substr(star + 1);
        };
        if (!plan_.find(path_of(0))) return missing(path_of(0));
        std::vector<TensorMapping> heads;
        for (int h = 0; const Tensor* tensor = plan_.find(path_of(h)); ++h) {
            const bool along_rows = is_rows == (rule.turn == Turn::Kept);
            const Index extent = along_rows ? tensor->rows.size : tensor->columns.size;
            CellRange part{0, 0, array.rows, array.columns};
            (is_rows ? part.row : part.column) = begin;
            (is_rows ? part.rows : part.columns) = extent;
            heads.push_back({array.name, part, rule.turn, path_of(h)});
            if (!fits(heads.back(), array, *tensor)) break;
            begin += extent;
        }
        const Tensor& last = plan_.at(heads.back().path);
        if (!fits(heads.back(), array, last) || begin != (rule.share + 1) * share ||
            share * rule.shares != all)
            return "the study has " + std::to_string(count_heads(path_of)) + " of " + pattern +
                   ", each " + shape_text(last.rows.size, last.columns.size) +
                   "; its heads and widths must be those of the file";
        found.insert(found.end(), heads.begin(), heads.end());
        return "";
    }

    int count_heads(const auto& path_of) const {
        int count = 0;
        while (plan_.find(path_of(count))) ++count;
        return count;
    }

    static std::string missing(const std::string& path) {
        const std::string last = path.substr(path.rfind('.') + 1);
        return "the study has no " + path +
               (last.starts_with("b_") ? "; switch its biases on" : "");
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
        std::string text = "; of this shape" + how + ": ";
        constexpr std::size_t kShown = 3;
        for (std::size_t i = 0; i < std::min(kShown, paths.size()); ++i)
            text += (i ? ", " : "") + paths[i];
        return paths.size() > kShown ? text + ", …" : text;
    }

    const std::vector<ArrayShape>& arrays_;
    const Trace& plan_;
    std::vector<std::string> attentions_;
    std::set<NumberedName> layers_;  // of the file, by prefix
    GuessedMappings result_;
};

}  // namespace

GuessedMappings guess_mappings(const std::vector<ArrayShape>& arrays, const Trace& plan) {
    return Guess(arrays, plan).make();
}

std::string described(const ArrayShape& array) {
    return array.name + " (" + shape_text(array.rows, array.columns) + ")";
}

}  // namespace headlight
