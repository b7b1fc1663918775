// The answers of a class on a slide: codes that were pasted and files are taken in, counted, and
// shown as a histogram of the page's task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "present/class_answers.h"
#include "present/open_lecture.h"
#include "ui/panel.h"

namespace headlight {

class ClassSlide {
  public:
    /// True while it stands in place of that page.
    bool is_on(const OpenLecture& lecture) const;
    /// Shows it in place of the chosen page, or the page again.
    void turn(const OpenLecture& lecture);
    void end() { page_.reset(); }

    /// Takes a pasted text in. Returns false, and nothing happens, if there are no codes in it.
    bool paste(const OpenLecture& lecture, const std::string& text);
    /// Takes files and folders in. Throws Error if a folder cannot be read.
    void take_files(const OpenLecture& lecture, const std::vector<std::filesystem::path>& paths);

    /// Sets what a paste does: it takes the place of the one before, or is added to it.
    void turn_adding() { adds_ = !adds_; }
    bool adds() const { return adds_; }
    void turn_reveal(const OpenLecture& lecture);
    bool is_hidden(const OpenLecture& lecture) const;
    bool has_answers(const OpenLecture& lecture) const;
    /// Forgets the answers to the chosen page.
    void clear_page(const OpenLecture& lecture);
    /// Forgets everything, for another lecture.
    void forget();

    /// Draws the slide into the current ImGui window.
    void draw(PanelContext& context, const OpenLecture& lecture, Box box);

  private:
    void take(const OpenLecture& lecture, const std::vector<CollectedAnswers>& collected);
    const ClassCount& counted(const OpenLecture& lecture);
    std::string how_to(const OpenLecture& lecture) const;

    ClassAnswers answers_;
    std::optional<std::size_t> page_;  // that is shown so
    std::set<std::size_t> revealed_;
    bool adds_ = false;
    std::string said_;  // what was not understood in the last text or files
    /// The count that was made last, and of what.
    struct Count {
        std::size_t page = 0, answers = 0;
        std::uint64_t lecture = 0;
        ClassCount count = {};
    };
    std::optional<Count> count_;
};

}  // namespace headlight
