#include "ui/training/training_commands.h"

#include "io/files/file.h"
#include "io/studies/recipe_file.h"
#include "ui/window/desks.h"

namespace headlight {

/// Found by its name from elsewhere, a command of the training shows it.
TrainingView& train_with(Desks& desks) {
    if (!trains(desks)) {
        desks.studies.show(WorkspaceKind::Train);
        desks.training.follow(desks.space());
    }
    return desks.training;
}

void turn_training(Desks& desks) {
    TrainingView& training = train_with(desks);
    training.is_running() ? training.pause() : training.play();
}

std::optional<Obstacle> no_trained_weights(const Desks& desks) {
    if (desks.training.shown()) return std::nullopt;
    return Obstacle{"training", "there are no trained weights yet; show the workspace Train"};
}

void use_weights(Desks& desks) {
    Document study = desks.training.study_for_use(desks.studies.at(WorkspaceKind::Train));
    desks.studies.show(workspace_for(study.study));
    start_study(desks.space(), std::move(study),
                std::string("Use weights: ") + desks.training.task().title);
}

void ask_where_to_save_weights(Desks& desks) {
    const SharedWeights weights = desks.training.shown()->weights;
    const Recipe recipe = desks.training.recipe();
    desks.files.dialog().ask(
        FileDialog::Purpose::Weights, std::string(desks.training.task().name) + ".safetensors",
        [&desks, weights, recipe](const std::filesystem::path& file) {
            write_trained(file, *weights, recipe);
            desks.notice.say("Saved " + path_text(file.filename()), Notice::Kind::Done);
        });
}

}  // namespace headlight
