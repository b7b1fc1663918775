#include "core/analyses/head_scores.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/numeric/short_number.h"
#include "core/operations/normalizer_operations.h"
#include "core/operations/operations.h"
#include "core/operations/score_operations.h"
#include "core/scalar.h"
#include "core/settings.h"

namespace headlight {
namespace {

/// The places of results made from keys, which heads may share.
class KeyPlace {
  public:
    KeyPlace(const Plan& plan, const AttentionPlace& place, const Head& head);

    bool has_cache() const { return has_cache_; }
    /// Returns an earlier result made from the same keys.
    TensorId beside(const Plan& plan, Role role) const;
    /// Names a result made from new keys, at `at`: "heads.0.rot_k", with a cache
    /// "heads.0.rot_k_new".
    Named named_at(const Location& at, Role role) const;
    const Location& keys() const { return keys_; }

  private:
    Location keys_;
    bool has_cache_;
};

struct QueriesKeys {
    TensorId q = 0, k = 0;
    TensorId new_k = 0;  // the rows of k that are not from the cache
};

/// Returns how many of d_k columns rotate.
Index rotary_width(const AttentionSettings& settings, Index d_k);

constexpr float kUsualBase = 10000;

double base_for(const AttentionSettings& settings, Index d, Index n_words) {
    const double base = decimal(settings.rotary_base), factor = decimal(settings.rotary_factor);
    const auto length = static_cast<double>(settings.rotary_length);
    const auto n = static_cast<double>(n_words), width = static_cast<double>(d);
    if (settings.rotary_scaling != RotaryScaling::Dynamic || n <= length || d <= 2) return base;
    return base * std::pow(factor * n / length - (factor - 1), width / (width - 2));
}

/// Returns the pair, as a fraction, that makes so many full turns in the length of the training.
double pair_with(double turns, const AttentionSettings& settings, Index d) {
    const double length = static_cast<double>(settings.rotary_length);
    return static_cast<double>(d) * std::log(length / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(decimal(settings.rotary_base)));
}

/// Returns the weight of the slowed angle for pair f, 0 to 1.
double slowed_share(const AttentionSettings& settings, double theta, Index f, Index d) {
    const double low = decimal(settings.rotary_low), high = decimal(settings.rotary_high);
    switch (settings.rotary_scaling) {
        case RotaryScaling::Linear:
            return 1;
        case RotaryScaling::Llama3: {
            const double turns =
                static_cast<double>(settings.rotary_length) * theta / (2 * std::numbers::pi);
            return 1 - std::clamp((turns - low) / (high - low), 0.0, 1.0);
        }
        case RotaryScaling::Yarn: {
            const double first = std::max(std::floor(pair_with(high, settings, d)), 0.0);
            const double last =
                std::min(std::ceil(pair_with(low, settings, d)), static_cast<double>(d - 1));
            const double width = first == last ? 0.001 : last - first;
            return std::clamp((static_cast<double>(f) - first) / width, 0.0, 1.0);
        }
        default:
            return 0;
    }
}

void check_rotary(const AttentionSettings& settings, Index d_k) {
    if (settings.rotary_dims > d_k)
        throw Error("attention", "rotary_dims is {}, and a head has only {} columns",
                    settings.rotary_dims, d_k);
    const bool has_band = settings.rotary_scaling == RotaryScaling::Llama3 ||
                          settings.rotary_scaling == RotaryScaling::Yarn;
    if (has_band && settings.rotary_low >= settings.rotary_high)
        throw Error("attention", "rotary_low has to be below rotary_high");
}

/// Returns θ_f of each pair f of the first d = rotary_dims columns, θ_f = base^{−2f/d}, scaled by
/// the settings, of a text of n words. With L = rotary_length and r_f = L θ_f / 2π full turns in
/// it:
///     Linear   θ_f / factor                                                [Chen 2023]
///     Dynamic  base · (factor n/L − factor + 1)^{d/(d−2)} as the base, if n > L   [bloc97 2023]
///     Llama3   θ_f / factor where r_f < low, θ_f where r_f > high; between them the mean of the
///              two, weighted by where r_f stands                           [Llama 3.1]
///     Yarn     the same two, weighted by where f stands between the pairs that turn high and low
///              times, rounded outwards                                     [Peng 2023, YaRN]
/// As Hugging Face's modeling_rope_utils computes them. Null: 10000^{−2f/d} of all columns.
/// Throws Error if more columns rotate than the head has, or low is not below high.
std::shared_ptr<const std::vector<double>> rotary_angles(const AttentionSettings& settings,
                                                         Index d_k, Index n_words) {
    check_rotary(settings, d_k);
    const bool is_usual = settings.rotary_base == kUsualBase && settings.rotary_dims == 0 &&
                          settings.rotary_scaling == RotaryScaling::None;
    if (is_usual) return nullptr;
    const Index d = rotary_width(settings, d_k);
    const double base = base_for(settings, d, n_words), factor = decimal(settings.rotary_factor);
    auto angles = std::make_shared<std::vector<double>>();
    for (Index f = 0; f < d / 2; ++f) {
        const double theta = std::pow(base, -2.0 * static_cast<double>(f) / static_cast<double>(d));
        const double slowed = slowed_share(settings, theta, f, d);
        angles->push_back(theta * (1 - slowed) + theta / factor * slowed);
    }
    return angles;
}

/// "10000^{−2f/d_k}"
std::string rotary_angle_text(const AttentionSettings& settings) {
    const std::string d =
        settings.rotary_dims > 0 ? std::to_string(settings.rotary_dims) : std::string("d_k");
    const std::string base = settings.rotary_base == kUsualBase
                                 ? "10000"
                                 : short_number(static_cast<Scalar>(settings.rotary_base));
    const std::string scaled =
        settings.rotary_scaling == RotaryScaling::None ? "" : ", scaled for longer texts";
    return fmt::format("{}^{{−2f/{}}}{}", base, d, scaled);
}

Index rotary_width(const AttentionSettings& settings, Index d_k) {
    return settings.rotary_dims > 0 ? settings.rotary_dims : d_k;
}

/// Adds the head's q and k, by the settings with an RMS norm, norm_q norm_k (gains q_norm.w
/// k_norm.w, 1 × d_k, of all heads) [Henry 2020, Dehghani 2023], then turned, rot_q rot_k
/// [Su 2021]. Throws Error if heads of several widths would share a gain.
class HeadRows {
  public:
    HeadRows(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
             const Head& head)
        : plan_(plan),
          settings_(settings),
          place_(place),
          head_(head),
          keys_(plan, place, head),
          d_k_{AxisKind::HeadKey, head.widths.d_k},
          made_{head.q, head.k, keys_.has_cache() ? keys_.beside(plan, Role::NewKey) : head.k} {}

