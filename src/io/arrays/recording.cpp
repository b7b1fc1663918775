#include "io/arrays/recording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/analyses/pattern_faults.h"
#include "core/error.h"
#include "io/arrays/array_file.h"
#include "io/arrays/recorded_arrays.h"
#include "io/arrays/recording_index.h"
#include "io/arrays/recording_shards.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "io/pictures/given_picture.h"
#include "io/recognise.h"
#include "io/text/csv.h"
#include "io/text/json_view.h"
#include "io/tokenizers/read_tokenizer.h"
#include "model/changes.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

/// The most numbers that are checked for oddities when a file is opened.
constexpr std::uint64_t kCheckedNumbers = 4'000'000;

const char* kind_prefix(RecordedKind kind) {
    switch (kind) {
        case RecordedKind::Self:
        case RecordedKind::Edges:
            return "";
        case RecordedKind::Cross:
            return "cross-attention, ";
        case RecordedKind::Source:
            return "source, ";
    }
    return "";
}

/// The notes about patterns. The first few name their patterns.
class FaultNotes {
  public:
    explicit FaultNotes(const RecordedStudy& study) : study_(study) {}

    void add(Index number) {
        const RecordedMatrix matrix = recorded_matrix(study_.attentions, number);
        if (matrix.part != RecordedPart::Pattern) return;
        const RecordedKind kind =
            study_.attentions[static_cast<std::size_t>(matrix.attention)].kind;
        const std::string faults = faults_of(number, kind);
        if (faults.empty() || ++n_faulty_ > kMaxNotes) return;
        notes_.push_back(fmt::format("{}layer {}, head {}: {}", kind_prefix(kind), matrix.layer,
                                     matrix.head, faults));
    }

    std::vector<std::string> take() {
        if (n_faulty_ > kMaxNotes)
            notes_.push_back("the same is true of " + counted(n_faulty_ - kMaxNotes, "more head"));
        return std::move(notes_);
    }

  private:
    std::string faults_of(Index number, RecordedKind kind) {
        if (kind == RecordedKind::Edges) {
            if (!edges_) edges_ = graph_edges(*study_.text.graph);
            Matrix pattern(edges_->size(), 1);
            study_.source->read(number, 0, view(pattern));
            return edge_faults(pattern, *edges_, study_.text.tokens);
        }
        const std::size_t n_tokens = study_.text.tokens.size(),
                          n_source = study_.text.source.size();
        Matrix pattern(static_cast<Index>(kind == RecordedKind::Source ? n_source : n_tokens),
                       static_cast<Index>(kind == RecordedKind::Self ? n_tokens : n_source));
        study_.source->read(number, 0, view(pattern));
        return pattern_faults(pattern, kSumTolerance);
    }

    static constexpr std::size_t kMaxNotes = 3;
    const RecordedStudy& study_;
    std::vector<std::string> notes_;
    std::size_t n_faulty_ = 0;
    std::optional<Edges> edges_;  // of the shown text
};

/// Oddities of all patterns of the shown text, at most a few of them.
std::vector<std::string> all_faults(const RecordedStudy& study) {
    FaultNotes faults(study);
    RecordedMatrix matrix{.text = study.text_number};
    for (const RecordedAttention& attention : study.attentions) {
        for (matrix.layer = 0; matrix.layer < attention.n_layers; ++matrix.layer)
            for (matrix.head = 0; matrix.head < attention.heads_in(matrix.layer); ++matrix.head)
                faults.add(recorded_number(study.attentions, matrix));
        ++matrix.attention;
    }
    return faults.take();
}

}  // namespace

std::vector<std::string> faults_of_watched(const RecordedStudy& study, const Trace& trace,
                                           const Watched& watched) {
    if (!study.source || study.is_looked_through) return {};
    const std::vector<Tensor>& tensors = trace.tensors();
    std::vector<bool> is_read(tensors.size());
    for (TensorId id = tensors.size(); id-- > 0;) {
        if (watched.contains(tensors[id].path())) is_read[id] = true;
        if (is_read[id])
            for (const TensorId input : tensors[id].inputs()) is_read[input] = true;
    }
    FaultNotes faults(study);
    for (TensorId id = 0; id < tensors.size(); ++id)
        if (is_read[id] && tensors[id].settings().source == study.source)
            faults.add(tensors[id].settings().begin);
    return faults.take();
}

