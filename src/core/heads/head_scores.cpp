#include "core/heads/head_scores.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/heads/queries_keys.h"
#include "core/mechanisms/add_tensor.h"
#include "core/numeric/short_number.h"
#include "core/operations/block_operations.h"
#include "core/operations/normalizer.h"
#include "core/operations/operations.h"
#include "core/operations/position_operations.h"
#include "core/operations/score_operations.h"

namespace headlight {
namespace {

std::string dot_equation(const AttentionSettings& settings) {
    if (settings.relative == RelativePositions::Rotary) return "Q_{rot} K_{rot}^T";
    return settings.qk_norm == Switch::On ? "RMSNorm(Q) RMSNorm(K)^T" : "Q K^T";
}

/// More cells than this of the hidden layer of additive scores are not offered as one matrix.
constexpr Index kMostHidden = Index(1) << 20;

/// 0, −1, 1, −2, 2 …
Matrix line_center(int head) {
    const int distance = (head + 1) / 2;
    return Matrix::Constant(1, 1, static_cast<Scalar>(head % 2 == 1 ? -distance : distance));
}

/// Whose biases of buckets an attention has: its own, or those of the first layer.
Location bucket_place(const AttentionSettings& settings, const AttentionPlace& place) {
    return settings.shared_buckets == Switch::On ? place.weights.of_layer(0) : place.weights;
}

/// Names the scores of one head.
class Scores {
  public:
    Scores(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
           const Head& head, std::uint64_t seed)
        : plan_(plan),
          settings_(settings),
          place_(place),
          head_(head),
          seed_(seed),
          axes_(pattern_axes(plan, place)),
          d_k_{AxisKind::HeadKey, head.widths.d_k},
          keys_(plan, place, head),
          rows_(add_queries_keys(plan, settings, place, head)) {}

    TensorId add() {
        const bool has_positions = settings_.relative != RelativePositions::None &&
                                   settings_.relative != RelativePositions::Rotary;
        const TensorId content = has_positions ? add_content(Role::ContentScores, "S_{words}")
                                               : add_content(Role::Scores, "S");
        if (!has_positions) return content;
        const TensorId position = add_position();
        return add_result(plan_, name(Role::Scores, "S"), "S_{words} + S_{pos}", operations::add,
                          {content, position});
    }

  private:
    TensorName name(Role role, const char* symbol) const {
        return {head_.here.at(role), symbol,           axes_.query,    axes_.key,
                Stage::Score,        Quantity::Signed, Keep::WhenSmall};
    }
    TensorName beside(TensorId rows_like, Named named, const char* symbol, Axis columns) const {
        return {std::move(named), symbol, plan_[rows_like].rows, columns, Stage::Projection};
    }
    TensorId weight(const char* last, const char* symbol, Axis rows, Axis columns) {
        return add_weight(plan_, {head_.weights.at(last), symbol, rows, columns}, seed_);
    }
    OperationSettings scaled(Scalar scale) const {
        return {.scale = scale, .group_rows = axes_.group_rows};
    }

    // ---- what the words say ----

    TensorId add_content(Role role, const char* symbol) {
        const TensorName scores = name(role, symbol);
        const std::string S = std::string(symbol) + " = ";
        const std::string T = settings_.temperature == 1 ? "" : " / T";
        const Scalar scale = score_scale(settings_, head_.widths.d_k);
        switch (settings_.score) {
            case Score::ScaledDot:
            case Score::Dot:
                return add_result(
                    plan_, scores, S + dot_equation(settings_) + over_scale(settings_),
                    operations::multiply_transposed, {rows_.q, rows_.k}, scaled(scale));
            case Score::Cosine:
                return add_result(plan_, scores, S + "cos(Q(i), K(j))" + T,
                                  operations::cosine_scores, {rows_.q, rows_.k}, scaled(scale));
            case Score::Bilinear: {
                const TensorId W_a = weight("W_a", "W_a", d_k_, d_k_);
                const TensorId turned =
                    add_product(plan_, beside(rows_.q, head_.here.at("q_W_a"), "Q W_a", d_k_),
                                "Q W_a", rows_.q, W_a);
                return add_result(plan_, scores, S + "Q W_a K^T" + T,
                                  operations::multiply_transposed, {turned, rows_.k},
                                  scaled(scale));
            }
            case Score::Additive:
                return add_additive(scores, S + "v · tanh(Q W_{query} + K W_{key})" + T, scale);
        }
        throw Error("attention", "this score is unknown");
    }

