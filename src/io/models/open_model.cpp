#include "io/models/open_model.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/models/model_config.h"
#include "io/models/model_files.h"
#include "io/models/model_layout.h"
#include "io/models/picture_processor.h"
#include "io/pictures/given_picture.h"
#include "io/tokenizers/read_tokenizer.h"
#include "model/evaluate.h"
#include "model/settings/setting_names.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// The files that decide the tokens of a text (see read_tokenizer()), or the pixels of a picture.
constexpr const char* kInputFiles[] = {"tokenizer.json",
                                       "tokenizer_config.json",
                                       "special_tokens_map.json",
                                       "added_tokens.json",
                                       "vocab.json",
                                       "merges.txt",
                                       "vocab.txt",
                                       kPictureProcessorFile};

/// "gpt2"; of a folder that huggingface_hub keeps in snapshots, "openai-community/gpt2".
std::string model_name(const fs::path& folder) {
    constexpr std::string_view kBefore = "models--", kSlash = "--";
    if (folder.parent_path().filename() != "snapshots")
        return printable(path_text(folder.filename()));
    std::string name = path_text(folder.parent_path().parent_path().filename());
    if (name.starts_with(kBefore)) name.erase(0, kBefore.size());
    if (const std::size_t at = name.find(kSlash); at != std::string::npos)
        name.replace(at, kSlash.size(), "/");
    return printable(name);
}

const StoredArray* find_array(const StoredArrays& arrays, std::string_view name) {
    const auto at = std::ranges::lower_bound(arrays, name, {}, &StoredArray::name);
    return at != arrays.end() && at->name == name ? &*at : nullptr;
}

/// Returns the array of a tensor that is in no layer; null if there is none.
const StoredArray* find_array_for(const Family& family, const StoredArrays& arrays,
                                  std::string_view tensor) {
    for (const FamilyRule& rule : family.rules)
        if (rule.tensor == tensor)
            if (const StoredArray* array = find_array(arrays, rule.array)) return array;
    return nullptr;
}

void fit_readout(StackSettings& settings, const Family& family, const StoredArrays& arrays,
                 std::vector<std::string>& notes) {
    // Without the head that names words there are no logits.
    const bool needs_matrix = settings.unembedding == Unembedding::Learned;
    const bool has_readout =
        settings.readout == Readout::MaskedWord
            ? find_array_for(family, arrays, "head.W") != nullptr
            : !needs_matrix || find_array_for(family, arrays, "W_U") != nullptr;
    if (has_readout) return;
    notes.push_back("was saved without the head that names words: it has no logits");
    settings.unembedding = Unembedding::None;
    settings.unembedding_bias = Switch::Off;
    settings.readout = Readout::NextWord;
}

/// Names each row of W_E, of which there may be more than tokens.
void name_pieces(PretrainedModel& model, Index n_rows) {
    Words pieces, shown;
    for (Index row = 0; row < n_rows; ++row) {
        const auto id = static_cast<PieceId>(row);
        const bool is_there = static_cast<std::size_t>(row) < model.tokenizer->size();
        std::string piece;
        if (is_there) piece = model.tokenizer->piece_at(id);
        const bool is_found = is_there && model.tokenizer->find_id(piece) == id;
        if (!is_found) piece = fmt::format("<row {}>", row);
        shown.push_back(is_found ? model.tokenizer->shown_piece(id) : piece);
        pieces.push_back(std::move(piece));
    }
    model.pieces = std::make_shared<const Words>(std::move(pieces));
    model.plain_pieces = choose_plain_pieces(model.pieces);
    model.shown_pieces = std::make_shared<const Words>(std::move(shown));
}

bool have_same_numbers(const StoredArray& a, const StoredArray& b) {
    constexpr std::uint64_t kAtOnce = 1 << 20;
    const std::uint64_t n = count_elements(a);
    if (n != count_elements(b)) return false;
    for (std::uint64_t first = 0; first < n; first += kAtOnce) {
        const auto size = static_cast<Index>(std::min(kAtOnce, n - first));
        Matrix of_a(1, size), of_b(1, size);
        read_numbers(a, first, view(of_a));
        read_numbers(b, first, view(of_b));
        if (of_a != of_b) return false;
    }
    return true;
}

