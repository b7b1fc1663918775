#include "cli/options/train_options.h"

#include <limits>

#include "learn/task.h"

namespace headlight {

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

}  // namespace headlight