    TensorId add_additive(const TensorName& scores, const std::string& equation, Scalar scale) {
        const Axis hidden{AxisKind::Hidden, settings_.d_hidden};
        const TensorId W_query = weight("W_query", "W_{query}", d_k_, hidden);
        const TensorId W_key = weight("W_key", "W_{key}", d_k_, hidden);
        const TensorId v_score = weight("v_score", "v", hidden, {});
        const TensorId queries = add_product(
            plan_, beside(rows_.q, head_.here.at(Role::QueryHidden), "Q W_{query}", hidden),
            "Q W_{query}", rows_.q, W_query);
        const TensorId new_keys = add_product(
            plan_,
            beside(rows_.new_k, keys_.named_at(head_.here, Role::KeyHidden), "K W_{key}", hidden),
            "K W_{key}", rows_.new_k, W_key);
        const TensorId keys = add_to_cache(plan_, place_, new_keys, Role::KeyHidden);
        offer_hidden(queries, keys, hidden);
        return add_result(plan_, scores, equation, operations::additive_scores,
                          {queries, keys, v_score}, scaled(scale));
    }

    /// The hidden layer as one matrix, a row a pair; too large for a long sentence, and not where
    /// an attention is done again with another one's weights.
    void offer_hidden(TensorId queries, TensorId keys, Axis hidden) {
        if (!place_.has_own_weights()) return;
        const Index pairs = axes_.query.size * axes_.key.size;
        if (pairs * hidden.size > kMostHidden) return;
        if (find_pair_list(axes_) < 0) add_pair_list();
        add_result(plan_,
                   {head_.here.at("hidden"),
                    "tanh",
                    {AxisKind::Named, pairs, find_pair_list(axes_), axes_.query.groups},
                    hidden,
                    Stage::Score,
                    Quantity::Signed,
                    Keep::OnDemand},
                   "tanh(Q W_{query} + K W_{key})", operations::additive_hidden, {queries, keys},
                   {.count = axes_.key.size, .group_rows = axes_.group_rows});
    }
    int find_pair_list(const PatternAxes& axes) const {
        const auto pairs = static_cast<std::size_t>(axes.query.size * axes.key.size);
        for (std::size_t l = 0; l < plan_.lists.size(); ++l)
            if (plan_.lists[l].noun == "pair" && plan_.lists[l].names->size() == pairs)
                return static_cast<int>(l);
        return -1;
    }
    void add_pair_list() {
        std::vector<std::string> names;
        const Index n_key = axes_.key.size;
        for (Index r = 0; r < axes_.query.size; ++r) {
            const Index group = axes_.group_rows > 0 ? r / axes_.group_rows : 0;
            Axis keys = axes_.key;
            for (Index j = 0; j < n_key; ++j)
                names.push_back(axis_label(plan_, axes_.query, r) + " → " +
                                axis_label(plan_, keys, group * n_key + j));
        }
        plan_.add_list("pair", std::move(names));
    }

    // ---- where they stand ----