/// Handles the matrix of a tied readout that was saved once more. If its numbers differ it is used,
/// as transformers does whatever config.json ties.
void untie_other_numbers(StackSettings& settings, const Family& family, const StoredArrays& arrays,
                         std::vector<std::string>& notes) {
    const StoredArray* W_U = find_array_for(family, arrays, "W_U");
    const StoredArray* W_E = find_array_for(family, arrays, "W_E");
    if (settings.unembedding != Unembedding::Tied || !W_U || !W_E) return;
    if (have_same_numbers(*W_U, *W_E)) return;
    settings.unembedding = Unembedding::Learned;
    notes.push_back(fmt::format(
        "{} differs from {}, to which config.json ties it: it is used, as transformers does",
        printable(W_U->name), printable(W_E->name)));
}

/// Throws Error if config.json names another number of positions than there are embeddings: longer
/// texts would have no positions, or get some that are not theirs. Some families count the rows
/// before the first position, others do not.
void check_says_positions(const ModelConfig& config, const Family& family,
                          const StoredArrays& arrays) {
    const StoredArray* W_pos = find_array_for(family, arrays, "W_pos");
    if (!W_pos) return;
    const auto n_rows = static_cast<int>(oriented_shape(*W_pos).rows);
    const int skipped = family.skipped_positions ? family.skipped_positions(config) : 0;
    for (const char* key : {"n_positions", "max_position_embeddings"})
        if (const int said = config.count(key, n_rows); said != n_rows && said + skipped != n_rows)
            throw Error(config.source(), "{} is {}, but there are embeddings of {} positions", key,
                        said, n_rows);
}

void read_pieces(PretrainedModel& model, const Family& family, const StoredArrays& arrays,
                 const ModelConfig& config) {
    const std::string source = path_text(model.folder);
    model.tokenizer = read_tokenizer(model.folder);
    const StoredArray* W_E = find_array_for(family, arrays, "W_E");
    if (!W_E) W_E = find_array_for(family, arrays, "encoder.W_E");
    if (!W_E) throw Error(source, "has no embeddings of tokens");
    const Index n_rows = oriented_shape(*W_E).rows;
    // A matrix may have been cut or extended, and config.json left as it was.
    if (const int said = config.count("vocab_size", static_cast<int>(n_rows)); said != n_rows)
        throw Error(config.source(), "vocab_size is {}, but there are embeddings of {} tokens",
                    said, n_rows);
    const std::size_t n_pieces = model.tokenizer->size();
    if (n_pieces > static_cast<std::size_t>(n_rows))
        throw Error(source, "its tokenizer has {} tokens, but there are embeddings of only {}",
                    n_pieces, n_rows);
    name_pieces(model, n_rows);
}

/// Names the pieces that stand before and after a target.
void name_ends(PretrainedModel& model, const ModelConfig& config) {
    const auto piece_at = [&](const char* key, int otherwise) {
        const int id = config.count(key, otherwise);
        if (static_cast<std::size_t>(id) >= model.tokenizer->size())
            throw Error(config.source(), "{} is {}, the tokenizer has {} tokens", key, id,
                        model.tokenizer->size());
        return model.tokenizer->piece_at(static_cast<PieceId>(id));
    };
    model.start_piece = piece_at("decoder_start_token_id", config.count("pad_token_id", 0));
    model.end_piece = piece_at("eos_token_id", 1);
}

void place_matrices(PretrainedModel& model, const ModelLayout& layout) {
    std::set<std::tuple<std::size_t, Index, Index>> counted;
    for (std::size_t k = 0; k < layout.paths.size(); ++k) {
        const ArrayPart& part = layout.parts[k];
        const bool is_turned = part.turn == Turn::Transposed;
        const PretrainedMatrix matrix{static_cast<Index>(k), is_turned ? part.columns : part.rows,
                                      is_turned ? part.rows : part.columns};
        model.matrices.emplace(layout.paths[k], matrix);
        // An array may be two tensors, as the embeddings of an encoder and a decoder.
        if (counted.emplace(part.array, part.first_row, part.first_column).second)
            model.size_bytes += static_cast<double>(matrix.rows * matrix.columns) * sizeof(Scalar);
    }
}

void note_left_over(bool refuses_left_over, std::vector<std::string> names,
                    const std::string& source, std::vector<std::string>& notes) {
    if (names.empty()) return;
    for (std::string& name : names) name = printable(name);
    if (refuses_left_over)
        throw Error(source,
                    "has arrays that its config.json does not speak of, which is not supported: {}",
                    list_few(names));
    notes.push_back("not used: " + list_few(names));
}