namespace {

namespace fs = std::filesystem;

/// Reads the pictures of a folder, and keeps the one that was looked at last.
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

// ---- tokens ----

using Tokens = std::vector<std::string>;
using FileMetadata = std::map<std::string, std::string>;

/// The names of the tokens that read, or of the source that they read; and how a file calls them.
struct NamedSide {
    const char* noun;  // the noun for a named thing
    std::array<std::string_view, 4> arrays;
    std::vector<std::string> endings;  // of files beside it
};
const NamedSide kTokens = {"row",
                           {"tokens", "target", "target_tokens", "input_ids"},
                           {".tokens.json", ".tokens.txt", ".json", ".txt"}};
const NamedSide kSource = {"column",
                           {"source", "source_tokens", "source_ids", "encoder_input_ids"},
                           {".source.json", ".source.txt"}};

void check_count(const Tokens& tokens, std::uint64_t n, const NamedSide& side,
                 const std::string& where) {
    if (tokens.size() != n)
        throw Error(where, "has {}, but the patterns have {}; give each {} one",
                    counted(std::ssize(tokens), "token"),
                    counted(static_cast<std::int64_t>(n), side.noun), side.noun);
}

struct OwnTokens {
    Tokens names;
    std::string ids_in = {};  // the array whose numbers they are; empty: they are texts
};

/// Writes ids as they are; a Scalar holds every id up to 2^24.
Tokens numbers_in(const StoredArray& array) {
    if (count_elements(array) > kMaxWords)
        throw Error(array.data.name, "has {} numbers; at most {} tokens are shown",
                    count_elements(array), kMaxWords);
    Matrix ids(1, static_cast<Index>(count_elements(array)));
    read_numbers(array, 0, view(ids));
    Tokens names;
    for (const Scalar id : ids.reshaped()) names.push_back(fmt::format("{:.0f}", id));
    return names;
}

/// Looks for names among the arrays, in the labels of a table, and in the metadata of safetensors.
std::optional<OwnTokens> find_own_tokens(const ArrayFile& file, const FileMetadata& metadata,
                                         const NamedSide& side, const std::string& name) {
    for (const std::string_view called : side.arrays)
        for (const StoredArray& array : file.arrays) {
            if (array.name != called) continue;
            const NumberKind kind = array.type.kind;
            if (kind == NumberKind::Text || kind == NumberKind::Bytes)
                return OwnTokens{read_texts(array)};
            if (kind == NumberKind::Signed || kind == NumberKind::Unsigned)
                return OwnTokens{numbers_in(array), array.name};
        }
    const Tokens& labels = &side == &kTokens ? file.row_names : file.column_names;
    if (!labels.empty()) return OwnTokens{labels};
    const auto entry = metadata.find(std::string(side.arrays.front()));
    if (entry == metadata.end() || (&side == &kSource && !entry->second.starts_with('[')))
        return std::nullopt;
    return OwnTokens{
        parse_tokens(entry->second, name + ": __metadata__." + std::string(entry->first))};
}

FileMetadata metadata_of(const ByteSource& bytes) {
    const std::string beginning =
        bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    if (array_format(beginning, bytes.size) != ArrayFormat::Safetensors) return {};
    return read_safetensors_metadata(bytes);
}

fs::path find_token_file(const fs::path& path, const NamedSide& side) {
    for (const std::string& ending : side.endings) {
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

/// Reads tokens from a file beside the recording. If that file does not fit, or there is none,
/// tokens are numbered, with a note.
Tokens tokens_beside(const fs::path& path, std::uint64_t n, const NamedSide& side,
                     std::vector<std::string>& notes) {
    const bool is_source = &side == &kSource;
    const fs::path beside = find_token_file(path, side);
    try {
        const Tokens tokens = beside.empty() ? numbers_up_to(n) : read_token_file(beside, n);
        check_count(tokens, n, side, path_text(beside));
        if (beside.empty())
            notes.push_back(is_source ? "no tokens of the source were recorded: they are numbered"
                                      : "no tokens were recorded: they are numbered");
        return tokens;
    } catch (const Error& error) {
        notes.push_back(fmt::format("tokens {}are numbered: {}", is_source ? "of the source " : "",
                                    error.what()));
        return numbers_up_to(n);
    }
}

// ---- the study ----

/// Reads every array in one piece, since only then an archive compares its checksum.
void check_whole(const RecordedArrays& recorded) {
    for (const ArrayPatterns& kind : recorded.kinds) {
        const StoredArray* checked = nullptr;
        for (const StoredArray& array : kind.arrays) {
            if (!checked || array.name != checked->name) array.data.bytes(0, array.data.size);
            checked = &array;
        }
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

/// Returns the arrays of a file, which may also be a table.
ArrayFile arrays_in_file(const fs::path& file) {
    if (is_attention_table(read_beginning(file, kBeginningOfTable))) return open_arrays(file);
    return arrays_in(bytes_of_file(file), path_text(file.stem()));
}

/// The study of a recording, with tokens that have no text yet.
RecordedStudy study_from_arrays(const ArrayFile& file, const std::string& name, bool names_source) {
    RecordedArrays recorded = find_recorded_arrays(file, name, names_source);
    RecordedStudy study{.file = {},
                        .text = {Tokens(recorded.n_tokens), Tokens(recorded.n_source)},
                        .notes = file.notes,
                        .is_looked_through = recorded.count_cells() <= kCheckedNumbers};
    for (const ArrayPatterns& kind : recorded.kinds) {
        const auto n_heads = static_cast<int>(kind.n_heads);
        study.attentions.push_back({.kind = kind.kind,
                                    .n_layers = static_cast<int>(kind.arrays.size()),
                                    .n_heads = n_heads,
                                    .n_kv_heads = n_heads});
    }
    if (study.is_looked_through) check_whole(recorded);
    study.source = std::make_shared<const MatrixSource>(
        MatrixSource{[kinds = std::move(recorded.kinds), attentions = study.attentions](
                         Index number, Index first_row, View rows) {
            const RecordedMatrix matrix = recorded_matrix(attentions, number);
            kinds[static_cast<std::size_t>(matrix.attention)].read(matrix, first_row, rows);
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

RecordedStudy study_from_index(RecordingIndex index, std::shared_ptr<const MatrixSource> source,
                               int number) {
    RecordedStudy study{.file = {},
                        .text = {},
                        .attentions = index.attentions,
                        .source = std::move(source),
                        .texts = index.texts};
    if (!index.model.empty()) study.notes.push_back("from " + printable(index.model));
    if (number >= study.count_texts())
        throw Error(study.file, "there is no text {}; the recording has {}", number + 1,
                    study.count_texts());
    show_recorded_text(study, number);
    check_recorded_text(*study.source, index, number);
    return study;
}

RecordedStudy study_with_own_index(const ByteSource& bytes, const std::string& json, int number) {
    const std::string source = bytes.name + ": __metadata__.attention_index";
    RecordingIndex index =
        read_recording_index({source, parse_json(json, source, kIndexLimits)}, ShardsAre::Within);
    auto matrices = matrices_in_file(index, bytes);
    return study_from_index(std::move(index), std::move(matrices), number);
}

/// Opens a recording by its index. Missing shards are reported before anybody waits for them.
RecordedStudy open_index(const JsonSource& json, const fs::path& file, int number) {
    RecordingIndex index = read_recording_index(json, ShardsAre::Beside);
    const fs::path folder = fs::path(absolute_path(file)).parent_path();
    std::vector<std::string> shards;
    for (const std::string& shard : index.shards) {
        std::error_code ignored;
        const bool comes_later =
            index.summaries &&
            shard != index.shards[static_cast<std::size_t>(index.summaries->shard)];
        if (comes_later) continue;
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

void set_names(Tokens& to, Tokens tokens, const NamedSide& side, const std::string& where) {
    check_count(tokens, to.size(), side, where);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i].size() > kMaxTokenBytes)
            throw Error(where, "token {} has {} bytes; at most {} are shown", i + 1,
                        tokens[i].size(), kMaxTokenBytes);
    to = std::move(tokens);
    for (std::string& token : to) token = repair_utf8(token);
}

/// A recording of one text, as its file describes it.
struct OneText {
    RecordedStudy study;
    std::optional<OwnTokens> tokens, source;
};

OneText open_one_text(const ArrayFile& arrays, const FileMetadata& metadata,
                      const std::string& name) {
    OneText one{.study = {},
                .tokens = find_own_tokens(arrays, metadata, kTokens, name),
                .source = find_own_tokens(arrays, metadata, kSource, name)};
    // A table whose rows and columns have the same names is of tokens that read themselves.
    const bool is_of_itself = !arrays.row_names.empty() && arrays.row_names == arrays.column_names;
    one.study = study_from_arrays(arrays, name, one.source && !is_of_itself);
    return one;
}

/// Replaces ids by their texts if a model's folder is given, since ids have none of their own.
void name_ids(OwnTokens& own, const fs::path& model, std::vector<std::string>& notes) {
    if (own.ids_in.empty()) return;
    if (model.empty()) {
        notes.push_back(
            fmt::format("{} holds numbers, not texts: the tokens are called by them; "
                        "--tokens FOLDER names them by the model in that folder",
                        in_quotes(own.ids_in)));
        return;
    }
    const auto tokenizer = read_tokenizer(model);
    for (std::string& name : own.names) {
        PieceId id = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
        if (error != std::errc() || *end != '\0' || id >= tokenizer->size())
            throw Error(path_text(model), "its tokenizer has {} tokens, and none with the id {}",
                        tokenizer->size(), name);
        name = tokenizer->piece_at(id);
    }
}

}  // namespace

bool is_recording(const fs::path& file, const StoredArrays& arrays) {
    return has_attention(arrays) || find_own_index(bytes_of_file(file));
}

bool is_attention_table(std::string_view beginning) {
    const std::size_t end =
        beginning.size() < kBeginningOfTable ? beginning.size() : beginning.rfind('\n') + 1;
    try {
        return is_table_of_attention(read_csv(beginning.substr(0, end), ""));
    } catch (const Error&) {
        return false;
    }
}

RecordedStudy read_recording(const ByteSource& bytes) {
    if (const auto own = find_own_index(bytes)) return study_with_own_index(bytes, *own, 0);
    OneText one = open_one_text(arrays_in(bytes, "attention"), metadata_of(bytes), bytes.name);
    const auto set = [&](Tokens& to, const std::optional<OwnTokens>& own, const NamedSide& side) {
        set_names(to, own ? own->names : numbers_up_to(to.size()), side, bytes.name);
    };
    set(one.study.text.tokens, one.tokens, kTokens);
    if (!one.study.text.source.empty()) set(one.study.text.source, one.source, kSource);
    return std::move(one.study);
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
    std::error_code ignored;
    const bool is_model = !tokens.empty() && fs::is_directory(tokens, ignored);
    const ByteSource bytes = bytes_of_file(file);
    OneText one = open_one_text(arrays_in_file(file), metadata_of(bytes), bytes.name);
    RecordedStudy& study = one.study;
    study.file = absolute_path(file);
    const auto name_side = [&](Tokens& to, std::optional<OwnTokens>& own, const NamedSide& side) {
        if (!own) return set_names(to, tokens_beside(file, to.size(), side, study.notes), side, "");
        name_ids(*own, is_model ? tokens : fs::path(), study.notes);
        set_names(to, std::move(own->names), side, path_text(file));
    };
    if (is_model && (!one.tokens || one.tokens->ids_in.empty()))
        throw Error(path_text(tokens), "is a folder, and {} holds no ids that its model could name",
                    path_text(file));
    if (!tokens.empty() && !is_model)
        set_names(study.text.tokens, read_token_file(tokens, study.text.tokens.size()), kTokens,
                  path_text(tokens));
    else
        name_side(study.text.tokens, one.tokens, kTokens);
    if (!study.text.source.empty()) name_side(study.text.source, one.source, kSource);
    return std::move(study);
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
        open_one_text(arrays_in_file(file), metadata_of(bytes_of_file(file)), path_text(file))
            .study;
    opened.file = absolute_path(file);
    if (study.text_number > 0 || !study.graph.nodes.empty() ||
        study.text.source.empty() != opened.text.source.empty())
        throw Error(path_text(file), "is not the recording that the study names");
    check_count(study.text.tokens, opened.text.tokens.size(), kTokens, path_text(file));
    check_count(study.text.source, opened.text.source.size(), kSource, path_text(file));
    opened.text = std::move(study.text);
    study = std::move(opened);
}

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> split_at_blanks(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

}  // namespace

std::vector<std::string> parse_tokens(const std::string& json, const std::string& source) {
    const JsonSource tree{source, parse_json(json, source)};
    const JsonView root(tree);
    const JsonView list = root.is_object() ? root.at("tokens") : root;
    std::vector<std::string> tokens;
    list.for_each_element([&](const JsonView& token) { tokens.push_back(token.text()); });
    return tokens;
}

std::vector<std::string> read_token_file(const std::filesystem::path& file, std::size_t n_wanted) {
    return read_tokens(read_dense_file(file), path_text(file), n_wanted);
}

std::vector<std::string> read_tokens(const std::string& bytes, const std::string& source,
                                     std::size_t n_wanted) {
    const std::size_t first = bytes.find_first_not_of(std::string(kByteOrderMark) + " \t\r\n");
    if (first == std::string::npos) throw Error(source, "holds no token");
    if (bytes[first] == '[' || bytes[first] == '{') return parse_tokens(bytes, source);
    if (const std::string other = recognised_as(bytes); !other.empty())
        throw Error(source, "is no list of tokens{}", other);
    check_text(bytes, source);
    const std::string text = bytes.substr(bytes.starts_with(kByteOrderMark) ? 3 : 0);
    std::vector<std::string> lines = split_lines(text);
    return lines.size() == n_wanted ? lines : split_at_blanks(text);
}

}  // namespace headlight
