// Recovery: keeps what is open and not saved in a journal, and offers what other windows left there
// when they were killed.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/background.h"
#include "scene/studies.h"
#include "ui/panel.h"
#include "ui/window/autosave.h"

namespace headlight {

class Recovery {
  public:
    ~Recovery();

    /// Journals are in that folder; those left there are read beside the window. `wake` is called
    /// from another thread.
    void start(const std::filesystem::path& folder, const std::function<void()>& wake);

    /// Once a frame: what has changed is written soon.
    void follow(std::span<const Workspace> spaces);

    /// Once a frame: the offer, until it is answered; none while a study that it would replace has
    /// unsaved changes. What is taken over is shown.
    void draw(PanelContext& context, Studies& studies);

    /// What the user should know, once.
    std::string take_message() { return std::exchange(message_, {}); }

    /// The user closes the window and does not want to keep what is not saved.
    void give_up() { is_given_up_ = true; }

    bool is_reading() const { return reading_.is_running(); }
    void finish_reading();

  private:
    using Journals = std::vector<LeftJournal>;
    enum class Answer { None, Restore, SaveAsFile, Discard, Later };

    bool has_changed(std::span<const Workspace> spaces) const;
    void report_problem();
    Answer draw_offer(PanelContext& context, const LeftJournal& journal);
    void restore(const LeftJournal& journal, Studies& studies);

    bool save_as_files(const LeftJournal& journal);

    std::optional<Autosave> autosave_;
    OpenWorks posted_;
    std::string told_problem_, message_;
    bool is_given_up_ = false;
    Background<Journals> reading_;
    Journals offers_;
};

}  // namespace headlight
