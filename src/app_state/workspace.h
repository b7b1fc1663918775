// Workspace: one of the open studies, with its selection.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "app_state/comparison_run.h"
#include "app_state/sweep_run.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "model/session.h"
#include "views/scene.h"

namespace headlight {

template <class State>
struct OpenWorkOf;

/// A study that another one was started over: one step of undo back it is there again, and belongs
/// to its file.
struct StudyBefore {
    std::shared_ptr<const Document> next;  // the first one of the study that came after it
    std::filesystem::path file;
    FileStamp on_disk;
    std::shared_ptr<const Document> opened, saved;
    bool has_changes = false;  // unsaved ones
};

struct Workspace {
    Workspace(Document document, std::function<void()> wake)
        : session(std::move(document), wake),
          comparison(wake),
          sweep(std::move(wake)),
          opened(session.history().shared_state()),
          saved(opened) {}

    Session session;
    Selection selection;
    ComparisonRun comparison;
    SweepRun sweep;
    Watched watched;
    std::vector<std::string> exported;  // globs of what an export looks at, too
    TracePtr batch, trace;              // of all sentences, and of the one that is shown
    Components components;
    int shown_sentence = 0;      // the one that the trace is of
    std::filesystem::path file;  // empty: none
    FileStamp on_disk;           // the file when it was last read or written here
    std::shared_ptr<const Document> opened, saved;
    bool is_new = true;                         // nothing was pointed at yet
    std::optional<CellPlace> lost_answer = {};  // held before its word was deleted
    bool lost_pronoun = false;                  // true if that word was the pronoun
    ViewWords view;                             // to be shown as soon as there is a trace
    std::string view_problem;                   // why it could not be, to be told
    std::vector<std::string> view_notes;        // what of it has no effect, to be told
    std::vector<StudyBefore> before;            // the study, the latest last
    std::vector<StudyBefore> after;             // documents left by undo, the nearest last
};

/// The kinds of studies that are shown differently, the study of a training, and that of the page
/// of a lecture.
enum class WorkspaceKind { Sentence, Alignment, Graph, Image, Train, Lecture };
inline constexpr std::size_t kWorkspaces = 6;
/// Files are opened in the first of these workspaces. Their work is kept when the program is
/// killed, as is that of the training, which comes after them.
inline constexpr std::size_t kFileWorkspaces = 4;

/// Replaces each component's output in turn, and measures the loss, or the logit that the view of
/// logits asks for; Patch takes the outputs of the comparison's B. Throws Error if there is nothing
/// to sweep.
void start_sweep(Workspace& space, const SweepSettings& settings);

/// Returns the kind of a study. Recorded patterns are shown with the sentences, those of a picture
/// with images, of a graph with graphs.
WorkspaceKind workspace_for(const Study& study);

/// The origin of a study: its file, notes and view.
struct StudyFile {
    std::filesystem::path path = {};  // empty: from no file
    FileStamp on_disk = {};           // the file before it was read
    std::string notes = {};           // notes for the user
    ViewWords view = {};              // the view that it was saved with
};

/// Makes the scene of the workspace, which must have a trace.
Scene make_scene(const Workspace& space, const Theme& theme);

/// Shows another study, of that file. Unsaved changes stay in the history, one step back.
void open_study(Workspace& space, Document document, const StudyFile& file);

/// Starts a new study without a file. The old one stays in the history, one step back, with its
/// file.
void start_study(Workspace& space, Document document, const std::string& label);

/// Shows the study's attention between words, whose pieces are joined, or between the pieces again;
/// the view stays. Throws Error if there is nothing to join.
void turn_pieces(Workspace& space);

/// Returns the stamp of the file as it is now, if studies can be saved under such a name. Other
/// files may be large, and are never overwritten.
FileStamp stamp_of_study(const std::filesystem::path& file);

/// True if the file belongs to the study. It does not after undo has gone back past its opening.
bool is_in_file(const Workspace& space);

/// Saves the study with its view to the file, which becomes the study's own. The old file is kept
/// as a backup. If it throws Error, nothing has changed.
void save_study(Workspace& space, const std::filesystem::path& file);
/// Reads the study's file again, as a step that can be undone. If it throws Error, nothing has
/// changed.
void reload_study(Workspace& space);

/// Returns the file that is kept with the study; none where redo leads to another study.
std::string file_in_journal(const Workspace& space);
/// Returns what the journal keeps of the workspace in case the program is killed.
OpenWorkOf<Document> open_work(const Workspace& space);
/// Returns the view that the study is saved with, as it is seen now.
ViewWords view_to_save(const Workspace& space);
void take_over(Workspace& space, const OpenWorkOf<Document>& work);

/// Takes, before a frame, the newest trace, and a selection that fits it. A view that was saved
/// with the study is shown; where that is not possible, the usual one, and `view_problem` says why.
void prepare(Workspace& space);

/// Opens a part by its path ("blocks.1.mlp"), the heads of all attentions ("heads"), the lines
/// between words ("words"), or shows a matrix large. Throws Error if there is no trace, or
/// nothing is called so.
void show(Workspace& space, const std::string& name);
/// Goes to a step of the open component, counted from 0. Throws Error if there is no trace or no
/// such step.
void go_to_step(Workspace& space, std::size_t step);

/// Shows what the words say; what they do not say is as in a new window. There must be a trace, of
/// the sentence that they name. Returns notes on the words that have no effect, as the command line
/// says them. Throws Error if a word is unknown, or the study has no such thing; the selection is
/// then to be put back.
std::vector<std::string> show_saved_view(Workspace& space, const ViewWords& words);

/// Shows the matrix of that path large. Throws Error, naming a near path, if there is none.
void show_matrix(Workspace& space, const std::string& path);
/// Compares with the choice of that name: "head 3", "before the last edit", "gatv2 on this graph".
/// Throws Error if there is no trace or no such choice.
void compare_with(Workspace& space, const std::string& name);
/// Compares with a study of the same kind. Throws Error if it is of another kind or cannot be read.
void compare_with_file(Workspace& space, const std::filesystem::path& file);
/// Puts B in the place of A, and A in that of B.
void swap_sides(Workspace& space);

/// The selection by numbers from 0, as another program knows it.
struct SelectedPlace {
    std::string path = {};                       // the large matrix, or that of the held cell
    std::optional<int> layer = {}, head = {};    // of the open part
    std::optional<Index> row = {}, column = {};  // of that matrix, as they are held

    bool operator==(const SelectedPlace&) const = default;
};
/// Returns the place that is selected; an empty one where there is no trace.
SelectedPlace selected_place(const Workspace& space);
/// Selects those parts of the place that differ from the selection; the rest stays. Throws Error if
/// there is no such thing; the selection is then as it was.
void select_place(Workspace& space, const SelectedPlace& place);

/// True if the study, or one before it in its history, differs from what was saved or opened.
bool has_changes(const Workspace& space);

}  // namespace headlight
