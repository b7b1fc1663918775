#include "model/sweep/sweep.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/analyses/next_token_loss.h"
#include "core/error.h"
#include "model/evaluate.h"
#include "model/sweep/path_patching.h"
#include "model/sweep/replacement.h"

namespace headlight {
namespace {

/// The outputs of whole attentions and MLPs.
std::vector<TensorId> list_layer_outputs(const Plan& plan) {
    const Network network = plan[last_stream(plan)].identity.network;
    std::vector<TensorId> outputs;
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const Identity& identity = plan[id].identity;
        const bool is_attention =
            identity.role == Role::AttentionOutput && is_swept_attention(identity.component);
        if (identity.network == network && (is_attention || identity.role == Role::MlpOutput))
            outputs.push_back(id);
    }
    return outputs;
}

std::vector<TensorId> list_swept(const Plan& plan, SweepOver over) {
    return over == SweepOver::Heads ? list_head_outputs(plan) : list_layer_outputs(plan);
}

void check_can_sweep(const Document& document, const Trace& base, const Sweep& sweep) {
    if (!can_sweep(base))
        throw Error("sweep", "the study has no heads in layers that the logits are read from");
    if (const std::string pinned = pinned_readout(base); !pinned.empty())
        throw Error("sweep", pinned +
                                 " is set by hand behind the last layer, so no head changes "
                                 "it; take that back first");
    const SentenceStudy* study = document.sentence();
    const bool says_next = study && study->layer.readout == Readout::NextWord;
    if (sweep.settings.quantity == SweepQuantity::Loss && !says_next)
        throw Error("sweep", "the loss is that of next tokens, which this network does not say");
}

/// The quantity, of last streams.
class Measure {
  public:
    Measure(const Trace& base, const Sweep& sweep) : base_(base), question_(sweep.question) {
        if (sweep.settings.quantity == SweepQuantity::Loss)
            next_ = next_tokens(base);
        else
            place_ = row_of_stream(base, question_.row);
    }

    double before() const { return next_ ? next_token_loss(base_) : logit_asked(base_, question_); }
    double of(const Matrix& stream) const {
        if (next_) return next_token_loss(base_, stream, *next_);
        const Matrix logits = read_out(base_, stream.row(place_));
        const auto logit = static_cast<double>(logits(0, question_.word));
        return question_.minus ? logit - static_cast<double>(logits(0, *question_.minus)) : logit;
    }

  private:
    const Trace& base_;
    LogitQuestion question_;
    Index place_ = 0;
    std::optional<std::vector<Index>> next_;  // of the loss
};

constexpr std::pair<ComponentKind, const char*> kLayerParts[] = {
    {ComponentKind::Attention, "attention"},
    {ComponentKind::CrossAttention, "cross-attention"},
    {ComponentKind::Mlp, "MLP"}};

class SweepRunner {
  public:
    SweepRunner(const Document& document, const Trace& base, const Sweep& sweep,
                const ForEach& for_each)
        : base_(base),
          sweep_(sweep),
          measure_(base, sweep),
          progress_(for_each.progress()),
          silent_(for_each.followed_by(of_one_)),
          own_(interventions_in(document, base)) {
        // Only what leads from a component to the last stream is computed; the rest is read from
        // the base.
        const auto lean = std::make_shared<Plan>(base.plan());
        for (PlannedTensor& tensor : lean->tensors()) tensor.keep = Keep::OnDemand;
        lean_ = lean;
        if (sweep.settings.path) path_.emplace(base, lean_, own_, *sweep.settings.path, silent_);
    }

    SweepResult run() {
        const std::vector<TensorId> swept = begin();
        const int n_draws =
            sweep_.settings.kind == SweepKind::Resample ? sweep_.settings.resampling.n_draws : 1;
        if (progress_) progress_->begin(static_cast<double>(swept.size()) * n_draws);
        for (const TensorId id : swept) {
            if (progress_) progress_->enter(base_[id].path());
            double sum = 0;
            for (int draw = 0; draw < n_draws; ++draw) {
                sum += measure_.of(stream_with(id, replacement_for(base_, id, sweep_, draw)));
                if (progress_) progress_->advance(1);
            }
            const Identity& identity = base_[id].identity();
            result_.change(row_of(identity), column_of(identity)) =
                static_cast<Scalar>(sum / n_draws - result_.before);
        }
        return std::move(result_);
    }

  private:
    /// Makes the result's shape; returns what is swept.
    std::vector<TensorId> begin() {
        std::vector<TensorId> swept = list_swept(base_, sweep_.settings.over);
        if (path_) std::erase_if(swept, [&](TensorId id) { return !is_before_receiver(id); });
        name_columns(swept);
        for (const TensorId id : swept)
            if (const SweepRow row = row_for(base_[id].identity());
                std::ranges::find(result_.rows, row) == result_.rows.end())
                result_.rows.push_back(row);
        result_.change = Matrix::Constant(std::ssize(result_.rows), std::ssize(result_.columns),
                                          std::numeric_limits<Scalar>::quiet_NaN());
        result_.before = measure_.before();
        return swept;
    }

