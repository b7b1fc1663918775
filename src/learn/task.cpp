#include "learn/task.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/error.h"
#include "learn/image_task.h"
#include "learn/pair_task.h"
#include "learn/sequence_task.h"
#include "learn/tasks/graph_tasks.h"
#include "learn/tasks/questions_task.h"
#include "learn/tasks/shapes_source.h"
#include "learn/tasks/shifts_task.h"
#include "learn/tasks/story_source.h"
#include "learn/tasks/symbol_sources.h"
#include "learn/tasks/translation_source.h"
#include "learn/tasks/who_source.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Returns the document with the text or the picture of the other one, and without weights and
/// edits, which are no network.
Document network_for(Document document, const Document& text) {
    document.weights = nullptr;
    document.interventions.clear();
    document.seed = text.seed;
    if (SentenceStudy* study = document.sentence(); study && text.sentence())
        study->text = text.sentence()->text, study->decoding = text.sentence()->decoding;
    ImageStudy* const image = document.image();
    const ImageStudy* const other = text.image();
    if (image && other && image->rows == other->rows && image->columns == other->columns &&
        image->channels == other->channels)
        image->pixels = other->pixels, image->picture = other->picture;
    if (AlignmentStudy* study = document.alignment(); study && text.alignment()) {
        study->source = text.alignment()->source;
        study->target = text.alignment()->target;
    }
    return document;
}

Recipe who_recipe(LastLayer last_layer) {
    return {.task = "who-is-it",
            .study = who_study(last_layer),
            .steps = 5000,
            .batch = 64,
            .learning_rate = 3e-3,
            .warm_up = 50,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

Recipe looking_recipe() {
    return who_recipe(LastLayer::Pointing);
}

Recipe twin_recipe() {
    Recipe recipe = who_recipe(LastLayer::Block);
    recipe.task = "never-looks";
    recipe.steps = 3000;
    return recipe;
}

template <typename Made>
std::unique_ptr<Task> make_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<Made>(recipe, shard_size);
}

std::unique_ptr<Task> make_node_task(const Recipe& recipe, int) {
    return std::make_unique<NodeTask>(recipe);
}

template <typename Source>
std::unique_ptr<Task> make_pair_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<PairTask>(std::make_unique<Source>(), recipe, shard_size);
}

template <typename Source>
std::unique_ptr<Task> make_image_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<ImageTask>(std::make_unique<Source>(), recipe, shard_size);
}

template <typename Source>
std::unique_ptr<Task> make_sequence_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<SequenceTask>(std::make_unique<Source>(), recipe, shard_size);
}

