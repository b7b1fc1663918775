#include "app/script.h"

#include "core/error.h"
#include "io/files/file.h"
#include "io/pictures/png_image.h"
#include "text/printable.h"

namespace headlight {
namespace {

constexpr double kBetweenSteps_secs = 0.5;  // at the pace of people

/// Says where the picture is of what was to be seen when a step failed, or why there is none.
std::string save_failure(Driver& driver, const ScriptFiles& files) {
    const auto file = files.output / (files.script.stem().string() + "-failed.png");
    try {
        make_parent_folder(file);
        write_file(file, write_pixels(driver.screenshot()));
    } catch (const Error& error) {
        return std::string("there is no picture of the window: ") + error.what();
    }
    return "the window is in " + path_text(file);
}

}  // namespace

void run_script(Driver& driver, const std::vector<ScriptStep>& steps, const ScriptFiles& files) {
    ScriptStage stage{driver, files};
    for (const ScriptStep& step : steps) {
        if (driver.program().loop().has_quit()) return;
        try {
            step.line->run(stage, step.texts);
        } catch (const Error& error) {
            throw Error(
                path_text(files.script) + ":" + std::to_string(step.number),
                printable(step.text) + ": " + error.what() + "; " + save_failure(driver, files));
        }
        driver.rest(kBetweenSteps_secs);
    }
}

}  // namespace headlight
