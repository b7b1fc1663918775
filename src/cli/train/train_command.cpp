#include "cli/train/train_command.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "cli/open_study.h"
#include "cli/train/recipe_notes.h"
#include "cli/train/training_files.h"
#include "core/error.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/recipe_file.h"
#include "io/text/json_text.h"
#include "learn/training.h"
#include "model/workers.h"
#include "scene/training/training_film.h"
#include "scene/training/training_log.h"
#include "text/counted.h"

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
    if (!task.ends_with(".safetensors")) return task_named(task).recipe();
    if (const auto recipe = find_recipe_in(task)) return *recipe;
    throw Error(path_text(task), "does not say by which recipe it was trained");
}

/// What the options say besides.
Recipe changed(Recipe recipe, const TrainTask& options) {
    if (options.steps) recipe.steps = *options.steps;
    if (options.seed) recipe.seed = *options.seed;
    if (options.learning_rate) recipe.learning_rate = *options.learning_rate;
    return recipe;
}

Training begin_anew(const TrainTask& options, const Recipe& recipe) {
    return {changed(recipe, options), options.n_threads.value_or(2)};
}

/// What of an interrupted training cannot be changed on the way. Steps can: --steps says it.
void check_agrees(const std::string& file, const Recipe& begun, const Recipe& wanted) {
    const auto refuse = [&](const std::string& with, const std::string& leave_out) {
        throw Error(file, "was begun with " + with + "; leave " + leave_out + " out to go on");
    };
    const std::string recipe = "the recipe";
    if (wanted.batch != begun.batch) refuse("batch " + std::to_string(begun.batch), recipe);
    if (wanted.warm_up != begun.warm_up) refuse("warm_up " + std::to_string(begun.warm_up), recipe);
    if (!(wanted.optimizer == begun.optimizer)) refuse("another optimizer", recipe);
    if (wanted.known != begun.known) refuse("known " + std::to_string(begun.known), recipe);
    if (!(wanted.study == begun.study)) refuse("another study", recipe);
    if (wanted.steps != begun.steps) refuse(counted(begun.steps, "step"), recipe);
    if (wanted.seed != begun.seed) refuse("seed " + std::to_string(begun.seed), recipe);
    if (wanted.learning_rate != begun.learning_rate)
        refuse("learning_rate " + number_text(begun.learning_rate), recipe);
}

void check_options(const std::string& file, const TrainTask& options, const Recipe& begun) {
    const auto refuse = [&](const std::string& with, const char* option) {
        throw Error(file, "was begun with " + with + "; leave " + option + " out to go on");
    };
    if (options.seed && *options.seed != begun.seed)
        refuse("seed " + std::to_string(begun.seed), "--seed");
    if (options.learning_rate && *options.learning_rate != begun.learning_rate)
        refuse("the learning rate " + number_text(begun.learning_rate), "--learning-rate");
    if (!options.task) return;
    const Recipe wanted = find_recipe(*options.task);
    if (wanted.task != begun.task)
        throw Error(file, "was interrupted in learning " + begun.task + ", not " + wanted.task);
    // A bare name says no more than the task.
    if (!find_task(*options.task)) check_agrees(file, begun, Training(wanted, 1).recipe());
}

void check_steps_left(const TrainTask& options, long n_made) {
    const auto check = [&](const char* option, const std::optional<long>& step) {
        if (step && *step <= n_made)
            throw Error(option, std::to_string(*step) + " is not after step " +
                                    std::to_string(n_made) + ", which is made already");
    };
    check("--steps", options.steps);
    check("--stop-at", options.stop_at);
}

/// Where it was interrupted. Throws Error if that was another training.
Training go_on(const TrainTask& options, const std::string& file, const Streams& streams) {
    const InterruptedTraining interrupted = read_interrupted(file);
    check_options(file, options, interrupted.recipe);
    check_steps_left(options, interrupted.state.step);
    Training training(changed(interrupted.recipe, options),
                      options.n_threads.value_or(interrupted.n_threads));
    training.go_on(interrupted.state);
    write_note(streams, "goes on after step " + std::to_string(training.n_steps()) + " of " +
                            std::to_string(training.recipe().steps));
    return training;
}

