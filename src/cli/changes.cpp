#include "cli/changes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "expression/item_names.h"
#include "io/arrays/npy.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "text/strings.h"

namespace headlight {
namespace {

// ---- places ----

/// The cells of one matrix that are changed.
struct Place {
    TensorId tensor = 0;
    std::vector<Index> rows = {}, columns = {};  // empty: all

    bool is_whole() const { return rows.empty() && columns.empty(); }
};

/// True of "3" and of "*".
bool is_layer_or_head(std::string_view word) {
    return word == "*" || (!word.empty() && word.size() < 6 &&
                           word.find_first_not_of("0123456789") == std::string_view::npos);
}

bool is_number_meant(std::string_view word, int number) {
    return word == "*" || word == std::to_string(number);
}

/// Returns the outputs that "3.1", "5.*", "4.mlp" and "4.attn" mean; empty for any other name.
std::vector<TensorId> outputs_called(const Plan& plan, const std::string& name) {
    std::vector<TensorId> found;
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return found;
    const std::string_view layer = std::string_view(name).substr(0, dot),
                           part = std::string_view(name).substr(dot + 1);
    if (!is_layer_or_head(layer)) return found;
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const Identity& identity = plan[id].identity;
        const bool is_of_network =
            identity.network != Network::Probe && identity.network != Network::Decoding;
        if (!is_of_network || !is_number_meant(layer, identity.layer)) continue;
        const bool is_meant = part == "mlp" ? identity.role == Role::MlpOutput
                              : part == "attn"
                                  ? identity.role == Role::AttentionOutput && identity.head < 0
                                  : identity.role == Role::HeadOutput && is_layer_or_head(part) &&
                                        is_number_meant(part, identity.head);
        if (is_meant) found.push_back(id);
    }
    return found;
}

/// Reads "blocks.0.attn.heads.1.pattern[it,*]".
class PlaceReader {
  public:
    PlaceReader(const Plan& plan, const char* option, const Streams& streams)
        : plan_(plan), option_(option), note_(notes_to(streams)) {}

    std::vector<Place> named(const std::string& text) const {
        const std::size_t bracket = text.ends_with(']') ? text.find('[') : std::string::npos;
        const std::string name = text.substr(0, bracket);
        if (name.empty()) throw Error(option_, "names no place");
        std::vector<TensorId> tensors = outputs_called(plan_, name);
        const bool has_two_parts = std::ranges::count(name, '.') == 1;
        if (tensors.empty() && has_two_parts && is_layer_or_head(name.substr(0, name.find('.'))))
            throw Error(option_,
                        "there is no {}; 3.1 is head 1 of layer 3, 5.* are all of layer 5, "
                        "4.mlp and 4.attn parts of layer 4",
                        in_quotes(name));
        if (tensors.empty()) tensors = tensors_matching(plan_, {name});
        std::vector<Place> places;
        for (const TensorId id : tensors) {
            Place place{id};
            if (bracket != std::string::npos)
                take_cells(place, text.substr(bracket + 1, text.size() - bracket - 2));
            places.push_back(std::move(place));
        }
        return places;
    }

  private:
    void take_cells(Place& place, const std::string& cells) const {
        const std::size_t comma = cells.find(',', 1);  // a row may be called ","
        if (comma == std::string::npos)
            throw Error(option_, "[{}] has to be a row and a column: [ROW,COLUMN]; * is all",
                        cells);
        const PlannedTensor& tensor = plan_[place.tensor];
        const auto index = [&](const Axis& axis, const char* noun, const std::string& name) {
            return name == "*" ? std::vector<Index>()
                               : std::vector<Index>{index_named(
                                     plan_, {tensor, axis, noun, option_}, name, note_)};
        };
        place.rows = index(tensor.rows, "row", cells.substr(0, comma));
        place.columns = index(tensor.columns, "column", cells.substr(comma + 1));
    }

    const Plan& plan_;
    const char* option_;
    TakeNote note_;
};

/// Calls it with each cell of the place.
void for_each_cell(const PlannedTensor& tensor, const Place& place, const auto& act) {
    const auto number = [](const std::vector<Index>& chosen, Index all) {
        return chosen.empty() ? all : std::ssize(chosen);
    };
    const auto at = [](const std::vector<Index>& chosen, Index k) {
        return chosen.empty() ? k : chosen[static_cast<std::size_t>(k)];
    };
    for (Index i = 0; i < number(place.rows, tensor.rows.size); ++i)
        for (Index j = 0; j < number(place.columns, tensor.columns.size); ++j)
            act(at(place.rows, i), at(place.columns, j));
}

/// Returns the parts of "3.1, 5.*" between commas, but for those in brackets.
std::vector<std::string> parts_of(const std::vector<std::string>& texts) {
    std::vector<std::string> parts;
    for (const std::string& text : texts) {
        int depth = 0;
        std::size_t begin = 0;
        for (std::size_t k = 0; k <= text.size(); ++k) {
            const char c = k < text.size() ? text[k] : ',';
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c != ',' || (depth > 0 && k < text.size())) continue;
            parts.emplace_back(trimmed(std::string_view(text).substr(begin, k - begin)));
            begin = k + 1;
        }
    }
    return parts;
}

