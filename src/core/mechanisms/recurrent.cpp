#include "core/mechanisms/recurrent.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/recurrent_cell.h"
#include "core/mechanisms/word_table.h"
#include "core/operations/mask_operations.h"
#include "core/operations/normalizer_operations.h"
#include "core/operations/operations.h"
#include "core/operations/recurrent_operations.h"
#include "core/operations/score_operations.h"
#include "core/plan.h"
#include "core/settings.h"

namespace headlight {
namespace {

struct RecurrentNet {
    const RecurrentSettings& settings;
    std::uint64_t seed;
    const WordTables& tables;
    Plan plan = {};
    Words written = {};               // of each pair y_1 … y_m, <end>, and padding
    Words vocabulary = {};            // without a table: the different ones
    Axis source = {}, steps = {};     // rows: one a source word, one a word written; of all pairs
    Index n_source = 0, n_steps = 0;  // of one pair
    Axis pairs = {};                  // rows of one step: one a pair
    Axis vocabulary_axis = {};
    Axis model = {}, state = {}, context = {};  // widths of an embedding, of s, of an h_j

    bool is_batch() const { return pairs.size > 1; }
    bool is_bidirectional() const { return settings.bidirectional == Switch::On; }
    TensorId add_weight(Named named, const std::string& symbol, Axis rows, Axis columns,
                        Stage stage = Stage::Weight) {
        return headlight::add_weight(plan, {std::move(named), symbol, rows, columns, stage}, seed);
    }
    /// Returns the rows of one pair, by which operations on steps count several; 0 for one pair.
    Index group_rows(Index of_one_pair) const { return is_batch() ? of_one_pair : 0; }
    TensorId source_tokens() const {
        return plan.id_at(Location{.network = Network::Encoder}.at(Role::Tokens).path);
    }
    /// Adds one vector a word, the same one wherever the word stands.
    TensorId add_embedding(TensorName name, const Words& words);
};

struct EncodedSource {
    TensorId embed = 0;
    TensorId forward = 0;             // n × d: its states in this direction
    TensorId h = 0;                   // n × D: h_j = [→h_j | ←h_j]
    std::vector<TensorId> ends = {};  // 1 × d: the last state of each direction
};

enum class Direction { Forward, Backward };

/// The results of one direction.
struct OneWay {
    TensorId h = 0;    // n × d
    TensorId end = 0;  // 1 × d, after the last word read
};

/// Adds a direction. A step is numbered by its word; the backward direction takes the last word
/// first.
OneWay add_direction(RecurrentNet& net, Direction direction, TensorId embed) {
    const bool is_forward = direction == Direction::Forward;
    const Location here{.network = is_forward ? Network::Forward : Network::Backward,
                        .component = ComponentKind::Recurrence};
    RecurrentCell cell(net.plan, net.settings.cell_type,
                       {.here = here,
                        .mark = is_forward ? "→" : "←",
                        .state = "h",
                        .memory = "c",
                        .index = "t",
                        .index_before = is_forward ? "t−1" : "t+1",
                        .input = net.model,
                        .width = net.state,
                        .pairs = net.pairs},
                       net.seed);
    const std::vector<TensorId> inputs = cell.add_inputs(here, embed);
    const Index n = net.n_source;
    std::vector<CellState> states(static_cast<std::size_t>(n));
    CellState state = cell.add_zero_state();
    for (Index k = 0; k < n; ++k) {
        const Index t = is_forward ? k : n - 1 - k;
        const StepPlace step{.here = here.with(ComponentKind::Step).of_step(static_cast<int>(t)),
                             .inputs = inputs,
                             .row = t,
                             .group_rows = net.group_rows(n)};
        CellState after = cell.add_step(step, state);
        if (net.is_batch())
            after = cell.hold_padding(step, std::move(after), state, net.source_tokens());
        state = std::move(after);
        states[static_cast<std::size_t>(t)] = state;
    }
    return {.h = cell.add_stacks(states, net.source), .end = state.state};
}

EncodedSource add_encoder(RecurrentNet& net) {
    const TensorName words{Location{.network = Network::Encoder}.at(Role::Embedding), "X",
                           net.source, net.model, Stage::Input};
    const TensorId embed = net.tables.source ? add_looked_up(net.plan, words, Network::Encoder,
                                                             net.tables.source, net.seed)
                                             : net.add_embedding(words, net.plan.items());
    const Location both{.network = Network::Encoder, .component = ComponentKind::Recurrence};
    const TensorName h{both.at(Role::Annotations), "h", net.source, net.context, Stage::Projection};
    const OneWay forward = add_direction(net, Direction::Forward, embed);
    if (!net.is_bidirectional())
        return {embed,
                forward.h,
                add_result(net.plan, h, "h_j = →h_j", operations::copy, {forward.h}),
                {forward.end}};
    const OneWay backward = add_direction(net, Direction::Backward, embed);
    return {embed,
            forward.h,
            add_result(net.plan, h, "h_j = [→h_j | ←h_j]", operations::concat_columns,
                       {forward.h, backward.h}),
            {forward.end, backward.end}};
}

/// The row of the first word in decoder.embed; <start> is before the vocabulary.
constexpr Index kFirstWord = 1;

/// The place of the decoder's tensors outside its attention.
constexpr Location kHere{.network = Network::Decoder, .component = ComponentKind::Attention};

class Decoder {
  public:
    Decoder(RecurrentNet& net, const EncodedSource& source)
        : net_(net),
          plan_(net.plan),
          source_(source),
          input_{AxisKind::Concat, net.model.size + net.context.size},
          cell_(net.plan, net.settings.cell_type,
                {.here = kHere,
                 .mark = "",
                 .state = "s",
                 .memory = "cell",
                 .index = "i",
                 .index_before = "i−1",
                 .input = input_,
                 .width = net.state,
                 .pairs = net.pairs,
                 .stage = Stage::Output},
                net.seed) {}

