// Commands: user actions that are not edits of the document.
//
// Goals: a command is one row of one table; Find, the page of keys, the shortcuts and the buttons
// read it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ui/compat.h"
#include "ui/requests.h"

namespace headlight {

struct WorkbenchState;

/// The reason why a command is not possible now; empty if there is none to state.
struct Obstacle {
    std::string where = {}, why = {};
};

struct Command {
    CommandId id;
    const char *name, *keys, *what;  // as shown in lists and in the help; keys may be ""
    void (*run)(WorkbenchState& bench);
    std::optional<Obstacle> (*obstacle)(const WorkbenchState& bench) =
        nullptr;                                                  // null: there is never one
    const char* more_keys = "";                                   // keys that no list shows
    compat::Repeat repeat = compat::Repeat::No;                   // while its key is held down
    enum class Again { Nothing, Closes } again = Again::Nothing;  // over the dialog that it opened
};
std::span<const Command> all_commands();
/// Returns the command with that id. Throws Error if there is none.
const Command& command_at(CommandId id);

/// Returns the keys as they are shown; "" if the host keeps them from the program.
std::string shown_keys(const Command& command);

/// Returns the commands whose keys are pressed in this frame.
Commands pressed_commands();

/// Runs the command. Throws Error if it fails or is not possible; then nothing has happened.
void run_command(WorkbenchState& bench, CommandId id);

}  // namespace headlight