Training begin(const TrainTask& options, const Streams& streams) {
    if (!options.begin) return begin_anew(options, find_recipe(*options.task));
    const std::filesystem::path weights = *options.begin, interrupted = interrupted_path(weights);
    if (std::filesystem::exists(interrupted))
        return go_on(options, path_text(interrupted), streams);
    if (!std::filesystem::exists(weights))
        throw Error(path_text(weights), "is not there, and no interrupted training is beside it");
    const SharedWeights given = read_weights(weights);
    Training training = begin_anew(options, find_recipe(options.task.value_or(weights.string())));
    training.begin_at(*given);
    write_note(streams, path_text(weights) +
                            ": no interrupted training is beside it, so the optimizer begins anew");
    return training;
}

long last_step(const Training& training, const TrainTask& options) {
    return std::min(options.stop_at.value_or(kMaxSteps), training.recipe().steps);
}

/// What is written of a training besides its weights.
struct TrainingLog {
    std::optional<TrainingFilm> film;
    std::vector<HeldOutPoint> tests;
};

/// To the end, to the step that is asked for, or until Ctrl+C. What is needed to go on lies beside
/// the output from time to time.
TrainingLog run(Training& training, const TrainTask& options, TrainingFiles& files,
                const ForEach& for_each, const Streams& streams) {
    constexpr auto kBetweenFiles = std::chrono::seconds(20);
    const long last = last_step(training, options);
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
            files.keep(training);
            kept = std::chrono::steady_clock::now();
        }
    }
    const bool is_at_end = training.n_steps() >= last;
    if (!is_at_end) files.keep(training);  // before a test that no whole training makes
    const bool is_known = is_at_end || options.stop_at ? training.held_out_accuracy() >= 0
                                                       : training.best_accuracy() >= 0;
    if (!is_known) log.tests.push_back(tested(training));
    if (is_at_end) return log;
    const std::string output = path_text(*options.output);
    write_note(streams, "stopped after step " + std::to_string(training.n_steps()) + " of " +
                            std::to_string(training.recipe().steps) +
                            "; the best weights are kept" +
                            (files.is_kept() ? ", and --resume " + output + " goes on" : ""));
    return log;
}

std::string restores_text(int n) {
    if (n == 1)
        return "the loss left the numbers once; the last good weights went on with half of the "
               "learning rate";
    return "the loss left the numbers " + std::to_string(n) +
           " times; each time the last good weights went on with half of the learning rate";
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
    if (options.film && !options.film->ends_with(".gif") && !options.film->ends_with(".png"))
        throw Error(path_text(*options.film), "a film of a training is .gif or .png");
    TrainingFiles files(options, streams);
    const auto start = std::chrono::steady_clock::now();
    Training training = begin(options, streams);
    if (options.task && options.task->ends_with(".json"))
        write_notes(streams, path_text(*options.task) + ": ",
                    idle_recipe_keys(read_file(*options.task), find_recipe(*options.task)));
    if (const std::string note = training.task().note(); !note.empty()) write_note(streams, note);
    Workers workers(static_cast<int>(training.n_shards()) - 1);
    TrainingLog log = run(training, options, files, workers.for_each(), streams);
    const double secs =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (training.n_restores() > 0) write_note(streams, restores_text(training.n_restores()));
    const SharedWeights weights = options.stop_at ? training.weights() : training.best_weights();
    files.write(*weights, training.recipe());
    if (training.n_steps() >= last_step(training, options)) files.forget();
    if (log.film) write_film(*log.film, *options.film, training, log.tests);
    if (options.log) write_file(*options.log, batches_log(training.curve()));
    streams.out << weights->origin << '\n'
                << "held-out\t"
                << percent_text(options.stop_at ? training.held_out_accuracy()
                                                : training.best_accuracy())
                << " of the " << training.task().target_noun() << '\n'
                << "seconds\t" << static_cast<long>(secs + 0.5) << '\n';
}

}  // namespace headlight
