// A lecture that is open and not saved, as a journal keeps it: each state as a text.
//
// Goals: a state is written once; what is read is what was typed, to the last blank.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "io/studies/journal.h"
#include "present/open_lecture.h"

namespace headlight {

/// Returns the text of the lecture's file, and after it, since a file leaves out blanks around what
/// was typed, a line with these texts in JSON: "\x1e{"3": "…"}", numbered in the order of the file.
std::string kept_text(const Lecture& lecture);
/// read_kept_text(kept_text(l)) == l. Throws Error, with the line, if it is no such text.
Lecture read_kept_text(const std::string& text, const std::string& source_name);
/// Returns the part of a kept text that the file would have.
std::string file_text(const std::string& kept_text);

/// Makes what a journal keeps of a lecture, with its chosen page.
class LectureWork {
  public:
    std::shared_ptr<const OpenText> make(const OpenLecture& lecture);

  private:
    using Texts = std::map<std::shared_ptr<const Lecture>, std::shared_ptr<const std::string>>;

    Texts texts_;  // of the states that were there the last time
};

/// Opens a kept lecture with all undo and redo steps, at its page. States that cannot be read are
/// left out. Throws Error if the one that was seen last is among them; then nothing has happened.
void open_work(OpenLecture& lecture, const OpenText& work);

}  // namespace headlight
