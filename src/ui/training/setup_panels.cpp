// The settings of a training: the task, the network, the recipe.
#include <array>
#include <fmt/format.h>
#include <imgui.h>

#include "app_state/training_view.h"
#include "learn/task.h"
#include "model/changes.h"
#include "model/settings/settings.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr const char* kLocked = "Begin anew to change what the run has begun with.";

class TaskPanel final : public Panel {
  public:
    const char* title() const override { return "Task"; }
    const char* help() const override {
        return "What the network learns. Another task begins another run, with the network and the "
               "sentence that show it best; Undo brings the study back as it was, with its "
               "weights.";
    }

    void draw(PanelContext& context) override {
        std::vector<const char*> names;
        int chosen = 0;
        for (const TaskEntry& task : tasks()) {
            if (&task == &context.training.task()) chosen = static_cast<int>(names.size());
            names.push_back(task.title);
        }
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
        if (widgets::choice_field(context, "Task", chosen, names))
            context.requests.train([&task = tasks()[static_cast<std::size_t>(chosen)]](
                                       TrainingView& training, Workspace& space) {
                training.choose_task(space, task);
            });
        widgets::tooltip("The tasks that the program can train a network for");
        widgets::hint(context, context.training.task().sentence);
    }
};

/// Returns the settings of the layers, where the study has a stack of them.
const StackSettings* find_stack(const Study& study) {
    if (const auto* sentence = std::get_if<SentenceStudy>(&study)) return &sentence->layer;
    if (const auto* alignment = std::get_if<AlignmentStudy>(&study))
        return alignment->mechanism == AlignmentMechanism::Recurrent ? nullptr : &alignment->layer;
    const auto* image = std::get_if<ImageStudy>(&study);
    const bool has_layers = image && image->layer.mechanism == ImageMechanism::Attention;
    return has_layers ? &image->layer.stack : nullptr;
}

StackSettings* find_stack(Study& study) {
    return const_cast<StackSettings*>(find_stack(std::as_const(study)));
}

class NetworkPanel final : public Panel {
  public:
    const char* title() const override { return "Network"; }
    const char* help() const override {
        return "The sizes of the network. They can be changed before the first step; the weights "
               "are drawn anew then.";
    }

    void draw(PanelContext& context) override {
        const StackSettings* stack = find_stack(context.document.study);
        if (!stack) return widgets::hint(context, "This network has the sizes of its task.");
        const bool is_locked = context.training.has_begun();
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 4});
        ImGui::BeginDisabled(is_locked);
        draw_number(context, {"Layers", "How many attentions stand one over the other"},
                    &StackSettings::n_layers, {1, 6});
        StackSettings wanted = *stack;
        if (widgets::int_setting(context, {"Heads", "Attention heads in each layer"},
                                 wanted.attention.n_heads, {1, 16}))
            push(context, fmt::format("Set Heads to {}", wanted.attention.n_heads), wanted);
        draw_number(context, {"Model width", "The numbers that stand for one word"},
                    &StackSettings::d_model, {4, 256});
        draw_mlp(context, *stack);
        ImGui::EndDisabled();
        ImGui::PopStyleVar();
        if (is_locked) widgets::hint(context, kLocked);
    }

  private:
    static void push(PanelContext& context, const std::string& label, const StackSettings& wanted) {
        context.edits.push(
            label,
            [wanted](Document& document) {
                Study study = document.study;
                *find_stack(study) = wanted;
                set_settings(document, study);
            },
            label.substr(0, label.rfind(' ')));
    }

    static void draw_number(PanelContext& context, widgets::SettingName name,
                            int StackSettings::*number, Range<int> range) {
        StackSettings wanted = *find_stack(context.document.study);
        if (widgets::int_setting(context, name, wanted.*number, range))
            push(context, fmt::format("Set {} to {}", name.label, wanted.*number), wanted);
    }

    static void draw_mlp(PanelContext& context, StackSettings wanted) {
        static constexpr std::array kKinds = {"none", "ReLU", "GELU", "GELU tanh"};
        int kind = static_cast<int>(wanted.block.mlp);
        if (widgets::choice_setting(context, {"MLP", "Between two attentions, word by word"}, kind,
                                    kKinds)) {
            wanted.block.mlp = static_cast<Mlp>(kind);
            push(context, std::string("Set MLP to ") + kKinds[static_cast<std::size_t>(kind)],
                 wanted);
        }
        if (wanted.block.mlp == Mlp::None) return;
        if (widgets::int_setting(context, {"MLP width", "The width of its hidden layer"},
                                 wanted.block.d_ff, {4, 512}))
            push(context, fmt::format("Set MLP width to {}", wanted.block.d_ff), wanted);
    }
};

