#include "core/mechanisms/attention.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/analyses/head_scores.h"
#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/operations/operations.h"
#include "core/operations/score_operations.h"

namespace headlight {
namespace {

/// Keys and values of one head, or of the group that shares them.
struct KeysValues {
    TensorId W_S = 0, W_K = 0, W_V = 0, k = 0, v = 0;
};

class Attention {
  public:
    Attention(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
              std::uint64_t seed)
        : plan_(plan),
          settings_(settings),
          place_(place),
          seed_(seed),
          query_(pattern_axes(plan, place).query),
          key_(plan[place.keys].rows),
          model_(plan[place.queries].columns) {
        key_.kind = AxisKind::Key;
    }

    TensorId add() {
        check();
        add_shared_positions(plan_, settings_, place_, seed_);
        if (settings_.output == Switch::On)
            W_O_ = weight(place_.weights.at("W_O"), "W_O", {AxisKind::Concat, concat_width()},
                          model_, Stage::Output);
        for (int g = 0; g < settings_.n_kv_heads; ++g) {
            const Places at{place_.here.of_kv_group(g), place_.weights.of_kv_group(g)};
            shared_.push_back(add_weights(at, first_head(g)));
            add_keys_values(shared_.back(), at, first_head(g));
        }
        for (int h = 0; h < settings_.n_heads; ++h) heads_.push_back(add_head(h));
        return add_output();
    }

  private:
    void check() const {
        if (settings_.n_kv_heads > 0 && settings_.n_heads % settings_.n_kv_heads != 0)
            throw Error("attention", "{} heads cannot share {} groups of keys and values evenly",
                        settings_.n_heads, settings_.n_kv_heads);
        bool is_sane = settings_.n_heads >= 1;
        for (int h = 0; h < settings_.n_heads; ++h)
            is_sane = is_sane && widths(h).d_k >= 1 && widths(h).d_v >= 1;
        if (!is_sane) throw Error("attention", "heads and widths must be at least 1");
        const bool is_as_wide_as_x =
            settings_.query == Projection::Identity || settings_.key == Projection::Identity;
        if (!is_as_wide_as_x) check_list("d_k", settings_.d_k);
        if (settings_.value == Projection::Learned) check_list("d_v", settings_.d_v);
        if (settings_.output == Switch::Off && !heads_fit_side_by_side() && !heads_fit_as_sum())
            throw Error("attention",
                        "without W_O the heads must be d_model wide, each or side by side: d_v is "
                        "{}, heads × d_v is {}, d_model is {}",
                        widths(0).d_v, concat_width(), model_.size);
    }

    /// Throws Error unless a list has one width for each head; where heads share, it must be one
    /// width.
    void check_list(const std::string& name, const Widths& widths) const {
        if (!widths.is_list()) return;
        const auto n_heads = static_cast<std::size_t>(settings_.n_heads);
        if (widths.values.size() != n_heads)
            throw Error("attention",
                        "{} lists {} widths for {} heads; give one width, or one for each head",
                        name, widths.values.size(), n_heads);
        for (int h = 0; h < settings_.n_heads; ++h) {
            const int first = settings_.n_kv_heads > 0 ? first_head(kv_group(settings_, h)) : h;
            if (widths.of(h) != widths.of(first))
                throw Error(
                    "attention",
                    "heads {} and {} share keys and values, so they need one {}, not {} and {}",
                    first, h, name, widths.of(first), widths.of(h));
        }
    }

    HeadWidths widths(int head) const {
        return head_widths(settings_, head, static_cast<int>(model_.size));
    }
    Index concat_width() const {
        Index width = 0;
        for (int h = 0; h < settings_.n_heads; ++h) width += widths(h).d_v;
        return width;
    }
    bool heads_fit_side_by_side() const { return concat_width() == model_.size; }
    bool heads_fit_as_sum() const {
        for (int h = 0; h < settings_.n_heads; ++h)
            if (widths(h).d_v != model_.size) return false;
        return true;
    }
    int first_head(int group) const { return group * settings_.n_heads / settings_.n_kv_heads; }
    bool is_shared(Projection projection) const { return projection == Projection::Shared; }

