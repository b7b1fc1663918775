#include "core/parts.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <unordered_map>

namespace headlight {
namespace {

using Segments = std::vector<std::string>;

constexpr const char *kInput = "input", *kOutput = "output";

Segments split(const std::string& path) {
    Segments segments;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        segments.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return segments;
}

std::string join(const Segments& segments, std::size_t count) {
    std::string path;
    for (std::size_t i = 0; i < count; ++i) path += (i == 0 ? "" : ".") + segments[i];
    return path;
}

/// Where a segment stands; the number of segments if it does not.
std::size_t place_of(const Segments& segments, std::initializer_list<const char*> names) {
    for (std::size_t i = 0; i < segments.size(); ++i)
        for (const char* name : names)
            if (segments[i] == name) return i;
    return segments.size();
}

/// Which part a path belongs to.
class Cutter {
  public:
    explicit Cutter(const Plan& plan)
        : plan_(plan), is_recurrent_(plan.find("decoder.s_init") != nullptr) {}

    std::string part_of(const std::string& path) const {
        const Segments segments = split(path);
        if (segments[0] == "metrics" || segments[0] == "across" || segments[0] == "influence")
            return kAnalysesPart;
        const std::size_t attention = place_of(segments, {"attn", "cross"});
        if (attention < segments.size()) return join(segments, attention + 1);
        const std::size_t block = place_of(segments, {"blocks"});
        if (block < segments.size()) return part_of_block(segments, block + 2);
        const std::size_t steps = place_of(segments, {"steps"});
        if (steps + 1 < segments.size()) return part_of_step(join(segments, steps + 2));
        if (segments[0] == "gat" && segments.size() > 2) return join(segments, 2);
        if (segments[0] == "decoding") return "decoding";
        if (is_recurrent_) return part_of_recurrent(segments);
        return is_output(segments) ? kOutput : kInput;
    }

  private:
    /// What blocks of a step share goes with the first.
    std::string part_of_step(const std::string& step) const {
        const std::string first = step + ".blocks.0.attn";
        return plan_.find(first + ".out") ? first : step;
    }

    /// What stands in a block beside its attentions; `count` segments name the block.
    std::string part_of_block(const Segments& segments, std::size_t count) const {
        const std::string block = join(segments, count);
        const std::string& name = segments[std::min(count, segments.size() - 1)];
        const bool has_mlp = plan_.find(block + ".mlp.out"),
                   has_cross = plan_.find(block + ".cross.out"),
                   has_self = plan_.find(block + ".attn.out");
        if (name == "mlp" || name == "ln2" || (name == "resid_post" && has_mlp))
            return block + ".mlp";
        const bool is_late = name == "ln_cross" || name == "resid_mid" || name == "resid_post";
        return block + (has_cross && (is_late || !has_self) ? ".cross" : ".attn");
    }

    static std::string part_of_recurrent(const Segments& segments) {
        if (segments[0] == "decoder" && segments.size() > 1)
            return segments[1] == "embed" ? kInput : "decoder.attn";
        if (segments[0] == "encoder" && segments.size() > 2) return join(segments, 2);
        if (segments[0] == "encoder") return segments[1] == "embed" ? kInput : "encoder";
        return segments[0] == "cross_mask" ? "decoder.attn" : kOutput;
    }

    static bool is_output(const Segments& segments) {
        const std::size_t at =
            place_of(segments, {"ln_final", "W_U", "logits", "probs", "convolution", "difference"});
        return at < segments.size();
    }

    const Plan& plan_;
    bool is_recurrent_;
};

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 32);
    return text;
}

/// "encoder.blocks.1.attn" → "Encoder layer 1", "attention".
void name_part(Part& part) {
    const Segments segments = split(part.path);
    const std::size_t block = place_of(segments, {"blocks", "gat"});
    const std::size_t steps = place_of(segments, {"steps"});
    const std::string& last = segments.back();
    std::string place;
    for (std::size_t i = 0; i < std::min(block, steps); ++i)
        place += (i == 0 ? "" : " ") + segments[i];
    if (steps < segments.size()) place += " step " + segments[steps + 1];
    if (block < segments.size()) {
        part.group =
            capitalised(place + (place.empty() ? "layer " : " layer ") + segments[block + 1]);
        part.label = last == "cross" ? "cross-attention" : last == "mlp" ? "MLP" : "attention";
        return;
    }
    if (steps < segments.size()) {
        part.group = capitalised(place);
        part.label = "step " + segments[steps + 1];
        return;
    }
    part.group = capitalised(segments[0]);
    part.label = segments.size() == 1 ? part.group : last == "attn" ? "alignment" : last;
}