// ---- the changes ----

double number_in(const char* option, std::string_view text) {
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = failure == std::errc() && end == text.data() + text.size();
    if (!is_whole || std::isnan(number) || number == std::numeric_limits<double>::infinity())
        throw Error(option, "{} is not a number; −inf masks a score", in_quotes(std::string(text)));
    return number;
}

/// "4*love.npy@blocks.6.resid_post"
struct Added {
    double factor = 1;
    std::string file, place;
};
Added read_added(const std::string& text) {
    const std::size_t at = text.rfind('@'), times = text.find('*');
    if (at == std::string::npos)
        throw Error("--add", "{} has to name a file and a place: FACTOR*FILE@PATH",
                    in_quotes(text));
    const bool has_factor = times < at;
    const std::size_t file = has_factor ? times + 1 : 0;
    return {has_factor ? number_in("--add", std::string_view(text).substr(0, times)) : 1,
            text.substr(file, at - file), text.substr(at + 1)};
}

/// Sets each named tensor to the given values: an edit of a leaf, a pin of a computed tensor. A
/// list of n numbers (read as n × 1) also fits a 1 × n tensor. Throws one Error that names every
/// value that does not fit the study, and then has changed nothing.
void set_values(Document& document, const Plan& plan, const NamedMatrices& values,
                const std::string& source) {
    Document changed = document;
    std::string problems;
    for (const auto& [path, matrix] : values) {
        try {
            const PlannedTensor& tensor = plan[tensor_named(plan, path)];
            // A file knows no difference between a list of numbers and a row.
            const bool is_row =
                matrix.cols() == 1 && tensor.rows.size == 1 && matrix.rows() == tensor.columns.size;
            set_tensor(changed, tensor, is_row ? Matrix(matrix.transpose()) : matrix);
        } catch (const Error& error) {
            problems += std::string("\n  ") + error.what();
        }
    }
    if (!problems.empty()) throw Error(source, "does not fit the study:{}", problems);
    document = std::move(changed);
}

class Changing {
  public:
    Changing(Document& document, const Streams& streams)
        : original_(document),
          document_(document),
          plan_(headlight::plan(document)),
          streams_(streams) {}

