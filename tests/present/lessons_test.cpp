// Every lesson that comes with the program plays from its first page to its last.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

#include "figure/legend.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "io/text/csv.h"
#include "long_checks.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "present/check.h"
#include "present/handout.h"
#include "present/page/page_control.h"
#include "present/page/page_figure.h"
#include "present/page/page_scope.h"
#include "present/tasks/task.h"
#include "source_folder.h"

using namespace headlight;

namespace {

constexpr Index kMostColumns = 12;      // of a matrix whose numbers are read in a hall
constexpr float kLeastNumber = 0.025f;  // of the height

/// Where the pages are drawn.
struct Room {
    Point screen;
    float height;  // of the page on it
};

/// Three screens, with the page by itself and on a slide over its buttons. The narrowest has the
/// least room.
std::vector<Room> rooms() {
    constexpr float kOverButtons = 450.0f / 480;
    constexpr Point kNarrowest = {1024, 768};
    if (!is_long_check()) return {{kNarrowest, kOverButtons * kNarrowest.y}};
    std::vector<Room> all;
    for (const Point screen : {Point{1280, 720}, Point{1280, 800}, kNarrowest})
        for (const float part : {1.0f, kOverButtons}) all.push_back({screen, part * screen.y});
    return all;
}

std::vector<std::filesystem::path> lesson_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(source_folder() / "assets" / "lessons"))
        if (entry.path().extension() == ".lecture") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// The least size of the numbers in the cells of a matrix; 0: a cell has none.
float least_number(const Figure& figure, const HeatmapMark& cells) {
    Index n_numbers = 0;
    float least = figure.height;
    for (const Mark& mark : figure.marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text || text->align != Align::Middle || !cells.box.contains(text->at)) continue;
        ++n_numbers;
        least = std::min(least, text->size);
    }
    return n_numbers < cells.values->size() ? 0 : least;
}

bool shows_matrices(const PrintedPage& page) {
    return page.open.view == ViewId::Matrix || page.open.view == ViewId::Compared ||
           page.open.view == ViewId::Panels;
}

/// A page on a screen; what is to be predicted is not covered.
Figure drawn_on(const PageSource& source, const PrintedPage& page, Point size,
                const MeasureText& measure) {
    PrintedPage open{page.written, page.text, page.task, page.task_text, page.open, {}};
    if (open.task) open.task->cover = PageTask::Cover::Off;
    return draw_page(source, open, {.size = size}, measure).figure;
}

/// How many matrices with few columns are on it.
int check_numbers(const Figure& figure, float least) {
    int n_matrices = 0;
    for (const Mark& mark : figure.marks) {
        const auto* cells = std::get_if<HeatmapMark>(&mark);
        if (!cells || is_legend_bar(*cells) || cells->values->cols() > kMostColumns) continue;
        ++n_matrices;
        CHECK(least_number(figure, *cells) >= least);
    }
    return n_matrices;
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
            for (const Error& failure : page.failures) FAIL_CHECK(failure.what());
            n_tasks += page.has_task ? 1 : 0;
        }
        CHECK(2 * n_tasks >= static_cast<int>(lecture.pages.size()));
        CHECK(check_rest(source).empty());
    }
}

TEST_CASE("lessons: another first word changes all rows of a causal pattern but the first") {
    const std::filesystem::path file = source_folder() / "assets" / "lessons" / "masks.lecture";
    const Lecture lecture = read_lecture(read_file(file), "masks.lecture");
    PageDocuments documents(lecture, file.parent_path(), "masks.lecture");
    const PageSource source{lecture, documents, "masks.lecture"};
    const auto asks = [](const LecturePage& page) {
        const auto task = read_task(page, "masks.lecture");
        return task && task->question.find("if the first word is exchanged") != std::string::npos;
    };
    const auto page = std::ranges::find_if(lecture.pages, asks);
    REQUIRE(page != lecture.pages.end());
    Workspace space(no_study(), {});
    open_page(source, static_cast<std::size_t>(page - lecture.pages.begin()), space);
    const auto pattern = [&] {
        return *space.session.trace()->at("blocks.0.attn.heads.0.pattern").value;
    };
    const Matrix before = pattern();
    space.session.apply({"", [](Document& document) {
                             set_text(document, "twice upon a time there was a little boy");
                         }});
    space.session.wait();
    const Matrix after = pattern();
    REQUIRE(after.rows() == before.rows());
    CHECK(after.row(0) == before.row(0));
    for (Index i = 1; i < before.rows(); ++i)
        CHECK((after.row(i) - before.row(i)).cwiseAbs().maxCoeff() > 0.001);
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

namespace {

Lecture lesson_in(const std::filesystem::path& file) {
    return read_lecture(read_file(file), file.filename().string());
}

/// Of the dot products, with random numbers of that seed.
double deviation_of_scores(Document document, std::uint64_t seed) {
    const std::string path = "blocks.0.cross.heads.0.scores";
    document.seed = seed;
    const Trace trace = evaluate(document, nullptr, {.everything = false, .globs = {path}});
    const auto scores = trace.at(path).value->cast<double>().array().eval();
    return std::sqrt((scores - scores.mean()).square().mean());
}

}  // namespace

TEST_CASE("lessons: the range of other random numbers is that of seeds 1 to 30") {
    const std::filesystem::path file =
        source_folder() / "assets" / "lessons" / "why-root-d.lecture";
    const Lecture lecture = lesson_in(file);
    PageDocuments documents(lecture, file.parent_path(), "why-root-d.lecture");
    const PageSource source{lecture, documents, "why-root-d.lecture"};
    int n_ranges = 0;
    for (std::size_t k = 0; k < lecture.pages.size(); ++k) {
        if (lecture.pages[k].text.find("seeds 1 to 30 give") == std::string::npos) continue;
        CAPTURE(lecture.pages[k].title);
        ++n_ranges;
        Workspace space(no_study(), {});
        const OpenPage page = open_page(source, k, space);
        REQUIRE(page.space);
        double least = 1000, most = 0;
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const double deviation = deviation_of_scores(page.space->session.document(), seed);
            least = std::min(least, deviation);
            most = std::max(most, deviation);
        }
        const std::string range = fmt::format("1 to 30 give {:.1f} to {:.1f})", least, most);
        CHECK_MESSAGE(lecture.pages[k].text.find(range) != std::string::npos, range);
    }
    CHECK(n_ranges == 3);
}