constexpr std::array kTasks = {
    TaskEntry{"who-is-it", "Who is it?",
              "Which noun of a sentence “it” stands for: the last adjective decides.",
              looking_recipe, make_sequence_task<WhoSource>},
    TaskEntry{"three-questions", "Three questions",
              "Each word asks who, in what state, doing what; a head points at each answer.",
              questions_recipe, make_task<QuestionsTask>},
    TaskEntry{"never-looks", "Who is it? without looking",
              "The same task, learned as well by heads of the last layer that look elsewhere.",
              twin_recipe, make_sequence_task<WhoSource>},
    TaskEntry{"induction", "Induction",
              "Random words are said again: what came after a word comes after it again.",
              induction_recipe, make_sequence_task<InductionSource>},
    TaskEntry{"induction-one-layer", "Induction with one layer",
              "The same task for one layer of attention, which cannot learn it.", one_layer_recipe,
              make_sequence_task<InductionSource>},
    TaskEntry{"language-model", "Language model",
              "Little stories, word by word: who, where and what must be remembered.",
              language_model_recipe, make_sequence_task<StorySource>},
    TaskEntry{"previous-word", "Previous word",
              "What comes next is the word before the last one: “k f q b”, then “q”.",
              previous_word_recipe, make_sequence_task<PreviousWordSource>},
    TaskEntry{"copy", "Copy", "Letters, and the same again: “c a d b = c a d b”.", copy_recipe,
              make_sequence_task<LettersTo<LettersSource::Answer::Copy>>},
    TaskEntry{"reverse", "Reverse", "Letters from back to front: “c a d b = b d a c”.",
              reverse_recipe, make_sequence_task<LettersTo<LettersSource::Answer::Reverse>>},
    TaskEntry{"sort", "Sort", "Letters in the order of the alphabet: “c a d b = a b c d”.",
              sort_recipe, make_sequence_task<LettersTo<LettersSource::Answer::Sort>>},
    TaskEntry{"brackets", "Brackets", "Is each bracket closed? “( ( ) ) = balanced”.",
              brackets_recipe, make_sequence_task<BracketsSource>},
    TaskEntry{"addition", "Addition",
              "Two numbers and their sum from the ones on: “4 7 + 3 8 = 5 8 .” is 85.",
              addition_recipe, make_sequence_task<AdditionSource>},
    TaskEntry{"karate", "Karate club, by GAT",
              "Which faction each member followed, from two that are known; GAT.",
              karate_gat_recipe, make_node_task},
    TaskEntry{"karate-gatv2", "Karate club, by GATv2",
              "Which faction each member followed, from two that are known; GATv2.",
              karate_gatv2_recipe, make_node_task},
    TaskEntry{"three-groups", "Three groups of a graph",
              "Which group each of 60 nodes belongs to, from three known ones of each.",
              partition_recipe, make_node_task},
    TaskEntry{"dictionary", "Dictionary lookup, by GATv2",
              "Every query says the value of its own key; GATv2 can learn it.",
              dictionary_gatv2_recipe, make_task<DictionaryTask>},
    TaskEntry{"dictionary-gat", "Dictionary lookup, by GAT",
              "The same with GAT, which ranks the keys alike for every query, and cannot.",
              dictionary_gat_recipe, make_task<DictionaryTask>},
    TaskEntry{"translation", "Translation",
              "English to French: each French word reads the English word that it comes from.",
              translation_recipe, make_pair_task<TranslationSource>},
    TaskEntry{"translation-transformer", "Translation, by a Transformer",
              "The same by an encoder and a decoder of two layers each.",
              transformer_translation_recipe, make_pair_task<TranslationSource>},
    TaskEntry{"translation-without-attention", "Translation without attention",
              "The same by a decoder that sees the encoder's last states only.",
              blind_translation_recipe, make_pair_task<TranslationSource>},
    TaskEntry{"shapes", "Shapes",
              "A disc, a square, a triangle or a cross? Heads look at the object, not the clutter.",
              shapes_recipe, make_image_task<ShapesSource>},
    TaskEntry{
        "shifts", "Shifts of a convolution",
        "Nine heads begin to look anywhere, and learn the nine neighbours of a pixel. Right: all "
        "nine within 0.02.",
        shifts_recipe, make_task<ShiftsTask>},
};

}  // namespace

bool have_same_network(const Document& a, const Document& b) {
    return network_for(a, b) == network_for(b, b);
}

std::span<const TaskEntry> tasks() {
    return kTasks;
}

Document TaskEntry::study(SharedWeights weights) const {
    Document document = recipe().study;
    document.weights = std::move(weights);
    return document;
}

const TaskEntry* find_task(std::string_view name) {
    const auto found = std::ranges::find(
        kTasks, name, [](const TaskEntry& task) { return std::string_view(task.name); });
    return found == kTasks.end() ? nullptr : &*found;
}

std::string no_task_text(std::string_view name) {
    return fmt::format("there is no task '{}'; there are {}", name,
                       joined(kTasks, ", ", &TaskEntry::name));
}

const TaskEntry& task_named(std::string_view name) {
    if (const TaskEntry* task = find_task(name)) return *task;
    throw Error("training", no_task_text(name));
}

}  // namespace headlight
