#include "app_state/comparison_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <tuple>

#include "app_state/workspace.h"
#include "core/batch.h"
#include "core/numeric/statistics.h"
#include "io/open_document.h"
#include "io/studies/ready_studies.h"
#include "model/changes.h"
#include "model/session.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

constexpr const char* kComputing = "computing …";
constexpr std::size_t kMostHeads = 1200;  // of the largest models that are looked at so

/// Returns "head 3"; where there are several attentions, also which one: "Layer 1 · head 3".
std::string head_name(const Components& components, const std::string& attention, int head) {
    const Component* component = find_component(components, attention);
    const std::string name =
        component ? head_title(*component, head) : fmt::format("head {}", head);
    if (!component || all_attentions(components).size() < 2) return name;
    return fmt::format("{}{} · {}", component->group,
                       component->label == "attention" ? "" : " " + component->label, name);
}

std::string sentence_name(int sentence) {
    return fmt::format("sentence {}", sentence + 1);
}

const char* study_noun(const Document& document) {
    return document.drawn_graph() ? "graph"
           : document.image()     ? "image"
           : document.alignment() ? "pair of texts"
                                  : "text";
}

void add_states(std::vector<ComparisonChoice>& choices, const Workspace& a) {
    using Kind = ComparisonChoice::Kind;
    using From = OtherStudy::From;
    const auto add = [&](const char* name, const std::string& what, OtherStudy other) {
        choices.push_back({Kind::State, name, what, std::move(other)});
    };
    const History& history = a.session.history();
    if (history.can_undo()) {
        add("before the last edit", history.undo_label(), {.from = From::LastStep});
        add("as it was saved", "or opened", {.from = From::LastSave});
    }
    add("as it is now", "kept as B while you edit A",
        {.from = From::Itself,
         .name = "as it was held",
         .document = a.session.document(),
         .is_named_by_words = true});
}

void add_sentences(std::vector<ComparisonChoice>& choices, const Workspace& a) {
    const auto n = static_cast<int>(count_sentences(*a.batch));
    for (int i = 0; n > 1 && i < n; ++i)
        if (i != a.selection.sentence)
            choices.push_back({ComparisonChoice::Kind::Sentence, sentence_name(i), "of this study",
                               OtherSentence{i}});
}

void add_recorded_texts(std::vector<ComparisonChoice>& choices, const Workspace& a) {
    constexpr int kMostTexts = 100;
    const RecordedStudy* study = a.session.document().recorded();
    for (int i = 0; study && i < std::min(study->count_texts(), kMostTexts); ++i)
        if (i != study->text_number) {
            OtherStudy other = other_recorded_text(a.session.document(), i);
            choices.push_back(
                {ComparisonChoice::Kind::Sentence, other.name, "of this recording", other});
        }
}

void add_heads(std::vector<ComparisonChoice>& choices, const Workspace& a) {
    const Component* shown = shown_attention(a.components, a.selection);
    std::size_t n = 0;
    for (const Component* component : all_attentions(a.components))
        for (int h = 0; h < component->n_heads; ++h) {
            if ((component == shown && h == a.selection.head) || ++n > kMostHeads) continue;
            choices.push_back({ComparisonChoice::Kind::Head,
                               head_name(a.components, component->path, h), "of this study",
                               OtherHead{component->path, h}});
        }
}

void add_presets(std::vector<ComparisonChoice>& choices, const Workspace& a) {
    const Document& own = a.session.document();
    const auto add = [&](ComparisonChoice::Kind kind, OtherStudy::From from,
                         const std::string& before, const std::string& after) {
        for (const ReadyStudy& preset : ready_studies()) {
            if (preset.is_left_out) continue;
            Document document = preset.make();
            if (document.study.index() != own.study.index()) continue;
            const std::string name = before + std::string(preset.name) + after;
            choices.push_back(
                {kind, name, std::string(preset.what),
                 OtherStudy{from, name, std::move(document),
                            from == OtherStudy::From::Settings ? "this study" : "now"}});
        }
    };
    add(ComparisonChoice::Kind::Settings, OtherStudy::From::Settings, "",
        " on this " + std::string(study_noun(own)));
    add(ComparisonChoice::Kind::Study, OtherStudy::From::Itself, "study ", "");
}

}  // namespace

std::vector<ComparisonChoice> comparison_choices(const Workspace& a) {
    std::vector<ComparisonChoice> choices;
    add_states(choices, a);
    add_sentences(choices, a);
    add_recorded_texts(choices, a);
    add_heads(choices, a);
    add_presets(choices, a);
    return choices;
}

namespace {

OtherStudy other_text_study(const std::string& text, std::function<void(Document&)> change) {
    constexpr std::size_t kMostOfName = 32;  // code points
    return {.name = quoted_word(shorten(trimmed(text), kMostOfName)),
            .name_a = "this text",
            .is_named_by_words = true,
            .change = std::move(change)};
}

}  // namespace

OtherStudy other_text(const std::string& text) {
    return other_text_study(text, [text](Document& document) { set_text(document, text); });
}

