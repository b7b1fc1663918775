// A lecture and the studies of its pages, for one command.
#pragma once

#include <string>

#include "core/error.h"
#include "io/files/file.h"
#include "lecture/faults.h"
#include "lecture/lessons.h"
#include "lecture/page/page_view.h"

namespace headlight {

/// Throws Error with the line, and if there are no pages. With `faults` what is wrong in the file
/// is added there, and the rest is read. Is not moved: its parts know each other.
struct OpenedLecture {
    explicit OpenedLecture(const std::string& file, Faults* faults = nullptr)
        : name(path_text(file)),
          lecture(read_lecture_or_lesson(file, faults)),
          documents(lecture, std::filesystem::path(file).parent_path(), name),
          source{lecture, documents, name} {
        attempt(faults, [&] {
            if (lecture.pages.empty())
                throw Error(path_text(file), "has no pages; a page begins with a line '## TITLE'");
        });
    }
    OpenedLecture(const OpenedLecture&) = delete;
    OpenedLecture& operator=(const OpenedLecture&) = delete;

    std::string name;
    Lecture lecture;
    PageDocuments documents;
    PageSource source;
};

}  // namespace headlight
