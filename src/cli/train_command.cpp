#include "cli/train_command.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "cli/open_study.h"
#include "core/error.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "learn/training.h"
#include "model/workers.h"
#include "scene/export/film_figures.h"
#include "scene/training/training_film.h"

namespace headlight {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

/// While it exists, Ctrl+C asks for an end instead of making one.
class StopOnInterrupt {
  public:
    StopOnInterrupt() {
        stop_asked = 0;
        before_ = std::signal(SIGINT, [](int) { stop_asked = 1; });
    }
    ~StopOnInterrupt() { std::signal(SIGINT, before_); }
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

  private:
    void (*before_)(int) = SIG_DFL;
};

constexpr long kStepsATest = 250;

std::string minutes_text(double seconds) {
    char text[32];
    const auto whole = static_cast<long>(seconds + 0.5);
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    return text;
}

/// One line of the terminal, over the line before.
class TrainingLine {
  public:
    explicit TrainingLine(std::ostream* terminal) : terminal_(terminal) {}
    ~TrainingLine() {
        if (terminal_) *terminal_ << "\r\x1b[K" << std::flush;
    }

    void show(const Training& training) {
        const auto now = Clock::now();
        if (!terminal_ || now - last_ < std::chrono::milliseconds(200)) return;
        last_ = now;
        const double secs = std::chrono::duration<double>(now - start_).count();
        const auto done = static_cast<double>(training.n_steps() - first_step_);
        const auto left = static_cast<double>(training.recipe().steps - training.n_steps());
        char text[160];
        const CurvePoint point = training.curve().empty() ? CurvePoint() : training.curve().back();
        std::snprintf(text, sizeof text, "\r\x1b[Kstep %ld of %ld  loss %.4f  right %s",
                      training.n_steps(), training.recipe().steps, point.loss,
                      percent_text(point.accuracy).c_str());
        *terminal_ << text;
        if (done > 0) *terminal_ << "  " << minutes_text(secs / done * left) << " left";
        *terminal_ << std::flush;
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::ostream* terminal_;
    Clock::time_point start_ = Clock::now(), last_ = {};
    long first_step_ = 0;
};

std::string log_text(const Training& training) {
    std::string text = "step,loss,accuracy\n";
    for (const CurvePoint& point : training.curve()) {
        char line[96];
        std::snprintf(line, sizeof line, "%ld,%.6g,%.6g\n", point.step, point.loss, point.accuracy);
        text += line;
    }
    return text;
}

HeldOutPoint tested(Training& training) {
    const Loss loss = training.test();
    return {training.n_steps(), loss.mean(), loss.accuracy()};
}

void write_film(TrainingFilm& film, const std::string& file, const Training& training,
                std::vector<HeldOutPoint> tests) {
    film.add(training.n_steps(), training.weights());
    TrainingSnapshot snapshot;
    snapshot.step = training.n_steps();
    snapshot.n_steps = training.recipe().steps;
    snapshot.curve = training.curve();
    snapshot.tests = std::move(tests);
    write_file(file, film.bytes(file, training.recipe().study, snapshot));
}

}  // namespace

void list_tasks(const Streams& streams) {
    std::size_t width = 0;
    for (const TaskEntry& task : tasks())
        width = std::max(width, std::string_view(task.name).size());
    for (const TaskEntry& task : tasks()) {
        const std::string name = task.name;
        streams.out << name << std::string(width - name.size(), ' ') << '\t' << task.sentence
                    << '\n';
    }
}

void train(const TrainTask& options, const Streams& streams) {
    if (!options.task) throw Error("train", "needs a task; `headlight train --list` prints them");
    if (!options.output || !options.output->ends_with(".safetensors"))
        throw Error("train", "needs --output FILE.safetensors, where the weights go");
    const TaskEntry& task = task_named(*options.task);
    Recipe recipe = task.recipe();
    if (options.steps) recipe.steps = *options.steps;
    if (options.seed) recipe.seed = *options.seed;
    if (options.learning_rate) recipe.learning_rate = *options.learning_rate;
    Training training(task, recipe, options.n_threads);
    if (options.begin) training.begin_at(*read_weights(std::filesystem::path(*options.begin)));
    std::optional<TrainingFilm> film;
    if (options.film) {
        check_is_film(*options.film);
        film.emplace(task.title, options.stop_at.value_or(recipe.steps));
    }
    std::vector<HeldOutPoint> tests;
    Workers workers(options.n_threads - 1);
    const ForEach for_each = workers.for_each();
    const auto start = std::chrono::steady_clock::now();
    {
        const StopOnInterrupt interrupt;
        TrainingLine line(streams.terminal);
        const long last = options.stop_at.value_or(recipe.steps);
        while (!training.is_done() && !stop_asked && training.n_steps() < last) {
            if (film && film->is_due(training.n_steps()))
                film->add(training.n_steps(), training.weights());
            training.step(for_each);
            if (training.n_steps() % kStepsATest == 0 || training.is_done())
                tests.push_back(tested(training));
            line.show(training);
        }
        if (training.best_accuracy() < 0 || options.stop_at) tests.push_back(tested(training));
    }
    const double secs =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (training.n_restores() > 0)
        write_note(streams, "the loss left the numbers " + std::to_string(training.n_restores()) +
                                " times; each time the last good weights went on with half of the "
                                "learning rate");
    if (stop_asked)
        write_note(streams, "stopped at step " + std::to_string(training.n_steps()) + " of " +
                                std::to_string(recipe.steps) + "; the best weights are kept");
    const SharedWeights weights = options.stop_at ? training.weights() : training.best_weights();
    write_weights(*options.output, *weights);
    if (film) write_film(*film, *options.film, training, tests);
    if (options.log) write_file(*options.log, log_text(training));
    streams.out << weights->origin << '\n'
                << "held-out\t"
                << percent_text(options.stop_at ? training.held_out_accuracy()
                                                : training.best_accuracy())
                << '\n'
                << "seconds\t" << static_cast<long>(secs + 0.5) << '\n';
}

}  // namespace headlight
