#include "learn/tasks/shifts_task.h"

#include "core/error.h"
#include "core/mechanisms/image_attention.h"
#include "core/operations/operations.h"
#include "learn/image_task.h"

namespace headlight {
namespace {

constexpr int kHeldOutPictures = 64;

/// True of a center or α: the numbers of the heads' scores, not of the kernel.
bool is_of_scores(const Plan& plan, TensorId leaf) {
    for (const PlannedTensor& tensor : plan.tensors())
        if (tensor.identity.role == Role::PositionScores &&
            std::ranges::find(tensor.inputs, leaf) != tensor.inputs.end())
            return true;
    return false;
}

}  // namespace

ShiftsTask::ShiftsTask(const Recipe& recipe, int shard_size) : study_(recipe.study) {
    const ImageStudy& study = image_study_in(recipe);
    if (study.layer.mechanism != ImageMechanism::Convolution)
        throw Error("training", "{} needs the mechanism \"convolution\"", recipe.task);
    const Image images{study.columns,
                       Matrix::Zero(Index(shard_size) * study.rows * study.columns, study.channels),
                       shard_size};
    const Plan whole = plan_image(images, study.layer, recipe.seed);
    plan_ = training_plan(whole, "blocks.0.attn.out");
    std::erase_if(plan_.parameters,
                  [&](TensorId leaf) { return !is_of_scores(*plan_.plan, leaf); });
    convolution_ = training_plan(whole, "convolution");
    image_ = plan_.plan->id_at("image");
    convolved_image_ = convolution_.plan->id_at("image");
}

Shard ShiftsTask::draw(Random& random) const {
    const PlannedTensor& image = (*plan_.plan)[image_];
    auto pixels = std::make_shared<Matrix>(image.rows.size, image.columns.size);
    for (Scalar& pixel : pixels->reshaped()) pixel = static_cast<Scalar>(random.share());
    Evaluator evaluator;
    const std::vector<LeafOverride> given{{convolved_image_, pixels}};
    const auto trace = evaluator.evaluate(convolution_.plan, {}, {}, nullptr, serial(), given);
    return {.inputs = {{image_, pixels}},
            .classes = {},
            .targets = (*trace)[convolution_.output].value};
}

std::vector<Shard> ShiftsTask::held_out() const {
    const PlannedTensor& image = (*plan_.plan)[image_];
    Random random(kHeldOutSeed);
    std::vector<Shard> shards;
    for (Index n = 0; n < kHeldOutPictures; n += image.rows.groups) shards.push_back(draw(random));
    return shards;
}

Recipe shifts_recipe() {
    Document study = built_in_image();
    ImageSettings& layer = study.image()->layer;
    layer = {.mechanism = ImageMechanism::Convolution,
             .kernel = Kernel::Neighbours,
             .centers = Centers::Random,
             .alpha = 0.5f};
    return {.task = "shifts",
            .study = std::move(study),
            .steps = 1000,
            .batch = 8,
            .learning_rate = 0.1,
            .warm_up = 0,
            .loss = LossKind::Squared,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam}};
}

}  // namespace headlight