bool is_on_demand_only(const Plan& plan, const Part& part) {
    return std::all_of(part.tensors.begin(), part.tensors.end(),
                       [&](TensorId id) { return plan[id].keep == Keep::OnDemand; });
}

/// Biases and gains: one row, one of many columns.
bool is_small_parameter(const PlannedTensor& tensor) {
    const std::string last = tensor.path.substr(tensor.path.rfind('.') + 1);
    return tensor.is_leaf() && tensor.rows.size == 1 &&
           (last.starts_with("b_") || last == "b" || last == "w");
}

/// What a part reads of others: not the other steps, and not all that is summed up over them.
bool is_read_visibly(const PlannedTensor& tensor, const Part& reader) {
    return reader.path != kAnalysesPart && !is_small_parameter(tensor) &&
           tensor.path.find(".steps.") == std::string::npos;
}

}  // namespace

Parts parts_of(const Plan& plan) {
    Parts parts;
    std::unordered_map<std::string, std::size_t> index;
    const Cutter cutter(plan);
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const std::string& path = plan[id].path;
        if (path.starts_with("probe.")) continue;
        const std::string of = cutter.part_of(path);
        const auto [it, is_new] = index.emplace(of, parts.size());
        if (is_new) {
            parts.push_back({.path = of, .group = {}, .label = {}, .tensors = {}});
            name_part(parts.back());
        }
        Part& part = parts[it->second];
        part.tensors.push_back(id);
        if (matches("*.heads.*.pattern", path))
            part.n_heads = std::max(part.n_heads, head_of(path) + 1);
    }
    std::stable_partition(parts.begin(), parts.end(),
                          [](const Part& part) { return part.path != kAnalysesPart; });
    return parts;
}

const Part* find_part(const Parts& parts, const std::string& path) {
    const auto it =
        std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.path == path; });
    return it == parts.end() ? nullptr : &*it;
}

const Part* part_with(const Plan& plan, const Parts& parts, const std::string& tensor_path) {
    return find_part(parts, Cutter(plan).part_of(tensor_path));
}

std::vector<TensorId> shown_tensors(const Plan& plan, const Part& part, int head) {
    const bool shows_on_demand = is_on_demand_only(plan, part);
    std::vector<bool> is_own(plan.tensors().size()), is_shown(is_own), is_read(is_own);
    for (const TensorId id : part.tensors) is_own[id] = true;
    for (auto it = part.tensors.rbegin(); it != part.tensors.rend(); ++it) {
        const PlannedTensor& tensor = plan[*it];
        const int own_head = head_of(tensor.path);
        // Keys and values that some heads share are shown with these heads.
        const bool is_elsewhere =
            own_head >= 0 ? own_head != head : matches("*.kv.*", tensor.path) && !is_read[*it];
        if (is_elsewhere || is_small_parameter(tensor) ||
            (tensor.keep == Keep::OnDemand && !shows_on_demand))
            continue;
        is_shown[*it] = true;
        for (const TensorId input : tensor.inputs) {
            is_read[input] = true;
            if (!is_own[input] && is_read_visibly(plan[input], part)) is_shown[input] = true;
        }
    }
    std::vector<TensorId> shown;
    for (TensorId id = 0; id < is_shown.size(); ++id)
        if (is_shown[id]) shown.push_back(id);
    return shown;
}

std::string head_path(const Part& part, int head) {
    return part.n_heads == 0 ? part.path : part.path + ".heads." + std::to_string(head);
}

int head_of(std::string_view path) {
    constexpr std::string_view kHeads = "heads.";
    const std::size_t at = path.find(kHeads);
    int head = -1;
    if (at != std::string_view::npos)
        std::from_chars(path.data() + at + kHeads.size(), path.data() + path.size(), head);
    return head;
}

}  // namespace headlight