OtherStudy other_text(Side side, const std::string& text) {
    return other_text_study(text,
                            [side, text](Document& document) { set_text(document, side, text); });
}

std::vector<ComparedText> compared_texts(const Workspace& a) {
    const OtherStudy* other = a.comparison.now().other<OtherStudy>();
    const bool has_own = other && other->change && a.comparison.now().document;
    const Document& shown = has_own ? *a.comparison.now().document : a.session.document();
    if (const SentenceStudy* study = shown.sentence())
        return {{"Another text", study->text,
                 [](const std::string& text) { return other_text(text); }}};
    const AlignmentStudy* study = shown.alignment();
    if (!study) return {};
    const auto of = [](Side side) {
        return [side](const std::string& text) { return other_text(side, text); };
    };
    return {{"Another source", study->source, of(Side::Source)},
            {"Another target", study->target, of(Side::Target)}};
}

ComparisonRun::ComparisonRun(std::function<void()> wake) : wake_(std::move(wake)) {}

ComparisonRun::~ComparisonRun() = default;

bool ComparisonRun::is_busy() const {
    return session_ && session_->is_busy();
}

void ComparisonRun::start(Other other) {
    if (auto* study = std::get_if<OtherStudy>(&other); study && needs_places(study->document))
        give_places(study->document, nullptr);
    now_.b = std::move(other);
    changed_of_.reset();
    whole_ = now_.trace = nullptr;
    now_.document = nullptr;
    now_.chosen = {};
    now_.chosen.problem = kComputing;
    problem_.clear();
}

void ComparisonRun::name(const std::string& names) {
    OtherStudy* study = now_.b ? std::get_if<OtherStudy>(&*now_.b) : nullptr;
    if (study) name_sides(*study, names);
}

void ComparisonRun::stop() {
    now_.b.reset();
    session_.reset();
    whole_ = now_.trace = nullptr;
    now_.document = nullptr;
    now_.chosen = {};
}

void ComparisonRun::follow_tab(const Document& document, const std::string& name) {
    OtherStudy& study = std::get<OtherStudy>(*now_.b);
    study.name = name;
    if (!(study.document == document)) study.document = document;
}

void ComparisonRun::wait() {
    if (session_) session_->wait();
}

void ComparisonRun::bound_changes() {
    if (session_ && whole_) session_->set_bounds(bounds_of_changes(whole_->plan()));
}

void ComparisonRun::follow(const Workspace& a, const Watched& watched) {
    if (!now_.b) return;
    if (!a.trace) {
        now_.trace = nullptr;
        now_.chosen = {};
        return;
    }
    if (auto* sentence = std::get_if<OtherSentence>(&*now_.b)) follow_sentence(*sentence, a);
    if (!now_.b) return;
    if (auto* head = std::get_if<OtherHead>(&*now_.b)) follow_head(*head, a);
    if (!now_.b) return;
    if (auto* study = std::get_if<OtherStudy>(&*now_.b)) follow_study(*study, a, watched);
    compare(a);
}

void ComparisonRun::follow_sentence(const OtherSentence& sentence, const Workspace& a) {
    const auto n = static_cast<int>(count_sentences(*a.batch));
    if (n < 2) return stop();
    session_.reset();
    now_.document = &a.session.document();
    now_.name_a = sentence_name(a.selection.sentence);
    const int at = std::clamp(sentence.sentence, 0, n - 1);
    now_.name_b = sentence_name(at);
    show_sentence(a.batch, at);
}

void ComparisonRun::follow_head(OtherHead& head, const Workspace& a) {
    const Component* of = find_component(a.components, head.attention);
    const Component* shown = shown_attention(a.components, a.selection);
    if (!of || !shown) return stop();
    head.head = std::clamp(head.head, 0, of->n_heads - 1);
    session_.reset();
    now_.document = &a.session.document();
    now_.name_a = head_name(a.components, shown->path, a.selection.head);
    now_.name_b = head_name(a.components, head.attention, head.head);
    if (now_.trace == a.trace) return;
    now_.trace = a.trace;
    now_.components = a.components;
}

/// Returns null where the change cannot be made; then `problem_` says why.
const Document* ComparisonRun::follow_changed(const OtherStudy& study, const Workspace& a) {
    const std::shared_ptr<const Document> now = a.session.history().shared_state();
    if (changed_of_ == now && session_) return &session_->document();
    try {
        changed_ = *now;
        study.change(changed_);
        if (needs_places(changed_)) give_places(changed_, nullptr);
    } catch (const Error& error) {
        problem_ = error.without_name();
        return nullptr;
    }
    changed_of_ = now;
    return &changed_;
}

