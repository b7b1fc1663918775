#include "io/arrays/recording.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/arrays/array_file.h"
#include "io/arrays/recording_faults.h"
#include "io/arrays/recording_index.h"
#include "io/arrays/recording_shards.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "io/pictures/given_picture.h"
#include "io/recognise.h"
#include "io/text/token_list.h"
#include "model/changes.h"
#include "model/imports/known_names.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// The picture that was looked at last is kept.
class FolderOfPictures {
  public:
    FolderOfPictures(std::shared_ptr<const std::vector<RecordedText>> texts, fs::path folder)
        : texts_(std::move(texts)), folder_(std::move(folder)) {}

    void read(Index text, Index first_row, View rows) {
        const std::lock_guard lock(mutex_);
        if (text != text_) open(text);
        constexpr Index kChannels = 3;
        std::copy_n(pixels_->begin() + first_row * kChannels, rows.size(), rows.data());
    }

  private:
    void open(Index text) {
        const RecordedPatches& patches = *(*texts_)[static_cast<std::size_t>(text)].patches;
        const fs::path file = folder_ / patches.picture;
        ImageStudy picture;
        give_picture(picture, file, {});
        if (const PictureSize size{picture.rows, picture.columns}; !(size == patches.pixels))
            throw Error(path_text(file), "is {}, but the recording's index says {}",
                        size_words(size), size_words(patches.pixels));
        pixels_ = picture.picture->pixels;
        text_ = text;
    }

    static std::string size_words(PictureSize size) {
        return fmt::format("{} rows of {} pixels", size.rows, size.columns);
    }

    std::shared_ptr<const std::vector<RecordedText>> texts_;
    fs::path folder_;
    std::mutex mutex_;
    Index text_ = -1;
    std::shared_ptr<const std::vector<float>> pixels_;
};

/// Matrices by text: one row a pixel, its red, green and blue from 0 to 1; null if the texts have
/// no pictures. Throws Error if a picture is not in the folder; reading throws Error, naming the
/// picture, if it is none or not of the size that the index says.
std::shared_ptr<const MatrixSource> pictures_in_folder(const RecordingIndex& index,
                                                       const fs::path& folder) {
    for (const RecordedText& text : *index.texts) {
        if (!text.patches) return nullptr;
        std::error_code ignored;
        if (!fs::is_regular_file(folder / text.patches->picture, ignored))
            throw Error(path_text(folder / text.patches->picture),
                        "is missing or no file; the recording's index names it as a picture");
    }
    const auto pictures = std::make_shared<FolderOfPictures>(index.texts, folder);
    return std::make_shared<const MatrixSource>(
        MatrixSource{[pictures](Index text, Index first_row, View rows) {
            pictures->read(text, first_row, rows);
        }});
}

namespace fs = std::filesystem;

/// The patterns of a file: layer l begins at element `firsts[l]` of `arrays[l]`.
struct Patterns {
    std::vector<StoredArray> arrays;
    std::vector<std::uint64_t> firsts;
    std::uint64_t n_heads = 1, n = 0;

    void read(Index pattern, Index first_row, View rows) const {
        const auto at = static_cast<std::uint64_t>(pattern);
        const std::size_t layer = at / n_heads;
        read_numbers(
            arrays[layer],
            firsts[layer] + at % n_heads * n * n + static_cast<std::uint64_t>(first_row) * n, rows);
    }
};

bool is_text(const StoredArray& array) {
    return array.type.kind == NumberKind::Text || array.type.kind == NumberKind::Bytes;
}

bool is_attention(const StoredArray& array) {
    const std::size_t n = array.shape.size();
    return !is_text(array) && n >= 3 && array.shape[n - 1] == array.shape[n - 2];
}

std::string named(const StoredArray& array) {
    return fmt::format("{} {}", in_quotes(array.name), shape_list(array.shape));
}

[[noreturn]] void fail_without_attention(const ArrayFile& file, const std::string& name) {
    std::string arrays;
    constexpr std::size_t kShown = 5;
    for (std::size_t i = 0; i < std::min(kShown, file.arrays.size()); ++i)
        arrays += (i ? ", " : "") + named(file.arrays[i]);
    if (file.arrays.size() > kShown) arrays += ", …";
    throw Error(name,
                "holds no recorded attention, an array of [layers, heads, n, n] or [heads, n, n]; "
                "it holds {}. Weights are imported into a study: headlight import STUDY FILE",
                arrays.empty() ? "no array" : arrays);
}

