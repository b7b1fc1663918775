// A lecture and the studies of its pages, for one command.
#pragma once

#include <string>

#include "core/error.h"
#include "io/files/file.h"
#include "lecture/lessons.h"
#include "lecture/page/page_view.h"

namespace headlight {

/// Throws Error with the line, and if there are no pages. Is not moved: its parts know each other.
struct OpenedLecture {
    explicit OpenedLecture(const std::string& file)
        : name(path_text(file)),
          lecture(read_lecture_or_lesson(file)),
          documents(lecture, std::filesystem::path(file).parent_path(), name),
          source{lecture, documents, name} {
        if (lecture.pages.empty())
            throw Error(path_text(file), "has no pages; a page begins with a line '## TITLE'");
    }
    OpenedLecture(const OpenedLecture&) = delete;
    OpenedLecture& operator=(const OpenedLecture&) = delete;

    std::string name;
    Lecture lecture;
    PageDocuments documents;
    PageSource source;
};

}  // namespace headlight
