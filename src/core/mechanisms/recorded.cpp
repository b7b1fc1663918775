#include "core/mechanisms/recorded.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/analyses/across_layers.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/image_attention.h"
#include "core/operations/analysis_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// The most tokens for which the flow between all pairs is computed; more take too long.
constexpr Index kMostFlowTokens = 64;

constexpr Index kRecordedChannels = 3;

constexpr RecordedPart kRecordedParts[] = {RecordedPart::Pattern, RecordedPart::Query,
                                           RecordedPart::Key, RecordedPart::Value};

/// Counts the matrices of that part in a layer.
Index count_matrices(const RecordedAttention& attention, int layer, RecordedPart part) {
    switch (part) {
        case RecordedPart::Pattern:
            return attention.heads_in(layer);
        case RecordedPart::Query:
            return attention.d_k > 0 ? attention.heads_in(layer) : 0;
        case RecordedPart::Key:
            return attention.d_k > 0 ? attention.kv_heads_in(layer) : 0;
        case RecordedPart::Value:
            return attention.d_v > 0 ? attention.kv_heads_in(layer) : 0;
    }
    return 0;
}

Index count_matrices(const RecordedAttention& attention, int layer) {
    Index count = 0;
    for (const RecordedPart part : kRecordedParts) count += count_matrices(attention, layer, part);
    return count;
}

/// Counts the matrices of the layers before that one.
Index count_before(const RecordedAttention& attention, int layer) {
    if (attention.layer_heads.empty()) return layer * count_matrices(attention, 0);
    Index count = 0;
    for (int l = 0; l < layer; ++l) count += count_matrices(attention, l);
    return count;
}

Index count_matrices(std::span<const RecordedAttention> attentions) {
    Index count = 0;
    for (const RecordedAttention& attention : attentions)
        count += count_before(attention, attention.n_layers);
    return count;
}

class RecordedPlan {
  public:
    explicit RecordedPlan(RecordedPatterns patterns) : patterns_(std::move(patterns)) {
        const bool has_source = !patterns_.source_tokens.empty();
        tokens_ = {AxisKind::Item, static_cast<Index>(patterns_.tokens.size()), has_source ? 1 : 0};
        source_ = {AxisKind::Item, static_cast<Index>(patterns_.source_tokens.size())};
        auto names = std::make_shared<const std::vector<std::string>>(
            std::move(has_source ? patterns_.source_tokens : patterns_.tokens));
        plan_.lists[0].names = std::move(names);
        plan_.edges = patterns_.edges;
        if (plan_.edges) plan_.lists[0].noun = "node";
        if (patterns_.picture.columns > 0) add_picture(patterns_.picture);
        if (!has_source) return;
        plan_.lists[0].noun = "source token";
        plan_.add_list("target token", std::move(patterns_.tokens));
    }

    Plan make() {
        const RecordedAttentions& attentions = patterns_.attentions;
        if (attentions.size() == 1 && attentions[0].kind == RecordedKind::Self) {
            add_alone(attentions[0]);
            return std::move(plan_);
        }
        // The source's layers come first, then layer by layer the attentions of the tokens.
        for (int l = 0; l < count_layers(); ++l) add_layers(l, {RecordedKind::Source});
        for (int l = 0; l < count_layers(); ++l)
            add_layers(l, {RecordedKind::Self, RecordedKind::Cross, RecordedKind::Edges});
        for (std::size_t a = 0; a < attentions.size(); ++a)
            if (attentions[a].kind == RecordedKind::Edges) add_graph_metrics(a);
        return std::move(plan_);
    }

  private:
    /// Adds the picture whose patches the tokens are.
    void add_picture(const RecordedPicture& picture) {
        plan_.lists[0].noun = "patch";
        plan_.grid_columns = picture.columns;
        plan_.grid_begin = picture.begin;
        plan_.image_columns = picture.pixel_columns;
        const Axis pixel{
            AxisKind::Named, picture.pixel_rows * picture.pixel_columns,
            plan_.add_list("pixel", grid_names(picture.pixel_rows, picture.pixel_columns))},
            channel{AxisKind::Named, kRecordedChannels,
                    plan_.add_list("channel", channel_names(kRecordedChannels))};
        add_leaf(
            plan_,
            {Location().at(Role::Image), "I", pixel, channel, Stage::Input, Quantity::Intensity},
            "one row a pixel", operations::recorded,
            {.begin = patterns_.text, .source = picture.pixels});
    }

