#include "io/studies/training_notes.h"

#include "io/studies/recipe_file.h"
#include "learn/tasks/questions_task.h"

namespace headlight {
namespace {

/// The study of the weights that were asked about last: a window asks in every frame.
struct TrainedStudy {
    SharedWeights weights;
    Document study;
};

/// Returns the study of the recipe that the weights name. They have one.
const Document& trained_study(const SharedWeights& weights) {
    thread_local TrainedStudy last;
    if (last.weights != weights) last = {weights, read_recipe(weights->recipe, "recipe").study};
    return last.study;
}

}  // namespace

std::vector<std::string> training_notes(const Document& document) {
    if (!document.weights) return {};
    std::vector<std::string> notes;
    if (std::string outside = outside_note(document); !outside.empty())
        notes.push_back(std::move(outside));
    if (!document.weights->recipe.empty() &&
        !have_same_network(document, trained_study(document.weights)))
        notes.push_back(document.graph()
                            ? "the graph or the settings are not those that it was trained with"
                            : "the settings are not those that it was trained with");
    return notes;
}

}  // namespace headlight