/// [layers, heads, n, n], with a batch of one after the layers, or [heads, n, n].
Patterns patterns_in_one(const StoredArray& array) {
    const auto& shape = array.shape;
    if (shape.size() > 5 || (shape.size() == 5 && shape[1] != 1))
        throw Error(array.data.name,
                    "is {}; read are [layers, heads, n, n] and [heads, n, n]. Of a batch save one: "
                    "attention[:, 0]",
                    shape_list(shape));
    Patterns patterns;
    patterns.n = shape.back();
    patterns.n_heads = shape[shape.size() - 3];
    const std::uint64_t n_layers = shape.size() == 3 ? 1 : shape[0];
    const std::uint64_t layer = n_layers == 0 ? 0 : count_elements(array) / n_layers;
    if (n_layers > kMaxPatterns) throw Error(array.data.name, "has too many layers");
    for (std::uint64_t l = 0; l < n_layers; ++l) {
        patterns.arrays.push_back(array);
        patterns.firsts.push_back(l * layer);
    }
    return patterns;
}

/// One array a layer: [heads, n, n], or with a batch of one before the heads.
Patterns patterns_of_layers(std::vector<StoredArray> layers) {
    std::ranges::sort(layers, {}, [](const StoredArray& array) { return numbered(array.name); });
    const StoredArray& first = layers[0];
    for (const StoredArray& layer : layers) {
        if (layer.shape != first.shape)
            throw Error(layer.data.name, "is {}, but {}; layers must be of one shape",
                        shape_list(layer.shape), named(first));
        if (layer.shape.size() > 4 || (layer.shape.size() == 4 && layer.shape[0] != 1))
            throw Error(layer.data.name,
                        "is {}, and there are several such arrays; one array a layer is [heads, n, "
                        "n], all layers in one are [layers, heads, n, n]",
                        shape_list(layer.shape));
    }
    Patterns patterns;
    patterns.n = first.shape.back();
    patterns.n_heads = first.shape[first.shape.size() - 3];
    patterns.firsts.assign(layers.size(), 0);
    patterns.arrays = std::move(layers);
    return patterns;
}

void check(const Patterns& patterns, const std::string& name) {
    for (const StoredArray& array : patterns.arrays)
        if (array.layout == Layout::ColumnByColumn)
            throw Error(array.data.name,
                        "stands column by column; save it with numpy.ascontiguousarray");
    if (patterns.n == 0 || patterns.n_heads == 0 || patterns.arrays.empty())
        throw Error(name, "its attention is empty: there is no layer, head or token");
    if (patterns.n > kMaxWords)
        throw Error(name, "has {} tokens; at most {} are shown: save a part of them", patterns.n,
                    kMaxWords);
    if (patterns.n_heads > kMaxPatterns / patterns.arrays.size())
        throw Error(name, "has {} of {}; at most {} heads are shown",
                    counted(std::ssize(patterns.arrays), "layer"),
                    counted(static_cast<std::int64_t>(patterns.n_heads), "head"), kMaxPatterns);
}

Patterns find_patterns(const ArrayFile& file, const std::string& name) {
    std::vector<StoredArray> found;
    std::ranges::copy_if(file.arrays, std::back_inserter(found), is_attention);
    if (found.empty()) fail_without_attention(file, name);
    Patterns patterns =
        found.size() == 1 ? patterns_in_one(found[0]) : patterns_of_layers(std::move(found));
    check(patterns, name);
    return patterns;
}

// ---- tokens ----

using Tokens = std::vector<std::string>;

void check_count(const Tokens& tokens, std::uint64_t n, const std::string& where) {
    if (tokens.size() != n)
        throw Error(where, "has {}, but the patterns are {} × {}; give each row one",
                    counted(std::ssize(tokens), "token"), n, n);
}

/// Among the arrays, or in the metadata: as many as there are patterns' rows.
std::optional<Tokens> find_own_tokens(const ArrayFile& file, const ByteSource& bytes) {
    for (const StoredArray& array : file.arrays)
        if (array.name == "tokens" && is_text(array)) return read_texts(array);
    const std::string beginning =
        bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    if (array_format(beginning, bytes.size) != ArrayFormat::Safetensors) return std::nullopt;
    const auto metadata = read_safetensors_metadata(bytes);
    const auto tokens = metadata.find("tokens");
    if (tokens == metadata.end()) return std::nullopt;
    return parse_tokens(tokens->second, bytes.name + ": __metadata__.tokens");
}

fs::path find_token_file(const fs::path& path) {
    for (const char* ending : {".tokens.json", ".tokens.txt", ".json", ".txt"}) {
        fs::path file = path;
        file.replace_extension();
        file += ending;
        std::error_code ignored;
        if (file != path && fs::is_regular_file(file, ignored)) return file;
    }
    return {};
}