    QueriesKeys add() {
        if (settings_.qk_norm == Switch::On) {
            check_gains();
            made_.q = add_normed(made_.q, head_.here.at(Role::NormedQuery), "Q", "q_norm.w");
            add_of_keys(Role::NormedKey, [&](TensorId k, Named named) {
                return add_normed(k, std::move(named), "K", "k_norm.w");
            });
        }
        if (settings_.relative == RelativePositions::Rotary) {
            made_.q = add_turned(made_.q, head_.here.at(Role::RotatedQuery), "Q_{rot}", "i");
            add_of_keys(Role::RotatedKey, [&](TensorId k, Named named) {
                return add_turned(k, std::move(named), "K_{rot}", "j");
            });
        }
        return made_;
    }

  private:
    /// Adds a result made from keys. Heads that share keys share it.
    void add_of_keys(Role role, auto make) {
        Named named = keys_.named_at(keys_.keys(), role);
        if (plan_.find(named.path)) {
            made_.k = keys_.beside(plan_, role);
            made_.new_k = plan_.id_at(named.path);
            return;
        }
        made_.new_k = make(made_.new_k, std::move(named));
        made_.k = add_to_cache(plan_, place_, made_.new_k, role);
    }

    TensorName beside(TensorId rows_like, Named named, std::string symbol) const {
        return {std::move(named), std::move(symbol), plan_[rows_like].rows, d_k_,
                Stage::Projection};
    }