    // ---- projections ----

    /// The place of results, and that of the weights that make them.
    struct Places {
        Location results, weights;
    };

    KeysValues add_weights(const Places& at, int head) {
        const Axis d_k{AxisKind::HeadKey, widths(head).d_k},
            d_v{AxisKind::HeadValue, widths(head).d_v};
        KeysValues kv;
        if (is_shared(settings_.query) || is_shared(settings_.key) || is_shared(settings_.value))
            kv.W_S = weight(at.weights.at("W_S"), "W_S", model_, d_k);
        kv.W_K = projection_weight(settings_.key, at.weights.at("W_K"), "W_K", d_k, kv.W_S);
        kv.W_V = projection_weight(settings_.value, at.weights.at("W_V"), "W_V", d_v, kv.W_S);
        return kv;
    }

    void add_keys_values(KeysValues& kv, const Places& at, int head) {
        const Axis d_k{AxisKind::HeadKey, widths(head).d_k},
            d_v{AxisKind::HeadValue, widths(head).d_v};
        const bool is_cached = place_.cache.rows > 0;
        kv.k = project(settings_.key, {at, is_cached ? Role::NewKey : Role::Key, "K", "b_K"}, key_,
                       d_k, place_.keys, kv.W_K);
        kv.v = project(settings_.value, {at, is_cached ? Role::NewValue : Role::Value, "V", "b_V"},
                       key_, d_v, place_.values.value_or(place_.keys), kv.W_V);
        kv.k = add_to_cache(plan_, place_, kv.k, Role::Key);
        kv.v = add_to_cache(plan_, place_, kv.v, Role::Value);
    }

    TensorId projection_weight(Projection projection, Named named, const char* symbol, Axis columns,
                               TensorId W_S) {
        if (projection == Projection::Learned)
            return weight(std::move(named), symbol, model_, columns);
        return W_S;
    }

    struct ProjectionName {
        const Places& at;
        Role role;
        const char *symbol, *bias;
    };

    TensorId project(Projection projection, const ProjectionName& name, Axis rows, Axis columns,
                     TensorId x, TensorId W) {
        const std::string symbol = name.symbol, X = sequence_name(x);
        TensorName result{name.at.results.at(name.role), symbol, rows, columns, Stage::Projection};
        const std::string read = x == place_.values ? X : "X";
        if (projection == Projection::Identity)
            return add_result(plan_, std::move(result), fmt::format("{} = {}", symbol, X),
                              operations::copy, {x});
        const std::string product = fmt::format("{} = {} {}", symbol, X, plan_[W].symbol);
        if (settings_.bias == Switch::Off || settings_.qkv_bias == Switch::Off)
            return add_product(plan_, std::move(result), product, x, W);
        const TensorId b =
            add_constant(plan_, {name.at.weights.at(name.bias, Role::Bias), name.bias, {}, columns},
                         operations::zeros);
        return add_result(plan_, std::move(result), fmt::format("{} + {}", product, name.bias),
                          operations::multiply_add, {x, W, b});
    }

    /// "LN(X)"; where one sequence reads another, "X_source" and "X_target".
    std::string sequence_name(TensorId x) const {
        std::string symbol = plan_[x].symbol;
        const std::size_t end = symbol.find('X') + 1;
        const bool is_of_class = place_.here.component == ComponentKind::ClassAttention;
        if (place_.queries == place_.keys || is_of_class || end == 0 ||
            symbol.substr(end, 1) == "_")
            return symbol;
        return symbol.insert(end, x == place_.queries ? "_{target}" : "_{source}");
    }

    // ---- heads ----

    TensorId weight(Named named, std::string symbol, Axis rows, Axis columns,
                    Stage stage = Stage::Weight) {
        return add_weight(plan_, {std::move(named), std::move(symbol), rows, columns, stage},
                          seed_);
    }

