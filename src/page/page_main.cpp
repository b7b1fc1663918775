// The program in a page: begun and driven by page.js, which draws no pixel and knows no study.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <emscripten/emscripten.h>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/driver.h"
#include "app/program.h"
#include "app/script.h"
#include "app_state/workspace.h"
#include "core/error.h"
#include "core/plan.h"
#include "io/files/file.h"
#include "io/files/open_file.h"
#include "io/host/page.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"
#include "io/studies/window_state.h"
#include "io/text/json_text.h"
#include "model/settings/setting_text.h"
#include "model/strand.h"
#include "text/strings.h"
#include "ui/compat.h"
#include "views/views.h"

namespace headlight {
namespace {

constexpr const char *kKept = "/kept", *kFiles = "/files";
constexpr std::string_view kLesson = "lesson:";
constexpr double kTurn_secs = 0.012;  // of a frame, for what goes on beside the window

/// Takes out the files that are not here at this visit; returns their names, with commas.
std::string forget_absent_files(WindowState& state) {
    std::string absent;
    for (OpenFiles& files : state.files) {
        std::vector<std::string> here;
        std::size_t shown = 0;
        for (std::size_t k = 0; k < files.names.size(); ++k) {
            if (!std::filesystem::exists(files.names[k])) {
                append_part(absent, ", ",
                            path_text(std::filesystem::path(files.names[k]).filename()));
                continue;
            }
            if (k == files.shown) shown = here.size();
            here.push_back(files.names[k]);
        }
        files = {std::move(here), shown};
    }
    return absent;
}

struct Page {
    explicit Page(const WindowOptions& options) : program(options, make_page_window) {}

    std::filesystem::path kept_file() const { return state_folder() / "window.json"; }

    /// `wanted` is opened: a study that is ready, a lesson, or a file that came with the page.
    void begin(const std::string& wanted, bool is_presented) {
        const std::optional<WindowState> last = read_window_state(kept_file());
        before = last.value_or(WindowState{});
        const std::string absent = forget_absent_files(before);
        constexpr auto kSentences = static_cast<std::size_t>(WorkspaceKind::Sentence);
        if (before.files[kSentences].names.empty()) program.workbench().open(first_study(), {});
        program.restore(before);
        program.workbench().use_state_folder(state_folder());
        program.workbench().restore_lecture(before);
        if (wanted.empty() && !last) program.workbench().greet();
        if (wanted.empty() && !absent.empty())
            program.workbench().show_message("The browser keeps no files; to go on with " + absent +
                                             ", open it again.");
        if (wanted.empty()) return;
        try {
            open(wanted);
            is_to_be_presented = is_presented;
        } catch (const Error& error) {
            program.workbench().show_message(error);
        }
    }

    void open(const std::string& wanted) {
        if (const std::string_view name = wanted; name.starts_with(kLesson))
            program.workbench().begin_lesson(wanted.substr(kLesson.size()));
        else if (const ReadyStudy* ready = find_ready_study(wanted))
            program.workbench().open(ready->make(), {});
        else
            program.open_file(std::filesystem::path(kFiles) / wanted);
    }

    /// Presents what was opened, a study as soon as it is computed.
    void follow() {
        Workbench& workbench = program.workbench();
        const bool is_there = workbench.lecture_page() || workbench.workspace().trace;
        if (!is_to_be_presented || (!is_there && workbench.is_computing())) return;
        is_to_be_presented = false;
        if (is_handed_out && workbench.lecture_page())
            workbench.hand_out();
        else
            workbench.present();
        program.loop().wake();
    }

    Program program;
    WindowState before;
    bool is_to_be_presented = false, is_handed_out = false;

    // For the page around this one: its wish, and what it was told.

