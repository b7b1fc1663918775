#include "io/models/open_model.h"

#include <algorithm>
#include <system_error>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/models/model_files.h"
#include "io/models/model_layout.h"
#include "io/text/printable.h"
#include "io/tokenizers/read_tokenizer.h"
#include "model/evaluate.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// What the tokens of a text depend on, see read_tokenizer().
constexpr const char* kTokenizerFiles[] = {"tokenizer.json",
                                           "tokenizer_config.json",
                                           "special_tokens_map.json",
                                           "added_tokens.json",
                                           "vocab.json",
                                           "merges.txt",
                                           "vocab.txt"};

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

/// The array of a tensor that is in no layer; null if there is none.
const StoredArray* find_array_for(const Family& family, const StoredArrays& arrays,
                                  std::string_view tensor) {
    for (const FamilyRule& rule : family.rules)
        if (rule.tensor == tensor)
            if (const StoredArray* array = find_array(arrays, rule.array)) return array;
    return nullptr;
}

/// A network that was saved without the head that names words has no logits.
bool has_readout(const StackSettings& settings, const Family& family, const StoredArrays& arrays) {
    if (settings.readout == Readout::MaskedWord)
        return find_array_for(family, arrays, "head.W") != nullptr;
    return settings.unembedding != Unembedding::Learned ||
           find_array_for(family, arrays, "W_U") != nullptr;
}

void leave_out_readout(StackSettings& settings) {
    settings.unembedding = Unembedding::None;
    settings.unembedding_bias = Switch::Off;
    settings.readout = Readout::NextWord;
}

/// One name a row of W_E, which may have more rows than there are tokens.
void name_pieces(PretrainedModel& model, Index n_rows) {
    Words pieces, shown;
    for (Index row = 0; row < n_rows; ++row) {
        const auto id = static_cast<PieceId>(row);
        const bool is_there = static_cast<std::size_t>(row) < model.tokenizer->size();
        std::string piece;
        if (is_there) piece = model.tokenizer->piece_at(id);
        const bool is_found = is_there && model.tokenizer->find_id(piece) == id;
        if (!is_found) piece = "<row " + std::to_string(row) + ">";
        shown.push_back(is_found ? model.tokenizer->shown_piece(id) : piece);
        pieces.push_back(std::move(piece));
    }
    model.pieces = std::make_shared<const Words>(std::move(pieces));
    model.shown_pieces = std::make_shared<const Words>(std::move(shown));
}

void check_vocabulary(const PretrainedModel& model, Index n_rows, const std::string& source) {
    const std::size_t n_pieces = model.tokenizer->size();
    if (n_pieces > static_cast<std::size_t>(n_rows))
        throw Error(source, "its tokenizer has " + std::to_string(n_pieces) +
                                " tokens, but there are embeddings of only " +
                                std::to_string(n_rows));
}

SharedWeights weights_with(PretrainedModel model, const Family& family, std::uint64_t checksum) {
    Weights weights;
    weights.origin = model.name + ", a pretrained " + std::string(family.title);
    weights.checksum = checksum;
    weights.file = model.folder;
    weights.is_model = true;
    weights.model = std::make_shared<const PretrainedModel>(std::move(model));
    return std::make_shared<const Weights>(std::move(weights));
}

/// The plan of a short text. Settings that contradict each other are those of config.json.
std::shared_ptr<const Plan> plan_of(const OpenedModel& model, const ModelConfig& config) {
    try {
        return plan(model_study(model, "a"));
    } catch (const Error& error) {
        const std::string what = error.what();
        throw Error(config.source(), what.substr(what.find("] ") + 2));
    }
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// Of the settings, the tokenizer and every weight.
std::uint64_t model_checksum(const StoredArrays& arrays, const fs::path& config) {
    Fnv1a sum;
    sum.add_bytes(read_dense_file(config));
    for (const char* name : kTokenizerFiles)
        if (is_file(config.parent_path() / name))
            sum.add_words(read_dense_file(config.parent_path() / name));
    sum.add(weights_checksum(arrays));
    return sum.value();
}

}  // namespace

bool is_model_folder(const fs::path& path) {
    return is_file(path / "config.json");
}

OpenedModel open_model(const fs::path& given) {
    std::error_code ignored;
    fs::path folder = fs::absolute(given, ignored).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    const std::string source = path_text(folder);
    const ModelConfig config(folder);
    const Family& family = family_for(config);
    ModelFiles files = find_model_files(folder);
    files.arrays = renamed(family, std::move(files.arrays), source);
    OpenedModel opened{{}, family.settings(config), std::move(files.notes)};
    if (!has_readout(opened.settings, family, files.arrays)) {
        leave_out_readout(opened.settings);
        opened.notes.push_back("was saved without the head that names words: it has no logits");
    }

    PretrainedModel model{.name = model_name(folder), .folder = folder.native()};
    model.tokenizer = read_tokenizer(folder);
    const StoredArray* W_E = find_array_for(family, files.arrays, "W_E");
    if (!W_E) throw Error(source, "has no embeddings of tokens");
    const Index n_rows = oriented_shape(*W_E).rows;
    check_vocabulary(model, n_rows, source);
    name_pieces(model, n_rows);

    const std::uint64_t checksum = model_checksum(files.arrays, folder / "config.json");
    opened.weights = weights_with(model, family, checksum);
    const auto made = plan_of(opened, config);
    ModelLayout layout = lay_out_model(family, config, *made, files.arrays, source);
    for (std::size_t k = 0; k < layout.paths.size(); ++k) {
        const ArrayPart& part = layout.parts[k];
        const bool is_turned = part.turn == Turn::Transposed;
        const PretrainedMatrix matrix{static_cast<Index>(k), is_turned ? part.columns : part.rows,
                                      is_turned ? part.rows : part.columns};
        model.matrices.emplace(layout.paths[k], matrix);
        model.size_bytes += static_cast<double>(matrix.rows * matrix.columns) * sizeof(Scalar);
    }
    for (std::string& name : layout.left_over) name = printable(name);
    if (!layout.left_over.empty())
        opened.notes.push_back("not used: " + list_few(layout.left_over));
    for (const std::string& note : model.tokenizer->notes()) opened.notes.push_back(note);
    model.source = model_source(std::move(files.arrays), std::move(layout.parts));
    opened.weights = weights_with(std::move(model), family, checksum);
    return opened;
}

SharedWeights read_model_weights(const fs::path& folder, std::uint64_t checksum) {
    const SharedWeights weights = open_model(folder).weights;
    if (checksum != 0 && weights->checksum != checksum)
        throw Error(path_text(folder),
                    "holds another model than the study was saved with; bring that one back, or "
                    "open this one anew");
    return weights;
}

Document model_study(const OpenedModel& model, std::string text) {
    return {.study = SentenceStudy{.text = std::move(text), .layer = model.settings},
            .interventions = {},
            .weights = model.weights};
}

}  // namespace headlight
