#include "io/models/model_study.h"

#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/pictures/given_picture.h"

namespace headlight {
namespace {

const char* word_for_input(ModelInput input) {
    switch (input) {
        case ModelInput::Graph:
            return "graph";
        case ModelInput::Picture:
            return "picture";
        case ModelInput::Text:
            break;
    }
    return "text";
}

[[noreturn]] void fail_reading(const OpenedModel& model, const std::string& given) {
    throw Error(path_text(model.weights->file), "reads a {}, not a {}",
                word_for_input(input_of(model)), given);
}

}  // namespace

ModelInput input_of(const OpenedModel& model) {
    if (std::holds_alternative<GraphStudy>(model.study)) return ModelInput::Graph;
    if (std::holds_alternative<ImageStudy>(model.study)) return ModelInput::Picture;
    return ModelInput::Text;
}

Document model_study(const OpenedModel& model, std::string text) {
    Document document{.study = model.study, .interventions = {}, .weights = model.weights};
    if (SentenceStudy* sentence = document.sentence())
        sentence->text = std::move(text);
    else if (AlignmentStudy* alignment = document.alignment())
        alignment->source = std::move(text);
    else
        fail_reading(model, "text");
    return document;
}

Document model_study(const OpenedModel& model, std::string source, std::string target) {
    if (!std::holds_alternative<AlignmentStudy>(model.study))
        throw Error(path_text(model.weights->file), "writes no target");
    Document document = model_study(model, std::move(source));
    document.alignment()->target = std::move(target);
    return document;
}

Document model_study(const OpenedModel& model, Graph graph) {
    Document document{.study = model.study, .interventions = {}, .weights = model.weights};
    GraphStudy* study = document.graph();
    if (!study) fail_reading(model, "graph");
    const auto d_in = static_cast<std::size_t>(study->layer.d_in);
    if (graph.n_features() != d_in)
        throw Error(path_text(model.weights->file),
                    "reads {} features of each node; the nodes of the graph have {}", d_in,
                    graph.n_features() == 0 ? "none" : std::to_string(graph.n_features()));
    study->graph = std::move(graph);
    return document;
}

Document picture_study(const OpenedModel& model, const std::filesystem::path& file) {
    Document document{.study = model.study, .interventions = {}, .weights = model.weights};
    ImageStudy* study = document.image();
    if (!study) fail_reading(model, "picture");
    give_picture(*study, file, model.weights->model->preparation);
    return document;
}

}  // namespace headlight
