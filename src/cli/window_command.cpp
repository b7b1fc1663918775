// The commands that need the window.
#include "cli/window_command.h"

#include <filesystem>
#include <optional>
#include <system_error>

#include "app/program.h"
#include "app/script.h"
#include "app_state/studies.h"
#include "cli/open_study.h"
#include "cli/train_command.h"
#include "core/error.h"
#include "figure/figure_look.h"
#include "io/files/file.h"
#include "io/files/open_file.h"
#include "io/pictures/png_image.h"
#include "io/studies/ready_studies.h"
#include "learn/task.h"
#include "text/strings.h"
#include "views/export/look_names.h"
#include "views/views.h"

namespace headlight {
namespace {

/// Opens a file, or else a ready-made study of that name.
void open_named(Program& program, const std::string& name) {
    std::error_code error;
    const ReadyStudy* preset = find_ready_study(name);
    if (!preset || std::filesystem::exists(name, error)) return program.open_file(name);
    program.workbench().open(preset->make(), {});
}

/// Opens a file. An error in one that is there is shown in the window, as where it is opened by
/// hand.
void open_or_say(Program& program, const std::string& file) {
    try {
        program.open_file(file);
    } catch (const Error& error) {
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored)) throw;
        program.workbench().show_message(error);
    }
}

/// Keeps the window's state as a convenience: where it cannot be written, the next start is like
/// the first.
void keep_window_state(const std::filesystem::path& file, const WindowState& state) {
    try {
        if (!file.empty()) write_window_state(file, state);
    } catch (const Error&) {
        return;
    }
}

/// Runs the window. `begin` is called before the first frame.
void run_window(const std::optional<std::string>& file,
                const std::function<void(Program&)>& begin) {
    const std::filesystem::path folder = state_folder();
    const std::filesystem::path kept = folder.empty() ? folder : folder / "window.json";
    const std::optional<WindowState> last = read_window_state(kept);
    const WindowState before = last.value_or(WindowState{});
    std::optional<Program> made;
    try {
        made.emplace(WindowOptions{.title = "Headlight",
                                   .size = {before.width, before.height},
                                   .place = {before.place, before.is_maximised}},
                     make_glfw_window);
    } catch (const Error&) {
        if (file) static_cast<void>(bytes_of_file(*file));  // one that is missing is told first
        throw;
    }
    Program& program = *made;
    constexpr auto kSentences = static_cast<std::size_t>(WorkspaceKind::Sentence);
    if (before.files[kSentences].names.empty()) open_named(program, kFirstStudy);
    program.restore(before);
    if (folder.empty())
        program.workbench().show_message(
            "There is no home folder: nothing is kept for the next start, or in case of a crash.");
    else
        program.workbench().use_state_folder(folder);
    program.workbench().restore_lecture(before);
    if (!last) program.workbench().greet();
    if (file) open_or_say(program, *file);
    begin(program);
    program.run();
    keep_window_state(kept, program.state(before));
}

}  // namespace

void open_window(const std::optional<std::string>& file) {
    run_window(file, [](Program&) {});
}

void train_in_window(const TrainTask& options) {
    if (!options.task) throw Error("train", "needs a task; `headlight train --list` prints them");
    if (options.output || options.begin || options.film || options.log || options.stop_at)
        throw Error("train", "--window writes no files; the window has buttons for that");
    const TaskEntry& task = task_named(*options.task);
    run_window({}, [&](Program& program) {
        program.workbench().train(task, [&](Recipe& recipe) {
            if (options.steps) recipe.steps = *options.steps;
            if (options.seed) recipe.seed = *options.seed;
            if (options.learning_rate) recipe.learning_rate = *options.learning_rate;
        });
    });
}

/// Shows the sentence, counted from 1; of a recording, the text.
void show_sentence(Workbench& workbench, Index number) {
    if (workbench.session().document().recorded())
        workbench.session().apply(
            {.label = "Show another text",
             .change = [number](Document& document) { take_recorded_text(document, number); }});
    else
        workbench.selection().sentence = static_cast<int>(number - 1);
}

