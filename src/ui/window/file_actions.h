// FileActions: opens, imports and saves the files that are open, and asks the questions about them.
//
// Goals: a file changed by another program is never overwritten without a question; a graph that
// waits for its layout blocks nothing.
// Not goals: exports (figure_exporter.h), unsaved work of a killed window (recovery.h).
#pragma once

#include <array>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app_state/studies.h"
#include "app_state/workspace.h"
#include "download/known_models.h"
#include "io/studies/window_state.h"
#include "model/workers.h"
#include "ui/dialogs/dialog.h"
#include "ui/dialogs/file_dialog.h"
#include "ui/dialogs/file_question.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/panel.h"
#include "ui/window/notice.h"

namespace headlight {

/// A file that is open in the window, whatever it holds.
struct OpenFile {
    std::string name;                 // of what is in it, for a question: “cat.headlight”
    std::filesystem::path path;       // empty: it has no file of its own yet …
    std::filesystem::path suggested;  // … and this is the name that it is offered
    FileDialog::Purpose purpose = FileDialog::Purpose::Save;
    FileStamp on_disk;  // the file as it was read or written here
    std::function<bool()> has_changes, is_changed_on_disk;
    std::function<void()> show;
    std::function<void(const std::filesystem::path&)> write;  // it becomes its own file
    std::function<void()> reload;                             // as one step that can be undone
};

// A dialog that asks which pretrained model to download, from where, and into which folder.
//
// Goals: size, address and licence are seen before anything is asked of the network.
// Not goals: the download itself (download/model_download.h).

struct WantedModel {
    KnownModel model;
    std::string from;  // a server or a folder
    std::filesystem::path folder;
};

class ModelDialog {
  public:
    /// Opens in the next frame.
    void open();
    /// Called once a frame. Returns the model, when it was asked for.
    std::optional<WantedModel> draw(PanelContext& context);

  private:
    void draw_models(PanelContext& context);
    void draw_row(PanelContext& context, const KnownModel& model);
    void draw_details(PanelContext& context);
    static void draw_field(PanelContext& context, const char* name, std::string& text);
    std::optional<WantedModel> draw_buttons(PanelContext& context);
    void choose(const std::string& name);

    std::string name_, from_, folder_, problem_;  // name_: as typed, or of the table
    Dialog dialog_;
};

class FileActions {
  public:
    /// Serves these studies and reports through the notice. `wake` asks for a frame from another
    /// thread.
    FileActions(Studies& studies, Notice& notice, std::function<void()> wake)
        : studies_(studies), notice_(notice), wake_(std::move(wake)) {}

    /// Puts a study into its workspace and shows it: in the shown tab if that has no file and
    /// nothing to lose, else in a new one. Throws Error if too many are open.
    void open(Document document, const StudyFile& file);
    /// Opens a file. Throws Error; then nothing has happened. A graph without places is shown when
    /// it has them. A study that is open already is shown as it is. A picture takes the place of
    /// the one that the shown study reads from a file.
    void open_file(const std::filesystem::path& file);
    /// Opens the files that were open when the window was closed, and then shows that workspace. A
    /// notice names those that cannot be opened.
    void open_again(const WindowState& state);
    /// Returns the files of all workspaces, and the shown ones.
    std::array<OpenFiles, kFileWorkspaces> open_files() const;

    /// Sets the function that opens a *.lecture.
    void open_lectures_with(std::function<void(const std::filesystem::path&)> open) {
        open_lecture_ = std::move(open);
    }

    void ask_to_open();
    void ask_to_import();
    void ask_for_model();  // a pretrained one, to be downloaded
    /// Saves into the file's own path; where it has none, or that fails, asks where.
    void save(const OpenFile& file);
    void ask_where_to_save(const OpenFile& file, const std::string& problem = {});
    /// Says that the file is open with changes, where somebody opens it again.
    void say_is_unsaved(const std::filesystem::path& file);
    /// Returns an open study as a file.
    OpenFile study_file(StudyNumber number);
    /// Returns the dialog, for another question about files: where to export to, what to compare
    /// with.
    FileDialog& dialog() { return dialog_; }

    /// Shows each of the files that has unsaved changes, one after the other, and asks about them.
    /// `go_on` is done once they are saved or given up, at once if nothing would be lost; `stay` if
    /// the user stays.
    using Then = std::function<void()>;
    void ask_before(std::vector<OpenFile> files, Then go_on, Then stay = {});
    /// Called before the window closes: asks about `first`, and then about all studies.
    void ask_before_closing(std::vector<OpenFile> first);
    /// Closes that study. If it has unsaved changes, it is asked about before.
    void close(StudyNumber number);
    bool keeps_open() const { return leaving_.has_value(); }

    /// Keeps the list of files that were opened there.
    void keep_recent_files(const std::filesystem::path& list) { recent_files_ = list; }
    std::vector<std::filesystem::path> recent_files() const;

    /// Says at the foot of the box if another program has changed that file. Returns the height of
    /// the notice.
    float draw_notice(PanelContext& context, const OpenFile& file, Box box);
    /// Called once a frame. Draws open dialogs and questions, and acts on their answers. True if
    /// the window closes; then all that is not saved was given up.
    bool draw(PanelContext& context);

    /// Called once a frame. Shows a graph whose layout is finished; a cancelled one changes
    /// nothing.
    void advance();
    bool is_opening() const { return opening_.is_running() || getting_.is_running(); }
    const Progress& progress() const {  // while it is opening
        return opening_.is_running() ? opening_.progress() : getting_.progress();
    }
    void cancel() { opening_.is_running() ? opening_.cancel() : getting_.cancel(); }
    void wait();

  private:
    /// The questions about unsaved work that are under way.
    struct Leaving {
        std::deque<OpenFile> files;  // the first one is asked about
        Then go_on, stay;
        bool saves = false;  // the first one is being saved
    };

    bool show_open(const std::filesystem::path& file);
    bool give_picture_to_shown(const std::filesystem::path& file);
    void open_next_again();
    void leave_first();
    void go_on_leaving();
    void stay();
    void give_up_opening();
    void take_opened();
    void get(const WantedModel& wanted);
    void take_model();
    void import_from(const std::filesystem::path& file);
    void draw_import(PanelContext& context);
    void draw_models(PanelContext& context);
    void draw_questions(PanelContext& context);
    void draw_leaving(PanelContext& context);
    void draw_overwriting(PanelContext& context);
    void save_to(const OpenFile& open, const std::filesystem::path& file);
    void write(const OpenFile& open, const std::filesystem::path& file);
    void reload(const OpenFile& open);
    std::filesystem::path own_file() const;

    Studies& studies_;
    Notice& notice_;
    std::function<void()> wake_;
    std::function<void(const std::filesystem::path&)> open_lecture_;
    FileDialog dialog_;
    ImportDialog import_;
    ModelDialog models_;
    std::optional<Leaving> leaving_;
    std::optional<OpenFile> overwritten_;  // asked about: another program has changed it
    ChangedFileNotice changed_;
    StudyFile opened_;                           // the file of the study …
    Background<Document> opening_;               // … whose graph gets its places
    WantedModel wanted_;                         // the model …
    Background<std::filesystem::path> getting_;  // … that is being downloaded, into its folder
    std::deque<std::string> again_;              // files that are still to be opened again …
    using Shown = std::array<OpenFiles, kFileWorkspaces>;
    std::optional<Shown> shown_then_;  // … and which files each workspace then showed
    bool closes_window_ = false;
    std::filesystem::path recent_files_;  // the list of them; empty: none is kept
};

}  // namespace headlight