    /// Names everything from decoder.embed to probs; returns decoder.s.
    TensorId add() {
        name_weights();
        CellState state = add_first_state();
        for (Index i = 0; i < net_.n_steps; ++i) state = add_step(i, state);
        return name_stacks();
    }

  private:
    bool attends() const { return net_.settings.attention == Switch::On; }

    // ---- shared by all steps ----

    void name_weights() {
        words_read_ = words_read();
        add_embedding();
        if (attends())
            name_attention_weights();
        else
            add_encoder_last();
        const Axis pairs{AxisKind::Hidden, 2 * net_.state.size};
        U_o_ = net_.add_weight(kHere.beside("U_o"), "U_o", net_.state, pairs, Stage::Output);
        V_o_ = net_.add_weight(kHere.beside("V_o"), "V_o", net_.model, pairs, Stage::Output);
        C_o_ = net_.add_weight(kHere.beside("C_o"), "C_o", net_.context, pairs, Stage::Output);
        W_o_ = net_.add_weight(kHere.beside("W_o"), "W_o", net_.state, net_.vocabulary_axis,
                               Stage::Output);
    }

    /// Adds the embedding. With a table it covers only the words that are known from the start.
    void add_embedding() {
        const Named embed = Location{.network = Network::Decoder}.at(Role::Embedding);
        if (net_.tables.target) {
            const Axis known = is_free()
                                   ? Axis{AxisKind::Named, 1, plan_.add_list("word", {kStartWord})}
                                   : words_read_;
            embed_ = add_looked_up(plan_, {embed, "E", known, net_.model, Stage::Input},
                                   Network::Decoder, net_.tables.target, net_.seed);
            if (is_free())
                vectors_ = plan_.id_at(Location{.network = Network::Decoder}.at("W_E").path);
            return;
        }
        Words read = net_.vocabulary;
        read.insert(read.begin(), kStartWord);
        const Axis rows{AxisKind::Named, static_cast<Index>(read.size()),
                        plan_.add_list("word", read)};
        embed_ = net_.add_embedding({embed, "E", rows, net_.model, Stage::Input}, read);
        vectors_ = embed_;
    }
    bool is_free() const { return net_.settings.feeding == Feeding::Free; }

    void name_attention_weights() {
        W_query_ = net_.add_weight(kHere.beside("W_query"), "W_{query}", net_.state, hidden());
        const TensorId W_key =
            net_.add_weight(kHere.beside("W_key"), "W_{key}", net_.context, hidden());
        v_score_ = net_.add_weight(kHere.beside("v_score"), "v", hidden(), {});
        key_hidden_ = add_product(
            plan_,
            {kHere.beside(Role::KeyHidden), "h W_{key}", net_.source, hidden(), Stage::Projection},
            "h W_{key}", source_.h, W_key);
        const OperationSettings mask =
            mask_settings(cross_mask(plan_.items(), net_.n_steps, net_.steps.groups), net_.n_steps,
                          net_.n_source);
        cross_mask_ = add_result(plan_,
                                 {Named("cross_mask", {kHere, Role::Mask}), "M", queries(), keys(),
                                  Stage::Score, Quantity::Mask},
                                 mask_equation(mask), operations::attention_mask, {}, mask);
    }

