#include "cli/train_command.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <thread>

#include "cli/open_study.h"
#include "core/error.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/recipe_file.h"
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
        if (first_step_ < 0) first_step_ = training.n_steps();
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
    long first_step_ = -1;  // that was shown
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

Recipe find_recipe(const std::string& task) {
    if (task.ends_with(".json")) return read_recipe(read_file(task), task);
    return task_named(task).recipe();
}

/// What the options say besides.
Recipe changed(Recipe recipe, const TrainTask& options) {
    if (options.steps) recipe.steps = *options.steps;
    if (options.seed) recipe.seed = *options.seed;
    if (options.learning_rate) recipe.learning_rate = *options.learning_rate;
    return recipe;
}

Training begin_anew(const TrainTask& options) {
    if (!options.task) throw Error("train", "needs a task; `headlight train --list` prints them");
    return {changed(find_recipe(*options.task), options), options.n_threads.value_or(2)};
}

/// Where it was interrupted. Throws Error if that was another training.
Training go_on(const TrainTask& options, const std::string& file, const Streams& streams) {
    const InterruptedTraining interrupted = read_interrupted(file);
    const Recipe& recipe = interrupted.recipe;
    if (options.task && find_recipe(*options.task).task != recipe.task)
        throw Error(file, "was interrupted in learning " + recipe.task + ", not " + *options.task);
    if (options.seed && *options.seed != recipe.seed)
        throw Error(file, "was begun with seed " + std::to_string(recipe.seed) +
                              "; leave --seed out to go on");
    Training training(changed(recipe, options), options.n_threads.value_or(interrupted.n_threads));
    training.go_on(interrupted.state);
    write_note(streams, "goes on after step " + std::to_string(training.n_steps()) + " of " +
                            std::to_string(training.recipe().steps));
    return training;
}

Training begin(const TrainTask& options, const Streams& streams) {
    if (!options.begin) return begin_anew(options);
    const std::filesystem::path weights = *options.begin, interrupted = interrupted_path(weights);
    if (std::filesystem::exists(interrupted))
        return go_on(options, path_text(interrupted), streams);
    Training training = begin_anew(options);
    training.begin_at(*read_weights(weights));
    write_note(streams, path_text(weights) +
                            ": no interrupted training is beside it, so the optimizer begins anew");
    return training;
}

/// What is written of a training besides its weights.
struct TrainingLog {
    std::optional<TrainingFilm> film;
    std::vector<HeldOutPoint> tests;
};

/// To the end, to the step that is asked for, or until Ctrl+C. What is needed to go on lies beside
/// the output from time to time.
TrainingLog run(Training& training, const TrainTask& options, const ForEach& for_each,
                const Streams& streams) {
    constexpr auto kBetweenFiles = std::chrono::seconds(20);
    const std::filesystem::path output = *options.output;
    const auto keep = [&] {
        write_interrupted(
            interrupted_path(output),
            {training.recipe(), static_cast<int>(training.n_shards()), training.state()});
    };
    const long last = std::min(options.stop_at.value_or(kMaxSteps), training.recipe().steps);
    TrainingLog log;
    if (options.film) log.film.emplace(task_named(training.recipe().task).title, last);
    const StopOnInterrupt interrupt;
    auto kept = std::chrono::steady_clock::now();
    {
        TrainingLine line(streams.terminal);
        while (training.n_steps() < last && !(stop_asked && training.is_at_point())) {
            if (log.film && log.film->is_due(training.n_steps()))
                log.film->add(training.n_steps(), training.weights());
            training.step(for_each);
            if (training.n_steps() % kStepsATest == 0 || training.n_steps() == last)
                log.tests.push_back(tested(training));
            line.show(training);
            if (!training.is_at_point() || training.is_done()) continue;
            if (std::chrono::steady_clock::now() - kept < kBetweenFiles) continue;
            keep();
            kept = std::chrono::steady_clock::now();
        }
    }
    if (training.is_done() || options.stop_at) {
        std::error_code ignored;
        std::filesystem::remove(interrupted_path(output), ignored);
        return log;
    }
    keep();
    if (training.best_accuracy() < 0) log.tests.push_back(tested(training));
    write_note(streams, "stopped after step " + std::to_string(training.n_steps()) + " of " +
                            std::to_string(training.recipe().steps) +
                            "; the best weights are kept, and --resume " + path_text(output) +
                            " goes on");
    return log;
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
    if (options.prints && options.task) {
        streams.out << write_recipe(find_recipe(*options.task));
        return;
    }
    if (!options.task && !options.begin)
        throw Error("train", "needs a task; `headlight train --list` prints them");
    if (!options.output || !options.output->ends_with(".safetensors"))
        throw Error("train", "needs --output FILE.safetensors, where the weights go");
    if (options.film) check_is_film(*options.film);
    const auto start = std::chrono::steady_clock::now();
    Training training = begin(options, streams);
    Workers workers(static_cast<int>(training.n_shards()) - 1);
    TrainingLog log = run(training, options, workers.for_each(), streams);
    const double secs =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (training.n_restores() > 0)
        write_note(streams, "the loss left the numbers " + std::to_string(training.n_restores()) +
                                " times; each time the last good weights went on with half of the "
                                "learning rate");
    const SharedWeights weights = options.stop_at ? training.weights() : training.best_weights();
    write_trained(*options.output, *weights, training.recipe());
    if (log.film) write_film(*log.film, *options.film, training, log.tests);
    if (options.log) write_file(*options.log, log_text(training));
    streams.out << weights->origin << '\n'
                << "held-out\t"
                << percent_text(options.stop_at ? training.held_out_accuracy()
                                                : training.best_accuracy())
                << " of the " << training.task().target_noun() << '\n'
                << "seconds\t" << static_cast<long>(secs + 0.5) << '\n';
}

}  // namespace headlight
