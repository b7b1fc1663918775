// A window with its unsaved work in a folder, as it is after a crash.
#pragma once

#include <string>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "ui/window/recovery.h"

namespace headlight {

inline constexpr const char* kRecoveryTitle = "Headlight ended before this was saved";

/// A window with its state in that folder. It ends as after SIGTERM, without a question.
struct CrashingWindow : Driver {
    explicit CrashingWindow(const TemporaryFolder& folder) {
        program().workbench().use_state_folder(folder.file("state"));
        program().loop().wake();
        settle();
    }

    bool is_offered() { return texts().find(kRecoveryTitle) != std::string::npos; }
    void save(const std::string& file) {
        press(Key::S, Modifier::Ctrl);
        answer_dialog(file);
    }
};

}  // namespace headlight