    /// Adds the encoder's last state, which every step sees if there is no attention.
    void add_encoder_last() {
        const bool is_both = source_.ends.size() == 2;
        encoder_last_ = add_result(
            plan_,
            {Location{.network = Network::Encoder, .component = ComponentKind::Recurrence}.at(
                 "last"),
             "h_{last}", net_.pairs, net_.context, Stage::Projection},
            is_both ? "[→h | ←h], each after its last word" : "→h after the last word",
            is_both ? operations::concat_columns : operations::copy, source_.ends);
    }

    /// Adds the first state, made from the state that has read the whole source; of both directions
    /// it is the backward one.
    CellState add_first_state() {
        const TensorId end = source_.ends.back();
        const TensorId W =
            net_.add_weight(kHere.beside("W_init"), "W_{init}", net_.state, net_.state);
        const TensorId b =
            add_constant(plan_, {kHere.beside("b_init", Role::Bias), "b_{init}", {}, net_.state},
                         operations::zeros);
        const std::string sum = symbol(end) + " W_{init} + b_{init}";
        const TensorId pre = add_result(plan_,
                                        {kHere.beside("s_init_pre", Role::FirstState), sum,
                                         net_.pairs, net_.state, Stage::Projection},
                                        sum, operations::multiply_add, {end, W, b});
        const TensorId state = add_result(plan_,
                                          {kHere.beside("s_init", Role::FirstState), "s_{init}",
                                           net_.pairs, net_.state, Stage::Projection},
                                          "s_{init} = tanh(" + sum + ")", operations::tanh, {pre});
        return {.state = state, .memory = cell_.add_zero_memory()};
    }

    // ---- one step ----

    /// One row of step i, whose symbol has the step's number.
    struct Part {
        Index step;
        const char* name;
        Role role;
        const char* symbol;
        Axis columns;
        Stage stage;
        Quantity quantity = Quantity::Signed;
    };
    static Location step_place(Index step) {
        return kHere.with(ComponentKind::Step).of_step(static_cast<int>(step));
    }
    TensorId step_tensor(Index step, const char* name) const {
        return plan_.id_at(step_place(step).at(name).path);
    }
    TensorId add_part(const Part& part, const std::string& equation, const Operation& operation,
                      std::vector<TensorId> inputs, OperationSettings settings = {}) {
        const std::string symbol = part.symbol + ("_{" + std::to_string(part.step) + "}");
        return add_result(plan_,
                          {step_place(part.step).at(part.name, part.role), symbol, net_.pairs,
                           part.columns, part.stage, part.quantity},
                          fmt::format("{} = {}", symbol, equation), operation, std::move(inputs),
                          std::move(settings));
    }

    CellState add_step(Index i, const CellState& before) {
        const TensorId y = add_word_before(i);
        const TensorId c = attends()
                               ? add_context(i, before.state)
                               : add_part({i, "c", Role::Context, "c", net_.context, Stage::Mix},
                                          "h_{last}", operations::copy, {encoder_last_});
        const TensorId x = add_part({i, "x", Role::StepInput, "x", input_, Stage::Output},
                                    fmt::format("[{} | {}]", symbol(y), symbol(c)),
                                    operations::concat_columns, {y, c});
        const std::vector<TensorId> inputs = cell_.add_inputs(step_place(i), x);
        CellState state = cell_.add_step(
            {.here = step_place(i), .inputs = inputs, .group_rows = net_.group_rows(1)}, before);
        add_readout(i, state.state, y, c);
        states_.push_back(state);
        return state;
    }

    /// Adds the embedding of the word before this one.
    TensorId add_word_before(Index i) {
        const Part part{i, "y", Role::WordBefore, "y", net_.model, Stage::Input};
        if (i > 0 && is_free()) {
            const TensorId logits = step_tensor(i - 1, "logits");
            return add_part(part, fmt::format("E(the word of the largest {})", symbol(logits)),
                            operations::argmax_row, {logits, vectors_},
                            {.begin = net_.tables.target ? 0 : kFirstWord});
        }
        if (net_.tables.target) return add_row_of_words(part);
        if (i == 0)
            return add_part(part, "E(<start>)", operations::row_slice, {embed_}, {.begin = 0});
        const Words& words = net_.vocabulary;
        const std::string& word = net_.written[static_cast<std::size_t>(i - 1)];
        const Index row = std::find(words.begin(), words.end(), word) - words.begin();
        return add_part(part, fmt::format("E({})", name_in_formula(word)), operations::row_slice,
                        {embed_}, {.begin = kFirstWord + row});
    }