    void set(const std::string& text) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(text, ignored)) return set_file(text);
        const std::size_t equals = text.rfind('=');
        if (equals == std::string::npos)
            throw Error("--set",
                        "{} is neither a file nor a place and a number, PATH[ROW,COLUMN]=1",
                        in_quotes(text));
        const auto value =
            static_cast<Scalar>(number_in("--set", std::string_view(text).substr(equals + 1)));
        for (const Place& place : places("--set").named(text.substr(0, equals)))
            set_cells(place, [&](Index, Index) { return value; });
    }

    void ablate(const std::string& text) {
        const std::size_t equals = text.rfind('=');
        const std::string kind = equals == std::string::npos ? "zero" : text.substr(equals + 1);
        const auto ablation = choice_named(kind, kAblationWords);
        if (!ablation)
            throw Error("--ablate", "{} is not one of {}", in_quotes(kind),
                        words_text(kAblationWords));
        for (const Place& place : places("--ablate").named(text.substr(0, equals))) {
            const PlannedTensor& tensor = (*plan_)[place.tensor];
            if (tensor.is_leaf())
                throw Error("--ablate", "{} is not computed; --set changes it", tensor.path);
            if (place.is_whole()) {
                headlight::ablate(document_, tensor.path, ablation);
            } else if (*ablation == Ablation::Zero) {
                set_cells(place, [](Index, Index) { return Scalar(0); });
            } else {
                throw Error("--ablate", "a mean is that of all rows; {} names some cells",
                            in_quotes(text));
            }
        }
    }

    void freeze(const std::string& text) {
        take_values("--freeze", places("--freeze").named(text), original_);
    }

    void patch(const std::string& text, const std::string& from) {
        Document other = original_;
        set_text(other, from);
        take_values("--patch", places("--patch").named(text), other);
    }

    void add(const std::string& text) {
        const Added added = read_added(text);
        const std::vector<Scalar> vector = read_vector(added.file, added.factor);
        for (const Place& place : places("--add").named(added.place)) {
            const PlannedTensor& tensor = (*plan_)[place.tensor];
            if (std::ssize(vector) != tensor.columns.size)
                throw Error("--add", "{} has {} columns, and the vector {}", tensor.path,
                            tensor.columns.size, counted(std::ssize(vector), "number"));
            if (!place.columns.empty())
                throw Error("--add", "a vector is as long as a row; write [ROW,*]");
            if (place.rows.empty())
                add_to_all(document_.interventions[tensor.path], vector);
            else
                add_to_rows(tensor, place, vector);
        }
    }

    /// Notes what no other matrix of the network is computed from.
    void note_unread() const {
        std::set<TensorId> read;
        for (const PlannedTensor& tensor : plan_->tensors())
            read.insert(tensor.inputs.begin(), tensor.inputs.end());
        for (const auto& [path, intervention] : document_.interventions) {
            const auto before = original_.interventions.find(path);
            const bool is_new =
                before == original_.interventions.end() || !(before->second == intervention);
            if (is_new && plan_->find(path) && !read.contains(plan_->id_at(path)))
                write_note(streams_, path + " is changed, and nothing is computed from it");
        }
    }

  private:
    PlaceReader places(const char* option) const { return {*plan_, option, streams_}; }

    void set_cells(const Place& place, const auto& value) {
        const PlannedTensor& tensor = (*plan_)[place.tensor];
        std::vector<CellValue> cells;
        Intervention& intervention = document_.interventions[tensor.path];
        const std::vector<CellValue>& before = intervention.cells;
        for_each_cell(tensor, place, [&](Index i, Index j) {
            cells.push_back({i, j, value(i, j)});
        });
        const auto is_earlier = [](const CellValue& a, const CellValue& b) {
            return std::pair(a.row, a.column) < std::pair(b.row, b.column);
        };
        std::vector<CellValue> all;  // of two equal cells the new one comes first
        std::ranges::merge(cells, before, std::back_inserter(all), is_earlier);
        const auto doubles = std::ranges::unique(all, [](const CellValue& a, const CellValue& b) {
            return a.row == b.row && a.column == b.column;
        });
        all.erase(doubles.begin(), doubles.end());
        intervention.cells = std::move(all);
        intervention.is_on = true;
    }

    void set_file(const std::string& file) {
        const std::string source = path_text(file);
        set_values(document_, *plan_, archive_format_for(file).read(read_file(file), source),
                   source);
    }

    /// Sets the places to their values in the other document.
    void take_values(const char* option, const std::vector<Place>& where, const Document& other) {
        Watched watched;
        for (const Place& place : where) watched.globs.push_back((*plan_)[place.tensor].path);
        const Trace trace = evaluate_study(other, watched, streams_);
        for (const Place& place : where) {
            const PlannedTensor& tensor = (*plan_)[place.tensor];
            const Tensor* there = trace.find(tensor.path);
            if (!there || there->rows().size != tensor.rows.size ||
                there->columns().size != tensor.columns.size)
                throw Error(
                    option, "{} is {} here, and {} there; give a text of as many tokens",
                    tensor.path, shape_text(tensor.rows.size, tensor.columns.size),
                    there ? shape_text(there->rows().size, there->columns().size) : "is not there");
            const MatrixPtr values = compute_value(trace, trace.id_at(tensor.path));
            set_cells(place, [&](Index i, Index j) { return (*values)(i, j); });
        }
    }

    static std::vector<Scalar> read_vector(const std::string& file, double factor) {
        const std::string source = path_text(file);
        const bool is_npy = file.ends_with(".npy");
        const NamedMatrices read = is_npy ? NamedMatrices{{"", read_npy(read_file(file), source)}}
                                          : archive_format_for(file).read(read_file(file), source);
        if (read.size() != 1)
            throw Error(source, "has {}; a vector is one", counted(std::ssize(read), "array"));
        const Matrix& matrix = read.front().second;
        if (matrix.rows() != 1 && matrix.cols() != 1)
            throw Error(source, "is {}; a vector has one row or one column",
                        shape_text(matrix.rows(), matrix.cols()));
        std::vector<Scalar> vector(matrix.data(), matrix.data() + matrix.size());
        for (Scalar& value : vector) {
            if (!std::isfinite(value)) throw Error(source, "has a number that is not finite");
            value *= static_cast<Scalar>(factor);
            if (!std::isfinite(value)) throw Error("--add", "the factor makes a number too large");
        }
        return vector;
    }

    static void add_to_all(Intervention& intervention, const std::vector<Scalar>& vector) {
        intervention.added.resize(vector.size());
        for (std::size_t k = 0; k < vector.size(); ++k) intervention.added[k] += vector[k];
        if (intervention.cells.empty()) return;
        for (CellValue& cell : intervention.cells.edit())  // they are set after the rows changed
            cell.value += vector[static_cast<std::size_t>(cell.column)];
    }

    void add_to_rows(const PlannedTensor& tensor, const Place& place,
                     const std::vector<Scalar>& vector) {
        const Trace trace = evaluate_study(document_, {.globs = {tensor.path}}, streams_);
        const MatrixPtr now = compute_value(trace, trace.id_at(tensor.path));
        set_cells(place, [&](Index i, Index j) {
            return (*now)(i, j) + vector[static_cast<std::size_t>(j)];
        });
    }

    const Document original_;
    Document& document_;
    std::shared_ptr<const Plan> plan_;
    const Streams& streams_;
};

}  // namespace