void note_unknown_keys(const Family& family, const ModelConfig& config,
                       std::vector<std::string>& notes) {
    for (std::string& note : notes_of_other_programs(config, family.type))
        notes.push_back(std::move(note));
    std::vector<std::string> keys = unknown_keys(config);
    for (std::string& key : keys) key = printable(key);
    if (!keys.empty())
        notes.push_back("keys of config.json that are not known, and not used: " + list_few(keys));
}

// ---- pictures ----

/// Names the classes. A name that was there before gets its number after it, so that all differ.
SharedNames names_of_classes(const ModelConfig& config, int n_classes) {
    const auto object = config.object("id2label");
    if (!object) return nullptr;
    std::vector<std::string> names;
    std::set<std::string> met;
    for (int c = 0; c < n_classes; ++c) {
        const auto name = object->find(std::to_string(c));
        if (!name) return nullptr;
        std::string unique = name->text();
        if (!met.insert(unique).second) unique += fmt::format(" ({})", c);
        names.push_back(std::move(unique));
    }
    return std::make_shared<const std::vector<std::string>>(std::move(names));
}

WeightMatrix row_of(const std::array<float, 3>& numbers) {
    Matrix row(1, std::ssize(numbers));
    std::ranges::copy(numbers, row.data());
    return {std::make_shared<const Matrix>(std::move(row))};
}

/// Reads how pictures are prepared for the model. Returns the numbers that are in no array.
WeightMatrices read_processor(ImageStudy& study, PretrainedModel& model) {
    const PictureProcessor processor =
        read_picture_processor(model.folder, {study.rows, study.columns});
    model.preparation = processor.preparation;
    if (!processor.normalizes()) return {};
    study.layer.normalized = Switch::On;
    return {{"image_mean", row_of(processor.mean)}, {"image_std", row_of(processor.deviation)}};
}

/// Reads the classes that a matrix tells apart; there are none if the model was saved without it.
void read_classes(ImageStudy& study, PretrainedModel& model, const ModelConfig& config,
                  const StoredArray* W_C) {
    if (!W_C) return;
    study.layer.n_classes = static_cast<int>(std::min<Index>(oriented_shape(*W_C).rows, kMaxWidth));
    model.classes = names_of_classes(config, study.layer.n_classes);
}

SharedWeights weights_with(PretrainedModel model, const Family& family, std::uint64_t checksum,
                           WeightMatrices given) {
    Weights weights;
    weights.matrices = std::move(given);
    weights.origin = fmt::format("{}, a pretrained {}", model.name, family.title);
    weights.checksum = checksum;
    weights.file = model.folder;
    weights.is_model = true;
    weights.model = std::make_shared<const PretrainedModel>(std::move(model));
    return std::make_shared<const Weights>(std::move(weights));
}

/// Returns a study of a black picture.
Document blank_study(const OpenedModel& model) {
    Document document{.study = model.study, .interventions = {}, .weights = model.weights};
    ImageStudy& study = *document.image();
    study.pixels.resize(static_cast<std::size_t>(study.rows) *
                        static_cast<std::size_t>(study.columns) *
                        static_cast<std::size_t>(study.channels));
    return document;
}

/// Returns a study of the least that the model can read.
Document smallest_study(const OpenedModel& model) {
    if (input_of(model) == ModelInput::Picture) return blank_study(model);
    const GraphStudy* graph = std::get_if<GraphStudy>(&model.study);
    if (!graph) return model_study(model, "a");
    Graph one;
    one.add_node("a", 0, 0);
    one.nodes[0].features =
        Features(std::vector<float>(static_cast<std::size_t>(graph->layer.d_in)));
    return model_study(model, std::move(one));
}

/// Returns the model's plan. Throws Error in the name of config.json if its settings contradict
/// each other.
std::shared_ptr<const Plan> plan_of(const OpenedModel& model, const ModelConfig& config) {
    try {
        return plan(smallest_study(model));
    } catch (const Error& error) {
        throw Error(config.source(), error.without_name());
    }
}