namespace {

constexpr std::size_t kMostNamingWords = 3;

/// Returns the words that remain of two texts after their common beginning and end: "tired" and
/// "wide". Returns nothing where there are many, or none on one side.
std::optional<std::pair<std::string, std::string>> differing_words(const Document& a,
                                                                   const Document& b) {
    if (!a.sentence() || !b.sentence()) return std::nullopt;
    const std::vector<std::string> in_a = split_words(a.sentence()->text),
                                   in_b = split_words(b.sentence()->text);
    const auto [first_a, first_b] = std::ranges::mismatch(in_a, in_b);
    auto end_a = in_a.end();
    auto end_b = in_b.end();
    while (end_a != first_a && end_b != first_b && *(end_a - 1) == *(end_b - 1)) --end_a, --end_b;
    const std::span of_a(first_a, end_a), of_b(first_b, end_b);
    const bool are_few = !of_a.empty() && !of_b.empty() && of_a.size() <= kMostNamingWords &&
                         of_b.size() <= kMostNamingWords;
    if (!are_few) return std::nullopt;
    return std::pair(joined(of_a, " "), joined(of_b, " "));
}

}  // namespace

void ComparisonRun::follow_study(const OtherStudy& study, const Workspace& a,
                                 const Watched& watched) {
    using From = OtherStudy::From;
    const History& history = a.session.history();
    Document made;
    const Document* wanted = &study.document;
    now_.name_a = study.name_a;
    now_.name_b = study.name;
    problem_.clear();
    if (study.from == From::LastStep) {
        wanted = history.previous();
        now_.name_b =
            wanted ? fmt::format("before “{}”", history.undo_label()) : "before the last edit";
    } else if (study.from == From::LastSave) {
        wanted = a.saved.get();
        now_.name_b = "as it was saved";
    } else if (study.from == From::Settings) {
        made = with_network_of(a.session.document(), study.document);
        wanted = &made;
    } else if (study.change) {
        wanted = follow_changed(study, a);
    }
    if (!wanted) {
        now_.trace = whole_ = nullptr;
        if (problem_.empty()) problem_ = "nothing has been edited yet";
        return;
    }
    if (study.is_named_by_words)
        if (const auto words = differing_words(a.session.document(), *wanted))
            std::tie(now_.name_a, now_.name_b) = *words;
    if (!session_)
        session_ = std::make_unique<Session>(*wanted, wake_);
    else if (!(session_->document() == *wanted))
        session_->apply({.label = "", .change = [&](Document& d) { d = *wanted; }, .gesture = "B"});
    now_.document = &session_->document();
    session_->watch(watched);
    session_->update();
    if (session_->error()) problem_ = session_->error()->without_name();
    show_sentence(session_->trace(), a.selection.sentence);
}

void ComparisonRun::show_sentence(const TracePtr& whole, int sentence) {
    if (whole && whole == whole_ && sentence == sentence_) return;
    whole_ = whole;
    sentence_ = sentence;
    now_.trace = whole;
    now_.components.clear();
    if (!whole) return;
    const auto n = static_cast<int>(count_sentences(*whole));
    if (n > 1)
        now_.trace = std::make_shared<const Trace>(
            trace_of_sentence(*whole, std::clamp(sentence, 0, n - 1)));
    now_.components = make_components(*now_.trace);
}

void ComparisonRun::compare(const Workspace& a) {
    const std::string& path = a.selection.chosen;
    const Tensor* tensor_a = a.trace->find(path);
    const Tensor* tensor_b = tensor_a && tensor_a->value ? now_.find(path) : nullptr;
    const std::pair compared(tensor_a ? tensor_a->value : nullptr,
                             tensor_b ? tensor_b->value : nullptr);
    if (tensor_b && compared == compared_ && path == compared_path_ && now_.chosen.b) {
        now_.chosen.a = tensor_a, now_.chosen.b = tensor_b;
        return;
    }
    compared_ = compared;
    compared_path_ = path;
    now_.chosen = {};
    now_.chosen.a = tensor_a;
    now_.chosen.b = tensor_b;
    if (!tensor_b) {
        const bool is_of_all = now_.is_of_all_heads(path);
        const bool is_absent = now_.trace && !now_.trace->find(now_.path_in_b(path));
        now_.chosen.problem = is_of_all ? "All heads share this matrix; choose a matrix of a head"
                              : !problem_.empty() ? problem_
                              : is_absent         ? "B has no " + now_.path_in_b(path)
                                                  : kComputing;
        return;
    }
    const Summary low_high_a = summarise(*tensor_a->value),
                  low_high_b = summarise(*tensor_b->value);
    now_.chosen.extremes = std::make_shared<const Matrix>(
        Matrix{{low_high_a.low, low_high_a.high, low_high_b.low, low_high_b.high}});
    now_.chosen.problem = why_not_subtracted({*a.trace, *tensor_a}, {*now_.trace, *tensor_b});
    if (!now_.chosen.problem.empty()) return;
    now_.chosen.matched = match_by_name({*a.trace, *tensor_a}, {*now_.trace, *tensor_b});
    now_.chosen.difference = difference({*a.trace, *tensor_a}, now_.chosen.matched);
    now_.chosen.tensor = difference_tensor(*tensor_a, now_.chosen.difference->values);
    if (tensor_a->quantity() == Quantity::Probability &&
        tensor_b->quantity() == Quantity::Probability && now_.chosen.matched.has_all())
        now_.chosen.rows =
            row_distances(TensorIn{*a.trace, *tensor_a}, *now_.chosen.matched.values);
}

}  // namespace headlight
