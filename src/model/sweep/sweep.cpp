#include "model/sweep/sweep.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/analyses/head_scores.h"
#include "core/analyses/readout.h"
#include "core/error.h"
#include "core/evaluation/segment.h"
#include "core/numeric/generator.h"
#include "model/evaluate.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Draws a whole number below n, the k-th of a draw.
std::size_t draw_below(const SeededNumbers& numbers, std::size_t n, int draw, std::size_t k) {
    const auto share = 0.5 * (1 + static_cast<double>(numbers.uniform(draw, Index(k), 1)));
    return std::min(n - 1, static_cast<std::size_t>(share * static_cast<double>(n)));
}

SeededNumbers numbers_for(const Trace& base, TensorId id, const Resampling& resampling) {
    return {resampling.seed, "resample " + base[id].path()};
}

/// Returns an intervention that sets the tensor's values in another trace.
Intervention taken_from(const Trace& other_trace, const Tensor& tensor) {
    const Tensor* other = other_trace.find(tensor.path());
    if (!other) throw Error("sweep", "there is no {} to patch from", tensor.path());
    if (other->rows().size != tensor.rows().size || other->columns().size != tensor.columns().size)
        throw Error("sweep", "the other text must have as many tokens: {} is {} there, and {} here",
                    tensor.path(), shape_text(other->rows().size, other->columns().size),
                    shape_text(tensor.rows().size, tensor.columns().size));
    return intervene_on_all(*compute_value(other_trace, other_trace.id_at(tensor.path())));
}

Intervention resampled(const Trace& base, TensorId id, const Sweep& sweep, int draw) {
    const Resampling& resampling = sweep.settings.resampling;
    if (!sweep.from.empty()) {
        const SeededNumbers numbers = numbers_for(base, id, resampling);
        return taken_from(*sweep.from[draw_below(numbers, sweep.from.size(), draw, 0)], base[id]);
    }
    const std::vector<Index> rows = shuffled_rows(base, id, resampling, draw);
    if (std::ranges::is_sorted(rows))  // a cycle of two rows or more is not
        throw Error("sweep",
                    "resample takes rows from other tokens, and {} has none: the text needs two "
                    "tokens or more",
                    base[id].path());
    const MatrixPtr values = compute_value(base, id);
    Matrix shuffled = *values;
    for (std::size_t i = 0; i < rows.size(); ++i)
        shuffled.row(static_cast<Index>(i)) = values->row(rows[i]);
    return intervene_on_all(shuffled);
}

}  // namespace

std::vector<Index> shuffled_rows(const Trace& base, TensorId id, const Resampling& resampling,
                                 int draw) {
    const Axis& axis = base[id].rows();
    std::vector<Index> rows(static_cast<std::size_t>(axis.size));
    std::iota(rows.begin(), rows.end(), Index(0));
    std::vector<Index> all = rows;
    const CountedRows counted = counted_rows(base, base[id]);
    const SeededNumbers numbers = numbers_for(base, id, resampling);
    const Index of_sentence = axis.size / axis.groups;
    for (Index begin = 0; begin < axis.size; begin += of_sentence) {
        std::vector<std::size_t> places;
        for (const Index i : counted ? *counted : all)
            if (i >= begin && i < begin + of_sentence)
                places.push_back(static_cast<std::size_t>(i));
        // One cycle leads through all places, so that none keeps its own.            [Sattolo 1986]
        for (std::size_t k = places.size(); k-- > 1;)
            std::swap(rows[places[k]], rows[places[draw_below(numbers, k, draw, places[k] + 1)]]);
    }
    return rows;
}