    Head add_head(int h) {
        const Places at{place_.here.of_head(h), place_.weights.of_head(h)};
        Head head{.here = at.results, .weights = at.weights, .widths = widths(h)};
        const Axis d_k{AxisKind::HeadKey, head.widths.d_k};
        const bool has_own = shared_.empty();
        if (settings_.query == Projection::Learned)
            head.W_Q = weight(head.weights.at("W_Q"), "W_Q", model_, d_k);
        KeysValues kv = has_own ? add_weights(at, h)
                                : shared_[static_cast<std::size_t>(kv_group(settings_, h))];
        if (is_shared(settings_.query)) head.W_Q = kv.W_S;
        head.q = project(settings_.query, {at, Role::Query, "Q", "b_Q"}, query_, d_k,
                         place_.queries, head.W_Q);
        if (has_own) add_keys_values(kv, at, h);
        head.W_K = kv.W_K, head.W_V = kv.W_V, head.k = kv.k, head.v = kv.v;
        const TensorId scores = add_scores(plan_, settings_, place_, head, seed_);
        head.pattern = add_pattern(plan_, settings_, place_, head, scores);
        add_mix(head);
        add_views(head);
        return head;
    }

    /// Adds z, the output of the head.
    void add_mix(Head& head) {
        const Index group_rows = pattern_axes(plan_, place_).group_rows;
        const Axis d_v{AxisKind::HeadValue, head.widths.d_v};
        const auto name = [&](Role role, const char* symbol) {
            return TensorName{head.here.at(role), symbol, query_, d_v, Stage::Mix};
        };
        if (settings_.relative != RelativePositions::Shaw) {
            head.z = add_result(plan_, name(Role::HeadOutput, "Z"), "Z = A V", operations::multiply,
                                {head.pattern, head.v}, {.group_rows = group_rows});
            return;
        }
        const TensorId content =
            add_result(plan_, name(Role::ContentMix, "A V"), "A V", operations::multiply,
                       {head.pattern, head.v}, {.group_rows = group_rows});
        const TensorId position = add_result(
            plan_, name(Role::PositionMix, "Z_{pos}"), "Σ_j A(i,j) R_V(j − i)",
            operations::relative_mix, {head.pattern, plan_.id_at(place_.weights.at("rel_V").path)},
            {.begin = place_.cache.rows,
             .count = settings_.max_distance,
             .group_rows = group_rows});
        head.z = add_result(plan_, name(Role::HeadOutput, "Z"), "Z = A V + Z_{pos}",
                            operations::add, {content, position});
    }

    /// Adds tensors for looking at a head beside the computation: its part of the output, its
    /// circuits [Elhage 2021], and the vectors that it moves, weighted by their norms
    /// [Kobayashi 2020].
    void add_views(const Head& head) {
        const bool is_dot = settings_.score == Score::ScaledDot || settings_.score == Score::Dot;
        const auto name = [&](Role role, const std::string& symbol, Axis rows, Axis columns,
                              Stage stage) {
            return TensorName{head.here.at(role), symbol,        rows, columns, stage,
                              Quantity::Signed,   Keep::OnDemand};
        };
        const auto symbol_at = [&](TensorId W) { return plan_[W].symbol; };
        const std::string query_key =
                              fmt::format("{} {}^T", symbol_at(head.W_Q), symbol_at(head.W_K)),
                          value_output = symbol_at(head.W_V) + " W_O";
        if (is_dot && settings_.query != Projection::Identity &&
            settings_.key != Projection::Identity && settings_.qk_norm == Switch::Off &&
            place_.has_own_weights())
            add_result(plan_, name(Role::QueryKeyCircuit, query_key, model_, model_, Stage::Weight),
                       query_key + over_scale(settings_), operations::multiply_transposed,
                       {head.W_Q, head.W_K}, {.scale = score_scale(settings_, head.widths.d_k)});
        const PatternAxes axes = pattern_axes(plan_, place_);
        const bool has_W_O = settings_.output == Switch::On;
        TensorName moved = name(Role::NormWeighted, has_W_O ? "A ‖V W_O‖" : "A ‖V‖", axes.query,
                                axes.key, Stage::Mix);
        moved.quantity = Quantity::Amount;
        if (!has_W_O) {
            add_result(plan_, moved, "A(i,j) ‖V(j)‖", operations::norm_weighted,
                       {head.pattern, head.v}, {.group_rows = axes.group_rows});
            return;
        }
        const OperationSettings slice{.begin = output_row(head.here.head)};
        add_result(plan_, name(Role::HeadResult, "Z W_O", query_, model_, Stage::Mix),
                   fmt::format("Z W_O[head {}]", head.here.head), operations::multiply,
                   {head.z, W_O_}, slice);
        if (settings_.value != Projection::Identity && place_.has_own_weights())
            add_result(plan_,
                       name(Role::ValueOutputCircuit, value_output, model_, model_, Stage::Weight),
                       fmt::format("{}[head {}]", value_output, head.here.head),
                       operations::multiply, {head.W_V, W_O_}, slice);
        add_result(plan_, moved, "A(i,j) ‖V(j) W_O‖", operations::norm_weighted,
                   {head.pattern, head.v, W_O_},
                   {.begin = slice.begin, .group_rows = axes.group_rows});
    }

