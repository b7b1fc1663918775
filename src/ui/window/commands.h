// Commands: what a user can ask for that is no edit of the document.
//
// Goals: a command is one row of one table, which Find, the page of keys, the shortcuts and the
// buttons read.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ui/compat.h"
#include "ui/requests.h"

namespace headlight {

struct Desks;

/// Why a command is not possible now; where there is no reason to tell, nothing is said.
struct Obstacle {
    std::string where = {}, why = {};
};

struct Command {
    CommandId id;
    const char *name, *keys, *what;  // as people meet it, in lists and in the help; keys may be ""
    void (*run)(Desks& desks);
    std::optional<Obstacle> (*obstacle)(const Desks& desks) = nullptr;  // null: there is never one
    const char* more_keys = "";                                         // that no list names
    compat::Repeat repeat = compat::Repeat::No;  // while its key is held down
};
std::span<const Command> all_commands();
/// Throws Error if there is none.
const Command& command_at(CommandId id);

/// What keys ask for in this frame.
Commands pressed_commands();

/// Throws Error if it fails or is not possible; then nothing has happened.
void run_command(Desks& desks, CommandId id);

}  // namespace headlight