    /// Adds tokens that read themselves, and the analyses of all layers.
    void add_alone(const RecordedAttention& attention) {
        LayerRange layers{.attentions = {},
                          .n_heads = attention.n_heads,
                          .has_residual = true,
                          .output = {},
                          .has_flow = tokens_.size <= kMostFlowTokens,
                          .words = word_numbers(plan_.items())};
        for (int l = 0; l < attention.n_layers; ++l) layers.attentions.push_back(place(0, l));
        AcrossLayers across(plan_, layers);
        for (int l = 0; l < attention.n_layers; ++l) {
            add_layer(0, l);
            across.add_layer();
        }
        across.finish();
        add_recorded_metrics(plan_, layers.attentions, attention.n_heads, layers.words);
    }

    /// Adds the metrics of every head; those that need an order of the nodes are NaN.
    void add_graph_metrics(std::size_t a) {
        const auto names = head_metric_names();
        const auto named = [&](const char* noun, std::vector<std::string> list) {
            const auto size = static_cast<Index>(list.size());
            return Axis{AxisKind::Named, size, plan_.add_list(noun, std::move(list))};
        };
        const Axis metrics = named("metric", {names.begin(), names.end()}),
                   which = named("nodes", {"all nodes", "all nodes, which have no first"});
        const RecordedAttention& attention = patterns_.attentions[a];
        for (int l = 0; l < attention.n_layers; ++l)
            for (int h = 0; h < attention.heads_in(l); ++h) {
                const Location head = place(a, l).of_head(h);
                add_result(plan_,
                           {head.at(Role::Metrics), "metrics", which, metrics, Stage::Output,
                            Quantity::Amount, Keep::OnDemand},
                           "what the head does", operations::head_metrics,
                           {plan_.id_at(head.at(Role::Pattern).path)}, {.edges = patterns_.edges});
            }
    }

    int count_layers() const {
        int most = 0;
        for (const RecordedAttention& attention : patterns_.attentions)
            most = std::max(most, attention.n_layers);
        return most;
    }

    void add_layers(int layer, std::initializer_list<RecordedKind> kinds) {
        for (const RecordedKind kind : kinds)
            for (std::size_t a = 0; a < patterns_.attentions.size(); ++a)
                if (patterns_.attentions[a].kind == kind &&
                    layer < patterns_.attentions[a].n_layers)
                    add_layer(a, layer);
    }

    Location place(std::size_t a, int layer) const {
        const RecordedKind kind = patterns_.attentions[a].kind;
        Location location{.component = kind == RecordedKind::Cross ? ComponentKind::CrossAttention
                                                                   : ComponentKind::Attention,
                          .layer = layer};
        if (kind == RecordedKind::Source)
            location.network = Network::Encoder;
        else if (patterns_.attentions.size() > 1)
            location.network = Network::Decoder;
        return location;
    }

    void add_layer(std::size_t a, int layer) {
        const RecordedAttention& attention = patterns_.attentions[a];
        const Location here = place(a, layer);
        Axis query = attention.kind == RecordedKind::Source ? source_ : tokens_;
        Axis key = reads_tokens(attention.kind) ? tokens_ : source_;
        query.kind = AxisKind::Query, key.kind = AxisKind::Key;
        const Axis d_k{AxisKind::HeadKey, attention.d_k}, d_v{AxisKind::HeadValue, attention.d_v};
        RecordedMatrix matrix{patterns_.text, static_cast<int>(a), layer};
        const auto add_all = [&](RecordedPart part, const char* symbol, Axis rows, Axis columns) {
            matrix.part = part;
            const auto count = static_cast<int>(count_matrices(attention, layer, part));
            for (matrix.head = 0; matrix.head < count; ++matrix.head)
                add(named(here, part, count < attention.heads_in(layer), matrix.head), symbol, rows,
                    columns, matrix);
        };
        add_all(RecordedPart::Query, "Q", query, d_k);
        add_all(RecordedPart::Key, "K", key, d_k);
        add_all(RecordedPart::Value, "V", key, d_v);
        if (attention.kind == RecordedKind::Edges)
            query = {AxisKind::Edge, plan_.edges->size()}, key = {};
        add_all(RecordedPart::Pattern, "A", query, key);
    }

