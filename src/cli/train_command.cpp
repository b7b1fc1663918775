#include "cli/train_command.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app_state/training_view.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "expression/item_names.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/recipe_file.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "learn/task.h"
#include "learn/training.h"
#include "model/settings/study_settings.h"
#include "model/workers.h"
#include "text/strings.h"
#include "views/training_film.h"

namespace headlight {
namespace {

using Paths = std::set<std::string>;

/// Collects "layer.attention.n_heads": the paths of everything in an object that is no object
/// itself.
void collect_paths(const JsonObject& object, const std::string& before, Paths& paths) {
    for (const auto& [key, value] : object) {
        const JsonObject* inner = value.object();
        if (inner && key != "graph")
            collect_paths(*inner, before + key + ".", paths);
        else
            paths.insert(before + key);
    }
}

bool is_idle_in_rule(const std::string& key, Rule rule) {
    const bool is_of_sgd = key == "optimizer.momentum";
    const bool is_of_adam =
        key == "optimizer.beta1" || key == "optimizer.beta2" || key == "optimizer.epsilon";
    return rule == Rule::Sgd ? is_of_adam : is_of_sgd;
}

/// Returns a sentence for each key of the recipe's text that has no effect. The recipe was read
/// from it.
std::vector<std::string> idle_recipe_keys(std::string_view text, const Recipe& recipe) {
    const JsonValue root = parse_json(text, "recipe");
    Paths said;
    collect_paths(*root.object(), "", said);
    std::vector<std::string> sentences;
    const auto add = [&](const std::string& key, const std::string& why) {
        sentences.push_back(fmt::format("{} has no effect{}", key, why));
    };
    for (const std::string& key : said)
        if (is_idle_in_rule(key, recipe.optimizer.rule)) add(key, " with this rule");
    if (recipe.known > 0 && said.contains("batch"))
        add("batch", ": every step is made on all known nodes");
    if (said.contains("study.seed")) add("study.seed", ": the recipe's own seed is drawn from");
    if (said.contains("study.graph")) {
        const Document used = task_named(recipe.task).make(recipe, 1)->study();
        if (!(used.graph()->graph == recipe.study.graph()->graph))
            add("study.graph", fmt::format(": {} makes its own graphs", recipe.task));
    }
    see_settings(recipe.study.study, [&](const std::string& path, const Field&, bool is_relevant) {
        if (!is_relevant && said.contains("study." + path))
            add("study." + path, " as the other settings are");
    });
    return sentences;
}

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

/// One line of the terminal, which replaces the line before.
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
        const CurvePoint point = training.curve().empty() ? CurvePoint() : training.curve().back();
        *terminal_ << fmt::format("\r\x1b[Kstep {} of {}  loss {:.4f}  right {}",
                                  training.n_steps(), training.recipe().steps, point.loss,
                                  percent_text(point.accuracy));
        if (done > 0) {
            const auto secs_left = static_cast<long>(secs / done * left + 0.5);
            *terminal_ << fmt::format("  {}:{:02} left", secs_left / 60, secs_left % 60);
        }
        *terminal_ << std::flush;
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::ostream* terminal_;
    Clock::time_point start_ = Clock::now(), last_ = {};
    long first_step_ = -1;  // the first one that was shown
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

/// Returns the recipe with the changes that the options ask for.
Recipe changed(Recipe recipe, const TrainTask& options) {
    if (options.steps) recipe.steps = *options.steps;
    if (options.seed) recipe.seed = *options.seed;
    if (options.learning_rate) recipe.learning_rate = *options.learning_rate;
    return recipe;
}

Training begin_anew(const TrainTask& options, const Recipe& recipe) {
    return {changed(recipe, options), options.n_threads.value_or(2)};
}

/// Refuses a recipe that differs from that of the interrupted training. Only --steps changes its
/// steps.
void check_agrees(const std::string& file, const Recipe& begun, const Recipe& wanted) {
    const auto refuse = [&](const std::string& with, const std::string& leave_out) {
        throw Error(file, "was begun with {}; leave {} out to go on", with, leave_out);
    };
    const std::string recipe = "the recipe";
    if (wanted.batch != begun.batch) refuse(fmt::format("batch {}", begun.batch), recipe);
    if (wanted.warm_up != begun.warm_up) refuse(fmt::format("warm_up {}", begun.warm_up), recipe);
    if (!(wanted.optimizer == begun.optimizer)) refuse("another optimizer", recipe);
    if (wanted.known != begun.known) refuse(fmt::format("known {}", begun.known), recipe);
    if (!(wanted.study == begun.study)) refuse("another study", recipe);
    if (wanted.steps != begun.steps) refuse(counted(begun.steps, "step"), recipe);
    if (wanted.seed != begun.seed) refuse(fmt::format("seed {}", begun.seed), recipe);
    if (wanted.learning_rate != begun.learning_rate)
        refuse("learning_rate " + number_text(begun.learning_rate), recipe);
}

void check_options(const std::string& file, const TrainTask& options, const Recipe& begun) {
    const auto refuse = [&](const std::string& with, const char* option) {
        throw Error(file, "was begun with {}; leave {} out to go on", with, option);
    };
    if (options.seed && *options.seed != begun.seed)
        refuse(fmt::format("seed {}", begun.seed), "--seed");
    if (options.learning_rate && *options.learning_rate != begun.learning_rate)
        refuse("the learning rate " + number_text(begun.learning_rate), "--learning-rate");
    if (!options.task) return;
    const Recipe wanted = find_recipe(*options.task);
    if (wanted.task != begun.task)
        throw Error(file, "was interrupted in learning {}, not {}", begun.task, wanted.task);
    // A bare name asks for nothing more than the task.
    if (!find_task(*options.task)) check_agrees(file, begun, Training(wanted, 1).recipe());
}

void check_steps_left(const TrainTask& options, long n_made) {
    const auto check = [&](const char* option, const std::optional<long>& step) {
        if (step && *step <= n_made)
            throw Error(option, "{} is not after step {}, which is made already", *step, n_made);
    };
    check("--steps", options.steps);
    check("--stop-at", options.stop_at);
}

/// Goes on where the training was interrupted. Throws Error if that was another training.
Training go_on(const TrainTask& options, const std::string& file, const Streams& streams) {
    const InterruptedTraining interrupted = read_interrupted(file);
    check_options(file, options, interrupted.recipe);
    check_steps_left(options, interrupted.state.step);
    Training training(changed(interrupted.recipe, options),
                      options.n_threads.value_or(interrupted.n_threads));
    training.go_on(interrupted.state);
    write_note(streams, fmt::format("goes on after step {} of {}", training.n_steps(),
                                    training.recipe().steps));
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

/// The results of a training besides its weights.
struct TrainingLog {
    std::optional<TrainingFilm> film;
    std::vector<HeldOutPoint> tests;
};

/// Trains to the end, to the step that is asked for, or until Ctrl+C. The state from which it can
/// go on lies beside the output from time to time.
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
    write_note(
        streams,
        fmt::format("stopped after step {} of {}; the best weights are kept{}", training.n_steps(),
                    training.recipe().steps,
                    files.is_kept() ? fmt::format(", and --resume {} goes on", output) : ""));
    return log;
}

std::string restores_text(int n) {
    if (n == 1)
        return "the loss left the numbers once; the last good weights went on with half of the "
               "learning rate";
    return fmt::format(
        "the loss left the numbers {} times; each time the last good weights went on with half of "
        "the learning rate",
        n);
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

void add_train_options(Options command, TrainTask& train) {
    command.optional_argument("TASK", train.task,
                              "What to learn, or a recipe: .json, or weights that name theirs, "
                              ".safetensors; --list prints the tasks");
    command.flag("--list", train.lists, "Print the tasks");
    command.flag("--recipe", train.prints, "Print the recipe, to be changed");
    command.optional_text("--output,-o", train.output, "The weights, .safetensors");
    command.optional_number("--steps", train.steps, 1L, kMaxSteps, "Instead of the recipe's");
    command.optional_number("--seed", train.seed, std::uint64_t{0},
                            std::numeric_limits<std::uint64_t>::max(),
                            "What weights and examples are drawn from");
    command.optional_number("--learning-rate", train.learning_rate, 1e-9, 10.0,
                            "The highest; it falls to 0 at the last step");
    command.optional_number("--stop-at", train.stop_at, 1L, 10'000'000L,
                            "Stop after this step, and write its weights");
    command.optional_text("--film", train.film, "The heads as they form, .gif or .png (animated)");
    command.flag("--window", train.in_window, "Open the window on the training, and play");
    command.optional_text("--resume", train.begin,
                          "Go on with the interrupted training of these weights; if there is "
                          "none, begin at them");
    command.optional_text("--log", train.log, "The curve, .csv: step, loss, accuracy");
    command.optional_number("--threads", train.n_threads, 1, 64,
                            "A batch is parted among them; other numbers, other last digits");
    command.example(
        "  headlight train who-is-it -o who.safetensors --log loss.csv\n"
        "  headlight train who-is-it --window\n"
        "  headlight new who-is-it --weights who.safetensors -o who.headlight");
}

void add_test_options(Options command, TestWeights& test) {
    command.argument("WEIGHTS", test.what,
                     "Trained weights, .safetensors, or a task, whose own are measured");
    command.list(
        "--without", test.without, "GLOB",
        "A head's output that is zero meanwhile: blocks.0.attn.heads.1.z; may be repeated");
    command.flag("--each-head", test.each_head, "Also without each head alone");
    command.example(
        "  headlight test induction --each-head\n"
        "  headlight test who.safetensors --without 'blocks.1.attn.heads.*.z'");
}

namespace {

struct Tested {
    Recipe recipe;
    SharedWeights weights;
};

Tested find_weights(const std::string& what) {
    if (what.ends_with(".safetensors")) {
        const std::optional<Recipe> recipe = find_recipe_in(what);
        if (!recipe) throw Error(path_text(what), "does not say by which recipe it was trained");
        return {*recipe, open_trained(what).weights};
    }
    const TaskEntry& task = task_named(what);
    if (const SharedWeights weights = trained_weights(task)) return {task.recipe(), weights};
    throw Error(what, "no weights of this task come with the program; train it, and give the file");
}

/// The task's network with these weights, and the examples for its test.
class HeldOutTest {
  public:
    explicit HeldOutTest(const Tested& tested)
        : training_(tested.recipe, 1), shards_(training_.task().held_out()) {
        training_.begin_at(*tested.weights);
    }

    const Plan& plan() const { return *training_.task().plan().plan; }
    const char* target_noun() const { return training_.task().target_noun(); }
    Loss without(const Interventions& ablations) {
        Loss loss;
        for (const Shard& shard : shards_) loss += training_.trainer().test(shard, ablations);
        return loss;
    }
    /// Returns the loss of one of the patterns that stand beside each other in the output.
    Loss of_pattern(Index pattern, const Interventions& ablations) {
        Loss loss;
        for (Shard shard : shards_) {
            Matrix targets = Matrix::Zero(shard.targets->rows(), shard.targets->cols());
            const Index width = targets.cols() / shard.n_patterns;
            targets.middleCols(pattern * width, width) =
                shard.targets->middleCols(pattern * width, width);
            shard.targets = std::make_shared<const Matrix>(std::move(targets));
            loss += training_.trainer().test(shard, ablations);
        }
        return loss;
    }

  private:
    Training training_;
    std::vector<Shard> shards_;
};

void ablate_all(const Plan& plan, const std::vector<std::string>& globs, Interventions& ablations) {
    if (globs.empty()) return;
    for (const TensorId id : tensors_matching(plan, globs)) {
        if (plan[id].inputs.empty())
            throw Error(
                "--without",
                "{} is not computed; name the output of a head, such as blocks.0.attn.heads.0.z",
                plan[id].path);
        ablations[plan[id].path] = {.cells = {}, .ablation = Ablation::Zero};
    }
}

/// True for the pattern of a head that was trained to point, which is the output.
bool is_answer(const PlannedTensor& tensor) {
    return tensor.identity.role == Role::Pattern && tensor.head_name != nullptr;
}

std::vector<std::string> all_head_outputs(const Plan& plan) {
    std::vector<std::string> paths;
    for (const PlannedTensor& tensor : plan.tensors())
        if (tensor.identity.role == Role::HeadOutput || is_answer(tensor))
            paths.push_back(tensor.path);
    if (paths.empty()) throw Error("--each-head", "the network has no heads");
    return paths;
}

std::string loss_text(const Loss& loss) {
    return fmt::format("{:.4f}", loss.mean());
}

}  // namespace

void test_weights(const TestWeights& options, const Streams& streams) {
    const Tested tested = find_weights(options.what);
    HeldOutTest test(tested);
    Interventions ablations;
    ablate_all(test.plan(), options.without, ablations);
    const std::vector<std::string> heads =
        options.each_head ? all_head_outputs(test.plan()) : std::vector<std::string>();
    streams.out << tested.weights->origin << '\n';
    for (const auto& [path, ablation] : ablations) streams.out << "without\t" << path << '\n';
    const Loss loss = test.without(ablations);
    streams.out << test.target_noun() << '\t' << loss.n_targets << "\nright\t"
                << percent_text(loss.accuracy()) << "\nmean loss\t" << loss_text(loss) << '\n';
    Index n_answers = 0;
    for (const PlannedTensor& tensor : test.plan().tensors())
        if (is_answer(tensor))
            streams.out << "right, " << tensor.head_name << '\t'
                        << percent_text(test.of_pattern(n_answers++, ablations).accuracy()) << '\n';
    for (const std::string& head : heads) {
        Interventions without = ablations;
        without[head] = {.cells = {}, .ablation = Ablation::Zero};
        const Loss less = test.without(without);
        const PlannedTensor& taken = test.plan().at(head);
        const std::string name =
            is_answer(taken) ? fmt::format(" ({})", taken.head_name) : std::string();
        streams.out << "without " << head << name << '\t' << percent_text(less.accuracy()) << '\t'
                    << loss_text(less) << '\n';
    }
}

namespace {

namespace fs = std::filesystem;

struct Output {
    const char* option;
    fs::path file;
};

fs::path whole_path(const fs::path& file) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(file, ignored), ignored);
}

void check_differ(const std::vector<Output>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (whole_path(outputs[i].file) == whole_path(outputs[j].file))
                throw Error(path_text(outputs[i].file), "is where {} and {} would both be written",
                            outputs[j].option, outputs[i].option);
}

void check_folder(const fs::path& file) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored))
        throw Error(path_text(file), "is a folder; name a file in it");
    const fs::path folder = whole_path(file).parent_path();
    if (!fs::is_directory(folder, ignored))
        throw Error(path_text(file), "there is no folder {}", path_text(folder));
}