class RecipePanel final : public Panel {
  public:
    const char* title() const override { return "Training"; }
    const char* help() const override {
        return "Each step draws a batch of new examples, and moves the weights along the gradient "
               "of the loss. The learning rate rises over the first steps, then falls to 0 at the "
               "last one; it can be changed while the training runs.";
    }

    void draw(PanelContext& context) override {
        const TrainingView& training = context.training;
        Recipe recipe = training.recipe();
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 4});
        ImGui::BeginDisabled(training.has_begun());
        const bool is_changed = draw_begin(context, recipe);
        ImGui::EndDisabled();
        if (is_changed)
            context.requests.train([recipe](TrainingView& view, Workspace&) {
                view.change_recipe([&](Recipe& changed) {
                    changed.optimizer = recipe.optimizer;
                    changed.batch = recipe.batch;
                    changed.steps = recipe.steps;
                    changed.seed = recipe.seed;
                });
            });
        draw_rate(context, recipe.learning_rate);
        ImGui::PopStyleVar();
        if (!training.has_begun()) return;
        if (widgets::button(context, "Begin anew",
                            "A new run from new weights, with other settings if you like. The "
                            "study with its weights is one Undo back"))
            context.requests.train(
                [](TrainingView& view, Workspace& space) { view.begin_anew(space); });
    }

  private:
    static bool draw_begin(PanelContext& context, Recipe& recipe) {
        static constexpr std::array kRules = {"SGD", "Adam", "AdamW"};
        int rule = static_cast<int>(recipe.optimizer.rule);
        bool is_changed = widgets::choice_setting(
            context, {"Optimizer", "How the weights follow their gradients"}, rule, kRules);
        recipe.optimizer.rule = static_cast<Rule>(rule);
        is_changed |= widgets::int_setting(context, {"Batch", "Examples of one step"}, recipe.batch,
                                           {1, 512});
        int steps = static_cast<int>(recipe.steps);
        is_changed |=
            widgets::int_setting(context, {"Steps", "The learning rate falls to 0 at the last one"},
                                 steps, {10, 100'000});
        recipe.steps = steps;
        int seed = static_cast<int>(std::min<std::uint64_t>(recipe.seed, kMaxSeed));
        is_changed |= widgets::int_setting(
            context, {"Seed", "The first weights and all examples are drawn from it"}, seed,
            {0, kMaxSeed});
        recipe.seed = static_cast<std::uint64_t>(seed);
        return is_changed;
    }

    static void draw_rate(PanelContext& context, double rate) {
        if (widgets::rate_setting(context,
                                  {"Learning rate",
                                   "The highest of the run. Drag it while the training runs: it "
                                   "holds from the next step on"},
                                  rate, {1e-6, 10}))
            context.requests.train(
                [rate](TrainingView& view, Workspace&) { view.set_learning_rate(rate); });
    }
};

}  // namespace

std::unique_ptr<Panel> make_task_panel() {
    return std::make_unique<TaskPanel>();
}

std::unique_ptr<Panel> make_network_panel() {
    return std::make_unique<NetworkPanel>();
}

std::unique_ptr<Panel> make_recipe_panel() {
    return std::make_unique<RecipePanel>();
}

}  // namespace headlight