    static Named named(const Location& here, RecordedPart part, bool is_shared, int head) {
        const Location at = is_shared ? here.of_kv_group(head) : here.of_head(head);
        switch (part) {
            case RecordedPart::Query:
                return at.at(Role::Query);
            case RecordedPart::Key:
                return at.at(Role::Key);
            case RecordedPart::Value:
                return at.at(Role::Value);
            case RecordedPart::Pattern:
                break;
        }
        return at.at(Role::Pattern);
    }

    void add(Named name, const char* symbol, Axis rows, Axis columns,
             const RecordedMatrix& matrix) {
        const bool is_pattern = matrix.part == RecordedPart::Pattern;
        const Keep keep = patterns_.source->later ? Keep::OnDemand : Keep::WhenSmall;
        add_result(
            plan_,
            {std::move(name), symbol, rows, columns, is_pattern ? Stage::Score : Stage::Projection,
             is_pattern ? Quantity::Probability : Quantity::Signed, keep},
            patterns_.are_of_words ? "mean over i's pieces of Σ over j's pieces" : "recorded",
            patterns_.are_of_words ? operations::joined_pieces : operations::recorded, {},
            {.begin = recorded_number(patterns_.attentions, matrix),
             .edges = is_pattern ? patterns_.edges : nullptr,
             .source = patterns_.source});
    }

    RecordedPatterns patterns_;
    Axis tokens_, source_;
    Plan plan_;
};

}  // namespace

int RecordedAttention::heads_in(int layer) const {
    return layer_heads.empty() ? n_heads : layer_heads[static_cast<std::size_t>(layer)];
}

Index recorded_number(std::span<const RecordedAttention> attentions, const RecordedMatrix& matrix) {
    const auto a = static_cast<std::size_t>(matrix.attention);
    Index number = matrix.text * count_matrices(attentions) + count_matrices(attentions.first(a)) +
                   count_before(attentions[a], matrix.layer) + matrix.head;
    for (const RecordedPart part : kRecordedParts) {
        if (part == matrix.part) break;
        number += count_matrices(attentions[a], matrix.layer, part);
    }
    return number;
}

RecordedMatrix recorded_matrix(std::span<const RecordedAttention> attentions, Index number) {
    RecordedMatrix matrix{.text = number / count_matrices(attentions)};
    number %= count_matrices(attentions);
    for (; number >= count_matrices(attentions.first(1)); attentions = attentions.subspan(1)) {
        number -= count_matrices(attentions.first(1));
        ++matrix.attention;
    }
    while (number >= count_before(attentions[0], matrix.layer + 1)) ++matrix.layer;
    number -= count_before(attentions[0], matrix.layer);
    for (const RecordedPart part : kRecordedParts) {
        matrix.part = part;
        const Index count = count_matrices(attentions[0], matrix.layer, part);
        if (number < count) break;
        number -= count;
    }
    matrix.head = static_cast<int>(number);
    return matrix;
}

Index count_recorded_patterns(std::span<const RecordedAttention> attentions) {
    Index count = 0;
    for (const RecordedAttention& attention : attentions)
        for (int l = 0; l < attention.n_layers; ++l) count += attention.heads_in(l);
    return count;
}

Plan plan_recorded(RecordedPatterns patterns) {
    if (patterns.tokens.empty()) throw Error("recording", "there is no token");
    if (patterns.attentions.empty() || !patterns.source)
        throw Error("recording", "its file is not open");
    for (const RecordedAttention& attention : patterns.attentions)
        if (reads_tokens(attention.kind) ? attention.kind == RecordedKind::Edges && !patterns.edges
                                         : patterns.source_tokens.empty())
            throw Error("recording", attention.kind == RecordedKind::Edges
                                         ? "there is no edge"
                                         : "there is no source token");
    return RecordedPlan(std::move(patterns)).make();
}

}  // namespace headlight