    /// Adds, for each pair, the row of its word before.
    TensorId add_row_of_words(const Part& part) {
        if (!net_.is_batch())
            return add_part(
                part,
                fmt::format("E({})", name_in_formula(axis_label(plan_, words_read_, part.step))),
                operations::row_slice, {embed_}, {.begin = part.step});
        auto rows = std::make_shared<std::vector<Index>>();
        for (Index g = 0; g < net_.pairs.size; ++g) rows->push_back(g * net_.n_steps + part.step);
        return add_part(part, "E(the words before)", operations::gather_rows, {embed_},
                        {.indices = std::move(rows)});
    }

    /// Adds the context: the part of the source that the query s_{i−1} finds.
    TensorId add_context(Index i, TensorId query) {
        const RecurrentSettings& s = net_.settings;
        const TensorId query_hidden =
            add_part({i, "query_hidden", Role::QueryHidden, "q", hidden(), Stage::Projection},
                     symbol(query) + " W_{query}", operations::multiply, {query, W_query_});
        const TensorId e = add_part(
            {i, "e", Role::Other, "e", keys(), Stage::Score},
            "v · tanh(" + symbol(query_hidden) + " + h_j W_{key})" + over_temperature(),
            operations::additive_scores, {query_hidden, key_hidden_, v_score_},
            {.scale = 1 / static_cast<Scalar>(s.temperature), .group_rows = net_.group_rows(1)});
        const TensorId masked =
            add_part({i, "masked_e", Role::MaskedScores, "ê", keys(), Stage::Score},
                     fmt::format("{} + M({},j)", symbol(e), i), operations::add_row,
                     {e, cross_mask_}, {.begin = i, .group_rows = net_.group_rows(net_.n_steps)});
        const TensorId alpha =
            add_part({i, "alpha", Role::Other, "α", keys(), Stage::Score, Quantity::Probability},
                     normalized_text(s.normalizer, s.top_k, symbol(masked)),
                     normalizer_operation(s.normalizer), {masked}, {.count = s.top_k});
        return add_part({i, "c", Role::Context, "c", net_.context, Stage::Mix},
                        fmt::format("Σ_j {}(j) h_j", symbol(alpha)), operations::multiply,
                        {alpha, source_.h}, {.group_rows = net_.group_rows(1)});
    }
    std::string over_temperature() const { return net_.settings.temperature == 1 ? "" : " / T"; }

    /// Adds the way from state, word before and context to the next word.    [Bahdanau 2015, A.2.2]
    void add_readout(Index i, TensorId s, TensorId y, TensorId c) {
        const TensorId pre =
            add_part({i, "t_pre", Role::Other, "t′", plan_[U_o_].columns, Stage::Output},
                     fmt::format("{} U_o + {} V_o + {} C_o", symbol(s), symbol(y), symbol(c)),
                     operations::sum_of_products, {s, U_o_, y, V_o_, c, C_o_});
        const TensorId t =
            add_part({i, "t", Role::Other, "t", net_.state, Stage::Output},
                     "max of each pair of " + symbol(pre), operations::maxout_pairs, {pre});
        add_part({i, "logits", Role::Logits, "l", net_.vocabulary_axis, Stage::Output},
                 symbol(t) + " W_o", operations::multiply, {t, W_o_});
    }

    // ---- all steps in one ----

    TensorId name_stacks() {
        stack({kHere.beside(Role::WordBefore), "y", words_read_, net_.model, Stage::Input},
              "the word before", "y");
        if (attends()) name_alignment();
        stack({kHere.beside("context", Role::Context), "c", queries(), net_.context, Stage::Mix},
              attends() ? "c_i = Σ_j α(i,j) h_j" : "c_i = h_{last}", "c");
        const TensorId s = cell_.add_stacks(states_, net_.steps);
        stack({kHere.beside(Role::BeforeLogits), "t", net_.steps, net_.state, Stage::Output},
              "t_i = maxout(s_i U_o + y_i V_o + c_i C_o)", "t");
        const TensorId logits = stack(
            {kNetworkOutput.at(Role::Logits), "l", net_.steps, net_.vocabulary_axis, Stage::Output},
            "l_i = t_i W_o", "logits");
        add_result(plan_,
                   {kNetworkOutput.at(Role::Probabilities), "p", net_.steps, net_.vocabulary_axis,
                    Stage::Output, Quantity::Probability},
                   "p = softmax(l)", operations::softmax_rows, {logits});
        return s;
    }