/// Returns the files that are read, but not the weights that a training goes on with: they may be
/// written again, as the file beside them has the earlier ones.
std::vector<fs::path> files_read(const TrainTask& options, const fs::path& output) {
    std::vector<fs::path> files;
    std::error_code ignored;
    if (options.task) files.emplace_back(*options.task);
    if (!options.begin) return files;
    const fs::path begin = *options.begin;
    const bool goes_on = fs::exists(interrupted_path(begin), ignored);
    if (!goes_on || !fs::equivalent(output, begin, ignored)) files.push_back(begin);
    return files;
}

}  // namespace

TrainingFiles::TrainingFiles(const TrainTask& options, const Streams& streams)
    : output_(options.output.value_or("")), streams_(streams) {
    std::vector<Output> outputs = {{"--output", output_},
                                   {"what is kept to go on", interrupted_path(output_)}};
    if (options.log) outputs.push_back({"--log", *options.log});
    if (options.film) outputs.push_back({"--film", *options.film});
    check_differ(outputs);
    const std::vector<fs::path> inputs = files_read(options, output_);
    for (const Output& output : outputs) check_is_no_input(output.file, inputs);
    for (const Output& output : outputs)
        if (output.file != interrupted_path(output_)) check_folder(output.file);
}

void TrainingFiles::keep(const Training& training) {
    const fs::path file = interrupted_path(output_);
    try {
        write_interrupted(
            file, {training.recipe(), static_cast<int>(training.n_shards()), training.state()});
        has_failed_ = false;
    } catch (const Error& error) {
        if (!has_failed_)
            write_note(streams_, std::string(error.what()) +
                                     "; the training goes on, and could not be resumed now");
        has_failed_ = true;
    }
}

void TrainingFiles::forget() {
    std::error_code ignored;
    fs::remove(interrupted_path(output_), ignored);
}

void TrainingFiles::write(const Weights& weights, const Recipe& recipe) const {
    try {
        return write_trained(output_, weights, recipe);
    } catch (const Error& error) {
        std::error_code ignored;
        const fs::path other = fs::temp_directory_path(ignored) / output_.filename();
        if (fs::exists(other, ignored)) throw;
        write_trained(other, weights, recipe);
        throw Error(path_text(output_), "{}; the weights are in {}", error.without_name(),
                    path_text(other));
    }
}

}  // namespace headlight