/// Returns a checksum of the settings, of the files that decide the input, and of every weight.
std::uint64_t model_checksum(const StoredArrays& arrays, const fs::path& config) {
    Fnv1a sum;
    sum.add_bytes(read_dense_file(config));
    for (const char* name : kInputFiles) {
        const fs::path file = config.parent_path() / name;
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored)) sum.add_words(read_dense_file(file));
    }
    sum.add(weights_checksum(arrays));
    return sum.value();
}

}  // namespace

bool is_model_folder(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(path / "config.json", ignored);
    return fs::exists(status) && !fs::is_directory(status);
}

namespace {

/// Opens the folder as a model of that family.
OpenedModel open_as(const Family& family, const ModelConfig& config, const fs::path& folder,
                    bool refuses_left_over) {
    const std::string source = path_text(folder);
    Study study = family.study(config);
    if (!family.refuses_left_over) refuse_other_arithmetic(config);
    ModelFiles files = find_model_files(folder);
    files.arrays = renamed(family, std::move(files.arrays), source);
    OpenedModel opened{{}, std::move(study), std::move(files.notes)};
    PretrainedModel model{.name = model_name(folder), .folder = folder.native()};
    WeightMatrices in_no_array;
    if (SentenceStudy* sentence = std::get_if<SentenceStudy>(&opened.study)) {
        fit_readout(sentence->layer, family, files.arrays, opened.notes);
        untie_other_numbers(sentence->layer, family, files.arrays, opened.notes);
        check_says_positions(config, family, files.arrays);
        read_pieces(model, family, files.arrays, config);
    } else if (ImageStudy* image = std::get_if<ImageStudy>(&opened.study)) {
        read_classes(*image, model, config, find_array_for(family, files.arrays, "W_C"));
        in_no_array = read_processor(*image, model);
    } else if (AlignmentStudy* alignment = std::get_if<AlignmentStudy>(&opened.study)) {
        if (find_array_for(family, files.arrays, "W_U"))  // used, whatever config.json ties
            alignment->layer.unembedding = Unembedding::Learned;
        read_pieces(model, family, files.arrays, config);
        name_ends(model, config);
    }
    const std::uint64_t checksum = model_checksum(files.arrays, folder / "config.json");
    opened.weights = weights_with(model, family, checksum, in_no_array);
    const auto made = plan_of(opened, config);
    ModelLayout layout = lay_out_model(family, config, *made, files.arrays, source);
    place_matrices(model, layout);
    note_left_over(refuses_left_over, std::move(layout.left_over), source, opened.notes);
    if (!family.refuses_left_over) note_unknown_keys(family, config, opened.notes);
    if (model.tokenizer)
        for (const std::string& note : model.tokenizer->notes()) opened.notes.push_back(note);
    model.source = model_source(std::move(files.arrays), std::move(layout.parts));
    opened.weights = weights_with(std::move(model), family, checksum, std::move(in_no_array));
    return opened;
}

/// Opens a model of an unknown type as one of the family that takes all its keys and arrays.
/// Nothing if there is none.
std::optional<OpenedModel> open_by_contents(const std::string& type, const fs::path& folder) {
    if (computes_otherwise(type)) return std::nullopt;
    for (const Family& family : families()) {
        try {
            const ModelConfig config(folder);
            OpenedModel opened = open_as(family, config, folder, true);
            if (!unknown_keys(config).empty()) continue;
            opened.notes.insert(
                opened.notes.begin(),
                fmt::format("models of the type '{}' are not known; the keys of its config.json "
                            "and its arrays are those of {}, and so it is computed as one",
                            printable(type), family.title));
            return opened;
        } catch (const Error&) {  // the next family may take it
        }
    }
    return std::nullopt;
}

}  // namespace

OpenedModel open_model(const fs::path& given) {
    std::error_code ignored;
    fs::path folder = fs::absolute(given, ignored).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    const ModelConfig config(folder);
    if (const std::string type = config.model_type(); !find_family(type))
        if (auto opened = open_by_contents(type, folder)) return *std::move(opened);
    const Family& family = family_for(config);
    return open_as(family, config, folder, family.refuses_left_over);
}

SharedWeights read_model_weights(const fs::path& folder, std::uint64_t checksum) {
    const SharedWeights weights = open_model(folder).weights;
    if (checksum != 0 && weights->checksum != checksum)
        throw Error(path_text(folder),
                    "holds another model than the study was saved with; bring that one back, or "
                    "open this one anew");
    return weights;
}

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
