#include "cli/train/test_command.h"

#include <cstdio>

#include "core/error.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/recipe_file.h"
#include "learn/training.h"
#include "scene/options/item_names.h"

namespace headlight {
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

/// The task's network with these weights, and the examples that it is asked.
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

  private:
    Training training_;
    std::vector<Shard> shards_;
};

void ablate_all(const Plan& plan, const std::vector<std::string>& globs, Interventions& ablations) {
    if (globs.empty()) return;
    for (const TensorId id : tensors_matching(plan, globs)) {
        if (plan[id].inputs.empty())
            throw Error("--without", plan[id].path +
                                         " is not computed; name the output of a head, such as "
                                         "blocks.0.attn.heads.0.z");
        ablations[plan[id].path] = {.cells = {}, .ablation = Ablation::Zero};
    }
}

std::vector<std::string> all_head_outputs(const Plan& plan) {
    std::vector<std::string> paths;
    for (const PlannedTensor& tensor : plan.tensors())
        if (tensor.identity.role == Role::HeadOutput) paths.push_back(tensor.path);
    if (paths.empty()) throw Error("--each-head", "the network has no heads");
    return paths;
}

std::string loss_text(const Loss& loss) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", loss.mean());
    return text;
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
    for (const std::string& head : heads) {
        Interventions without = ablations;
        without[head] = {.cells = {}, .ablation = Ablation::Zero};
        const Loss less = test.without(without);
        streams.out << "without " << head << '\t' << percent_text(less.accuracy()) << '\t'
                    << loss_text(less) << '\n';
    }
}

}  // namespace headlight
