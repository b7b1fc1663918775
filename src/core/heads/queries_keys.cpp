#include "core/heads/queries_keys.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/heads/rotary_angles.h"
#include "core/mechanisms/add_tensor.h"
#include "core/operations/block_operations.h"
#include "core/operations/operations.h"
#include "core/operations/position_operations.h"

namespace headlight {
namespace {

/// Names what is made of one head's queries and keys.
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
    /// Heads that share keys share what is made of them.
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
        const std::string formula = "RMSNorm(" + symbol + ")";
        const TensorId w =
            add_constant(plan_, {place_.weights.at(gain, Role::Gain), "γ_" + symbol, {}, d_k_},
                         operations::ones);
        return add_result(plan_, beside(x, std::move(named), formula), formula,
                          operations::rms_norm, {x, w}, {.epsilon = place_.norm_epsilon});
    }

    // ---- rotation ----

    TensorId add_turned(TensorId x, Named named, const char* symbol, const std::string& position) {
        return add_result(plan_, beside(x, std::move(named), symbol), turn_equation(position),
                          operations::rotary, {x}, turn_settings(x));
    }
    bool turns_halves() const { return settings_.rotary_pairs == RotaryPairs::Halves; }
    std::string turn_equation(const std::string& position) const {
        const std::string width =
            settings_.rotary_dims > 0 ? std::to_string(settings_.rotary_dims) : "d_k";
        return std::string(turns_halves() ? "columns f, f + " + width + "/2 " : "") + "turned by " +
               position + " · " + rotary_angle_text(settings_);
    }
    OperationSettings turn_settings(TensorId x) const {
        const Axis& rows = plan_[x].rows;
        const Index n_words = pattern_axes(plan_, place_).key.size;
        const Index width = rotary_width(settings_, d_k_.size);
        return {.scale = static_cast<Scalar>(rotary_attention_factor(settings_)),
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

}  // namespace

KeyPlace::KeyPlace(const Plan& plan, const AttentionPlace& place, const Head& head)
    : keys_(plan[head.k].identity), has_cache_(place.cache.rows > 0) {}

TensorId KeyPlace::beside(const Plan& plan, Role role) const {
    return plan.id_at(keys_.at(role).path);
}

Named KeyPlace::named_at(const Location& at, Role role) const {
    return has_cache_ ? at.at(std::string(role_name(role)) + "_new") : at.at(role);
}

QueriesKeys add_queries_keys(Plan& plan, const AttentionSettings& settings,
                             const AttentionPlace& place, const Head& head) {
    return HeadRows(plan, settings, place, head).add();
}

}  // namespace headlight
