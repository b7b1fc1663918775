#include "cli/train/recipe_notes.h"

#include <set>

#include "io/text/json_tree.h"
#include "model/settings/study_settings.h"

namespace headlight {
namespace {

using Paths = std::set<std::string>;

/// "layer.attention.n_heads": what is said in an object, down to what is no object.
void collect_paths(const JsonObject& object, const std::string& before, Paths& paths) {
    for (const auto& [key, value] : object) {
        const JsonObject* inner = value.object();
        if (inner && key != "graph")
            collect_paths(*inner, before + key + ".", paths);
        else
            paths.insert(before + key);
    }
}

/// Of the said paths, those whose setting does nothing as the others are.
class IdlePaths {
  public:
    explicit IdlePaths(const Paths& said) : said_(said) {}

    void section(const char*) {}
    void number(const Field& field, auto&, auto) { see(field); }
    void widths(const Field& field, Widths&, Range<int>) { see(field); }
    void choice(const Field& field, auto&, const auto&) { see(field); }
    void flag(const Field& field, Switch&) { see(field); }
    void group(const Field& field, auto& settings) {
        const std::string outer = within_;
        within_ += std::string(field.key) + ".";
        mattering_.inside(field, [&] { visit_fields(settings, *this); });
        within_ = outer;
    }

    const std::vector<std::string>& idle() const { return idle_; }

  private:
    void see(const Field& field) {
        const std::string path = "study." + within_ + field.key;
        if (said_.contains(path) && !mattering_.of(field)) idle_.push_back(path);
    }

    const Paths& said_;
    std::string within_;
    std::vector<std::string> idle_;
    Mattering mattering_;
};

bool is_idle_in_rule(const std::string& key, Rule rule) {
    const bool is_of_sgd = key == "optimizer.momentum";
    const bool is_of_adam =
        key == "optimizer.beta1" || key == "optimizer.beta2" || key == "optimizer.epsilon";
    return rule == Rule::Sgd ? is_of_adam : is_of_sgd;
}

}  // namespace

std::vector<std::string> idle_recipe_keys(std::string_view text, const Recipe& recipe) {
    const JsonValue root = parse_json(text, "recipe");
    Paths said;
    collect_paths(*root.object(), "", said);
    std::vector<std::string> sentences;
    const auto add = [&](const std::string& key, const std::string& why) {
        sentences.push_back(key + " has no effect" + why);
    };
    for (const std::string& key : said)
        if (is_idle_in_rule(key, recipe.optimizer.rule)) add(key, " with this rule");
    if (recipe.known > 0 && said.contains("batch"))
        add("batch", ": every step is made on all known nodes");
    if (said.contains("study.seed")) add("study.seed", ": the recipe's own seed is drawn from");
    if (said.contains("study.graph")) {
        const Document used = task_named(recipe.task).make(recipe, 1)->study();
        if (!(used.graph()->graph == recipe.study.graph()->graph))
            add("study.graph", ": " + recipe.task + " makes its own graphs");
    }
    IdlePaths idle(said);
    std::visit([&](auto settings) { visit_fields(settings, idle); }, recipe.study.study);
    for (const std::string& path : idle.idle()) add(path, " as the other settings are");
    return sentences;
}

}  // namespace headlight
