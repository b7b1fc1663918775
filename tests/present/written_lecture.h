// Short lectures for tests: a block a page.
#pragma once

#include <string>
#include <vector>

#include "app_state/workspace.h"
#include "core/error.h"
#include "present/lecture.h"
#include "present/page/page_document.h"
#include "present/page/page_view.h"

namespace headlight {

/// A lecture of one block a page.
inline std::string lecture_text(const std::vector<std::string>& blocks) {
    std::string text = "# Test\n";
    for (const std::string& block : blocks)
        text += "\n## Page\n\n```headlight\n" + block + "\n```\n";
    return text;
}

struct TestLecture {
    explicit TestLecture(const std::vector<std::string>& blocks)
        : lecture(read_lecture(lecture_text(blocks), "t")),
          documents(lecture, {}, "t"),
          source{lecture, documents, "t"} {}

    std::string error(std::size_t page) {
        try {
            Workspace space(no_study(), {});
            open_page(source, page, space);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    Lecture lecture;
    PageDocuments documents;
    PageSource source;
};

inline const std::string kWho = "study: who-is-it\ntensor: blocks.1.attn.heads.0.pattern\nrow: it";

}  // namespace headlight
