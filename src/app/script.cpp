#include "app/script.h"

#include "core/error.h"
#include "io/file.h"
#include "io/png_image.h"

namespace headlight {
namespace {

constexpr double kBetweenSteps_secs = 0.5;  // at the pace of people

/// What was to be seen when a step failed.
std::string save_failure(Driver& driver, const ScriptFiles& files) {
    const Pixels pixels = driver.screenshot();
    const auto file = files.output / (files.script.stem().string() + "-failed.png");
    write_file(file, encode_png(pixels));
    return path_text(file);
}

}  // namespace

void run_script(Driver& driver, const std::vector<ScriptStep>& steps, const ScriptFiles& files) {
    ScriptStage stage{driver, files};
    for (const ScriptStep& step : steps) {
        if (driver.program().loop().has_quit()) return;
        try {
            step.line->run(stage, step.texts);
        } catch (const Error& error) {
            throw Error(path_text(files.script) + ":" + std::to_string(step.number),
                        step.text + ": " + error.what() + "; the window is in " +
                            save_failure(driver, files));
        }
        driver.rest(kBetweenSteps_secs);
    }
}

}  // namespace headlight