namespace {

/// Returns the mean after the study's own interventions: a head that is switched off in the study
/// has a mean of 0.
Intervention mean_of_rows(const Trace& base, TensorId id) {
    if (base[id].intervention.is_empty()) return {.cells = {}, .ablation = Ablation::Mean};
    Matrix mean = *compute_value(base, id);
    ablate_rows(Ablation::Mean, view(mean), counted_rows(base, base[id]));
    return intervene_on_all(mean);
}

/// Returns the replacement of one draw. Throws Error if there is no trace to patch from, or one has
/// other shapes.
Intervention replacement_for(const Trace& base, TensorId id, const Sweep& sweep, int draw) {
    switch (sweep.settings.kind) {
        case SweepKind::Zero:
            return {.cells = {}, .ablation = Ablation::Zero};
        case SweepKind::Mean:
            return mean_of_rows(base, id);
        case SweepKind::Resample:
            return resampled(base, id, sweep, draw);
        case SweepKind::Patch:
            break;
    }
    if (sweep.from.size() != 1) throw Error("sweep", "there is no text to patch from");
    return taken_from(*sweep.from.front(), base[id]);
}

/// Applies an intervention to only one row; the others stay as they are in the trace.
Intervention on_one_row(const Intervention& of_all, const Trace& base, TensorId id, Index row) {
    Matrix replaced = *compute_value(base, id);
    if (of_all.is_of_all_rows())
        change_every_row(of_all, view(replaced), counted_rows(base, base[id]));
    std::vector<CellValue> cells;
    for (Index column = 0; column < replaced.cols(); ++column)
        cells.push_back({row, column, replaced(row, column)});
    for (const CellValue& cell : of_all.cells)
        if (cell.row == row) cells[static_cast<std::size_t>(cell.column)] = cell;
    return {.cells = std::move(cells)};
}

/// Computes a quantity, where p = softmax of the logits of the place that is asked about, and p₀
/// is that of the trace itself:
///     Logit        logit(word) − logit(minus)
///     Probability  p(word) − p(minus)
///     Divergence   KL(p₀ ‖ p) = Σ_w p₀(w) (log p₀(w) − log p(w)), in nats      [Conmy 2023]
///     Loss         of the text's own next tokens (core/analyses/readout.h)
class Measure {
  public:
    /// Keeps `base`, which must outlive it. Throws Error if there is no such row or word.
    Measure(const Trace& base, const Sweep& sweep);

    double before() const;
    /// Computes the quantity with `stream`, n × d_model, in place of the last layer's output.
    double of(const Matrix& stream) const;

  private:
    double of_logits(const Matrix& logits) const;  // 1 × words

    const Trace& base_;
    SweepQuantity quantity_;
    LogitQuestion question_;
    Index place_ = 0;                              // row of the last stream
    std::vector<double> log_before_;               // log p₀, of Divergence
    std::optional<std::vector<Index>> next_ = {};  // of Loss
};

std::vector<double> log_probabilities(const Matrix& logits, Index row) {
    const auto largest = static_cast<double>(logits.row(row).maxCoeff());
    double sum = 0;
    for (Index w = 0; w < logits.cols(); ++w)
        sum += std::exp(static_cast<double>(logits(row, w)) - largest);
    std::vector<double> logs;
    for (Index w = 0; w < logits.cols(); ++w)
        logs.push_back(static_cast<double>(logits(row, w)) - largest - std::log(sum));
    return logs;
}

double difference_asked(const std::vector<double>& logs, const LogitQuestion& question) {
    const auto p = [&](Index word) { return std::exp(logs[static_cast<std::size_t>(word)]); };
    return p(question.word) - (question.minus ? p(*question.minus) : 0);
}

double divergence(const std::vector<double>& log_before, const std::vector<double>& log_after) {
    double sum = 0;
    for (std::size_t w = 0; w < log_before.size(); ++w) {
        const double p = std::exp(log_before[w]);
        if (p > 0) sum += p * (log_before[w] - log_after[w]);
    }
    return sum;
}

Measure::Measure(const Trace& base, const Sweep& sweep)
    : base_(base), quantity_(sweep.settings.quantity), question_(sweep.question) {
    if (quantity_ == SweepQuantity::Loss) {
        next_ = next_tokens(base);
        return;
    }
    place_ = row_of_stream(base, question_.row);
    if (quantity_ == SweepQuantity::Divergence)
        log_before_ =
            log_probabilities(*compute_value(base, base.id_at(logits_path())), question_.row);
}

double Measure::before() const {
    if (next_) return next_token_loss(base_);
    if (quantity_ == SweepQuantity::Divergence) return 0;
    const double logit = logit_asked(base_, question_);  // checks row and word
    if (quantity_ == SweepQuantity::Logit) return logit;
    const MatrixPtr logits = compute_value(base_, base_.id_at(logits_path()));
    return difference_asked(log_probabilities(*logits, question_.row), question_);
}

double Measure::of_logits(const Matrix& logits) const {
    const auto logit = [&](Index word) { return static_cast<double>(logits(0, word)); };
    if (quantity_ == SweepQuantity::Logit)
        return logit(question_.word) - (question_.minus ? logit(*question_.minus) : 0);
    const std::vector<double> logs = log_probabilities(logits, 0);
    return quantity_ == SweepQuantity::Probability ? difference_asked(logs, question_)
                                                   : divergence(log_before_, logs);
}

double Measure::of(const Matrix& stream) const {
    if (next_) return next_token_loss(base_, stream, *next_);
    return of_logits(read_out(base_, stream.row(place_)));
}

/// Lists the output of every head in the layers that the logits are read from, in the order of
/// computation; in an encoder–decoder these are the decoder's heads of both its attentions.
std::vector<TensorId> list_head_outputs(const Plan& plan);

/// True of self-attention and cross-attention.
bool is_swept_attention(ComponentKind component);

/// The state that evaluations along a path share.
class PathPatching {
  public:
    /// Keeps `base` and `plan`, which must outlive it. Throws Error if there is no such receiver,
    /// or nothing before it.
    PathPatching(const Trace& base, std::shared_ptr<const Plan> plan, Interventions own,
                 const SweepPath& path);