    // ---- norm ----

    void check_gains() const {
        const auto model = static_cast<int>(plan_[place_.queries].columns.size);
        for (int h = 0; h < settings_.n_heads; ++h)
            if (head_widths(settings_, h, model).d_k != head_.widths.d_k)
                throw Error("attention",
                            "heads share the gains of the norms of queries and keys, so they need "
                            "one d_k; give all heads the same width");
    }

    TensorId add_normed(TensorId x, Named named, const std::string& symbol, const char* gain) {
        const std::string formula = fmt::format("RMSNorm({})", symbol);
        const TensorId w =
            add_constant(plan_, {place_.weights.at(gain, Role::Gain), "γ_" + symbol, {}, d_k_},
                         operations::ones);
        return add_result(plan_, beside(x, std::move(named), formula), formula,
                          operations::rms_norm, {x, w}, {.epsilon = place_.norm_epsilon});
    }

    // ---- rotation ----

    TensorId add_turned(TensorId x, Named named, const char* symbol, const std::string& position) {
        const std::string width =
            settings_.rotary_dims > 0 ? std::to_string(settings_.rotary_dims) : "d_k";
        const std::string columns =
            turns_halves() ? fmt::format("columns f, f + {}/2 ", width) : "";
        return add_result(
            plan_, beside(x, std::move(named), symbol),
            fmt::format("{}turned by {} · {}", columns, position, rotary_angle_text(settings_)),
            operations::rotary, {x}, turn_settings(x));
    }
    bool turns_halves() const { return settings_.rotary_pairs == RotaryPairs::Halves; }
    OperationSettings turn_settings(TensorId x) const {
        const Axis& rows = plan_[x].rows;
        const Index n_words = pattern_axes(plan_, place_).key.size;
        const Index width = rotary_width(settings_, d_k_.size);
        // YaRN also multiplies the turned columns.
        const bool is_yarn = settings_.rotary_scaling == RotaryScaling::Yarn;
        const double factor = is_yarn ? 0.1 * std::log(decimal(settings_.rotary_factor)) + 1 : 1;
        return {.scale = static_cast<Scalar>(factor),
                .begin = place_.cache.rows,
                .step = turns_halves() ? std::max(Index(1), width / 2) : 1,
                .group_rows = rows.groups > 1 ? rows.size / rows.groups : 0,
                .angles = rotary_angles(settings_, d_k_.size, n_words)};
    }

    Plan& plan_;
    const AttentionSettings& settings_;
    const AttentionPlace& place_;
    const Head& head_;
    KeyPlace keys_;
    Axis d_k_;
    QueriesKeys made_;
};

KeyPlace::KeyPlace(const Plan& plan, const AttentionPlace& place, const Head& head)
    : keys_(plan[head.k].identity), has_cache_(place.cache.rows > 0) {}

TensorId KeyPlace::beside(const Plan& plan, Role role) const {
    return plan.id_at(keys_.at(role).path);
}

Named KeyPlace::named_at(const Location& at, Role role) const {
    return has_cache_ ? at.at(std::string(role_name(role)) + "_new") : at.at(role);
}

}  // namespace

std::optional<TensorId> find_head_input(const Plan& plan, const Location& attention, int head,
                                        Role role) {
    const auto has = [&](const Location& place, Role what) {
        return plan.find(place.at(what).path) != nullptr;
    };
    if (has(attention.of_head(head), role))
        return plan.id_at(attention.of_head(head).at(role).path);
    int n_heads = 0, n_groups = 0;
    while (has(attention.of_head(n_heads), Role::Pattern)) ++n_heads;
    while (has(attention.of_kv_group(n_groups), role)) ++n_groups;
    if (n_groups == 0 || head >= n_heads) return std::nullopt;
    const int group = head / (n_heads / n_groups);
    return plan.id_at(attention.of_kv_group(group).at(role).path);
}

namespace {

std::string dot_equation(const AttentionSettings& settings) {
    if (settings.relative == RelativePositions::Rotary) return "Q_{rot} K_{rot}^T";
    return settings.qk_norm == Switch::On ? "RMSNorm(Q) RMSNorm(K)^T" : "Q K^T";
}

/// The most cells of the hidden layer of additive scores that are offered as one matrix.
constexpr Index kMostHidden = Index(1) << 20;

/// Returns 0, −1, 1, −2, 2 …
Matrix line_center(int head) {
    const int distance = (head + 1) / 2;
    return Matrix::Constant(1, 1, static_cast<Scalar>(head % 2 == 1 ? -distance : distance));
}

/// Returns the place of an attention's biases of buckets: its own, or those of the first layer.
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
          rows_(HeadRows(plan, settings, place, head).add()) {}

