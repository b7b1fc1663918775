// The host on a desktop, where pictures are copied by the programs that keep the clipboard.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "core/error.h"
#include "io/host.h"

extern char** environ;

namespace headlight {
namespace {

struct Copier {
    const char *display, *package;
    std::vector<const char*> words;
};

/// Returns the copying program for the current display. A Wayland display also runs X11 programs,
/// but shares no pictures with them.
const Copier& copier() {
    static const std::vector<Copier> copiers = {
        {"WAYLAND_DISPLAY", "wl-clipboard", {"wl-copy", "--type", "image/png", nullptr}},
        {"DISPLAY",
         "xclip",
         {"xclip", "-selection", "clipboard", "-target", "image/png", "-in", nullptr}}};
    for (const Copier& known : copiers) {
        const char* display = std::getenv(known.display);
        if (display && *display) return known;
    }
    throw Error("clipboard", "there is no display whose clipboard takes a picture; export a file");
}

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Returns a nameless file with the bytes, to be read from its beginning.
std::unique_ptr<std::FILE, CloseFile> file_with(const std::string& bytes) {
    std::unique_ptr<std::FILE, CloseFile> file(std::tmpfile());
    if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
        std::fflush(file.get()) != 0 || lseek(fileno(file.get()), 0, SEEK_SET) != 0)
        throw Error("clipboard", "no temporary file can be written: {}",
                    std::generic_category().message(errno));
    return file;
}

class SpawnActions {
  public:
    SpawnActions() { posix_spawn_file_actions_init(&actions_); }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;

    /// Connects only `file`: the process that stays to serve the clipboard must hold nothing of
    /// ours open.
    posix_spawn_file_actions_t* reading(int file) {
        posix_spawn_file_actions_adddup2(&actions_, file, STDIN_FILENO);
        for (const int output : {STDOUT_FILENO, STDERR_FILENO})
            posix_spawn_file_actions_addopen(&actions_, output, "/dev/null", O_WRONLY, 0);
        return &actions_;
    }

  private:
    posix_spawn_file_actions_t actions_;
};

/// Copies with wl-copy under Wayland, and with xclip under X11.
void copy_png(const std::string& bytes) {
    const Copier& program = copier();
    const auto input = file_with(bytes);
    SpawnActions actions;
    pid_t child = 0;
    const int failure =
        posix_spawnp(&child, program.words[0], actions.reading(fileno(input.get())), nullptr,
                     const_cast<char* const*>(program.words.data()), environ);
    int status = 0;
    if (failure == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    const bool is_missing = failure == ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127);
    if (is_missing)
        throw Error("clipboard",
                    "pictures are copied with {}, which is missing; install the package {}",
                    program.words[0], program.package);
    if (failure != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw Error("clipboard", "{} did not take the picture", program.words[0]);
}

}  // namespace

Host& host() {
    static Host desktop{.copy_png = copy_png};
    return desktop;
}

}  // namespace headlight