    void name_alignment() {
        const RecurrentSettings& s = net_.settings;
        const auto name = [&](Role role, const char* symbol, Quantity quantity) {
            return TensorName{kHere.of_head(0).at(role),
                              symbol,
                              queries(),
                              keys(),
                              Stage::Score,
                              quantity,
                              Keep::WhenSmall};
        };
        stack(name(Role::Scores, "e", Quantity::Signed),
              "e(i,j) = v · tanh(s_{i−1} W_{query} + h_j W_{key})" + over_temperature(), "e");
        stack(name(Role::MaskedScores, "e + M", Quantity::Signed), "e + M", "masked_e");
        stack(name(Role::Pattern, "α", Quantity::Probability),
              "α = " + normalized_text(s.normalizer, s.top_k, "e + M"), "alpha");
    }

    TensorId stack(TensorName name, std::string equation, const char* part) {
        std::vector<TensorId> parts;
        for (Index i = 0; i < net_.n_steps; ++i) parts.push_back(step_tensor(i, part));
        return add_stack(plan_, std::move(name), std::move(equation), std::move(parts));
    }

    /// Returns the names of the rows of y: each step reads the word that the one before it wrote.
    Axis words_read() {
        const Words& written = plan_.items(net_.steps.list);
        Words words;
        for (std::size_t k = 0; k < written.size(); ++k) {
            const bool is_first = k % static_cast<std::size_t>(net_.n_steps) == 0;
            words.push_back(is_first ? kStartWord : written[k - 1]);
        }
        return {AxisKind::Named, net_.steps.size, plan_.add_list("word before", words)};
    }

    const std::string& symbol(TensorId id) const { return plan_[id].symbol; }
    Axis hidden() const { return {AxisKind::Hidden, net_.settings.d_hidden}; }
    Axis queries() const {
        return {AxisKind::Query, net_.steps.size, net_.steps.list, net_.steps.groups};
    }
    Axis keys() const { return {AxisKind::Key, net_.n_source}; }