    TensorId add() {
        const float cap = settings_.score_cap;
        if (cap == 0) return add_uncapped(Role::Scores, "S");
        const TensorId raw = add_uncapped(Role::UncappedScores, "S_{raw}");
        return add_capped(plan_, name(Role::Scores, "S"), raw, cap);
    }

  private:
    TensorId add_uncapped(Role role, const char* symbol) {
        const bool has_positions = settings_.relative != RelativePositions::None &&
                                   settings_.relative != RelativePositions::Rotary;
        if (!has_positions) return add_content(role, symbol);
        const TensorId content = add_content(Role::ContentScores, "S_{words}");
        const TensorId position = add_position();
        return add_result(plan_, name(role, symbol), "S_{words} + S_{pos}", operations::add,
                          {content, position});
    }
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

    // ---- contents ----

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
                return add_result(plan_, scores, fmt::format("{}cos(Q(i), K(j)){}", S, T),
                                  operations::cosine_scores, {rows_.q, rows_.k}, scaled(scale));
            case Score::Bilinear: {
                const TensorId W_a = weight("W_a", "W_a", d_k_, d_k_);
                const TensorId turned =
                    add_product(plan_, beside(rows_.q, head_.here.at("q_W_a"), "Q W_a", d_k_),
                                "Q W_a", rows_.q, W_a);
                return add_result(plan_, scores, fmt::format("{}Q W_a K^T{}", S, T),
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

    /// Offers the hidden layer as one matrix, a row a pair; not for a long sentence, where it is
    /// too large, nor where an attention is done again with another one's weights.
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
                names.push_back(fmt::format("{} → {}", axis_label(plan_, axes_.query, r),
                                            axis_label(plan_, keys, group * n_key + j)));
        }
        plan_.add_list("pair", std::move(names));
    }

    // ---- positions ----

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
            case RelativePositions::Buckets: {
                const TensorId table =
                    plan_.id_at(bucket_place(settings_, place_).at("rel_bias").path);
                std::shared_ptr<const std::vector<Index>> first_query;  // its place after a cache
                if (keys_.has_cache())
                    first_query = std::make_shared<const std::vector<Index>>(1, place_.cache.rows);
                return add_result(plan_, position, "b(bucket(j − i))",
                                  place_.causal == Switch::On ? operations::causal_bucket_bias
                                                              : operations::bucket_bias,
                                  {table},
                                  {.begin = head_.here.head,
                                   .count = settings_.max_distance,
                                   .group_rows = axes_.group_rows,
                                   .indices = std::move(first_query)});
            }
            default:
                return add_quadratic(position);
        }
    }

    /// Returns a leaf that all heads of the attention read.
    TensorId shared(const char* last) const { return plan_.id_at(place_.weights.at(last).path); }

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
    // The equation always shows a temperature other than 1, which sharpens or flattens.
    const bool is_dot = settings.score == Score::ScaledDot ||
                        (settings.score == Score::Dot && settings.temperature != 1);
    const bool is_plain = is_dot && settings.relative == RelativePositions::None &&
                          settings.qk_norm == Switch::Off && settings.score_cap == 0;
    return "A = " +
           normalized_text(settings.normalizer, settings.top_k,
                           is_plain ? fmt::format("Q K^T{} + M", over_scale(settings)) : "S + M");
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
    return is_scaled ? fmt::format(" / ({} T)", d) : " / T";
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