    std::optional<SelectedPlace> wanted = {};  // to be selected as soon as it is computed
    int wanted_since = 0;                      // this many frames were drawn before
    std::shared_ptr<const Document> told;
    std::string answer;
};

std::unique_ptr<Page> page;

/// The state of the window, for page.js.
struct {
    float is_ready = 0;     // 1 once what was asked for is seen as it was asked for
    float page = 0;         // of the lecture that is shown, from 1; 0 while none is
    float has_answers = 0;  // 1 while tasks have answers that were not saved
    float types = 0;        // 1 while a text is typed, at a place in points of the window
    float typed_x = 0, typed_y = 0;
    float scrolls = 0;  // 1 while the wheel scrolls what is under the pointer
} state;

/// Calls the function. What it throws ends the program, and is told where the window was.
template <typename Function>
double or_fail(const Function& call) {
    try {
        return call();
    } catch (const std::exception& error) {
        tell_page("fail", error.what());
    }
    return -1;
}

/// Does what the page around this one asks for. A problem is shown in the window and told.
template <typename Function>
void do_for_parent(const Function& call) {
    if (!page) return;
    try {
        call();
    } catch (const Error& error) {
        page->program.workbench().show_message(error);
        tell_page("tellProblem", error.what());
    }
    page->program.loop().wake();
}

/// Selects what was asked for, once the study that was opened before is computed.
void select_wanted() {
    Workbench& workbench = page->program.workbench();
    const bool is_waiting =
        page->program.loop().n_frames() <= page->wanted_since || workbench.is_computing();
    if (!page->wanted || is_waiting || !workbench.workspace().trace) return;
    const SelectedPlace place = *std::exchange(page->wanted, std::nullopt);
    do_for_parent([&] { select_place(workbench.workspace(), place); });
}

/// Returns ", "key": value" of a number that there is.
std::string number_member(const char* key, const auto& number) {
    return number ? fmt::format(R"(, "{}": {})", key, *number) : "";
}

/// Returns the names of the held row and column, and the number between them.
std::string cell_members(const Trace& trace, const SelectedPlace& place) {
    const Tensor* tensor = trace.find(place.path);
    if (!tensor || !place.row || *place.row >= tensor->rows().size) return "";
    const std::string row = axis_label(trace, tensor->rows(), *place.row);
    std::string members = R"(, "row_name": )" + json_string(row);
    if (!place.column) return members;
    const Axis columns = columns_of_row(trace, *tensor, *place.row);
    members += R"(, "column_name": )" + json_string(axis_label(trace, columns, *place.column));
    if (tensor->value)
        members += R"(, "value": )" + json_number((*tensor->value)(*place.row, *place.column));
    return members;
}

std::string selected_json(const Workspace& space) {
    const SelectedPlace place = selected_place(space);
    std::string text = R"({"view": )" + json_string(view_of(space.selection.view).word);
    if (place.path.empty()) return text + "}";
    text += R"(, "part": )" + json_string(open_component(space.components, space.selection).path);
    text += R"(, "path": )" + json_string(place.path) + number_member("layer", place.layer) +
            number_member("head", place.head) + number_member("row", place.row) +
            number_member("column", place.column) + cell_members(*space.trace, place);
    return text + "}";
}

}  // namespace
}  // namespace headlight

using namespace headlight;

extern "C" {

/// Opens the window, with a file, a study that is ready, or "lesson:NAME"; empty: as it was left. A
/// lecture that was handed out is presented all the time.
EMSCRIPTEN_KEEPALIVE void page_begin(float width, float height, float pixels_per_point,
                                     const char* wanted, int is_presented, int is_handed_out) {
    or_fail([&] {
        setenv("HOME", kKept, 1);
        unsetenv("XDG_STATE_HOME");
        std::filesystem::create_directories(kFiles);
        std::filesystem::current_path(kFiles);
        page = std::make_unique<Page>(WindowOptions{.size = {width, height, pixels_per_point}});
        ImGui::GetIO().SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* text) {
            state.typed_x = text->InputPos.x;
            state.typed_y = text->InputPos.y;
            state.types = text->WantVisible ? 1 : 0;
        };
        page->is_handed_out = is_handed_out != 0;
        page->begin(wanted, is_presented != 0);
        return 0.0;
    });
}

/// Draws a frame if one is due, and goes on with the work beside it. Returns in how many seconds
/// the next turn is due; a negative number if the program has ended.
EMSCRIPTEN_KEEPALIVE double page_turn() {
    return or_fail([] {
        if (!page) return -1.0;
        const double work = make_turns(kTurn_secs);
        const double frame = page->program.loop().turn();
        page->follow();
        return std::min(work, frame);
    });
}

/// Returns the state of the window after a turn.
EMSCRIPTEN_KEEPALIVE const void* page_state() {
    const auto shown = page ? page->program.workbench().lecture_page() : std::nullopt;
    state.is_ready = page && !page->is_to_be_presented ? 1 : 0;
    state.has_answers = page && page->program.workbench().has_unsaved_answers() ? 1 : 0;
    state.page = shown ? static_cast<float>(*shown + 1) : 0;
    state.scrolls = page && compat::is_scrolled_by_wheel() ? 1 : 0;
    return &state;
}