    TensorId add_position() {
        const TensorName position = name(Role::PositionScores, "S_{pos}");
        switch (settings_.relative) {
            case RelativePositions::Shaw:
                return add_result(plan_, position, "Q(i) · R_K(j − i)" + over_scale(settings_),
                                  operations::relative_scores, {rows_.q, shared("rel_K")},
                                  {.scale = score_scale(settings_, head_.widths.d_k),
                                   .begin = place_.cache.rows,
                                   .count = settings_.max_distance,
                                   .group_rows = axes_.group_rows});
            case RelativePositions::Alibi: {
                const Scalar slope = operations::alibi_slope(head_.here.head, settings_.n_heads);
                return add_result(
                    plan_, position, "−m |i − j|", operations::alibi_bias, {},
                    {.scale = slope, .begin = place_.cache.rows, .group_rows = axes_.group_rows});
            }
            case RelativePositions::Buckets:
                return add_result(plan_, position, "b(bucket(j − i))",
                                  place_.causal == Switch::On ? operations::causal_bucket_bias
                                                              : operations::bucket_bias,
                                  {bucket_table()},
                                  {.begin = head_.here.head,
                                   .count = settings_.max_distance,
                                   .group_rows = axes_.group_rows,
                                   .indices = place_of_first_query()});
            default:
                return add_quadratic(position);
        }
    }

    /// What all heads of the attention read.
    TensorId shared(const char* last) const { return plan_.id_at(place_.weights.at(last).path); }
    TensorId bucket_table() const {
        return plan_.id_at(bucket_place(settings_, place_).at("rel_bias").path);
    }

    std::shared_ptr<const std::vector<Index>> place_of_first_query() const {
        if (!keys_.has_cache()) return nullptr;
        return std::make_shared<const std::vector<Index>>(1, place_.cache.rows);
    }

    TensorId add_quadratic(const TensorName& position) {
        const TensorId center =
            add_parameter(plan_,
                          {head_.weights.at("center"),
                           "Δ",
                           {},
                           {AxisKind::Direction, place_.grid_columns > 0 ? 2 : 1}},
                          "where the head looks",
                          place_.grid_columns > 0 ? grid_center(head_.here.head, settings_.n_heads)
                                                  : line_center(head_.here.head));
        return add_result(plan_, position, "−α ‖(j − i) − Δ‖²", operations::quadratic_scores,
                          {center, shared("alpha")},
                          {.begin = place_.cache.rows,
                           .count = place_.grid_columns,
                           .group_rows = axes_.group_rows});
    }