    /// True if the component comes before the receiver.
    bool is_before(const Identity& component) const;

    /// Returns the last stream after the component has been replaced, with only the receiver
    /// affected.
    Pieces<Matrix> last_stream_with(TensorId component, Intervention replacement,
                                    const ForEach& for_each);

  private:
    std::vector<TensorId> received() const;
    Pieces<Trace> run(Interventions changed, std::vector<TensorId> wanted, const Trace& before,
                      const ForEach& for_each) const;

    const Trace& base_;
    std::shared_ptr<const Plan> plan_;
    Interventions own_, frozen_;  // of the document, and beside them every head as it is
    SweepPath path_;
    std::optional<TensorId> receiver_;   // its output; none: the logits
    std::optional<Trace> frozen_trace_;  // made when it is first needed
};

/// Throws Error for an encoder–decoder: paths between the two are not followed here.
void check_is_one_stack(const Plan& plan, const std::vector<TensorId>& heads) {
    for (const TensorId id : heads)
        if (plan[id].identity.component != ComponentKind::Attention)
            throw Error("sweep",
                        "paths are followed in a stack of self-attention; this network reads a "
                        "source by cross-attention. Sweep it without a receiver");
}

std::string head_name(const SweepPath& path) {
    return fmt::format("{}.{}", path.layer, path.head);
}

TensorId output_of(const Plan& plan, const SweepPath& path) {
    const std::vector<TensorId> heads = list_head_outputs(plan);
    check_is_one_stack(plan, heads);
    for (const TensorId id : heads)
        if (plan[id].identity.layer == path.layer && plan[id].identity.head == path.head) return id;
    throw Error("sweep", "there is no head {} to receive anything", head_name(path));
}

std::vector<TensorId> list_head_outputs(const Plan& plan) {
    std::vector<TensorId> outputs;
    const std::vector<TensorId> streams = list_streams(plan);
    if (streams.empty()) return outputs;
    const Network network = plan[streams.back()].identity.network;
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const Identity& identity = plan[id].identity;
        if (identity.role == Role::HeadOutput && identity.network == network &&
            is_swept_attention(identity.component))
            outputs.push_back(id);
    }
    return outputs;
}

bool is_swept_attention(ComponentKind component) {
    return component == ComponentKind::Attention || component == ComponentKind::CrossAttention;
}

}  // namespace

