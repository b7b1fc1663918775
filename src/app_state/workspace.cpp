#include "app_state/workspace.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <system_error>

#include "core/analyses/head_metrics.h"
#include "core/analyses/readout.h"
#include "core/batch.h"
#include "core/error.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/studies/journal.h"
#include "model/joined_pieces.h"
#include "model/next_word.h"
#include "text/strings.h"
#include "views/answer.h"
#include "views/held.h"
#include "views/image_view.h"
#include "views/readout_words.h"
#include "views/saved_view.h"
#include "views/view_table.h"
#include "views/views.h"
#include "views/walk.h"
#include "views/word_lines_view.h"

namespace headlight {
namespace {

/// A study that asks about a word, or writes words, begins where they are found: at the last
/// attention.
void begin_at_answer(Workspace& space, Index row) {
    const std::vector<const Component*> attentions = all_attentions(space.components);
    if (attentions.empty()) return;
    const Trace& trace = *space.trace;
    Index best = 0;
    Scalar largest = 0;
    for (Index h = 0; h < attentions.back()->n_heads; ++h) {
        const Tensor* pattern =
            find_of_head(trace, *attentions.back(), static_cast<int>(h), Role::Pattern);
        if (!pattern || !pattern->value || pattern->value->rows() <= row) continue;
        const Scalar strongest = pattern->value->row(row).maxCoeff();
        if (strongest > largest) largest = strongest, best = h;
    }
    space.selection.choose_component(trace, space.components, attentions.back()->path);
    space.selection.choose_head(trace, space.components, static_cast<int>(best));
}

/// Holds something in a new study, so that it shows at once what pointing does: the strongest key
/// of a word past the middle, of the patch in the middle, or of the word that is asked about. There
/// must be a trace. Returns false while the pattern is not there and nothing was held by hand.
bool hold_something(Workspace& space) {
    const Trace& trace = *space.trace;
    std::optional<Index> asked = asked_row(trace);
    if (asked) begin_at_answer(space, *asked);
    if (const Component* asking = attention_of_questions(space.components)) {
        space.selection.choose_component(trace, space.components, asking->path);
        space.selection.choose_head(trace, space.components, 0);
        space.selection.view = ViewId::Panels;
        asked = pronoun_row(trace);
    }
    if (can_translate(space.session.document()))
        begin_at_answer(space, static_cast<Index>(trace.items(1).size()) * 7 / 12);
    const Tensor& pattern = trace.at(space.selection.chosen);
    if (!pattern.value) return space.selection.held().cell.has_value();
    const Index n_rows = last_word(trace, pattern.rows()) + 1;
    const Index middle = looking_row(trace, pattern, space.selection).value_or(n_rows * 7 / 12);
    // A pretrained model that names words begins at the place that Logits and the next word are
    // about.
    const SharedWeights& weights = space.session.document().weights;
    const bool begins_at_logits = weights && weights->is_model && trace.find(logits_path());
    Index row = asked.value_or(begins_at_logits ? usual_place(trace) : middle), column = 0;
    row = std::min<Index>(row, pattern.value->rows() - 1);
    if (pattern.value->size() == 0) return true;
    if (trace.edges())
        pattern.value->col(0).maxCoeff(&row);
    else
        pattern.value->row(row).maxCoeff(&column);
    space.selection.keep_held(pick_at(trace, pattern, row, column));
    return true;
}

std::optional<Index> answer_at(const Trace& trace, const std::string& path, Index row) {
    const Tensor* pattern = trace.find(path);
    return pattern ? answer_in(*pattern, row) : std::nullopt;
}

/// Returns the row of the same word, "it"; if the text has become another one, that of the last
/// pronoun.
std::optional<Index> same_word(const Trace& before, const Trace& now, Index row) {
    const auto word_of = [row](const Trace& trace) {
        const auto at = static_cast<std::size_t>(row);
        return at < trace.items().size() ? trace.items()[at] : std::string();
    };
    if (word_of(before) == word_of(now)) return row;
    return pronoun_row(now);
}

/// If the answer to a question was held, holds the answer in another text. While words are deleted
/// there may be none for a moment.
void follow_answer(Workspace& space, const Pick& held_before, const Trace& before) {
    if (before.items() == space.trace->items()) return;
    const std::optional<CellPlace> cell = held_before.cell ? held_before.cell : space.lost_answer;
    const bool is_pronoun =
        held_before.cell ? pronoun_row(before) == held_before.cell->row : space.lost_pronoun;
    space.lost_answer.reset();
    if (!cell || (held_before.cell && answer_at(before, cell->path, cell->row) != cell->column))
        return;
    const auto row =
        is_pronoun ? pronoun_row(*space.trace) : same_word(before, *space.trace, cell->row);
    const auto answer = row ? answer_at(*space.trace, cell->path, *row) : std::nullopt;
    if (answer)
        space.selection.keep_held(
            pick_at(*space.trace, space.trace->at(cell->path), *row, *answer));
    else
        space.lost_answer = cell, space.lost_pronoun = is_pronoun;
}

/// Watches the tensors that the thumbnails of an attention are made of, and the metrics of its
/// heads.
void watch_heads(Watched& watched, const Trace& trace, const Component& attention) {
    const bool has_overviews = find_of_head(trace, attention, 0, Role::Overview);
    for (const Role role : {has_overviews ? Role::Overview : Role::Pattern, Role::Metrics})
        watched.globs.push_back(fmt::format("{}.heads.*.{}", attention.path, role_name(role)));
}

/// Watches the scores of a head, and its pattern.
void watch_scores(Watched& watched, const Component& attention, int head) {
    const Location place = attention.place.of_head(head);
    watched.globs.push_back(place.at("*scores").path);
    watched.globs.push_back(place.at(Role::Pattern).path);
}

/// Watches, in another head, the tensors that are looked at in this one.
void watch_other_head(Watched& watched, const Workspace& space, const OtherHead& other) {
    const Component* attention = find_component(space.components, other.attention);
    if (!attention || !space.trace) return;
    watch_scores(watched, *attention, other.head);
    for (std::size_t i = 0, n = watched.globs.size(); i < n; ++i)
        if (const Tensor* tensor = space.trace->find(watched.globs[i]))
            watched.globs.push_back(path_of_other(*tensor, *attention, other.head));
}

/// True if the heads of A and B are compared on the probe.
bool compares_on_probe(const Workspace& space) {
    const TracePtr& b = space.comparison.now().trace;
    return b && space.trace && measures_induction_apart(space.trace->plan(), b->plan());
}

/// True if a slow computation, of overviews from patterns, waits until the chosen matrix is there.
/// What is there already stays.
bool must_wait(const Trace& trace, const Component& attention, const std::string& chosen) {
    const Tensor* overview = find_of_head(trace, attention, 0, Role::Overview);
    const Tensor* shown = trace.find(chosen);
    return overview && !overview->is_leaf() && !overview->value && shown && !shown->value;
}

/// Watches what the view needs. What the heads and the lines between words need is watched as far
/// as there is room.
void watch_view(Watched& watched, const Workspace& space) {
    const ViewEntry& view = view_of(space.selection.view);
    if (!view.needs || view.id == ViewId::Heads || view.id == ViewId::Words) return;
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    for (std::string& glob : view.needs(scene)) watched.globs.push_back(std::move(glob));
}

/// Watches what is shown of the open part, every pattern of its attention for the thumbnails, what
/// the view in the middle shows, and what is exported.
void watch_selection(Workspace& space) {
    const Selection& selection = space.selection;
    Watched watched{.everything = false, .globs = selection.watched_globs()};
    // The trace may be of the study that was shown before, which had other tensors.
    const bool has_trace = space.trace && space.session.trace();
    const Component* attention = shown_attention(space.components, selection);
    if (attention && has_trace) {
        watch_scores(watched, *attention, selection.head);
        for (const int head : selection.also_heads)
            watched.globs.push_back(attention->place.of_head(head).at(Role::Pattern).path);
        if (!must_wait(*space.trace, *attention, selection.chosen))
            watch_heads(watched, *space.trace, *attention);
        watched.globs.emplace_back(kChancePath);
    }
    if (selection.view == ViewId::Heads && has_trace)
        for (const Component* each : all_attentions(space.components))
            watch_heads(watched, *space.trace, *each);
    if (selection.view == ViewId::Heads && compares_on_probe(space))
        watched.globs.emplace_back(kProbePatterns);
    if (has_trace) watch_view(watched, space);
    if (const Component* open = find_component(space.components, space.selection.component);
        open && has_trace)
        for (const TensorId id : shown_tensors(*space.trace, *open, space.selection.head))
            watched.globs.push_back((*space.trace)[id].path());
    if (selection.scales.has_dark_zero(Quantity::Probability))
        watched.globs.push_back("*" + std::string(role_name(Role::Mask)));
    watched.globs.insert(watched.globs.end(), space.exported.begin(), space.exported.end());
    space.watched = watched;
    if (const OtherHead* other = space.comparison.now().other<OtherHead>())
        watch_other_head(watched, space, *other);
    space.session.watch(std::move(watched));
}

/// Takes the trace of the chosen sentence, cut anew where the trace is a new one.
void take_sentence(Workspace& space) {
    const TracePtr& trace = space.session.trace();
    if (!trace) {
        space.batch = space.trace = nullptr;
        space.components.clear();
        return;
    }
    Selection& selection = space.selection;
    const auto n = static_cast<int>(count_sentences(*trace));
    selection.sentence = std::clamp(selection.sentence, 0, n - 1);
    if (trace == space.batch && selection.sentence == space.shown_sentence) return;
    const bool is_same_plan = space.trace && selection.sentence == space.shown_sentence &&
                              trace->shared_plan() == space.batch->shared_plan();
    const auto plan = is_same_plan ? space.trace->shared_plan()
                                   : plan_of_sentence(trace->shared_plan(), selection.sentence);
    const bool is_turned = selection.sentence != space.shown_sentence;
    const TracePtr before = is_same_plan ? nullptr : space.trace;
    space.batch = trace;
    space.shown_sentence = selection.sentence;
    space.trace = n == 1 ? trace : std::make_shared<const Trace>(trace_of_sentence(*trace, plan));
    if (!is_same_plan) space.components = make_components(*plan);
    if (before)
        (is_turned ? turn_words : follow_words)(selection, *before, *space.trace, space.components);
}

/// Shows the view that the study was saved with, or the usual one.
void show_saved_view(Workspace& space) {
    const ViewWords words = std::exchange(space.view, {});
    const Selection before = space.selection;
    try {
        if (const std::string* sentence = find_word(words, "sentence"))
            space.selection.sentence = sentence_from(*sentence, count_sentences(*space.batch));
        take_sentence(space);
        space.view_notes = show_saved_view(space, words);
        space.is_new = false;
    } catch (const Error& error) {
        space.view_problem = error.problem();
        space.selection = before;
        space.comparison.stop();
        take_sentence(space);
    }
}

/// Begins to look at the session's present study.
void begin(Workspace& space, const std::filesystem::path& file, const FileStamp& on_disk) {
    space.selection = space.selection.afresh();
    space.comparison.stop();
    space.file = file;
    space.on_disk = on_disk;
    space.opened = space.saved = space.session.history().shared_state();
    space.is_new = true;
    space.view.clear();
    space.view_problem.clear();
    space.view_notes.clear();
}

/// Returns the place of a document in the history; nothing if it is not in it.
std::optional<std::size_t> place_in_history(const Workspace& space,
                                            const std::shared_ptr<const Document>& document) {
    const auto& steps = space.session.history().steps();
    const auto found = std::ranges::find(steps, document, &HistoryStep::state);
    if (found == steps.end()) return std::nullopt;
    return static_cast<std::size_t>(found - steps.begin());
}

bool is_changed_from(const Document& document, const std::shared_ptr<const Document>& saved) {
    return &document != saved.get() && !(document == *saved);
}

/// Exchanges the study's file and what is known of it with those of the other one.
void swap_study(Workspace& space, StudyBefore& other) {
    std::swap(space.file, other.file);
    std::swap(space.on_disk, other.on_disk);
    std::swap(space.opened, other.opened);
    std::swap(space.saved, other.saved);
}

/// Follows undo to before the beginning of the study, or redo to that of the next one.
void follow_history(Workspace& space) {
    const std::size_t at = space.session.history().at();
    while (!space.before.empty()) {
        const auto begin = place_in_history(space, space.before.back().next);
        if (!begin || *begin <= at) break;
        StudyBefore left = std::move(space.before.back());
        space.before.pop_back();
        swap_study(space, left);
        space.after.push_back(std::move(left));
    }
    while (!space.after.empty()) {
        const auto begin = place_in_history(space, space.after.back().next);
        if (!begin) {
            space.after.clear();  // an edit has taken its place
            break;
        }
        if (*begin > at) break;
        StudyBefore left = std::move(space.after.back());
        space.after.pop_back();
        swap_study(space, left);
        const auto& steps = space.session.history().steps();
        left.has_changes = *begin > 0 && is_changed_from(*steps[*begin - 1].state, left.saved);
        space.before.push_back(std::move(left));
    }
}

void need_trace(const Workspace& space) {
    if (!space.trace)
        throw Error("window", "there is nothing to show: {}", space.session.why_no_trace());
}

}  // namespace

WorkspaceKind workspace_for(const Study& study) {
    if (std::holds_alternative<AlignmentStudy>(study)) return WorkspaceKind::Alignment;
    if (std::holds_alternative<GraphStudy>(study)) return WorkspaceKind::Graph;
    if (std::holds_alternative<ImageStudy>(study)) return WorkspaceKind::Image;
    if (const auto* recorded = std::get_if<RecordedStudy>(&study)) {
        if (!recorded->graph.nodes.empty()) return WorkspaceKind::Graph;
        if (recorded->text.patches) return WorkspaceKind::Image;
    }
    return WorkspaceKind::Sentence;
}

Scene make_scene(const Workspace& space, const Theme& theme) {
    Scene scene{space.session.document(), *space.trace, space.components,
                space.selection,          theme,        &space.comparison.now(),
                space.trace.shared()};
    scene.sweep = space.sweep.done();
    return scene;
}

void start_study(Workspace& space, Document document, const std::string& label) {
    space.session.end_gesture();
    const StudyBefore before{nullptr,       space.file,
                             space.on_disk, space.opened,
                             space.saved,   is_changed_from(space.session.document(), space.saved)};
    const auto was = space.session.history().shared_state();
    space.session.apply({.label = label, .change = [&](Document& changed) { changed = document; }});
    space.session.end_gesture();
    if (space.session.history().shared_state() == was) return;  // it is that very study
    begin(space, {}, {});
    space.after.clear();
    space.before.push_back(before);
    space.before.back().next = space.opened;
}

void turn_pieces(Workspace& space) {
    const Document& document = space.session.document();
    const RecordedStudy* recorded = document.recorded();
    const bool is_joined = recorded && recorded->joined;
    Selection selection = space.selection;
    selection.release();
    Document turned = is_joined ? *recorded->joined : join_pieces(document);
    if (is_joined)
        selection.sentence = recorded->text_number;
    else if (turned.recorded()->texts)
        choose_recorded_text(
            turned, recorded ? recorded->text_number : std::exchange(selection.sentence, 0));
    start_study(space, std::move(turned), is_joined ? "Part words into pieces" : "Join pieces");
    space.selection = std::move(selection);
}

void open_study(Workspace& space, Document document, const StudyFile& file) {
    if (has_changes(space)) {
        const std::string name =
            file.path.empty() ? "another study" : path_text(file.path.filename());
        space.session.apply(
            {.label = "Open " + name, .change = [&](Document& changed) { changed = document; }});
        space.session.end_gesture();
    } else {
        space.session.replace(History(std::move(document)));
    }
    begin(space, file.path, file.on_disk);
    space.view = file.view;
    space.before.clear();
    space.after.clear();
}

FileStamp stamp_of_study(const std::filesystem::path& file) {
    return file.extension() == ".headlight" ? read_stamp(file) : FileStamp{};
}

bool is_in_file(const Workspace& space) {
    const History& history = space.session.history();
    const auto opened = std::ranges::find(history.steps(), space.opened, &HistoryStep::state);
    const auto at = history.steps().begin() + static_cast<std::ptrdiff_t>(history.at());
    return !space.file.empty() && (opened == history.steps().end() || opened <= at);
}

void save_study(Workspace& space, const std::filesystem::path& file) {
    check_is_no_input(file, files_read_by(space.session.document()));
    const ViewWords view = view_to_save(space);
    const std::string text = need_memory_for("saving " + path_text(file.filename()), [&] {
        return save_document(file, space.session.document(), Backup::Keep, view);
    });
    space.file = file;
    space.on_disk = make_stamp(text);
    space.opened = space.saved = space.session.history().shared_state();
}

void reload_study(Workspace& space) {
    const FileStamp on_disk = read_stamp(space.file);
    const OpenedFile opened = open_document(space.file);
    const Document& read = opened.document;
    static_cast<void>(plan(read));
    if (read.study.index() != space.session.document().study.index())
        throw Error(path_text(space.file), "is another kind of study now; open it instead");
    space.session.apply({.label = "Reload " + path_text(space.file.filename()),
                         .change = [&](Document& changed) { changed = read; }});
    space.on_disk = on_disk;
    space.saved = space.session.history().shared_state();
    space.view = opened.view;
}

std::string file_in_journal(const Workspace& space) {
    return space.after.empty() ? space.file.native() : "";
}

/// Returns the view as it is seen; while nothing is seen, the view that the study was opened with.
ViewWords view_to_save(const Workspace& space) {
    const bool is_seen =
        space.trace && space.view.empty() && space.trace->find(space.selection.chosen);
    return is_seen ? saved_view(make_scene(space, theme_named(ThemeName::Light))) : space.view;
}

OpenWork open_work(const Workspace& space) {
    return {.history = space.session.history(),
            .saved = space.saved,
            .file = file_in_journal(space),
            .contents = space.on_disk.contents,
            .view = view_to_save(space)};
}

void take_over(Workspace& space, const OpenWork& work) {
    space.session.replace(work.history);
    begin(space, work.file, {work.contents, std::nullopt});
    space.before.clear();
    space.after.clear();
    space.opened.reset();  // any step of it is of the file
    space.saved = work.saved;
    space.view = work.view;
}

void prepare(Workspace& space) {
    const TracePtr before = space.trace.shared();
    const Pick held_before = space.selection.held();
    follow_history(space);
    watch_selection(space);
    space.session.update();
    take_sentence(space);
    if (!space.trace) return;
    if (!space.view.empty() && !space.session.is_busy()) show_saved_view(space);
    space.selection.fit(*space.trace, space.components);
    watch_selection(space);
    space.session.update();
    take_sentence(space);
    if (space.trace && space.is_new && !space.session.is_busy())
        space.is_new = !hold_something(space);
    if (space.trace && before && before != space.trace.shared())
        follow_answer(space, held_before, *before);
    space.comparison.follow(space, space.watched);
    space.sweep.update();
}

void show(Workspace& space, const std::string& name) {
    need_trace(space);
    const auto middle = middle_named(name);
    if (middle == ViewId::Words && !has_word_lines(*space.trace))
        throw Error("window",
                    "there are no words here; lines between words need a sentence or an alignment");
    if (middle)
        space.selection.view = *middle;
    else if (find_component(space.components, name))
        space.selection.choose_component(*space.trace, space.components, name);
    else
        show_tensor(space.selection, *space.trace, space.components, space.trace->at(name).path());
}

void go_to_step(Workspace& space, std::size_t step) {
    need_trace(space);
    const auto steps = make_walk(*space.trace, space.components, space.selection).steps;
    if (step >= steps.size())
        throw Error("--step", "{} has {}", open_component(space.components, space.selection).path,
                    counted(std::ssize(steps), "step"));
    go_to_step(*space.trace, space.components, space.selection, step);
}

void compare_with(Workspace& space, const std::string& name) {
    if (!space.trace) throw Error("compare", "there is nothing to compare yet");
    std::string known;
    for (ComparisonChoice& choice : comparison_choices(space)) {
        if (choice.name == name) return space.comparison.start(std::move(choice.other));
        append_part(known, ", ", choice.name);
    }
    throw Error("compare", "nothing is called “{}”; there is {}", name, known);
}

void compare_with_file(Workspace& space, const std::filesystem::path& file) {
    Document document = open_document(file).document;
    if (needs_places(document)) give_places(document, nullptr);
    if (document.study.index() != space.session.document().study.index())
        throw Error(path_text(file), "is another kind of study; open one of the same kind");
    static_cast<void>(plan(document));  // a study that cannot be evaluated is not compared with
    std::error_code ignored;
    space.comparison.start(OtherStudy{.name = path_text(file.filename()),
                                      .document = std::move(document),
                                      .file = std::filesystem::absolute(file, ignored)});
}

/// Makes A what B was. Another study is put into the window as a step that can be undone.
void swap_sides(Workspace& space) {
    ComparisonRun& run = space.comparison;
    const Comparison& comparison = run.now();
    Selection& selection = space.selection;
    if (const OtherSentence* other = comparison.other<OtherSentence>()) {
        const int b = other->sentence;
        run.start(OtherSentence{selection.sentence});
        selection.sentence = b;
    } else if (const OtherHead* other = comparison.other<OtherHead>()) {
        const OtherHead b = *other;
        const Component* shown = shown_attention(space.components, selection);
        if (!shown) return;
        run.start(OtherHead{shown->path, selection.head});
        selection.choose_component(*space.trace, space.components, b.attention);
        selection.choose_head(*space.trace, space.components, b.head);
    } else if (comparison.is_on() && comparison.document) {
        const Document a = space.session.document(), b = *comparison.document;
        const OtherStudy* study = comparison.other<OtherStudy>();
        OtherStudy was_a{.name = "what was A", .document = a};
        // “Now” is a name of the study in the window, whichever it is.
        if (comparison.name_a != was_a.name_a) {
            was_a.name = comparison.name_a;
            was_a.name_a = comparison.name_b;
            was_a.is_named_by_words = study && study->is_named_by_words;
        }
        space.session.apply({.label = "Swap A and B", .change = [&](Document& d) { d = b; }});
        run.start(std::move(was_a));
    } else {
        throw Error("compare", "there is no B to swap with; choose one with Compare");
    }
}

bool has_changes(const Workspace& space) {
    return is_changed_from(space.session.document(), space.saved) ||
           std::ranges::any_of(space.before, &StudyBefore::has_changes);
}

namespace {

/// Checks that the study has words, heads and so on for the view.
void check_is_there(const Workspace& space, ViewId view) {
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const bool is_there = std::ranges::any_of(
        list_views(scene), [&](const ViewEntry& named) { return named.id == view; });
    if (!is_there && view != ViewId::Compared)
        throw Error("view", "the study has nothing for that view");
}

void compare_with_named_file(Workspace& space, const std::filesystem::path& file) {
    try {
        compare_with_file(space, file);
    } catch (const Error& error) {
        throw Error("view", "B cannot be opened: {}", error.what());
    }
}

void compare(Workspace& space, const ViewState& state) {
    space.comparison.show(state.sides);
    const std::filesystem::path file(state.with);
    if (file.is_absolute()) return compare_with_named_file(space, file);
    space.comparison.start(named_other(
        space.session.document(), *space.batch, state, [](const std::string& name) -> Document {
            throw Error("view", "there is no head or sentence {}", in_quotes(name));
        }));
}

}  // namespace

std::vector<std::string> show_saved_view(Workspace& space, const ViewWords& words) {
    std::vector<std::string> notes;
    ViewState state = read_view_words(words);
    Selection& selection = space.selection;
    const std::string* what = find_word(words, "what");
    const ViewId view = what ? figure_from(*what) : ViewId::Matrix;
    if (view == ViewId::Graph) state.rows_are_nodes = true;
    selection.scales = {};
    open_part(selection, *space.trace, space.components, state);
    if (const std::string* path = find_word(words, "tensor")) show_matrix(space, *path);
    selection.release();
    apply_view(selection, {*space.trace, space.trace->at(selection.chosen)}, space.components,
               state, [&](const std::string& note) { notes.push_back(note); });
    if (view == ViewId::Compared && state.with.empty()) throw Error("view", "no B is named for it");
    if (what) check_is_there(space, view);
    show_in_window(selection, view);
    if (!state.with.empty()) {
        compare(space, state);
    } else {
        // Words without a B are of the one that is there.
        if (find_word(words, "sides")) space.comparison.show(state.sides);
        if (find_word(words, "names")) space.comparison.name(state.names);
    }
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    for (const ViewNote& note : notes_on_options(ViewId::Window, state, scene))
        if (find_word(words, note.word))
            notes.push_back(fmt::format("{}: {}", note.word, without_dashes(note.text)));
    return notes;
}

void show_matrix(Workspace& space, const std::string& path) {
    show_tensor(space.selection, *space.trace, space.components,
                (*space.trace)[tensor_named(*space.trace, path)].path());
}

}  // namespace headlight
