// Workspace: one of the studies that are open in the window, with what is looked at in it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "io/files/file_stamp.h"
#include "io/studies/journal.h"
#include "scene/comparison.h"
#include "scene/scene.h"

namespace headlight {

/// A study that another one was started over: one step back it is there again, and is of its file.
struct StudyBefore {
    std::shared_ptr<const Document> next;  // the first one of the study that came after it
    std::filesystem::path file;
    FileStamp on_disk;
    std::shared_ptr<const Document> opened, saved;
    bool has_changes = false;  // that are not saved
};

struct Workspace {
    Workspace(Document document, std::function<void()> wake)
        : session(std::move(document), wake),
          comparison(std::move(wake)),
          opened(session.history().shared_document()),
          saved(opened) {}

    Session session;
    Selection selection;
    Comparison comparison;
    Watched watched;
    std::vector<std::string> exported;         // globs of what an export looks at, too
    std::shared_ptr<const Trace> whole, page;  // all sentences, and the one that is shown
    Components components;
    int turned = 0;              // which sentence the page is of
    std::filesystem::path file;  // empty: none
    FileStamp on_disk;           // as the file was when it was read or written here
    std::shared_ptr<const Document> opened, saved;
    bool is_new = true;               // nothing was pointed at yet
    std::vector<StudyBefore> before;  // the study, the latest last
    std::vector<StudyBefore> after;   // what undo has led back from, the nearest last
};

/// The kinds of studies that are shown differently.
enum class WorkspaceKind { Sentence, Alignment, Graph, Image };
inline constexpr std::size_t kWorkspaces = 4;

/// Recorded patterns are shown with the sentences.
WorkspaceKind workspace_for(const Study& study);

/// Where a study comes from.
struct StudyFile {
    std::filesystem::path path = {};  // empty: from no file
    FileStamp on_disk = {};           // as the file was before it was read
    std::string notes = {};           // what else is to be said of it
};

/// There must be a page.
Scene scene_of(const Workspace& space, const Theme& theme);

/// Shows another study, of that file. What had unsaved changes stays behind it, one step back.
void open_study(Workspace& space, Document document, const StudyFile& file);

/// Starts a new study, of no file. The one that was there stays behind it, one step back, with its
/// file.
void start_study(Workspace& space, Document document, const std::string& label);

/// As it is now, if studies are saved under such a name: others may be large, and are never written
/// over.
FileStamp stamp_of_study(const std::filesystem::path& file);

/// Whether the file is that of the study. Not where undo has led back behind its opening.
bool is_in_file(const Workspace& space);

/// Writes it to the file, which is its own from now on; what was there stays as a backup. Throws
/// Error; then nothing has happened.
void save_study(Workspace& space, const std::filesystem::path& file);
/// What its file says now, as a step that can be undone. Throws Error; then nothing has happened.
void reload_study(Workspace& space);

/// The file that is kept with it: none where redo leads to another study.
std::string file_in_journal(const Workspace& space);
/// What is kept of it in case the program is killed, and what was kept.
OpenWork open_work(const Workspace& space);
void take_over(Workspace& space, const OpenWork& work);

/// Before a frame: the newest trace, and a selection that fits it.
void prepare(Workspace& space);

/// Opens a part by its path ("blocks.1.mlp"), the heads of all attentions (kAllHeads), the lines
/// between words (kWordLines), or shows a matrix large. Throws Error if there is no page, or
/// nothing is called so.
void show(Workspace& space, const std::string& name);
/// Of the open part, from 0. Throws Error if there is no page, or no such step.
void go_to_step(Workspace& space, std::size_t step);

/// With what is called so among the choices: "head 3", "before the last edit", "gatv2 on this
/// graph". Throws Error if there is no page, or nothing is called so.
void compare_with(Workspace& space, const std::string& name);
/// With a study of the same kind. Throws Error if it is another one or cannot be read.
void compare_with_file(Workspace& space, const std::filesystem::path& file);
/// B in the place of A, and A in that of B.
void swap_sides(Workspace& space);

/// True if it is not as it was saved or opened, or a study before it in its history is not.
bool has_changes(const Workspace& space);

}  // namespace headlight