SweepPath path_to(const Plan& plan, const std::string& receiver) {
    if (receiver == "logits") return {};
    const std::size_t dot = receiver.find('.');
    const auto is_number = [](const std::string& text) {
        return !text.empty() && text.size() < 6 &&
               text.find_first_not_of("0123456789") == std::string::npos;
    };
    const std::string layer = receiver.substr(0, dot),
                      head = dot == std::string::npos ? "" : receiver.substr(dot + 1);
    if (!is_number(layer) || !is_number(head))
        throw Error("sweep", "{} names no receiver: write 1.2 for head 2 of layer 1, or logits",
                    in_quotes(receiver));
    const SweepPath path{std::stoi(layer), std::stoi(head)};
    output_of(plan, path);
    return path;
}

namespace {

PathPatching::PathPatching(const Trace& base, std::shared_ptr<const Plan> plan, Interventions own,
                           const SweepPath& path)
    : base_(base), plan_(std::move(plan)), own_(std::move(own)), frozen_(own_), path_(path) {
    const std::vector<TensorId> heads = list_head_outputs(base);
    check_is_one_stack(base, heads);
    if (!path.ends_in_logits()) {
        receiver_ = output_of(base, path);
        if (base[heads.front()].identity().layer == path.layer)
            throw Error("sweep", "head {} is in the first layer: no component comes before it",
                        head_name(path));
    }
    for (const TensorId id : heads)
        frozen_[base[id].path()] = intervene_on_all(*compute_value(base, id));
}

bool PathPatching::is_before(const Identity& component) const {
    return path_.ends_in_logits() || component.layer < path_.layer;
}

std::vector<TensorId> PathPatching::received() const {
    std::vector<TensorId> inputs;
    const Location attention{.component = ComponentKind::Attention, .layer = path_.layer};
    const auto add = [&](HeadInput input, Role role) {
        if (path_.through != input && path_.through != HeadInput::All) return;
        const auto id = find_head_input(base_, attention, path_.head, role);
        if (!id) throw Error("sweep", "head {} has no such input", head_name(path_));
        inputs.push_back(*id);  // heads of a group share K and V
    };
    add(HeadInput::Query, Role::Query);
    add(HeadInput::Key, Role::Key);
    add(HeadInput::Value, Role::Value);
    return inputs;
}

Pieces<Trace> PathPatching::run(Interventions changed, std::vector<TensorId> wanted,
                                const Trace& before, const ForEach& for_each) const {
    Watched watched;
    for (const TensorId id : wanted) watched.globs.push_back(base_[id].path());
    co_return co_await compute_in_pieces(plan_, changed, watched, &before, for_each);
}

Pieces<Matrix> PathPatching::last_stream_with(TensorId component, Intervention replacement,
                                              const ForEach& for_each) {
    // The senders' evaluations share everything that none of them changes.
    const Watched nothing;
    if (!frozen_trace_)
        frozen_trace_ =
            co_await compute_in_pieces(base_.shared_plan(), frozen_, nothing, &base_, for_each);
    const TensorId stream = last_stream(base_);
    Interventions changed = frozen_;
    changed[base_[component].path()] = std::move(replacement);
    const std::vector<TensorId> wanted = receiver_ ? received() : std::vector{stream};
    const Trace sent = co_await run(std::move(changed), wanted, *frozen_trace_, for_each);
    if (!receiver_) co_return *sent[stream].value;
    // The receiver's output is computed by itself, since other heads may share its keys and values.
    changed = own_;
    for (const TensorId input : wanted)
        changed[base_[input].path()] = intervene_on_all(*sent[input].value);
    const std::vector<TensorId> receiver{*receiver_}, last{stream};
    const Trace heard = co_await run(std::move(changed), receiver, base_, for_each);
    changed = own_;
    changed[base_[*receiver_].path()] = intervene_on_all(*heard[*receiver_].value);
    const Trace after = co_await run(std::move(changed), last, base_, for_each);
    co_return *after[stream].value;
}

/// Lists the outputs of whole attentions and MLPs.
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

/// The part that is replaced at a time: all of a tensor, or one row of it.
struct Swept {
    TensorId id = 0;
    std::optional<Index> row = {};
};

std::vector<Swept> list_swept(const Trace& base, SweepSites over) {
    std::vector<Swept> swept;
    if (over != SweepSites::Tokens) {
        for (const TensorId id :
             over == SweepSites::Heads ? list_head_outputs(base) : list_layer_outputs(base))
            swept.push_back({id});
        return swept;
    }
    for (const TensorId id : list_streams(base)) {
        const CountedRows counted = counted_rows(base, base[id]);
        const auto is_token = [&](Index row) {
            return !counted || std::ranges::binary_search(*counted, row);
        };
        for (Index row = 0; row < base[id].rows().size; ++row)
            if (is_token(row)) swept.push_back({id, row});
    }
    return swept;
}

void check_can_sweep(const Document& document, const Trace& base, const Sweep& sweep) {
    if (!can_sweep(base))
        throw Error("sweep", "the study has no heads in layers that the logits are read from");
    if (const std::string pinned = pinned_readout(base); !pinned.empty())
        throw Error(
            "sweep",
            "{} is set by hand after the last layer, so no head changes it; take that back first",
            pinned);
    const SentenceStudy* study = document.sentence();
    const bool says_next = study && study->layer.readout == Readout::NextWord;
    if (sweep.settings.quantity == SweepQuantity::Loss && !says_next)
        throw Error("sweep",
                    study && study->layer.readout == Readout::MaskedWord
                        ? "the loss is that of next tokens, which this network does not say: it "
                          "says a word in place of [MASK], and the text does not say which word "
                          "that is. Measure the logit or the probability of a word there"
                        : "the loss is that of next tokens, which this network does not say");
    if (sweep.settings.over == SweepSites::Tokens && sweep.settings.path)
        throw Error("sweep",
                    "paths begin at heads, attentions and MLPs, not at tokens of the residual "
                    "stream; leave out the receiver");
}

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
        // Only the tensors between a component and the last stream are computed; the rest is read
        // from the base.
        const auto lean = std::make_shared<Plan>(base.plan());
        for (PlannedTensor& tensor : lean->tensors()) tensor.keep = Keep::OnDemand;
        lean_ = lean;
        if (sweep.settings.path) path_.emplace(base, lean_, own_, *sweep.settings.path);
    }

    Pieces<SweepResult> run() {
        const std::vector<Swept> swept = begin();
        const int n_draws =
            sweep_.settings.kind == SweepKind::Resample ? sweep_.settings.resampling.n_draws : 1;
        if (progress_) progress_->begin(static_cast<double>(swept.size()) * n_draws);
        for (const Swept& each : swept) {
            if (progress_) progress_->enter(base_[each.id].path());
            double sum = 0;
            for (int draw = 0; draw < n_draws; ++draw) {
                const Matrix stream = co_await stream_with(each.id, replacement(each, draw));
                sum += measure_.of(stream);
                if (progress_) progress_->advance(1);
                co_await kPause;
            }
            result_.change(row_of(base_[each.id].identity()), column_of(each)) =
                static_cast<Scalar>(sum / n_draws - result_.before);
        }
        co_return std::move(result_);
    }

  private:
    /// Sets the result's shape; returns the list of replacements.
    std::vector<Swept> begin() {
        std::vector<Swept> swept = list_swept(base_, over());
        if (path_)
            std::erase_if(swept, [&](const Swept& each) {
                return !path_->is_before(base_[each.id].identity());
            });
        result_.over = over();
        name_columns(swept);
        for (const Swept& each : swept)
            if (const SweepRow row = row_for(base_[each.id].identity());
                !is_among(row, result_.rows))
                result_.rows.push_back(row);
        result_.change = Matrix::Constant(std::ssize(result_.rows), std::ssize(result_.columns),
                                          std::numeric_limits<Scalar>::quiet_NaN());
        result_.before = measure_.before();
        return swept;
    }

    SweepSites over() const { return sweep_.settings.over; }

    void name_columns(const std::vector<Swept>& swept) {
        switch (over()) {
            case SweepSites::Heads:
                return name_heads(swept);
            case SweepSites::Layers:
                return name_layer_parts(swept);
            case SweepSites::Tokens:
                break;
        }
        const Axis& tokens = base_[swept.front().id].rows();
        for (Index row = 0; row < tokens.size; ++row)
            result_.columns.push_back(shown_label(base_, tokens, row));
    }

    void name_heads(const std::vector<Swept>& swept) {
        int n_heads = 0;
        for (const Swept& each : swept)
            n_heads = std::max(n_heads, base_[each.id].identity().head + 1);
        for (int h = 0; h < n_heads; ++h) result_.columns.push_back(fmt::format("head {}", h));
    }

    void name_layer_parts(const std::vector<Swept>& swept) {
        for (const auto& [kind, name] : kLayerParts)
            if (std::ranges::any_of(swept, [&, k = kind](const Swept& each) {
                    return base_[each.id].identity().component == k;
                }))
                columns_.push_back(kind), result_.columns.emplace_back(name);
    }

    SweepRow row_for(const Identity& identity) const {
        if (over() == SweepSites::Heads) return {identity.layer, identity.component};
        const bool is_input = over() == SweepSites::Tokens && identity.role == Role::ResidPre;
        return {is_input ? -1 : identity.layer};
    }
    Index row_of(const Identity& identity) const {
        return std::ranges::find(result_.rows, row_for(identity)) - result_.rows.begin();
    }
    Index column_of(const Swept& each) const {
        const Identity& identity = base_[each.id].identity();
        if (each.row) return *each.row;
        if (over() == SweepSites::Heads) return identity.head;
        return std::ranges::find(columns_, identity.component) - columns_.begin();
    }

    Intervention replacement(const Swept& each, int draw) const {
        Intervention of_all = replacement_for(base_, each.id, sweep_, draw);
        return each.row ? on_one_row(of_all, base_, each.id, *each.row) : of_all;
    }

    Pieces<Matrix> stream_with(TensorId id, Intervention replacement) {
        if (path_) co_return co_await path_->last_stream_with(id, replacement, silent_);
        const std::string& stream = base_.plan()[last_stream(base_)].path;
        Interventions changed = own_;
        changed[base_[id].path()] = std::move(replacement);
        const Watched watched{.everything = false, .globs = {stream}};
        const Trace trace = co_await compute_in_pieces(lean_, changed, watched, &base_, silent_);
        co_return *trace.at(stream).value;
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
    const std::string drawn = fmt::format(
        " (seed {}{}", resampling.seed,
        resampling.n_draws > 1 ? fmt::format(", mean of {} draws)", resampling.n_draws) : ")");
    if (n_texts == 0) return "its rows at other tokens" + drawn;
    return "what it is in " +
           (n_texts == 1 ? "another text" : fmt::format("one of {} texts", n_texts)) + drawn;
}