void render_window(const WindowPicture& picture) {
    const WindowSize size{picture.width_px / picture.scale, picture.height_px / picture.scale,
                          picture.scale};
    Program program({.title = "Headlight", .size = size}, make_headless_window);
    if (picture.study) {
        check_is_no_input(picture.output, std::vector<std::filesystem::path>{*picture.study});
        program.open_file(*picture.study);
    } else {
        open_named(program, kFirstStudy);
    }
    const bool says_what = picture.show || picture.step || picture.sentence || picture.arrange;
    if (says_what) program.workbench().workspace().view.clear();  // not that of the file
    program.workbench().set_theme(picture.theme);
    Workbench& workbench = program.workbench();
    if (picture.sentence) show_sentence(workbench, *picture.sentence);
    program.settle();
    if (picture.arrange) picture.arrange(workbench);
    if (picture.show) show(workbench.workspace(), *picture.show);
    if (picture.step)
        go_to_step(workbench.workspace(), static_cast<std::size_t>(*picture.step - 1));
    if (picture.presents) workbench.present();
    program.loop().wake();
    program.settle();
    const Pixels pixels = program.loop().screenshot();
    write_file(picture.output, write_pixels(pixels, {.dpi = picture.scale * kPointsPerInch}));
}

void run_window_script(const WindowScript& options) {
    const bool is_real = options.speed == WindowScript::Speed::Real;
    const ScriptFiles files{.script = options.script,
                            .output = options.folder,
                            .expected = options.accepts_pictures ? ScriptFiles::Pictures::Accept
                                                                 : ScriptFiles::Pictures::Compare};
    const auto steps = parse_script(read_file(options.script), path_text(options.script));
    Driver driver({options.width, options.height, 1}, is_real ? Pace::Real : Pace::Fast,
                  is_real ? WindowMaker(make_glfw_window) : WindowMaker(make_headless_window));
    open_named(driver.program(), options.study);
    driver.program().loop().wake();
    driver.settle();
    run_script(driver, steps, files);
    if (is_real) driver.program().run();  // until it is closed
}

void add_window_options(Options& command, WindowPicture& window, std::optional<Point>& size) {
    command.optional_argument("STUDY", window.study,
                              "A *.headlight file; without it, the built-in study");
    command.output(window.output, "The picture, .png");
    std::string views;
    for (const ViewId view : views_with(ViewEntry::InMiddle))
        append_part(views, ", ", view_of(view).word);
    command.optional_text(
        "--show", window.show,
        ("A part (blocks.1.mlp), the path of a matrix, or a view: " + views).c_str());
    command.flag("--present", window.presents, "A slide of the chosen matrix, without panels");
    command.optional_number("--step", window.step, 1, 1000000,
                            "With --present: the step of the part that is shown");
    command.size(size, "Size of the picture in pixels [1600x1000]");
    command.choice("--theme", window.theme, kThemeWords, "Colours");
    command.number("--scale", window.scale, 0.5f, 4.0f, "Size of text and everything else");
    command.example("  headlight window tired.headlight -o window.png --theme dark");
}

void add_script_options(Options& command, WindowScript& script, std::optional<Point>& size) {
    static constexpr EnumNames<WindowScript::Speed, 2> kSpeeds = {
        {{"fast", WindowScript::Speed::Fast}, {"real", WindowScript::Speed::Real}}};
    command.argument("STUDY", script.study, "A *.headlight file, or a name of `new --list`");
    command.argument("FILE", script.script, "The script; docs/commands.md lists its lines");
    command.choice(
        "--speed", script.speed, kSpeeds,
        "As fast as possible without a display, or on the screen at the speed of people");
    command.folder("--folder", script.folder, "The folder for its pictures");
    command.size(size, "Size of the window in points [1280x800]");
    command.flag("--accept", script.accepts_pictures,
                 "Replace the expected pictures by those of the window");
    command.example("  headlight script attention demo.script --speed real");
}

}  // namespace headlight
