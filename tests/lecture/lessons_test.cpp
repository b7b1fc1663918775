// Every lesson that comes with the program plays from its first page to its last.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>

#include "io/files/file.h"
#include "lecture/check.h"
#include "lecture/tasks/task.h"
#include "source_folder.h"

using namespace headlight;

namespace {

std::vector<std::filesystem::path> lesson_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(source_folder() / "assets" / "lessons"))
        if (entry.path().extension() == ".lecture") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

}  // namespace

TEST_CASE("lessons: every number, claim and goal holds on the trace") {
    for (const std::filesystem::path& file : lesson_files()) {
        CAPTURE(file.filename().string());
        const Lecture lecture = read_lecture(read_file(file), file.filename().string());
        CHECK(lecture.pages.size() >= 4);
        CHECK(lecture.pages.size() <= 9);
        PageDocuments documents(lecture, file.parent_path(), file.filename().string());
        const PageSource source{lecture, documents, file.filename().string()};
        int n_tasks = 0;
        for (std::size_t k = 0; k < lecture.pages.size(); ++k) {
            const CheckedPage page = check_page(source, k);
            CAPTURE(page.title);
            for (const std::string& failure : page.failures) FAIL_CHECK(failure);
            n_tasks += page.has_task ? 1 : 0;
        }
        CHECK(2 * n_tasks >= static_cast<int>(lecture.pages.size()));
        CHECK(check_rest(source).empty());
    }
}

TEST_CASE("lessons: the minutes of the pages are those of the lesson") {
    const auto minutes = [](const Directives& directives) {
        const std::string* text = find_value(directives, "minutes");
        return text ? std::stod(*text) : 0;
    };
    for (const std::filesystem::path& file : lesson_files()) {
        CAPTURE(file.filename().string());
        const Lecture lecture = read_lecture(read_file(file), file.filename().string());
        double sum = 0;
        for (const LecturePage& page : lecture.pages) sum += minutes(page.directives);
        CHECK(sum == minutes(lecture.directives));
    }
}

TEST_CASE("lessons: numbers stand in the text only where the program fills them in") {
    // Two decimals or more are measured; a lesson may write small whole numbers and halves.
    for (const std::filesystem::path& file : lesson_files()) {
        CAPTURE(file.filename().string());
        const Lecture lecture = read_lecture(read_file(file), file.filename().string());
        for (const LecturePage& page : lecture.pages) {
            int depth = 0;
            for (std::size_t i = 0; i + 3 < page.text.size(); ++i) {
                if (page.text[i] == '{') ++depth;
                if (page.text[i] == '}') --depth;
                const auto is_digit = [&](std::size_t at) {
                    return page.text[at] >= '0' && page.text[at] <= '9';
                };
                const bool is_measured = depth == 0 && is_digit(i) && page.text[i + 1] == '.' &&
                                         is_digit(i + 2) && is_digit(i + 3);
                if (is_measured) FAIL_CHECK(page.title << ": " << page.text.substr(i, 12));
            }
        }
    }
}
