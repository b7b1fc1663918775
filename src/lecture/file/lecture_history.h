// LectureHistory: the states of a lecture that undo leads to, and the file in which they are kept.
//
// Goals: a step is kept as its change of the text of the lecture; what did not change since the
// last time is not compared again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lecture/lecture.h"

namespace headlight {

/// A state, and the name of the change that led to it; that of the first is empty.
struct LectureStep {
    std::string label;
    std::shared_ptr<const Lecture> lecture;
};

/// There is at least one step, unless no lecture is open.
struct LectureHistory {
    std::deque<LectureStep> steps;
    std::size_t at = 0;

    const Lecture& now() const { return *steps[at].lecture; }
};

/// A lecture that is kept although it was not saved.
struct KeptLecture {
    LectureHistory history;
    std::filesystem::path file;                  // the lecture's file; empty: it has none
    std::size_t page = 0;                        // the chosen one
    std::optional<std::uint64_t> contents = {};  // of that file as the window knew it
};

class LectureHistoryWriter {
  public:
    /// Writes JSON: {"file": "…", "contents": "…", "page": 0, "at": 1, "steps": [{"label": "…",
    /// "front": 0, "back": 0, "text": "…"}]}. The text of a step begins with `front` bytes of the
    /// one before it, and ends with `back`. Where a file leaves out blanks around what was typed,
    /// `typed` has it: titles, texts and notes, numbered in the order of the file.
    std::string write(const LectureHistory& history, const std::filesystem::path& file,
                      std::size_t page = 0, std::optional<std::uint64_t> contents = {});

  private:
    struct Written {
        LectureStep step;
        std::string json;
    };
    void drop_others(const LectureHistory& history);

    std::deque<Written> written_;
};

/// Leaves out steps that cannot be read as a lecture. Throws Error, with the line, if the one that
/// was seen last is among them, or if the bytes are not such a file.
KeptLecture read_lecture_history(std::string_view bytes, const std::string& source_name);

}  // namespace headlight
