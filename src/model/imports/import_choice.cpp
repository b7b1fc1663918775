#include "model/imports/import_choice.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "core/error.h"
#include "core/operations/operations.h"
#include "model/imports/known_names.h"
#include "model/settings/setting_names.h"
#include "model/weight_origin.h"
#include "model/weights.h"
#include "text/strings.h"

namespace headlight {
namespace {

using Mappings = std::vector<TensorMapping>;

CellRange mapped_range(const TensorMapping& mapping, const ArrayShape& array) {
    return mapping.part.value_or(CellRange{0, 0, array.rows, array.columns});
}

bool overlap(const CellRange& a, const CellRange& b) {
    return a.row < b.row + b.rows && b.row < a.row + a.rows && a.column < b.column + b.columns &&
           b.column < a.column + a.columns;
}

const ArrayShape& array_named(const std::vector<ArrayShape>& arrays, const std::string& name) {
    return *std::ranges::find(arrays, name, &ArrayShape::name);
}

void check_said(std::span<const TensorMapping> said, const std::vector<ArrayShape>& arrays) {
    for (std::size_t i = 0; i < said.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!said[i].path.empty() && said[i].path == said[j].path)
                throw Error("map", "{} and {} go to one matrix",
                            in_quotes(mapping_text(said[j], array_named(arrays, said[j].name))),
                            in_quotes(mapping_text(said[i], array_named(arrays, said[i].name))));
}

/// Counts the numbers of the array that the mappings take, each once.
Index count_taken(std::span<const TensorMapping> mappings, const ArrayShape& array) {
    std::vector<CellRange> ranges;
    for (const TensorMapping& mapping : mappings)
        if (mapping.name == array.name) ranges.push_back(mapped_range(mapping, array));
    std::set<Index> rows;  // the rows at which a range begins or ends
    for (const CellRange& range : ranges) rows.insert({range.row, range.row + range.rows});
    Index taken = 0;
    for (auto row = rows.begin(); row != rows.end() && std::next(row) != rows.end(); ++row) {
        std::vector<std::pair<Index, Index>> columns;
        for (const CellRange& range : ranges)
            if (range.row <= *row && *row < range.row + range.rows)
                columns.emplace_back(range.column, range.column + range.columns);
        std::ranges::sort(columns);
        Index width = 0, end = 0;
        for (const auto& [first, last] : columns) {
            width += std::max(Index(0), last - std::max(first, end));
            end = std::max(end, last);
        }
        taken += width * (*std::next(row) - *row);
    }
    return taken;
}

}  // namespace

ImportChoice choose_mappings(const GuessedMappings& guessed, std::span<const TensorMapping> said,
                             const std::vector<ArrayShape>& arrays) {
    check_said(said, arrays);
    Mappings all;
    for (const TensorMapping& guess : guessed.mappings) {
        const ArrayShape& array = array_named(arrays, guess.name);
        const bool is_replaced = std::ranges::any_of(said, [&](const TensorMapping& mapping) {
            return mapping.path == guess.path ||
                   (mapping.name == guess.name &&
                    overlap(mapped_range(mapping, array), mapped_range(guess, array)));
        });
        if (!is_replaced) all.push_back(guess);
    }
    all.insert(all.end(), said.begin(), said.end());
    ImportChoice choice{{}, unused_arrays(all, guessed.problems, arrays)};
    std::ranges::copy_if(all, std::back_inserter(choice.mappings),
                         [](const TensorMapping& mapping) { return !mapping.path.empty(); });
    return choice;
}

std::vector<UnusedArray> unused_arrays(std::span<const TensorMapping> mappings,
                                       const std::vector<UnusedArray>& reasons,
                                       const std::vector<ArrayShape>& arrays) {
    std::vector<UnusedArray> unused;
    for (const ArrayShape& array : arrays) {
        const Index all = array.rows * array.columns, taken = count_taken(mappings, array);
        if (taken >= all) continue;
        const auto reason = std::ranges::find(reasons, array.name, &UnusedArray::name);
        if (taken > 0)
            unused.push_back(
                {array.name, fmt::format("only {} of its {} numbers are used", taken, all)});
        else
            unused.push_back(
                {array.name, reason != reasons.end() ? reason->why : "others are in its place"});
    }
    return unused;
}

WeightsLeft weights_left(const Document& document, const Plan& plan,
                         std::span<const TensorMapping> mappings) {
    std::set<std::string_view> mapped;
    for (const TensorMapping& mapping : mappings) mapped.insert(mapping.path);
    WeightsLeft left;
    for (const PlannedTensor& tensor : plan.tensors()) {
        const Operation* const operation = tensor.operation;
        // Biases start at 0, and gains at 1. A mask of zeros is neither.
        const bool is_constant = can_be_stored(tensor) && (operation == &operations::zeros ||
                                                           operation == &operations::ones);
        const bool is_drawn =
            operation == &operations::seeded_weight || operation == &operations::named_rows;
        if (!(is_constant || is_drawn) || mapped.contains(tensor.path) ||
            tensor.path.starts_with("probe.") || is_set_by_hand(document, tensor))
            continue;
        (is_constant ? left.constant : left.drawn).push_back(tensor.path);
        if (is_constant || tensor.stage != Stage::Input) left.weights.push_back(tensor.path);
    }
    return left;
}

std::string list_of_paths(const std::vector<std::string>& paths) {
    std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
    for (const std::string& path : paths) {
        std::string kind = numbered(path).text;
        std::ranges::replace(kind, '#', '*');  // "blocks.*.attn.W_O"
        auto there = std::ranges::find(kinds, kind, &decltype(kinds)::value_type::first);
        if (there == kinds.end()) there = kinds.insert(there, {kind, {}});
        there->second.push_back(path);
    }
    std::string text;
    for (const auto& [kind, members] : kinds) {
        if (!text.empty()) text += ", ";
        text += members.size() == 1 ? members[0] : fmt::format("{} ({})", kind, members.size());
    }
    return text;
}

std::vector<std::string> import_summary(const ImportChoice& choice, const WeightsLeft& left,
                                        std::uint64_t seed) {
    std::set<std::string_view> used;
    for (const TensorMapping& mapping : choice.mappings) used.insert(mapping.name);
    std::vector<std::string> lines{fmt::format(
        "set: {} from {} of the file", counted(std::ssize(choice.mappings), "matrix", "matrices"),
        counted(std::ssize(used), "array"))};
    if (!left.drawn.empty())
        lines.push_back(
            fmt::format("left random, from seed {}: {}", seed, list_of_paths(left.drawn)));
    if (!left.constant.empty())
        lines.push_back("left at their initial 0 or 1: " + list_of_paths(left.constant));
    if (choice.unused.empty()) return lines;
    std::vector<std::string> names;
    for (const UnusedArray& array : choice.unused) names.push_back(array.name);
    lines.push_back("not used, or not as a whole: " + list_of_paths(names));
    return lines;
}

namespace {

struct KnownSource {
    std::string_view part;  // of a name
    RotarySource source;
};

constexpr std::array kSources = {
    KnownSource{"self_attn.q_proj.weight", {"Hugging Face's LLaMA", RotaryPairs::Halves}},
    KnownSource{"attention.wq.weight", {"Meta's LLaMA", RotaryPairs::Interleaved}},
    KnownSource{"roformer.encoder.layer", {"RoFormer", RotaryPairs::Interleaved}},
};

/// Returns the rotary pairs of the study's stack; null if it has no stack or no rotary positions.
template <typename AnyDocument>
auto* rotating_attention(AnyDocument& document) {
    decltype(&document.sentence()->layer.attention) attention = nullptr;
    if (auto* sentence = document.sentence()) attention = &sentence->layer.attention;
    auto* alignment = document.alignment();
    if (alignment && alignment->mechanism == AlignmentMechanism::Transformer)
        attention = &alignment->layer.attention;
    auto* image = document.image();
    if (image && image->layer.mechanism == ImageMechanism::Attention)
        attention = &image->layer.stack.attention;
    const bool turns = attention && attention->relative == RelativePositions::Rotary;
    return turns ? attention : nullptr;
}

}  // namespace

const RotarySource* rotary_source(const std::vector<ArrayShape>& arrays) {
    for (const KnownSource& known : kSources)
        for (const ArrayShape& array : arrays)
            if (array.name.find(known.part) != std::string::npos) return &known.source;
    return nullptr;
}

std::optional<RotaryPairs> rotary_pairs(const Document& document) {
    const auto* attention = rotating_attention(document);
    if (!attention) return std::nullopt;
    return attention->rotary_pairs;
}

void set_rotary_pairs(Document& document, RotaryPairs pairs) {
    if (auto* attention = rotating_attention(document)) attention->rotary_pairs = pairs;
}

std::optional<RotaryPairs> rotary_pairs_for(const Document& document,
                                            const std::vector<ArrayShape>& arrays,
                                            std::optional<RotaryPairs> asked) {
    const std::optional<RotaryPairs> own = rotary_pairs(document);
    if (!own || asked) return own ? asked : own;
    const RotarySource* source = rotary_source(arrays);
    return source ? source->pairs : own;
}

std::string rotary_reason(RotaryPairs pairs, const std::vector<ArrayShape>& arrays) {
    const RotarySource* source = rotary_source(arrays);
    const std::string text = "rotary pairs: " + std::string(word_for(kRotaryPairsWords, pairs));
    if (!source) return text + "; the names in the file do not say which its model uses";
    return text + (source->pairs == pairs ? ", as " : ", other than ") + source->model +
           " has them; angles of base 10000";
}

}  // namespace headlight
