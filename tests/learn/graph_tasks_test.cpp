// What the cards of the graphs say, on the weights that come with the program.
#include "learn/tasks/graph_tasks.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "learn/training.h"
#include "model/evaluate.h"

namespace headlight::graph_tasks_test {

/// Of the nodes or dictionaries that are held out, with the weights that come with the program.
double held_out_accuracy(const char* name) {
    Training training(task_named(name).recipe(), 1);
    training.begin_at(*trained_weights(task_named(name)));
    return training.test().accuracy();
}

/// Mean over the queries of a dictionary study's drawn examples.
double weight_on_own_key(const char* name) {
    const TaskEntry& entry = task_named(name);
    const Document document = trained_study(entry);
    const Trace trace = evaluate(document, nullptr, {});
    const Matrix& pattern = *trace.at("gat.0.heads.0.pattern").value;
    const Index n_keys = document.graph()->layer.n_classes;
    double sum = 0;
    const Edges& edges = *trace.edges();
    for (Index e = 0; e < edges.size(); ++e) {
        const auto k = static_cast<std::size_t>(e);
        if (edges.row[k] == edges.neighbour[k] + n_keys) sum += pattern(e, 0);
    }
    return sum / static_cast<double>(n_keys);
}

/// Which key each query of the study reads most.
std::set<Index> most_read_keys(const char* name) {
    const Document document = trained_study(task_named(name));
    const Trace trace = evaluate(document, nullptr, {.globs = {"gat.0.heads.0.all_scores"}});
    const Matrix& all = *trace.at("gat.0.heads.0.all_scores").value;
    const Index n_keys = document.graph()->layer.n_classes;
    std::set<Index> most;
    for (Index query = n_keys; query < 2 * n_keys; ++query) {
        Index key = 0;
        all.row(query).head(n_keys).maxCoeff(&key);
        most.insert(key);
    }
    return most;
}

TEST_CASE("tasks: the weights that come with the program say of which examples they were right") {
    for (const TaskEntry& entry : tasks()) {
        INFO(std::string(entry.name));
        const SharedWeights weights = trained_weights(entry);
        if (!weights) continue;
        const std::string noun = entry.make(entry.recipe(), 10)->tested_noun();
        CHECK(noun.find("held-out ") != std::string::npos);
        CHECK(noun.find("examples") == std::string::npos);
        CHECK(weights->origin.ends_with(" % of " + noun + " right"));
    }
}

TEST_CASE("karate: two known members tell the factions of the others") {
    for (const char* name : {"karate", "karate-gatv2"}) {
        INFO(std::string(name));
        const NodeTask task(task_named(name).recipe());
        const std::vector<bool>& known = task.known();
        CHECK(std::ranges::count(known, true) == 2);
        CHECK(known[0]);
        CHECK(known[33]);
        const double accuracy = held_out_accuracy(name);
        MESSAGE(accuracy);
        CHECK(accuracy > 0.9);
    }
}

/// The mean, over the other nodes, of the weight on neighbours of the same group; and what it would
/// be if all neighbours were read alike.
struct OwnGroup {
    double weight = 0, if_alike = 0;
};
OwnGroup own_group(const char* name) {
    const Document document = trained_study(task_named(name));
    const Trace trace = evaluate(document, nullptr, {});
    const std::vector<Node>& nodes = document.graph()->graph.nodes;
    const Edges& edges = *trace.edges();
    OwnGroup own;
    for (int head = 0; head < 4; ++head) {
        const Matrix& pattern = *trace.at("gat.0.heads." + std::to_string(head) + ".pattern").value;
        for (Index e = 0; e < edges.size(); ++e) {
            const auto k = static_cast<std::size_t>(e);
            const auto i = static_cast<std::size_t>(edges.row[k]);
            const auto j = static_cast<std::size_t>(edges.neighbour[k]);
            if (nodes[i].group != nodes[j].group) continue;
            own.weight += pattern(e, 0) / (4.0 * static_cast<double>(nodes.size()));
            own.if_alike += 1.0 / static_cast<double>(edges.offsets[i + 1] - edges.offsets[i]) /
                            (4.0 * static_cast<double>(nodes.size()));
        }
    }
    return own;
}

TEST_CASE("karate: the graph does the work, not the attention") {
    for (const char* name : {"karate", "karate-gatv2", "three-groups"}) {
        const OwnGroup own = own_group(name);
        MESSAGE(std::string(name) << ": weight on the own group " << own.weight << ", if alike "
                                  << own.if_alike);
        CHECK(own.weight - own.if_alike < 0.05);
    }
}

TEST_CASE("three groups: nine known nodes tell the groups of the others") {
    const double accuracy = held_out_accuracy("three-groups");
    MESSAGE(accuracy);
    CHECK(accuracy > 0.95);
}

TEST_CASE("dictionary: GATv2 reads the right key, GAT cannot") {
    const double learned = held_out_accuracy("dictionary"),
                 not_learned = held_out_accuracy("dictionary-gat");
    MESSAGE("GATv2 " << learned << ", GAT " << not_learned);
    CHECK(learned > 0.999);
    CHECK(not_learned < 0.4);
    MESSAGE("weight on the own key: GATv2 " << weight_on_own_key("dictionary") << ", GAT "
                                            << weight_on_own_key("dictionary-gat"));
    CHECK(weight_on_own_key("dictionary") > 0.85);
    CHECK(weight_on_own_key("dictionary-gat") < 0.2);
    CHECK(most_read_keys("dictionary").size() == 8);
    CHECK(most_read_keys("dictionary-gat").size() == 1);
}

TEST_CASE("graph tasks: a recipe that does not fit is refused with the reason") {
    Recipe recipe = task_named("karate").recipe();
    recipe.study.graph()->layer.n_classes = 1;
    CHECK_THROWS_AS(NodeTask{recipe}, Error);
    recipe.study = built_in_sentence();
    CHECK_THROWS_AS(NodeTask{recipe}, Error);
    recipe = task_named("dictionary").recipe();
    recipe.study.graph()->layer.n_classes = 1;
    CHECK_THROWS_AS(DictionaryTask(recipe, 4), Error);
}

/// Two triangles with an edge between them; groups as given.
Recipe triangles(std::vector<int> groups, int n_classes) {
    Recipe recipe = task_named("karate").recipe();
    GraphStudy& study = *recipe.study.graph();
    study.graph = {};
    study.graph.title = "Two triangles";
    for (std::size_t i = 0; i < groups.size(); ++i)
        study.graph.nodes.push_back(
            {.name = std::string(1, static_cast<char>('a' + i)), .group = groups[i]});
    study.graph.edges = {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}};
    study.layer.n_classes = n_classes;
    return recipe;
}