std::string path_sentence(const SweepPath& path) {
    static constexpr const char* kThrough[] = {"'s queries", "'s keys", "'s values", ""};
    const std::string receiver = path.ends_in_logits()
                                     ? "the logits see"
                                     : fmt::format("head {}.{}{} {}", path.layer, path.head,
                                                   kThrough[static_cast<std::size_t>(path.through)],
                                                   path.through == HeadInput::All ? "sees" : "see");
    return fmt::format("; only {} it, other heads are frozen", receiver);
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
        if (result.over == SweepSites::Tokens)
            names.push_back(row.layer < 0 ? "input" : fmt::format("after layer {}", row.layer));
        else
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
    return at_once(run_sweep_in_pieces(document, base, sweep, for_each));
}

Pieces<SweepResult> run_sweep_in_pieces(const Document& document, const Trace& base,
                                        const Sweep& sweep, const ForEach& for_each) {
    check_can_sweep(document, base, sweep);
    SweepRunner runner(document, base, sweep, for_each);
    co_return co_await runner.run();
}

std::string sweep_sentence(const SweepSettings& settings, std::size_t n_texts) {
    static constexpr const char* kEach[] = {"each head's output",
                                            "the output of each attention and each MLP",
                                            "each token's stream after each layer"};
    const char* each = kEach[static_cast<std::size_t>(settings.over)];
    return fmt::format("{} replaced by {}, one at a time{}", each, replaced_by(settings, n_texts),
                       settings.path ? path_sentence(*settings.path) : "");
}

}  // namespace headlight