/// Shows a page of the lecture that is open, from 1; the last one if there are fewer.
EMSCRIPTEN_KEEPALIVE void page_go_to(int number) {
    if (page && number > 0)
        page->program.workbench().show_lecture_page(static_cast<std::size_t>(number - 1));
}

/// Returns all that can be read in the window.
EMSCRIPTEN_KEEPALIVE const char* page_texts() {
    static std::string texts;
    texts = page ? page->program.loop().read_texts() : "";
    return texts.c_str();
}

/// Runs a script in a window that stands in place of the page's until it is loaded again: time
/// passes by frames, and pictures are files. Returns why it failed, or "".
EMSCRIPTEN_KEEPALIVE const char* page_run_script(const char* study, const char* script, float width,
                                                 float height) {
    static std::string failure;
    page.reset();
    try {
        const WindowMaker make_window = [](const WindowOptions& options, EventSink sink) {
            WindowBackend backend = make_page_window(options, std::move(sink));
            backend.is_on_screen = false;
            return backend;
        };
        Driver driver({width, height, 1}, Pace::Fast, make_window);
        if (const ReadyStudy* ready = find_ready_study(study); ready)
            driver.program().workbench().open(ready->make(), {});
        else
            driver.program().open_file(study);
        driver.program().loop().wake();
        driver.settle();
        run_script(driver, parse_script(script, "script"), {.script = "script", .output = kFiles});
        failure = "";
    } catch (const std::exception& error) {
        failure = error.what();
    }
    return failure.c_str();
}

/// Says in the window what the browser does not do for it.
EMSCRIPTEN_KEEPALIVE void page_say(const char* text) {
    if (!page) return;
    page->program.workbench().show_message(std::string(text));
    page->program.loop().wake();
}

/// Writes what is kept for the next visit.
EMSCRIPTEN_KEEPALIVE void page_keep() {
    if (!page) return;
    try {
        write_window_state(page->kept_file(), page->program.state(page->before));
    } catch (const Error&) {  // the next visit is like the first
        return;
    }
}

// ---- calls for the page around this one ----

EMSCRIPTEN_KEEPALIVE void page_open(const char* file) {
    do_for_parent([&] {
        page->wanted.reset();
        page->program.open_file(file);
    });
}

/// Selects the matrix of that path; or an attention by its layer, its head; and a row and a column.
/// Negative numbers and an empty path say nothing.
EMSCRIPTEN_KEEPALIVE void page_select(const char* path, int layer, int head, int row, int column) {
    if (!page) return;
    const auto said = [](int number) {
        return number < 0 ? std::nullopt : std::optional<int>(number);
    };
    page->wanted = SelectedPlace{path, said(layer), said(head), said(row), said(column)};
    page->wanted_since = page->program.loop().n_frames();
    page->program.loop().wake();
}

/// Sets a number among the settings of the shown study, as a step that can be undone.
EMSCRIPTEN_KEEPALIVE void page_set(const char* setting, double value) {
    do_for_parent([&] {
        const std::string path = setting;
        const std::string label = "Set " + path + " to " + number_text(value);
        page->program.workbench().session().apply(
            {.label = label, .change = [&](Document& d) { set_number_setting(d, path, value); }});
    });
}

/// Returns what is selected, as JSON. Called after each turn.
EMSCRIPTEN_KEEPALIVE const char* page_selected() {
    if (!page) return "{}";
    select_wanted();
    page->answer = selected_json(page->program.workbench().workspace());
    return page->answer.c_str();
}

/// Returns the text of the shown study if it is another than at the last call, else nothing. A
/// study that is being trained comes when it rests.
EMSCRIPTEN_KEEPALIVE const char* page_changed_study() {
    if (!page || page->program.workbench().plays_training()) return "";
    const Workspace& space = page->program.workbench().workspace();
    const std::shared_ptr<const Document> now = space.session.history().shared_state();
    if (std::exchange(page->told, now) == now) return "";
    page->answer = write_study(*now, {}, view_to_save(space));
    return page->answer.c_str();
}

/// Draws a frame in the next turn, with files that have come since the last one.
EMSCRIPTEN_KEEPALIVE void page_draw_again() {
    if (page) page->program.loop().wake();
}
}