    /// Returns the first row of W_O that belongs to the head.
    Index output_row(int head) const {
        Index row = 0;
        for (int h = 0; h < head; ++h) row += widths(h).d_v;
        return row;
    }

    // ---- output ----

    TensorId add_output() {
        std::vector<TensorId> z;
        for (const Head& head : heads_) z.push_back(head.z);
        TensorName out{place_.here.at(Role::AttentionOutput), "out", query_, model_, Stage::Output};
        if (settings_.output == Switch::Off && !heads_fit_side_by_side())
            return add_result(plan_, std::move(out), "Σ_h Z_h", operations::scaled_sum, z);
        const TensorId concat = add_result(plan_,
                                           {place_.here.at("concat"),
                                            "concat",
                                            query_,
                                            {AxisKind::Concat, concat_width()},
                                            Stage::Output},
                                           "[Z_0 | Z_1 | …]", operations::concat_columns, z);
        if (settings_.output == Switch::Off)
            return add_result(plan_, std::move(out), "concat", operations::copy, {concat});
        if (settings_.bias == Switch::Off || settings_.output_bias == Switch::Off)
            return add_product(plan_, std::move(out), "concat · W_O", concat, W_O_);
        const TensorId b_O = add_constant(
            plan_, {place_.weights.at("b_O", Role::Bias), "b_O", {}, model_, Stage::Output},
            operations::zeros);
        return add_result(plan_, std::move(out), "concat · W_O + b_O", operations::multiply_add,
                          {concat, W_O_, b_O});
    }

    Plan& plan_;
    const AttentionSettings& settings_;
    const AttentionPlace& place_;
    std::uint64_t seed_;
    Axis query_, key_, model_;
    TensorId W_O_ = 0;
    std::vector<KeysValues> shared_;  // by group, where heads share
    std::vector<Head> heads_;
};

}  // namespace

TensorId add_attention(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
                       std::uint64_t seed) {
    return Attention(plan, settings, place, seed).add();
}

HeadWidths head_widths(const AttentionSettings& settings, int head, int d_model) {
    const bool is_identity =
        settings.query == Projection::Identity || settings.key == Projection::Identity;
    const int first = settings.n_kv_heads > 0
                          ? kv_group(settings, head) * settings.n_heads / settings.n_kv_heads
                          : head;
    const int share = std::max(1, d_model / std::max(1, settings.n_heads));
    const auto given = [&](const Widths& set) {
        return set.follow_the_model() ? share : set.of(first);
    };
    HeadWidths widths;
    widths.d_k = is_identity ? d_model : given(settings.d_k);
    widths.d_v = settings.value == Projection::Identity ? d_model
                 : settings.value == Projection::Shared ? widths.d_k
                                                        : given(settings.d_v);
    return widths;
}

int kv_group(const AttentionSettings& settings, int head) {
    return settings.n_kv_heads > 0 ? head / (settings.n_heads / settings.n_kv_heads) : head;
}

}  // namespace headlight
