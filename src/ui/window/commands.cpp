#include "ui/window/commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <numeric>
#include <optional>

#include "app_state/training_view.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/host.h"
#include "io/studies/recipe_file.h"
#include "model/changes.h"
#include "model/next_word.h"
#include "text/words.h"
#include "ui/input/shortcut.h"
#include "ui/presentation/presentation.h"
#include "ui/tabs/tab_row.h"
#include "ui/window/comparison_bar.h"
#include "ui/window/find.h"
#include "ui/window/top_bar.h"
#include "ui/window/workbench_state.h"
#include "views/cell_edits.h"
#include "views/held.h"
#include "views/view_table.h"

namespace headlight {
namespace {

/// Shows the training for a command that was found by its name from elsewhere.
TrainingView& train_with(WorkbenchState& bench) {
    if (!trains(bench)) {
        bench.studies.show(WorkspaceKind::Train);
        bench.training.follow(bench.space());
    }
    return bench.training;
}

void turn_training(WorkbenchState& bench) {
    TrainingView& training = train_with(bench);
    training.is_running() ? training.pause() : training.play();
}

std::optional<Obstacle> no_trained_weights(const WorkbenchState& bench) {
    if (bench.training.shown()) return std::nullopt;
    return Obstacle{"training", "there are no trained weights yet; show the workspace Train"};
}

/// Opens the weights in the study that they are for, in its own workspace.
void use_weights(WorkbenchState& bench) {
    Document study = bench.training.study_for_use(bench.studies.at(WorkspaceKind::Train));
    bench.studies.show(workspace_for(study.study));
    start_study(bench.space(), std::move(study),
                std::string("Use weights: ") + bench.training.task().title);
}

void ask_where_to_save_weights(WorkbenchState& bench) {
    const SharedWeights weights = bench.training.shown()->weights;
    const Recipe recipe = bench.training.recipe();
    bench.files.dialog().ask(
        FileDialog::Purpose::Weights, std::string(bench.training.task().name) + ".safetensors",
        [&bench, weights, recipe](const std::filesystem::path& file) {
            write_trained(file, *weights, recipe);
            bench.notice.say("Saved " + path_text(file.filename()), Notice::Kind::Done);
        });
}

std::optional<Obstacle> no_lecture(const WorkbenchState& bench) {
    if (shows_lecture(bench)) return std::nullopt;
    return Obstacle{"lecture", "no lecture is shown"};
}

/// Gives no reason without a lecture, because the key is a letter.
std::optional<Obstacle> no_speaker(const WorkbenchState& bench) {
    if (!shows_lecture(bench)) return Obstacle{};
    if (!*host().lacks.second_window) return std::nullopt;
    return Obstacle{"speaker", host().lacks.second_window};
}

bool shows_class_answers(const WorkbenchState& bench) {
    return bench.presentation.is_on() && shows_lecture(bench) &&
           bench.lecture.of_class.is_on(bench.lecture.opened);
}

std::optional<Obstacle> no_answers(const WorkbenchState& bench) {
    if (auto obstacle = no_lecture(bench)) return obstacle;
    if (bench.lecture.page.has_answers()) return std::nullopt;
    return Obstacle{"lecture", "no task of the lecture was answered"};
}

std::optional<Obstacle> no_cleared_answers(const WorkbenchState& bench) {
    if (auto obstacle = no_lecture(bench)) return obstacle;
    if (bench.lecture.page.has_cleared_answers()) return std::nullopt;
    return Obstacle{"lecture", "no answers were cleared"};
}

std::optional<Obstacle> no_task(const WorkbenchState& bench) {
    if (auto obstacle = no_lecture(bench)) return obstacle;
    if (bench.lecture.opened.shown().task) return std::nullopt;
    return Obstacle{"class answers", "this page has no task"};
}

std::optional<Obstacle> no_class_answers(const WorkbenchState& bench) {
    if (shows_class_answers(bench)) return std::nullopt;
    return Obstacle{"class answers", "they are not shown; C shows them while presenting"};
}

std::optional<Obstacle> no_open_page(const WorkbenchState& bench) {
    if (shows_lecture(bench) && bench.lecture.opened.shown().page.space) return std::nullopt;
    return Obstacle{"lecture", "no page with a study is open"};
}

std::optional<Obstacle> no_slide(const WorkbenchState& bench) {
    if (bench.space().trace) return std::nullopt;
    return Obstacle{"slide", "there is nothing to show: " + bench.space().session.why_no_trace()};
}

/// Only a matrix can be covered.
std::optional<Obstacle> no_step(const WorkbenchState& bench) {
    if (auto obstacle = no_slide(bench)) return obstacle;
    if (!presented_view(make_scene(bench))) return std::nullopt;
    return Obstacle{"predict",
                    "this view shows no single matrix that could be covered; the steps after it "
                    "do (→)"};
}

// Predictions are made on slides of a study and on pages of a lecture.
std::optional<Obstacle> nothing_to_predict(const WorkbenchState& bench) {
    if (bench.presentation.prediction.is_on() || predictable(bench)) return std::nullopt;
    if (!shows_lecture(bench)) return no_step(bench);
    const OpenLecture::Shown& shown = bench.lecture.opened.shown();
    const bool has_cover = shown.task && covers_matrix(*shown.task);
    return Obstacle{"predict", has_cover
                                   ? "the matrix of this page is covered already, until its task "
                                     "is answered"
                                   : "this page shows no single matrix that could be covered"};
}

std::optional<Obstacle> nothing_to_reveal(const WorkbenchState& bench) {
    if (bench.presentation.prediction.is_on() || shows_class_answers(bench)) return std::nullopt;
    return Obstacle{"reveal", "nothing is covered; P covers matrices while presenting"};
}

std::optional<Obstacle> no_text_to_change(const WorkbenchState& bench) {
    // On a slide without a study that can be computed its text is what has to be changed.
    if (!shows_lecture(bench)) return bench.presentation.is_on() ? std::nullopt : no_slide(bench);
    if (bench.lecture.opened.shown().page.space) return std::nullopt;
    return Obstacle{"text", "this page has no study whose text could be changed"};
}

/// On slides and pages the held cell is explained; panels explain the one under the pointer.
std::optional<Obstacle> nothing_to_explain(const WorkbenchState& bench) {
    if (shows_lectures(bench) && !shows_lecture(bench)) return no_lecture(bench);
    const Selection& selection = bench.space().selection;
    const bool has_panels = !bench.presentation.is_on() && !shows_lectures(bench);
    if (has_panels || selection.explains || selection.held().cell) return std::nullopt;
    const Workspace& space = bench.space();
    if (space.trace && largest_of_held_row(*space.trace, selection)) return std::nullopt;
    return Obstacle{"explain",
                    "no cell is held; a click on a cell of a matrix holds it, and so does a page "
                    "with row: it"};
}

using Missing = std::optional<Obstacle>;

Missing no_page(const WorkbenchState& bench) {
    return bench.space().trace ? std::nullopt : Missing(Obstacle{});
}

/// A slide takes codes in, whatever it shows.
Missing nothing_to_paste_into(const WorkbenchState& bench) {
    return bench.presentation.is_on() && shows_lecture(bench) ? std::nullopt : no_page(bench);
}

/// Pages show a view as it is written, and steps may be covered.
Missing no_view(const WorkbenchState& bench) {
    const bool has_steps = bench.presentation.is_on() && bench.space().trace &&
                           (trains(bench) || !presented_view(make_scene(bench)));
    if (has_steps || shows_lectures(bench))
        return Obstacle{"view", "its options are chosen in the window of a study"};
    return no_page(bench);
}

/// The numbers that a prediction or a page's task covers are not given away.
Missing no_numbers(const WorkbenchState& bench) {
    const bool is_page = shows_lecture(bench);
    const Tensor* matrix = predictable(bench);
    const bool is_hidden = matrix && bench.presentation.prediction.hides(*matrix);
    if (is_hidden || (is_page && bench.lecture.page.is_covered(bench.lecture.opened.shown())))
        return Obstacle{"copy", fmt::format("the {} covers its numbers until they are revealed",
                                            is_page ? "page" : "slide")};
    return no_page(bench);
}

Missing nothing_to_export(const WorkbenchState& bench) {
    if (bench.space().trace || shows_lecture(bench)) return std::nullopt;
    return Obstacle{"export",
                    "there is nothing to export yet; " + bench.space().session.why_no_trace()};
}

Missing nothing_to_compare(const WorkbenchState& bench) {
    if (bench.space().trace) return std::nullopt;
    return Obstacle{"compare", "there is nothing to compare yet"};
}

/// Gives no reason, because the key is the minus of a number that is being typed.
Missing held_cell(const WorkbenchState& bench) {
    return bench.space().selection.held().cell ? Missing(Obstacle{}) : std::nullopt;
}

/// Returns the output of the chosen head; null if there is no head.
const Tensor* chosen_output(const WorkbenchState& bench) {
    const Workspace& space = bench.space();
    const Component* attention =
        space.trace ? shown_attention(space.components, space.selection) : nullptr;
    return attention ? ablated_tensor(*space.trace, *attention, space.selection.head) : nullptr;
}

Missing no_head(const WorkbenchState& bench) {
    if (chosen_output(bench)) return std::nullopt;
    return Obstacle{"ablate", "no head is shown that could be ablated"};
}

void set_ablation(WorkbenchState& bench, std::optional<Ablation> ablation) {
    const Workspace& space = bench.space();
    const Component& attention = *shown_attention(space.components, space.selection);
    bench.space().session.apply(
        {.label = ablation_name(attention, space.selection.head, ablation),
         .change = [path = chosen_output(bench)->path(), ablation](Document& document) {
             ablate(document, path, ablation);
         }});
}

template <Ablation ablation>
void ablate_head(WorkbenchState& bench) {
    set_ablation(bench, ablation);
}

void restore_head(WorkbenchState& bench) {
    set_ablation(bench, std::nullopt);
}

void copy_cells(const Workspace& space, NumbersFormat format) {
    const ChosenCells cells = need_chosen_cells(*space.trace, space.selection);
    ImGui::SetClipboardText(copied_text(cells, format).c_str());
}

void paste(WorkbenchState& bench) {
    const char* text = ImGui::GetClipboardText();
    Workspace& space = bench.space();
    if (paste_class_answers(bench, text ? text : "") || !space.trace) return;
    const ChosenCells cells = need_chosen_cells(*space.trace, space.selection);
    space.session.apply(paste_edit(*space.trace, cells, space.selection, text ? text : ""));
}

/// Copies the table of the view that stands in the middle, else the held cells.
template <NumbersFormat format>
void copy_as(WorkbenchState& bench) {
    const Scene scene = make_scene(bench);
    const ViewId view = numbers_view(scene, exported_view(scene));
    if (!view_of(view).table) return copy_cells(bench.space(), format);
    bench.notice.say(FigureExporter::copy_table(scene, view, format), Notice::Kind::Done);
}

template <PictureRequest request>
void ask_picture(WorkbenchState& bench) {
    bench.requests.picture.ask(request);
}

template <WorkspaceKind kind>
void show_workspace(WorkbenchState& bench) {
    // A second time it leads back from a part of the network to the training.
    if (kind == WorkspaceKind::Train && trains(bench)) bench.space().selection.view = ViewId::Heads;
    bench.studies.show(kind);
}

TextZoom& shown_text(WorkbenchState& bench) {
    return bench.presentation.is_on() ? bench.presentation.text : bench.text;
}

void patch_chosen(WorkbenchState& bench) {
    Workspace& space = bench.space();
    space.session.apply(patch_from_b(space.comparison.now(), space.selection.chosen));
}

void go_back(WorkbenchState& bench) {
    Workspace& space = bench.space();
    space.selection.go_back(*space.trace, space.components);
}

Missing no_translation(const WorkbenchState& bench) {
    if (can_translate(bench.space().session.document())) return std::nullopt;
    return Obstacle{"translate", "the weights of this study were not trained to write a target"};
}

void translate(WorkbenchState& bench) {
    Session& session = bench.space().session;
    const std::string target = join_words(decode(session.document()));
    session.apply({.label = "Translate", .change = [target](Document& document) {
                       set_text(document, Side::Target, target);
                   }});
}

/// Turns the explanation on or off; on slides and pages, it explains a held row by its largest
/// number.
void turn_explanation(WorkbenchState& bench) {
    const Workspace& space = bench.space();
    Selection& selection = bench.space().selection;
    const bool has_panels = !bench.presentation.is_on() && !shows_lectures(bench);
    if (!has_panels && !selection.explains && !selection.held().cell)
        if (const auto cell = largest_of_held_row(*space.trace, selection))
            selection.go_to(*space.trace, space.components, *cell);
    selection.explains = !selection.explains;
}

// ---- graphs ----

/// The key belongs to a matrix while a cell of it is held that is no edge.
Missing no_nodes(const WorkbenchState& bench) {
    const Pick& held = bench.space().selection.held();
    const bool is_of_matrix = held.cell && !held.indices.edge;
    const bool has_nodes = bench.space().session.document().drawn_graph() && bench.space().trace;
    return has_nodes && !is_of_matrix ? std::nullopt : Missing(Obstacle{});
}

Missing no_download(const WorkbenchState&) {
    return *host().lacks.models ? Missing({"get", host().lacks.models}) : std::nullopt;
}

/// Starts an empty graph with the settings of the built-in one, and the tool for drawing in hand.
void start_graph(WorkbenchState& bench) {
    bench.studies.show(WorkspaceKind::Graph);
    Workspace& space = bench.space();
    Document document = built_in_graph();
    document.graph()->graph = {};
    start_study(space, std::move(document), "New graph");
    space.is_new = false;  // nothing is held to begin with
    space.selection.looks.graph.tool = GraphLook::Tool::Draw;
}

void hold_all_nodes(WorkbenchState& bench) {
    Workspace& space = bench.space();
    std::vector<int> nodes(space.session.document().drawn_graph()->nodes.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    hold_nodes(space.selection, nodes);
}

constexpr Command kCommands[] = {
    {"find", "Find…", "Ctrl+K",
     "a command, a study, a setting, a node, a part, a matrix by its name",
     [](WorkbenchState& d) {
         d.palette.is_open() ? d.palette.close() : d.palette.open(palette_entries(d));
     }},
    {"undo", "Undo", "Ctrl+Z", "the last change of the study",
     [](WorkbenchState& d) { shows_lecture(d) ? undo_on_page(d) : d.space().session.undo(); }},
    {"redo", "Redo", "Ctrl+Y", "the change that was undone",
     [](WorkbenchState& d) { shows_lecture(d) ? redo_on_page(d) : d.space().session.redo(); },
     nullptr, "Ctrl+Shift+Z"},
    {"copy", "Copy", "Ctrl+C",
     "the held cell or block, or the table that is shown, for a spreadsheet",
     copy_as<NumbersFormat::Tsv>, no_numbers},
    {"copy-latex", "Copy as LaTeX", "",
     "the held cell or block as a bmatrix, or the table that is shown",
     copy_as<NumbersFormat::Latex>, no_numbers},
    {"copy-numpy", "Copy as NumPy", "",
     "the held cell or block, or the numbers of the table that is shown, as an array",
     copy_as<NumbersFormat::NumPy>, no_numbers},
    {"copy-markdown", "Copy as Markdown", "",
     "the held cell or block, or the table that is shown, as a table",
     copy_as<NumbersFormat::Markdown>, no_numbers},
    {"paste", "Paste", "Ctrl+V",
     "numbers, starting at the held cell or block; on the slides of a lecture codes of a class",
     paste, nothing_to_paste_into},
    {"open", "Open…", "Ctrl+O", "a study or an edge list",
     [](WorkbenchState& d) { d.files.ask_to_open(); }},
    {"get-model", "Get a model…", "", "download a pretrained one, and open it",
     [](WorkbenchState& d) { d.files.ask_for_model(); }, no_download},
    {"import", "Import matrices…", "", "NPZ, safetensors, CSV, into this study",
     [](WorkbenchState& d) { d.files.ask_to_import(); }},
    {"save", "Save", "Ctrl+S", "the study", [](WorkbenchState& d) { d.files.save(shown_file(d)); }},
    {"save-as", "Save as…", "Ctrl+Shift+S", "the study, in another file",
     [](WorkbenchState& d) { d.files.ask_where_to_save(shown_file(d)); }},
    {"new-tab", "New tab", "Ctrl+T", "a copy of the study", open_copy, no_tabs},
    {"close-tab", "Close tab", "Ctrl+W", "asks if the study is not saved", close_tab, no_tabs},
    {"next-tab", "Next tab", "Ctrl+Tab", "of the studies that are open here", show_next_tab,
     no_tabs},
    {"previous-tab", "Previous tab", "Ctrl+Shift+Tab", "of the studies that are open here",
     show_previous_tab, no_tabs},
    {"export", "Export…", "Ctrl+E", "what the window shows, or its numbers; of a lecture its pages",
     open_export, nothing_to_export},
    {"export-again", "Export again", "Ctrl+Shift+E", "the same file as last time", repeat_export,
     nothing_to_export},
    {"copy-picture", "Copy picture", "Ctrl+Shift+C", "what the window shows, as a PNG",
     copy_picture, nothing_to_export},
    {"compare", "Compare…", "Ctrl+B", "with another head, sentence, state or study",
     choose_comparison, nothing_to_compare},
    {"hold-as-b", "Hold as B", "Ctrl+Shift+B", "compare later states with the current one",
     [](WorkbenchState& d) { compare_with(d.space(), "as it is now"); }, nothing_to_compare},
    {"swap-sides", "Swap A and B", "", "of what is compared",
     [](WorkbenchState& d) { swap_sides(d.space()); }, nothing_to_compare},
    {"patch-from-b", "Patch from B", "", "pin the chosen matrix at B's values", patch_chosen,
     nothing_to_compare},
    {"stop-comparing", "Stop comparing", "", "and show A alone",
     [](WorkbenchState& d) { d.space().comparison.stop(); }, nothing_to_compare},
    {"join-pieces", "Join or part pieces", "",
     "the attention between words, whose pieces are joined, or between the pieces",
     [](WorkbenchState& d) { turn_pieces(d.space()); }, no_page},
    {"translate", "Translate", "", "the source: trained weights write the target anew", translate,
     no_translation},
    {"new-graph", "New graph", "", "an empty one, to draw: click for a node, drag for an edge",
     start_graph},
    {"select-all", "Select all nodes", "Ctrl+A", "of the graph, while no cell is held",
     hold_all_nodes, no_nodes},
    {"release", "Let go", "Esc", "of the cell, word or edge that is held", release},
    {"explain", "Explain", "I", "the cell's arithmetic, large: all terms and the whole row",
     turn_explanation, nothing_to_explain},
    {"view-options", "Options of the view", "V",
     "all of them, as a form; each is an option of headlight export, too",
     [](WorkbenchState& d) {
         d.view_options.is_open() ? d.view_options.close() : d.view_options.open();
     },
     no_view, "", compat::Repeat::No, Command::Again::Closes},
    {"back", "Back", "Alt+←", "to the cell that was held before a term was followed", go_back,
     no_page},
    {"play", "Play or pause", "Space", "the number that is animated, or the training",
     [](WorkbenchState& d) {
         if (d.presentation.is_on()) return;  // there it is the next step
         const bool trains_now = trains(d) && !d.animator.is_open();
         trains_now ? turn_training(d) : d.animator.toggle_play();
     }},
    {"train-play", "Train or rest", "", "steps of the training, until they are all made",
     turn_training},
    {"train-step", "Train one step", "", "and rest",
     [](WorkbenchState& d) { train_with(d).make_steps(1); }},
    {"train-newest", "Newest weights", "", "follow the training again",
     [](WorkbenchState& d) { train_with(d).show_step({}); }},
    {"train-anew", "Begin the training anew", "", "from new weights",
     [](WorkbenchState& d) { train_with(d).begin_anew(d.space()); }},
    {"use-weights", "Use the trained weights", "",
     "open the study of the training in its own workspace", use_weights, no_trained_weights},
    {"save-weights", "Save weights…", "", "those of the shown step of the training",
     ask_where_to_save_weights, no_trained_weights},
    {"ablate", "Ablate the head", "", "the chosen one: its output becomes zero",
     ablate_head<Ablation::Zero>, no_head},
    {"ablate-mean", "Ablate the head to its mean", "", "its output becomes the mean of its rows",
     ablate_head<Ablation::Mean>, no_head},
    {"restore-head", "Restore the head", "", "an ablated one is as computed again", restore_head,
     no_head},
    {"whole-matrix", "Whole matrix", "Home", "in the large picture",
     ask_picture<PictureRequest::Whole>},
    {"zoom-in", "Zoom in", "+", "to the held cell, or the middle of the large picture",
     ask_picture<PictureRequest::Larger>, nullptr, "", compat::Repeat::Yes},
    {"zoom-out", "Zoom out", "−", "of the large picture, while no cell is held",
     ask_picture<PictureRequest::Smaller>, held_cell, "", compat::Repeat::Yes},
    {"picture-form", "Colours…", "", "scale, range and numbers of matrices",
     [](WorkbenchState& d) { d.view_options.open(ViewOption::Group::Colors); }, no_page},
    {"larger-text", "Larger", "Ctrl++", "everything in the window",
     [](WorkbenchState& d) { shown_text(d).enlarge(); }},
    {"smaller-text", "Smaller", "Ctrl+−", "everything in the window",
     [](WorkbenchState& d) { shown_text(d).shrink(); }},
    {"normal-text", "Normal size", "Ctrl+0", "everything in the window",
     [](WorkbenchState& d) { shown_text(d).set(1); }},
    {"theme", "Theme", "", "light, dark, high contrast",
     [](WorkbenchState& d) { d.theme = theme_after(d.theme).name; }},
    {"sentence", "Sentence", "", "words that read each other",
     show_workspace<WorkspaceKind::Sentence>},
    {"alignment", "Alignment", "", "a target that reads a source",
     show_workspace<WorkspaceKind::Alignment>},
    {"graph", "Graph", "", "nodes that read each other", show_workspace<WorkspaceKind::Graph>},
    {"image", "Image", "", "patches that read each other", show_workspace<WorkspaceKind::Image>},
    {"train", "Train", "", "watch heads form", show_workspace<WorkspaceKind::Train>},
    {"lecture", "Lecture", "", "prepared pages, one after another",
     show_workspace<WorkspaceKind::Lecture>},
    {"new-lecture", "New lecture", "", "an empty one", start_lecture},
    {"close-lecture", "Other lectures…", "", "close the lecture: lessons, a new one, a file",
     close_lecture, no_lecture},
    {"save-answers", "Save answers…", "", "to the tasks of the lecture, to be sent and graded",
     save_answers, no_lecture},
    {"clear-answers", "Clear answers", "", "that were given to the tasks of the lecture",
     clear_answers, no_answers},
    {"bring-answers-back", "Bring answers back", "", "that were cleared last", bring_answers_back,
     no_cleared_answers},
    {"copy-code", "Copy the code of the answer", "",
     "K while presenting: to the page's task, for the chat of a class", copy_answer_code,
     no_lecture},
    {"class-answers", "Class answers", "",
     "C while presenting: a histogram of the codes that a class has sent, which Ctrl+V takes in",
     turn_class_answers, no_task},
    {"class-files", "Take in answers of the class…", "",
     "a file or a folder, with codes or with saved answers", ask_for_class_files, no_class_answers},
    {"add-class-answers", "Add to the class answers", "",
     "on or off: what is pasted is added to the answers that are there",
     [](WorkbenchState& d) { d.lecture.of_class.turn_adding(); }, no_class_answers},
    {"clear-class-answers", "Clear the class answers", "", "to this page",
     [](WorkbenchState& d) { d.lecture.of_class.clear_page(d.lecture.opened); }, no_class_answers},
    {"add-page", "Add page", "Ctrl+Shift+A", "what is seen now, to the lecture", add_page},
    {"add-page-to-new-lecture", "Add page to a new lecture", "",
     "as its first; the one just added to another lecture is taken back there",
     add_page_to_new_lecture},
    {"keep-changes", "Keep changes", "", "of the study on the page of a lecture", keep_changes,
     no_open_page},
    {"open-page-study", "Open the study of the page", "", "in its own workspace", open_page_study,
     no_open_page},
    {"present", "Present", "F5", "one step after another, on the whole screen", turn_presentation},
    {"speaker", "Speaker's window", "S",
     "of a lecture: notes, the next page and a clock, on the other screen", turn_speaker,
     no_speaker},
    {"predict", "Predict", "",
     "P while presenting: cover patterns, or all steps, or the matrices of pages, until they are "
     "revealed",
     turn_prediction, nothing_to_predict},
    {"reveal", "Reveal", "", "R while presenting: reveal the matrix, or cover it again", turn_cover,
     nothing_to_reveal},
    {"change-text", "Change the text", "", "T while presenting: the text of the study",
     ask_for_text, no_text_to_change},
    {"laser", "Laser pointer", "L", "a red dot that follows the pointer",
     [](WorkbenchState& d) { d.presentation.laser.turn(); }},
    {"magnify", "Magnifying glass", "Z", "around the pointer; the wheel changes it",
     [](WorkbenchState& d) { d.presentation.turn_magnifying_glass(); }},
    {"help", "Keys", "F1 or ?", "this list", [](WorkbenchState& d) { d.help.turn(); }, nullptr, "",
     compat::Repeat::No, Command::Again::Closes}};

/// The keys of all rows, taken apart once.
struct Binding {
    const Command* command;
    Shortcut shortcut;
};

std::vector<Binding> make_bindings() {
    std::vector<Binding> bindings;
    for (const Command& command : kCommands)
        for (const char* keys : {command.keys, command.more_keys})
            for (const Shortcut& shortcut : shortcuts_from(keys))
                bindings.push_back({&command, shortcut});
    return bindings;
}

}  // namespace

std::span<const Command> all_commands() {
    return kCommands;
}

const Command& command_at(CommandId id) {
    const auto at = std::ranges::find(kCommands, id, &Command::id);
    if (at == std::end(kCommands)) throw Error("command", "there is no command “{}”", id);
    return *at;
}

std::string shown_keys(const Command& command) {
    return are_kept_by_host(command.keys) ? "" : command.keys;
}

Commands pressed_commands() {
    static const std::vector<Binding> bindings = make_bindings();
    std::vector<Binding> pressed;
    for (const Binding& binding : bindings)
        if (is_pressed(binding.shortcut, binding.command->repeat)) pressed.push_back(binding);
    Commands commands;
    for (const Binding& binding : pressed) {
        const bool is_meant = std::ranges::none_of(pressed, [&](const Binding& other) {
            return other.shortcut.key == binding.shortcut.key &&
                   other.shortcut.count_held() > binding.shortcut.count_held();
        });
        if (is_meant) commands.push_back(binding.command->id);
    }
    return commands;
}

void run_command(WorkbenchState& bench, CommandId id) {
    const Command& command = command_at(id);
    const auto obstacle = command.obstacle ? command.obstacle(bench) : std::nullopt;
    if (!obstacle) return command.run(bench);
    if (!obstacle->why.empty()) throw Error(obstacle->where, obstacle->why);
}

}  // namespace headlight