    bool is_over_heads() const { return sweep_.settings.over == SweepOver::Heads; }

    void name_columns(const std::vector<TensorId>& swept) {
        const auto has = [&](ComponentKind kind) {
            return std::ranges::any_of(
                swept, [&](TensorId id) { return base_[id].identity().component == kind; });
        };
        if (!is_over_heads()) {
            for (const auto& [kind, name] : kLayerParts)
                if (has(kind)) columns_.push_back(kind), result_.columns.emplace_back(name);
            return;
        }
        int n_heads = 0;
        for (const TensorId id : swept) n_heads = std::max(n_heads, base_[id].identity().head + 1);
        for (int h = 0; h < n_heads; ++h) result_.columns.push_back("head " + std::to_string(h));
    }

    SweepRow row_for(const Identity& identity) const {
        if (is_over_heads()) return {identity.layer, identity.component};
        return {identity.layer};
    }
    Index row_of(const Identity& identity) const {
        return std::ranges::find(result_.rows, row_for(identity)) - result_.rows.begin();
    }
    Index column_of(const Identity& identity) const {
        if (is_over_heads()) return identity.head;
        return std::ranges::find(columns_, identity.component) - columns_.begin();
    }

    bool is_before_receiver(TensorId id) const { return path_->is_before(base_[id].identity()); }

    Matrix stream_with(TensorId id, Intervention replacement) const {
        if (path_) return path_->last_stream_with(id, replacement, silent_);
        const std::string& stream = base_.plan()[last_stream(base_)].path;
        Interventions changed = own_;
        changed[base_[id].path()] = std::move(replacement);
        const Watched watched{.everything = false, .globs = {stream}};
        return *compute(lean_, changed, watched, &base_, silent_).at(stream).value;
    }

    const Trace& base_;
    const Sweep& sweep_;
    Measure measure_;
    Progress* progress_;
    Progress of_one_;
    ForEach silent_;
    Interventions own_;  // of the document
    std::shared_ptr<const Plan> lean_;
    std::optional<PathPatching> path_;
    std::vector<ComponentKind> columns_;  // over layers
    SweepResult result_;
};

std::string replaced_by(const SweepSettings& settings, std::size_t n_texts) {
    const Resampling& resampling = settings.resampling;
    switch (settings.kind) {
        case SweepKind::Zero:
            return "0";
        case SweepKind::Mean:
            return "its mean";
        case SweepKind::Patch:
            return "what it is in B";
        case SweepKind::Resample:
            break;
    }
    const std::string drawn =
        " (seed " + std::to_string(resampling.seed) +
        (resampling.n_draws > 1 ? ", mean of " + std::to_string(resampling.n_draws) + " draws)"
                                : ")");
    if (n_texts == 0) return "its rows at other tokens" + drawn;
    return "what it is in one of " + std::to_string(n_texts) + " texts" + drawn;
}

std::string path_sentence(const SweepPath& path) {
    static constexpr const char* kThrough[] = {"'s queries", "'s keys", "'s values", ""};
    const std::string receiver = path.ends_in_logits()
                                     ? "the logits see"
                                     : "head " + std::to_string(path.layer) + "." +
                                           std::to_string(path.head) +
                                           kThrough[static_cast<std::size_t>(path.through)] +
                                           (path.through == HeadInput::All ? " sees" : " see");
    return "; only " + receiver + " it, other heads are frozen";
}

}  // namespace

bool has_two_attentions(const SweepResult& result) {
    return std::ranges::any_of(result.rows, [](const SweepRow& row) {
        return row.attention == ComponentKind::CrossAttention;
    });
}

std::vector<std::string> row_names(const SweepResult& result) {
    const bool has_cross = has_two_attentions(result);
    std::vector<std::string> names;
    for (const SweepRow& row : result.rows)
        names.push_back((!has_cross                                       ? "layer "
                         : row.attention == ComponentKind::CrossAttention ? "cross "
                                                                          : "self ") +
                        std::to_string(row.layer));
    return names;
}

bool can_sweep(const Plan& plan) {
    return !list_head_outputs(plan).empty();
}

SweepResult run_sweep(const Document& document, const Trace& base, const Sweep& sweep,
                      const ForEach& for_each) {
    check_can_sweep(document, base, sweep);
    return SweepRunner(document, base, sweep, for_each).run();
}

std::string sweep_sentence(const SweepSettings& settings, std::size_t n_texts) {
    const char* each = settings.over == SweepOver::Heads
                           ? "each head's output"
                           : "the output of each attention and each MLP";
    return std::string(each) + " replaced by " + replaced_by(settings, n_texts) +
           ", one at a time" + (settings.path ? path_sentence(*settings.path) : "");
}

}  // namespace headlight