TEST_CASE("lessons: the curve over the length of sentences is the table that a test measures") {
    const std::filesystem::path folder = source_folder();
    const CsvMatrix measured =
        read_csv(read_file(folder / "docs" / "translation-length.csv"), "measured");
    const Lecture lecture = lesson_in(folder / "assets" / "lessons" / "rnns-forget.lecture");
    REQUIRE(lecture.curves.size() == 1);
    const CsvMatrix shown = read_csv(lecture.curves.begin()->second, "shown");
    const auto column = [](const CsvMatrix& table, const std::string& name) {
        const auto at = std::ranges::find(table.columns, name);
        REQUIRE(at != table.columns.end());
        return table.values.col(at - table.columns.begin()).eval();
    };
    CHECK(column(shown, "English_words") == column(measured, "english_words"));
    CHECK(column(shown, "with_attention") == column(measured, "recurrent_words"));
    CHECK(column(shown, "without_attention") == column(measured, "without_attention_words"));
}

namespace {

/// The page after its slider was moved, with the values in its text and its question.
std::string values_after(const PageSource& source, std::size_t index, const PageTask& task,
                         const Directive& change) {
    Workspace space(no_study(), {});
    OpenPage page = open_page(source, index, space);
    space.session.apply(
        {.label = "Slide", .change = [&](Document& d) { change_study(d, change); }});
    std::string values;
    const auto add = [&](const PageText& text) {
        for (const TextBlock& block : text.blocks)
            for (const TextSpan& span : block.spans)
                if (span.kind == TextSpan::Kind::Value) values += " " + span.text + " ";
    };
    add(filled_text(source, page));
    add(filled_task(source, page, task).question);
    return values;
}

}  // namespace

TEST_CASE("lessons: no slider of a page shows what is to be predicted on it") {
    for (const std::filesystem::path& file : lesson_files()) {
        const std::string name = file.filename().string();
        const Lecture lecture = read_lecture(read_file(file), name);
        PageDocuments documents(lecture, file.parent_path(), name);
        const PageSource source{lecture, documents, name};
        for (std::size_t k = 0; k < lecture.pages.size(); ++k) {
            const auto task = read_task(lecture.pages[k], name);
            if (!task || task->kind != PageTask::Kind::Predict) continue;
            Workspace space(no_study(), {});
            OpenPage page = open_page(source, k, space);
            const PageScope scope(source, page, {task->expression});
            const std::string right = " " + right_answer(*task, scope.scope()) + " ";
            for (const PageControl& control : page.controls)
                for (double at = control.low; at <= control.high; at += 1) {
                    CAPTURE(name);
                    CAPTURE(lecture.pages[k].title);
                    const Directive change{"set", control.path + " = " + std::to_string(int(at))};
                    CHECK(values_after(source, k, *task, change).find(right) == std::string::npos);
                }
        }
    }
}

TEST_CASE("lessons: the number of a slider is not written as 0 where it is none") {
    for (const std::filesystem::path& file : lesson_files()) {
        CAPTURE(file.filename().string());
        const Lecture lecture = read_lecture(read_file(file), file.filename().string());
        for (const LecturePage& page : lecture.pages)
            for (const std::string& control : values_for(page.directives, "control")) {
                const std::size_t equals = control.find(" = ");
                const std::string value = "{settings." + control.substr(0, equals) + ":";
                const std::size_t at = page.text.find(value);
                if (equals == std::string::npos || at == std::string::npos) continue;
                const double low = std::stod(control.substr(equals + 3));
                const int n_decimals = page.text[at + value.size()] - '0';
                CHECK_MESSAGE((low == 0 || low >= std::pow(10.0, -n_decimals)), control);
            }
    }
}

TEST_CASE("lessons: numbers of at most 12 columns have 2.5 % of the height") {
    // A page can want none.
    int n_matrices = 0, n_drawings = 0;
    const MeasureText measure = pango_measure();
    for (const std::filesystem::path& file : lesson_files()) {
        const std::string name = file.filename().string();
        CAPTURE(name);
        const Lecture lecture = read_lecture(read_file(file), name);
        PageDocuments documents(lecture, file.parent_path(), name);
        const PageSource source{lecture, documents, name};
        Progress progress;
        print_pages(source, {}, progress, [&](const PrintedPage& page) {
            const std::string* numbers = find_value(page.written.directives, "numbers");
            if (!shows_matrices(page) || (numbers && *numbers == "never")) return;
            CAPTURE(page.open.index + 1);
            for (const Room& room : rooms()) {
                CAPTURE(room.screen.x);
                CAPTURE(room.height);
                ++n_drawings;
                n_matrices +=
                    check_numbers(drawn_on(source, page, {room.screen.x, room.height}, measure),
                                  kLeastNumber * room.screen.y);
            }
        });
    }
    CHECK(n_matrices > n_drawings / 2);
}