Tokens numbers_up_to(std::uint64_t n) {
    Tokens tokens;
    for (std::uint64_t i = 0; i < n; ++i) tokens.push_back(std::to_string(i));
    return tokens;
}

/// What lies beside the file and does not fit is noted.
Tokens tokens_beside(const fs::path& path, std::uint64_t n, std::vector<std::string>& notes) {
    const fs::path beside = find_token_file(path);
    try {
        const Tokens tokens = beside.empty() ? numbers_up_to(n) : read_token_file(beside, n);
        check_count(tokens, n, path_text(beside));
        if (beside.empty()) notes.push_back("no tokens were recorded: they are numbered");
        return tokens;
    } catch (const Error& error) {
        notes.push_back(std::string("tokens are numbered: ") + error.what());
        return numbers_up_to(n);
    }
}

// ---- the study ----

/// An archive compares the checksum where an array is read in one piece.
void check_whole(const Patterns& patterns) {
    const StoredArray* checked = nullptr;
    for (const StoredArray& array : patterns.arrays) {
        if (!checked || array.name != checked->name) array.data.bytes(0, array.data.size);
        checked = &array;
    }
}

ArrayFile arrays_in(const ByteSource& bytes, const std::string& name) {
    if (auto arrays = find_arrays(bytes, name)) return std::move(*arrays);
    const std::string beginning =
        bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    throw Error(bytes.name, beginning.empty()
                                ? "is empty"
                                : "is neither NPY, NPZ nor safetensors" + recognised_as(beginning));
}

/// The study of a recording, with tokens that have no text yet.
RecordedStudy study_from_arrays(const ArrayFile& file, const std::string& name) {
    Patterns patterns = find_patterns(file, name);
    const auto n_heads = static_cast<int>(patterns.n_heads);
    RecordedStudy study{.file = {},
                        .text = {Tokens(patterns.n), {}},
                        .attentions = {{.n_layers = static_cast<int>(patterns.arrays.size()),
                                        .n_heads = n_heads,
                                        .n_kv_heads = n_heads}},
                        .notes = file.notes,
                        .is_looked_through = is_small_recording(
                            patterns.arrays.size() * patterns.n_heads, patterns.n)};
    if (study.is_looked_through) check_whole(patterns);
    study.source = std::make_shared<const MatrixSource>(
        MatrixSource{[patterns = std::move(patterns)](Index pattern, Index first_row, View rows) {
            patterns.read(pattern, first_row, rows);
        }});
    if (study.is_looked_through)
        std::ranges::move(all_faults(study), std::back_inserter(study.notes));
    return study;
}

// ---- an index ----

std::string absolute_path(const fs::path& path) {
    std::error_code ignored;
    return fs::absolute(path, ignored).lexically_normal().native();
}

constexpr JsonLimits kIndexLimits{.depth = 16};

void set_text(RecordedStudy& study, int number) {
    if (number >= study.count_texts())
        throw Error(study.file, "there is no text {}; the recording has {}", number + 1,
                    study.count_texts());
    show_recorded_text(study, number);
}

RecordedStudy study_from_index(RecordingIndex index, std::shared_ptr<const MatrixSource> source,
                               int number) {
    RecordedStudy study{.file = {},
                        .text = {},
                        .attentions = index.attentions,
                        .source = std::move(source),
                        .texts = index.texts};
    if (!index.model.empty()) study.notes.push_back("from " + printable(index.model));
    set_text(study, number);
    check_recorded_text(*study.source, index, number);
    return study;
}

RecordingIndex parse_index(const std::string& json, const std::string& source, ShardsAre shards) {
    return read_recording_index({source, parse_json(json, source, kIndexLimits)}, shards);
}

RecordedStudy study_with_own_index(const ByteSource& bytes, const std::string& json, int number) {
    RecordingIndex index =
        parse_index(json, bytes.name + ": __metadata__.attention_index", ShardsAre::Within);
    auto source = matrices_in_file(index, bytes);
    return study_from_index(std::move(index), std::move(source), number);
}

/// Shards that are missing are found out before anybody waits for them.
RecordedStudy open_index(const JsonSource& json, const fs::path& file, int number) {
    RecordingIndex index = read_recording_index(json, ShardsAre::Beside);
    const fs::path folder = fs::path(absolute_path(file)).parent_path();
    std::vector<std::string> shards;
    for (const std::string& shard : index.shards) {
        std::error_code ignored;
        if (!fs::is_regular_file(folder / shard, ignored))
            throw Error(path_text(folder / shard), "is missing or no file; {} names it",
                        path_text(file));
        shards.push_back((folder / shard).native());
    }
    auto pictures = pictures_in_folder(index, folder);
    if (pictures)
        for (const RecordedText& text : *index.texts)
            shards.push_back((folder / text.patches->picture).native());
    auto source = matrices_in_shards(index, folder);
    RecordedStudy study = study_from_index(std::move(index), std::move(source), number);
    study.shards = std::move(shards);
    study.pictures = std::move(pictures);
    return study;
}

