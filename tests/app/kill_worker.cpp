// Works in a window until it is killed: types, drags, undoes, saves. kill_test.cpp starts it.
//
//     kill_worker FOLDER SEED
//
// Before and after each action it writes the time and the window's state to FOLDER/log, which
// outlives it.
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

#include "app/driver.h"
#include "kill_log.h"

using namespace headlight;

namespace {

class Worker {
  public:
    Worker(const std::filesystem::path& folder, std::uint64_t seed)
        : folder_(folder),
          random_(seed),
          log_(::open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
        driver_.program().workbench().use_state_folder(folder_ / "state");
        driver_.program().loop().wake();
        driver_.settle();
        saved_ = driver_.document();
        if (driver_.has("button Restore")) {
            driver_.click("button Restore");
            if (std::filesystem::exists(file_)) saved_ = read_study(read_file(file_), "the study");
        }
        note_state();
    }

    [[noreturn]] void work() {
        using Task = void (Worker::*)();
        constexpr Task kTasks[] = {&Worker::type, &Worker::type, &Worker::drag,
                                   &Worker::undo, &Worker::redo, &Worker::save};
        while (true) (this->*kTasks[random_() % std::size(kTasks)])();
    }

  private:
    void type() {
        driver_.click("text Sentence");
        driver_.press(Key::A, Modifier::Ctrl);
        for (const char c : "edit " + std::to_string(random_() % 1'000'000)) {
            if (c == '\0') continue;
            driver_.type(std::string(1, c));
            note_state();
        }
    }

    void drag() {
        const CellPlace cell{"blocks.0.attn.heads.0.W_Q", static_cast<Index>(random_() % 4), 1};
        const Point at = driver_.locate(cell);
        InputEvent press = make_event(InputEvent::Kind::MouseButton);
        move(at);
        press.down = true;
        driver_.push(press);
        for (int k = 1; k <= 20; ++k) move({at.x, at.y - static_cast<float>(k)});
        press.down = false;
        driver_.push(press);
        driver_.settle();
    }

    void move(Point at) {
        InputEvent move = make_event(InputEvent::Kind::MouseMove);
        move.x = at.x;
        move.y = at.y;
        driver_.push(move);
        driver_.settle();
        note_state();
    }

    void undo() { press(Key::Z, Modifier::Ctrl); }
    void redo() { press(Key::Z, Modifier::CtrlShift); }
    void press(Key key, Modifier modifier) {
        driver_.press(key, modifier);
        note_state();
    }

    void save() {
        note("saving", driver_.document());
        driver_.press(Key::S, Modifier::Ctrl);
        if (driver_.has("text File")) driver_.answer_dialog(file_.native());
        // A new window does not know the file that its predecessor saved.
        if (driver_.has("button Replace")) driver_.click("button Replace");
        // After a kill between the two writes, the file is newer than the journal.
        if (driver_.has("button Overwrite")) driver_.click("button Overwrite");
        saved_ = driver_.document();
        note("saved", saved_);
        note_state();
    }

    void note_state() {
        const History& history = driver_.session().history();
        const bool is_clean = history.state() == saved_;
        note(is_clean ? "clean" : "state", history.state());
    }
    void note(const std::string& what, const Document& document) {
        write_line({what, now_ms(), sum_of(document), sums_of(driver_.session().history())});
    }
    void write_line(const LogLine& line) {
        const std::string text = line_text(line);
        if (::write(log_, text.data(), text.size()) < 0) std::exit(1);
    }

    std::filesystem::path folder_, file_ = folder_ / "a.headlight";
    Document saved_;
    std::mt19937_64 random_;
    int log_;
    Driver driver_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    try {
        Worker(argv[1], std::stoull(argv[2])).work();
    } catch (const std::exception& error) {
        std::cerr << "kill_worker: " << error.what() << "\n";
        return 1;
    }
}
