// The study of a page, with the changes that its directives make.
//
// Goals: the same directives change a study when a page is opened and when a solution is shown. Not
// goals: what part of the study is shown (page_view.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/document.h"
#include "present/lecture.h"
#include "views/log_curves.h"

namespace headlight {

/// True for the directives that change a study: text, set, ablate, change …
bool changes_study(std::string_view key);

/// Applies one of these directives. Throws Error, without a place, if the study cannot be changed
/// so.
void change_study(Document& document, const Directive& directive);

/// Returns the words of an error, without its place; that of another file or of an option stays in
/// words.
std::string said(const Error& error);
/// Makes the error of a page: "[a.lecture] line 12: “Title” what is wrong". An error that names no
/// line of the lecture gets that of the title.
Error page_error(const std::string& source_name, const LecturePage& page, const Error& error);

/// The studies of all pages, each made when it is first asked for.
class PageDocuments {
  public:
    /// Studies are looked for inside the lecture, in the folder, and among the ready ones. The
    /// lecture must outlive this.
    PageDocuments(const Lecture& lecture, std::filesystem::path folder, std::string source_name);

    /// Returns the study of a page; null if the page shows none. Throws Error with the line.
    std::shared_ptr<const Document> at(std::size_t page);
    /// Returns all errors of the study of the page and of its changes, with their lines.
    Faults faults_of(std::size_t page);
    /// Opens a study by its name. Throws Error.
    Document open(const std::string& name) const;
    /// Opens the table of curves of that name, in the lecture or beside it. Throws Error.
    CurveLog open_curve(const std::string& name) const;

  private:
    std::shared_ptr<const Document> make(std::size_t page, Faults* faults);
    Document open_inside(const std::string& name, const std::string& text) const;
    Error curve_error(const Error& error, const std::string& name) const;

    const Lecture& lecture_;
    std::filesystem::path folder_;
    std::string source_name_;
    std::vector<std::shared_ptr<const Document>> made_;
    std::vector<bool> is_made_;
};

}  // namespace headlight