/// A recording of several texts; nothing if the file is none.
std::optional<RecordedStudy> open_texts(const fs::path& file, int number) {
    const std::string beginning = read_beginning(file, kRecognisedBytes);
    std::optional<RecordedStudy> study;
    std::error_code ignored;
    if (array_format(beginning, fs::file_size(file, ignored))) {
        const ByteSource bytes = bytes_of_file(file);
        if (const auto own = find_own_index(bytes))
            study = study_with_own_index(bytes, *own, number);
    } else if (const std::size_t first = beginning.find_first_not_of("\xEF\xBB\xBF \t\r\n");
               first != std::string::npos && beginning[first] == '{') {
        const std::string name = path_text(file);
        const JsonSource json{name, parse_json(read_dense_file(file), name, kIndexLimits)};
        if (is_recording_index(json)) study = open_index(json, file, number);
    }
    if (study) study->file = absolute_path(file);
    return study;
}

void set_tokens(RecordedStudy& study, Tokens tokens, const std::string& where) {
    check_count(tokens, study.text.tokens.size(), where);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i].size() > kMaxTokenBytes)
            throw Error(where, "token {} has {} bytes; at most {} are shown", i + 1,
                        tokens[i].size(), kMaxTokenBytes);
    study.text.tokens = std::move(tokens);
    for (std::string& token : study.text.tokens) token = repair_utf8(token);
}

}  // namespace

bool has_attention(const StoredArrays& arrays) {
    return std::ranges::any_of(arrays, is_attention);
}

bool is_recording(const fs::path& file, const StoredArrays& arrays) {
    return has_attention(arrays) || find_own_index(bytes_of_file(file));
}

RecordedStudy read_recording(const ByteSource& bytes) {
    if (const auto own = find_own_index(bytes)) return study_with_own_index(bytes, *own, 0);
    const ArrayFile arrays = arrays_in(bytes, "attention");
    RecordedStudy study = study_from_arrays(arrays, bytes.name);
    const auto own = find_own_tokens(arrays, bytes);
    set_tokens(study, own ? *own : numbers_up_to(study.text.tokens.size()), bytes.name);
    return study;
}

RecordedStudy open_recording(const JsonSource& index, const fs::path& file) {
    RecordedStudy study = open_index(index, file, 0);
    study.file = absolute_path(file);
    return study;
}

RecordedStudy open_recording(const fs::path& file, const fs::path& tokens) {
    if (auto texts = open_texts(file, 0)) {
        if (!tokens.empty())
            throw Error(path_text(tokens), "has no effect: the recording has tokens of its own");
        return std::move(*texts);
    }
    const ByteSource bytes = bytes_of_file(file);
    const ArrayFile arrays = arrays_in(bytes, path_text(file.stem()));
    RecordedStudy study = study_from_arrays(arrays, bytes.name);
    study.file = absolute_path(file);
    const std::size_t n = study.text.tokens.size();
    if (!tokens.empty())
        set_tokens(study, read_token_file(tokens, n), path_text(tokens));
    else if (auto own = find_own_tokens(arrays, bytes))
        set_tokens(study, std::move(*own), path_text(file));
    else
        set_tokens(study, tokens_beside(file, n, study.notes), path_text(file));
    return study;
}

void reopen_recording(RecordedStudy& study, const fs::path& folder) {
    const fs::path file = folder / study.file;
    if (auto texts = open_texts(file, study.text_number)) {
        if (texts->text != study.text)
            throw Error(
                path_text(file),
                "text {} has other tokens than the study; it was recorded anew: open it by itself",
                study.text_number + 1);
        if (!are_same_but_for_places(texts->graph, study.graph))
            throw Error(
                path_text(file),
                "text {} has another graph than the study; it was recorded anew: open it by itself",
                study.text_number + 1);
        texts->graph = std::move(study.graph);
        study = std::move(*texts);
        return;
    }
    RecordedStudy opened =
        study_from_arrays(arrays_in(bytes_of_file(file), path_text(file.stem())), path_text(file));
    opened.file = absolute_path(file);
    if (study.text_number > 0 || !study.text.source.empty() || !study.graph.nodes.empty())
        throw Error(path_text(file), "is not the recording of several texts that the study names");
    check_count(study.text.tokens, opened.text.tokens.size(), path_text(file));
    opened.text = std::move(study.text);
    study = std::move(opened);
}

}  // namespace headlight