TEST_CASE("a graph of one's own: groups count from 1, nodes without one are left out") {
    const Recipe recipe = triangles({1, 1, 1, 2, 2, 2, 0}, 2);
    const NodeTask task(recipe);
    CHECK(task.known() == std::vector<bool>{false, false, true, true, false, false, false});
    const std::vector<Shard> held_out = task.held_out();
    CHECK(held_out[0].classes == std::vector<Index>{0, 0, kNoClass, kNoClass, 1, 1, kNoClass});
    Random random(1);
    CHECK(task.draw(random).classes ==
          std::vector<Index>{kNoClass, kNoClass, 0, 1, kNoClass, kNoClass, kNoClass});
    CHECK(task.note() == "known nodes: c, d; neither trained nor tested: 1 node without a group");
    const Training training(recipe, 1);
    CHECK(training.weights()->origin ==
          "untrained: Groups of Two triangles, seed 1, another graph");
    Recipe two = recipe;
    two.known = 2;
    CHECK(std::ranges::count(NodeTask(two).known(), true) == 4);
}

TEST_CASE("a graph of one's own that cannot be learned is refused with the reason") {
    const auto refusal = [](const Recipe& recipe) -> std::string {
        try {
            const NodeTask task(recipe);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const auto says = [&](const Recipe& recipe, const char* what) {
        const std::string text = refusal(recipe);
        INFO(text);
        CHECK(text.find(what) != std::string::npos);
    };
    says(triangles({0, 0, 0, 0, 0, 0}, 2), "no node of the graph has a group");
    says(triangles({1, 1, 2, 3, 3, 3}, 2),
         "node d is in group 3; with n_classes = 2 groups go from 1 to 2");
    says(triangles({1, 1, 1, 2, 2, 2}, 3), "no node is in group 3");
    says(triangles({1, 2, 0, 0, 0, 0}, 2), "none is left");
}

TEST_CASE("dictionary: with other classes there are as many keys, and the study fits") {
    Recipe recipe = task_named("dictionary").recipe();
    recipe.study.graph()->layer.n_classes = 4;
    recipe.steps = 30;
    Training training(recipe, 1);
    CHECK(training.recipe().study.graph()->graph.nodes.size() == 8);
    while (!training.is_done()) training.step();
    const Trace trace = evaluate(training.study(), nullptr, {});
    CHECK(trace.at("probs").value->cols() == 4);
}

}  // namespace headlight::graph_tasks_test