    Plan& plan_;
    const AttentionSettings& settings_;
    const AttentionPlace& place_;
    const Head& head_;
    std::uint64_t seed_;
    PatternAxes axes_;
    Axis d_k_;
    KeyPlace keys_;
    QueriesKeys rows_;
};

bool has_root(const AttentionSettings& settings) {
    return settings.d_power == 0.5f;
}

std::string pattern_equation(const AttentionSettings& settings) {
    // A temperature is always seen in the equation of what it sharpens or flattens.
    const bool is_dot = settings.score == Score::ScaledDot ||
                        (settings.score == Score::Dot && settings.temperature != 1);
    const bool is_plain =
        is_dot && settings.relative == RelativePositions::None && settings.qk_norm == Switch::Off;
    return "A = " + normalized_text(settings.normalizer, settings.top_k,
                                    is_plain ? "Q K^T" + over_scale(settings) + " + M" : "S + M");
}

}  // namespace

PatternAxes pattern_axes(const Plan& plan, const AttentionPlace& place) {
    PatternAxes axes{plan[place.queries].rows, plan[place.keys].rows, 0};
    axes.query.kind = AxisKind::Query;
    if (place.query_list) axes.query.list = *place.query_list;
    axes.key.kind = AxisKind::Key;
    axes.key.size /= axes.key.groups;
    if (axes.query.groups > 1) axes.group_rows = axes.query.size / axes.query.groups;
    axes.key.groups = 1;
    axes.key.size += place.cache.rows;
    axes.key.first -= place.cache.rows;
    return axes;
}

TensorId add_to_cache(Plan& plan, const AttentionPlace& place, TensorId rows, Role role) {
    if (place.cache.rows == 0) return rows;
    const PlannedTensor& tensor = plan[rows];
    TensorName name{tensor.identity.at(role), tensor.symbol, tensor.rows, tensor.columns,
                    tensor.stage};
    name.rows.size += place.cache.rows;
    name.rows.first -= place.cache.rows;
    const TensorId cached = plan.id_at(tensor.identity.of_step(place.cache.step).at(role).path);
    return add_result(plan, std::move(name), tensor.symbol + " so far, and the new row",
                      operations::append_rows, {cached, rows});
}

Matrix grid_center(int head, int n_heads) {
    const int side = static_cast<int>(std::ceil(std::sqrt(n_heads))), middle = (side - 1) / 2;
    Matrix center(1, 2);
    center << static_cast<Scalar>(head / side - middle), static_cast<Scalar>(head % side - middle);
    return center;
}

Scalar score_scale(const AttentionSettings& settings, int d_k) {
    const Scalar temperature = static_cast<Scalar>(settings.temperature);
    if (settings.score != Score::ScaledDot) return 1 / temperature;
    const auto d = static_cast<Scalar>(d_k);
    const Scalar root =
        has_root(settings) ? std::sqrt(d) : std::pow(d, static_cast<Scalar>(settings.d_power));
    return 1 / (root * temperature);
}

std::string over_scale(const AttentionSettings& settings) {
    const bool is_scaled = settings.score == Score::ScaledDot && settings.d_power != 0;
    const std::string d = !is_scaled           ? ""
                          : has_root(settings) ? "√d_k"
                                               : "d_k^{" + short_number(settings.d_power) + "}";
    if (settings.temperature == 1) return is_scaled ? " / " + d : "";
    return is_scaled ? " / (" + d + " T)" : " / T";
}

void add_shared_positions(Plan& plan, const AttentionSettings& settings,
                          const AttentionPlace& place, std::uint64_t seed) {
    const auto width = [&](int head) {
        return head_widths(settings, head, static_cast<int>(plan[place.queries].columns.size));
    };
    if (settings.relative == RelativePositions::Shaw) {
        for (int h = 1; h < settings.n_heads; ++h)
            if (width(h).d_k != width(0).d_k || width(h).d_v != width(0).d_v)
                throw Error("attention",
                            "heads share the tables of relative positions (Shaw), so they need one "
                            "d_k and one d_v; give all heads the same widths");
        if (settings.score != Score::Dot && settings.score != Score::ScaledDot)
            throw Error("attention",
                        "relative positions after Shaw are part of a dot product; choose the score "
                        "dot or scaled dot");
        const Axis distance{AxisKind::Distance, 2 * Index(settings.max_distance) + 1};
        add_table(plan,
                  {place.weights.at("rel_K"), "R_K", distance, {AxisKind::HeadKey, width(0).d_k}},
                  seed);
        add_table(plan,
                  {place.weights.at("rel_V"), "R_V", distance, {AxisKind::HeadValue, width(0).d_v}},
                  seed);
    }
    if (settings.relative == RelativePositions::Buckets)
        add_table(plan,
                  {bucket_place(settings, place).at("rel_bias"),
                   "b",
                   {AxisKind::Bucket, settings.n_buckets},
                   {AxisKind::Head, settings.n_heads}},
                  seed);
    if (settings.relative == RelativePositions::Quadratic)
        add_parameter(plan, {place.weights.at("alpha"), "α"}, "how narrow the heads look",
                      Matrix::Constant(1, 1, static_cast<Scalar>(settings.alpha)));
}

TensorId add_scores(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
                    const Head& head, std::uint64_t seed) {
    return Scores(plan, settings, place, head, seed).add();
}

TensorId add_pattern(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
                     const Head& head, TensorId scores) {
    const PatternAxes axes = pattern_axes(plan, place);
    const auto name = [&](Role role, const char* symbol, Quantity quantity) {
        return TensorName{head.here.at(role), symbol,   axes.query,     axes.key,
                          Stage::Score,       quantity, Keep::WhenSmall};
    };
    const TensorId masked = add_result(plan, name(Role::MaskedScores, "S + M", Quantity::Signed),
                                       "S + mask", operations::add, {scores, place.mask});
    return add_result(plan, name(Role::Pattern, "A", Quantity::Probability),
                      pattern_equation(settings), normalizer_operation(settings.normalizer),
                      {masked}, {.count = settings.top_k});
}

}  // namespace headlight