bool Changes::are_none() const {
    return set.empty() && ablate.empty() && patch.empty() && freeze.empty() && add.empty() &&
           !from && !text;
}

std::vector<std::string> Changes::arguments() const {
    std::vector<std::string> words;
    const auto add_all = [&](const char* option, const auto& texts) {
        for (const std::string& text : texts) words.insert(words.end(), {option, text});
    };
    if (text) words.insert(words.end(), {"--text", *text});
    add_all("--ablate", ablate);
    add_all("--freeze", freeze);
    add_all("--patch", patch);
    if (from) words.insert(words.end(), {"--from", *from});
    add_all("--set", set);
    add_all("--add", add);
    return words;
}

std::vector<std::filesystem::path> Changes::files() const {
    std::vector<std::filesystem::path> read;
    std::error_code ignored;
    for (const std::string& text : parts_of(set))
        if (std::filesystem::is_regular_file(text, ignored)) read.emplace_back(text);
    for (const std::string& text : parts_of(add)) read.emplace_back(read_added(text).file);
    return read;
}

void add_change_options(Options& command, Changes& changes, OwnOptions own) {
    const std::string section = "Changes before it is computed";
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* type,
                          const char* what) { command.list(name, values, type, what, section); };
    if (!own.text)
        command.add({"--text", "What the study reads instead of its own text", "TEXT", "",
                     [&changes](const std::string& text) {
                         changes.text = text;
                         return true;
                     }},
                    section);
    list("--ablate", changes.ablate, "PLACE",
         "The output becomes 0, or with =mean its mean: 3.1 is head 1 of layer 3, 5.* all heads of "
         "layer 5, 4.mlp and 4.attn the parts of layer 4; or the path of a computed matrix");
    list("--set", changes.set, "PLACE=NUMBER",
         "Cells: PATH[ROW,COLUMN], each an index from 0, a name, or * for all; or a file of values "
         "by path (.npz, .safetensors, .json)");
    if (!own.patches) {
        list("--patch", changes.patch, "PLACE",
             "Takes the values that it has in the text of --from");
        command.add({"--from", "Of --patch: another text, of as many tokens", "TEXT", "",
                     [&changes](const std::string& text) {
                         changes.from = text;
                         return true;
                     }},
                    section);
    }
    list("--freeze", changes.freeze, "PLACE", "Keeps the values that it has without the changes");
    list(
        "--add", changes.add, "FACTOR*FILE@PLACE",
        "A vector of a file (.npy, .npz, …) is added to every row, or to [ROW,*]; without a factor "
        "once");
}

void make_changes(Document& document, const Changes& changes, const Streams& streams) {
    if (changes.are_none()) return;
    if (changes.patch.empty() != !changes.from)
        throw Error(changes.from ? "--from" : "--patch",
                    "--patch says what is taken, and --from the text that it is taken from: give "
                    "both");
    Document changed = document;
    if (changes.text) set_text(changed, *changes.text);
    Changing change(changed, streams);
    for (const std::string& text : parts_of(changes.ablate)) change.ablate(text);
    for (const std::string& text : parts_of(changes.freeze)) change.freeze(text);
    for (const std::string& text : parts_of(changes.patch)) change.patch(text, *changes.from);
    for (const std::string& text : parts_of(changes.set)) change.set(text);
    for (const std::string& text : parts_of(changes.add)) change.add(text);
    change.note_unread();
    document = std::move(changed);
}

void change_study(const ChangeStudy& options, const Streams& streams) {
    NewStudy study{.document = open_study(options.study, streams), .output = options.output};
    make_changes(study.document, options.changes, streams);
    study.inputs = options.changes.files();
    new_study(study, streams);
}

void add_change_command_options(Options command, ChangeStudy& change) {
    command.argument("STUDY", change.study, "A *.headlight file, or a pretrained model's folder");
    command.optional_output(change.output);
    add_change_options(command, change.changes);
    command.example(
        "  headlight change gpt2.headlight --ablate 9.6,9.9 -o without.headlight\n"
        "  headlight change gpt2.headlight --add 4*love.npy@blocks.6.resid_post -o love.headlight");
}

}  // namespace headlight
