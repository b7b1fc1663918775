// Readers of lectures and of answers to them.
#include <algorithm>

#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "present/answers.h"
#include "present/file/lecture_work.h"
#include "present/lecture.h"
#include "present/page/page_text.h"
#include "present/tasks/task.h"

namespace headlight::fuzz {
void try_answers(std::string_view bytes) {
    expect_only_errors([&] {
        std::vector<std::string> notes;
        const AnswerSheet sheet = read_answers(bytes, "input", notes);
        const bool can_be_written = std::ranges::all_of(
            sheet.answers, [](const auto& answer) { return answer.second.problem.empty(); });
        notes.clear();
        const AnswerSheet again = read_answers(write_answers(sheet), "written", notes);
        expect(again.lecture == sheet.lecture && notes.empty());
        expect(again == sheet || !can_be_written);
    });
}

void try_lecture(std::string_view bytes) {
    expect_only_errors([&] {
        const Lecture lecture = read_lecture(bytes, "input");
        expect(read_lecture(write_lecture(lecture), "written") == lecture);
        for (const LecturePage& page : lecture.pages) {
            expect_only_errors([&] { read_page_text(page.text, "input", page.text_lines); });
            expect_only_errors([&] {
                if (const std::optional<PageTask> task = read_task(page, "input"))
                    read_task_text(*task, "input");
            });
            Faults faults;
            read_page_text(page.text, "input", page.text_lines, &faults);
            if (const std::optional<PageTask> task = read_task(page, "input", &faults))
                read_task_text(*task, "input", &faults);
        }
    });
}

void try_kept_lecture(std::string_view bytes) {
    expect_only_errors([&] {
        const Lecture lecture = read_kept_text(std::string(bytes), "input");
        expect(read_kept_text(kept_text(lecture), "written") == lecture);
    });
}

}  // namespace headlight::fuzz