    RecurrentNet& net_;
    Plan& plan_;
    const EncodedSource& source_;
    Axis input_;
    RecurrentCell cell_;
    std::vector<CellState> states_;
    Axis words_read_;
    TensorId embed_ = 0, vectors_ = 0, encoder_last_ = 0;
    TensorId W_query_ = 0, v_score_ = 0, key_hidden_ = 0, cross_mask_ = 0;
    TensorId U_o_ = 0, V_o_ = 0, C_o_ = 0, W_o_ = 0;
};

Words step_numbers(std::size_t n) {
    Words numbers;
    for (std::size_t i = 1; i <= n; ++i) numbers.push_back(std::to_string(i));
    return numbers;
}

void fill_up(Words& words, std::size_t n) {
    words.resize(n, std::string(kPaddingWord));
}

/// Names the lists and axes of the words. Pairs are filled up to equal lengths.
void name_words(RecurrentNet& net, const std::vector<SourceTarget>& pairs) {
    std::size_t n = 0, m = 0;
    for (const SourceTarget& pair : pairs)
        n = std::max(n, pair.source.size()), m = std::max(m, pair.target.size() + 1);
    Words source;
    for (const SourceTarget& pair : pairs) {
        source.insert(source.end(), pair.source.begin(), pair.source.end());
        net.written.insert(net.written.end(), pair.target.begin(), pair.target.end());
        net.written.push_back(kEndWord);
        fill_up(source, source.size() + n - pair.source.size());
        fill_up(net.written, net.written.size() + m - pair.target.size() - 1);
    }
    const bool is_free = net.settings.feeding == Feeding::Free;
    const Words rows = is_free ? step_numbers(net.written.size()) : net.written;
    const auto groups = static_cast<Index>(pairs.size());
    net.plan.lists[0] = {"source word", std::make_shared<const Words>(std::move(source))};
    net.n_source = static_cast<Index>(n), net.n_steps = static_cast<Index>(m);
    net.source = {AxisKind::Item, groups * net.n_source, 0, groups};
    net.steps = {AxisKind::Item, groups * net.n_steps, net.plan.add_list("target word", rows),
                 groups};
    if (groups > 1)
        net.pairs = {AxisKind::Named, groups,
                     net.plan.add_list("pair", step_numbers(pairs.size()))};
}

RecurrentNet make_plan(const std::vector<SourceTarget>& pairs, const RecurrentSettings& settings,
                       std::uint64_t seed, const WordTables& tables) {
    RecurrentNet net{.settings = settings, .seed = seed, .tables = tables};
    name_words(net, pairs);
    if (tables.target) {
        net.vocabulary_axis = vocabulary_axis(net.plan, Network::Decoder, tables.target);
    } else {
        for (const std::string& word : net.written)
            if (std::ranges::find(net.vocabulary, word) == net.vocabulary.end())
                net.vocabulary.push_back(word);
        net.vocabulary_axis = {AxisKind::Named, static_cast<Index>(net.vocabulary.size()),
                               net.plan.add_list("word", net.vocabulary)};
    }
    net.model = {AxisKind::Model, settings.d_model};
    net.state = {AxisKind::Hidden, settings.d_state};
    net.context = {AxisKind::Hidden, settings.d_state * (net.is_bidirectional() ? 2 : 1)};
    return net;
}

void check(const std::vector<SourceTarget>& pairs, const RecurrentSettings& settings,
           const WordTables& tables) {
    if (pairs.empty()) throw Error("recurrent", "there is no pair of texts");
    for (const SourceTarget& pair : pairs)
        if (pair.source.empty())
            throw Error("recurrent", "the source has no word; type a sentence");
    if (pairs.size() > 1 && !(tables.source && tables.target))
        throw Error("recurrent", "several pairs need tables of their words");
    if (pairs.size() > 1 && settings.feeding == Feeding::Free)
        throw Error("recurrent", "of several pairs the words before are given");
    if (settings.d_model < 1 || settings.d_state < 1 || settings.d_hidden < 1 || settings.top_k < 1)
        throw Error("recurrent", "widths and top_k must be at least 1");
    if (!(settings.temperature > 0)) throw Error("recurrent", "the temperature must be above 0");
}

}  // namespace

TensorId RecurrentNet::add_embedding(TensorName name, const Words& words) {
    Words keys;
    for (const std::string& word : words) keys.push_back("word:" + word);
    return add_result(plan, std::move(name), "one vector a word", operations::named_rows, {},
                      {.seed = seed, .names = std::make_shared<const Words>(std::move(keys))});
}

Plan plan_recurrent_pairs(const std::vector<SourceTarget>& pairs, const RecurrentSettings& settings,
                          std::uint64_t seed, const WordTables& tables) {
    check(pairs, settings, tables);
    RecurrentNet net = make_plan(pairs, settings, seed, tables);
    const EncodedSource encoded = add_encoder(net);
    const TensorId s = Decoder(net, encoded).add();
    Plan& plan = net.plan;
    add_influence(plan, encoded.forward, encoded.embed, "influence.encoder");
    add_influence(plan, s, encoded.embed, "influence.decoder");
    return std::move(net.plan);
}

Plan plan_recurrent(const Words& source, const Words& target, const RecurrentSettings& settings,
                    std::uint64_t seed, const WordTables& tables) {
    return plan_recurrent_pairs({{source, target}}, settings, seed, tables);
}

Interventions passed_to_steps(const Plan& net, Interventions interventions) {
    Interventions stacked = interventions;
    for (const auto& [path, intervention] : stacked) {
        const PlannedTensor* tensor = net.find(path);
        if (!intervention.is_on || !tensor || tensor->operation != &operations::stack_rows)
            continue;
        for (const CellValue& cell : intervention.cells) {
            if (cell.row >= tensor->rows.size || cell.column >= tensor->columns.size) continue;
            const PlannedTensor& step = net[tensor->inputs[static_cast<std::size_t>(cell.row)]];
            const auto [entry, is_new] = interventions.try_emplace(step.path);
            Intervention& own = entry->second;
            if (is_new || !own.is_on) own = {.cells = {}, .rows = intervention.rows};
            if (!own.find(0, cell.column)) own.set(0, cell.column, cell.value);
        }
    }
    return interventions;
}

}  // namespace headlight
