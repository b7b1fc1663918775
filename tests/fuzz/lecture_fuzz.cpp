// Fuzz target: lectures; what is read is written and read again the same. Texts and tasks of the
// pages are read as well.
#include "fuzz/fuzz_target.h"
#include "lecture/lecture.h"
#include "lecture/page/page_text.h"
#include "lecture/tasks/task.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const Lecture lecture = read_lecture(bytes, "input");
        fuzz::expect(read_lecture(write_lecture(lecture), "written") == lecture);
        for (const LecturePage& page : lecture.pages) {
            fuzz::expect_only_errors([&] { read_page_text(page.text, "input", page.text_lines); });
            fuzz::expect_only_errors([&] {
                if (const std::optional<PageTask> task = read_task(page, "input"))
                    read_task_text(*task, "input");
            });
            Faults faults;
            read_page_text(page.text, "input", page.text_lines, &faults);
            if (const std::optional<PageTask> task = read_task(page, "input", &faults))
                read_task_text(*task, "input", &faults);
        }
    });
    return 0;
}
