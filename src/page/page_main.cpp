// The program in a page: begun and driven by page.js, which draws no pixel and knows no study.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>
#include <exception>
#include <filesystem>
#include <imgui.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/driver.h"
#include "app/program.h"
#include "app/script.h"
#include "core/error.h"
#include "io/files/file_exchange.h"
#include "io/files/open_file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/window_state.h"
#include "model/strand.h"
#include "page/page_window.h"

// clang-format off
EM_JS(void, page_fail, (const char* problem), { Module.page.fail(UTF8ToString(problem)); });
EM_JS(void, page_give_file, (const char* path), { Module.page.giveFile(UTF8ToString(path)); });
EM_JS(void, page_take_file, (), { Module.page.takeFile(); });
// clang-format on

namespace headlight {
namespace {

constexpr const char *kKept = "/kept", *kFiles = "/files";
constexpr std::string_view kLesson = "lesson:";
constexpr double kTurn_secs = 0.012;  // of a frame, for what goes on beside the window

struct Page {
    explicit Page(const WindowOptions& options) : program(options, make_page_window) {}

    std::filesystem::path kept_file() const { return state_folder() / "window.json"; }

    /// `wanted` is opened: a study that is ready, a lesson, or a file that came with the page.
    void begin(const std::string& wanted, bool is_presented) {
        const std::optional<WindowState> last = read_window_state(kept_file());
        before = last.value_or(WindowState{});
        constexpr auto kSentences = static_cast<std::size_t>(WorkspaceKind::Sentence);
        if (before.files[kSentences].names.empty())
            program.workbench().open(find_ready_study(kFirstStudy)->make(), {});
        program.restore(before);
        program.workbench().use_state_folder(state_folder());
        program.workbench().restore_lecture(before);
        if (wanted.empty() && !last) program.workbench().greet();
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
        workbench.present();
        program.loop().wake();
    }

    Program program;
    WindowState before;
    bool is_to_be_presented = false;
};

std::unique_ptr<Page> page;
float typed_at[3];  // the place of the text that is being typed, and whether there is one

/// Calls the function. What it throws ends the program, and is told where the window was.
template <typename Function>
double or_fail(const Function& call) {
    try {
        return call();
    } catch (const std::exception& error) {
        page_fail(error.what());
    }
    return -1;
}

}  // namespace
}  // namespace headlight

using namespace headlight;

extern "C" {

/// Opens the window, with a file, a study that is ready, or "lesson:NAME"; empty: as it was left.
EMSCRIPTEN_KEEPALIVE void page_begin(float width, float height, float pixels_per_point,
                                     const char* wanted, int is_presented) {
    or_fail([&] {
        setenv("HOME", kKept, 1);
        unsetenv("XDG_STATE_HOME");
        std::filesystem::create_directories(kFiles);
        std::filesystem::current_path(kFiles);
        set_file_exchange(
            {.take = [] { page_take_file(); },
             .give = [](const std::filesystem::path& file) { page_give_file(file.c_str()); }});
        page = std::make_unique<Page>(WindowOptions{.size = {width, height, pixels_per_point}});
        ImGui::GetIO().SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* text) {
            typed_at[0] = text->InputPos.x;
            typed_at[1] = text->InputPos.y;
            typed_at[2] = text->WantVisible ? 1 : 0;
        };
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

/// Returns 1 once what was asked for is seen as it was asked for.
EMSCRIPTEN_KEEPALIVE int page_is_ready() {
    return page && !page->is_to_be_presented ? 1 : 0;
}

/// Returns the number of the lecture's page that is shown, from 1; 0 while none is.
EMSCRIPTEN_KEEPALIVE int page_number() {
    if (!page) return 0;
    const auto shown = page->program.workbench().lecture_page();
    return shown ? static_cast<int>(*shown) + 1 : 0;
}

/// Shows a page of the lecture that is open, from 1; the last one if there are fewer.
EMSCRIPTEN_KEEPALIVE void page_go_to(int number) {
    if (page && number > 0)
        page->program.workbench().show_lecture_page(static_cast<std::size_t>(number - 1));
}

/// Returns the place of the text that is being typed, in points of the window, and 1 if there is
/// one.
EMSCRIPTEN_KEEPALIVE const float* page_text_place() {
    return typed_at;
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
}
