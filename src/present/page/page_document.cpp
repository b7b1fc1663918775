#include "present/page/page_document.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "core/components.h"
#include "core/error.h"
#include "core/plan.h"
#include "expression/item_names.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/pictures/given_picture.h"
#include "io/studies/document_change.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"
#include "io/text/numbers_text.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "model/settings/setting_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr const char* kWhere = "lecture";

std::string trimmed_text(std::string_view text) {
    return std::string(trimmed(text));
}

Scalar cell_number(const std::string& text) {
    if (const auto number = parse_number(text)) return *number;
    throw Error(kWhere, "{} is not a number", in_quotes(text));
}

/// "1 0; 0 1": rows between semicolons, numbers between blanks or commas.
std::vector<std::vector<Scalar>> parse_rows(const std::string& text) {
    std::vector<std::vector<Scalar>> rows(1);
    std::string number;
    const auto end_number = [&] {
        if (!number.empty()) rows.back().push_back(cell_number(std::exchange(number, {})));
    };
    for (const char c : text) {
        if (c == ' ' || c == ',' || c == ';')
            end_number();
        else
            number += c;
        if (c == ';') rows.emplace_back();
    }
    end_number();
    return rows;
}

Matrix parse_matrix(const PlannedTensor& tensor, const std::string& text) {
    const auto rows = parse_rows(text);
    if (rows.size() == 1 && rows[0].size() == 1)
        return Matrix::Constant(tensor.rows.size, tensor.columns.size, rows[0][0]);
    Matrix values(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != rows[0].size())
            throw Error(kWhere, "{}: row {} has {}, row 0 has {}", tensor.path, i,
                        counted(std::ssize(rows[i]), "number"), rows[0].size());
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            values(static_cast<Index>(i), static_cast<Index>(j)) = rows[i][j];
    }
    return values;
}

/// "embed[cat, 0]" or "embed[cat]"
void set_cells(Document& document, const std::string& name, const std::string& value) {
    const std::size_t open = name.find('['), comma = name.find(',', open);
    if (!name.ends_with(']')) throw Error(kWhere, "{} has no ]", in_quotes(name));
    const std::shared_ptr<const Plan> planned = plan(document);
    const std::string path = trimmed_text(name.substr(0, open));
    const PlannedTensor& tensor = (*planned)[tensor_named(*planned, path)];
    const auto place = [&](const Axis& axis, const char* noun, std::size_t from, std::size_t to) {
        std::string item = trimmed_text(name.substr(from, to - from));
        const bool is_quoted = item.size() >= 2 && (item.front() == '\'' || item.front() == '"') &&
                               item.back() == item.front();
        if (is_quoted) item = item.substr(1, item.size() - 2);
        return index_named(*planned, {tensor, axis, noun, kWhere}, item, [](const std::string&) {});
    };
    const std::size_t end = name.size() - 1;
    const Index row = place(tensor.rows, "row", open + 1, std::min(comma, end));
    if (comma != std::string::npos) {
        const Index column = place(columns_of_row(*planned, tensor, row), "column", comma + 1, end);
        return set_cell(document, path, row, column, cell_number(value));
    }
    const auto numbers = parse_rows(value).front();
    if (static_cast<Index>(numbers.size()) != tensor.columns.size)
        throw Error(kWhere, "{}: a row has {}, not {}", path,
                    counted(tensor.columns.size, "number"), numbers.size());
    for (std::size_t j = 0; j < numbers.size(); ++j)
        set_cell(document, path, row, static_cast<Index>(j), numbers[j]);
}

/// Throws Error, with the setting or matrix that is spelt nearly so, if there is no such setting.
void check_is_setting(const Document& document, const Plan& plan, const std::string& name) {
    const std::vector<std::string> settings = setting_paths(document);
    if (is_among(name, settings)) return;
    std::vector<std::string_view> known(settings.begin(), settings.end());
    for (const PlannedTensor& tensor : plan.tensors()) known.push_back(tensor.path);
    throw Error(kWhere, "no setting or matrix is called {}{}", in_quotes(name),
                suggestion(name, known));
}

void set(Document& document, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        throw Error(kWhere, "what is set is NAME = VALUE, not {}", in_quotes(text));
    const std::string name = trimmed_text(text.substr(0, equals));
    const std::string value = trimmed_text(text.substr(equals + 1));
    if (name.find('[') != std::string::npos) return set_cells(document, name, value);
    const std::shared_ptr<const Plan> planned = plan(document);
    if (const PlannedTensor* tensor = planned->find(name))
        return set_tensor(document, *tensor, parse_matrix(*tensor, value));
    check_is_setting(document, *planned, name);
    set_named_setting(document, name, value);
}

void ablate_head(Document& document, const std::string& head) {
    const Trace trace(plan(document));
    const Components components = make_components(trace);
    const std::size_t cut = head.rfind(".heads.");
    const Component* attention = find_component(components, head.substr(0, cut));
    int number = -1;
    if (cut != std::string::npos) {
        const std::string digits = head.substr(cut + std::string_view(".heads.").size());
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    }
    if (!attention || number < 0 || number >= attention->n_heads)
        throw Error(kWhere, "there is no head {}; a head is called blocks.0.attn.heads.2",
                    in_quotes(head));
    const Tensor* tensor = ablated_tensor(trace, *attention, number);
    if (!tensor) throw Error(kWhere, "{} has no output that can be set to zero", head);
    ablate(document, tensor->path(), Ablation::Zero);
}

void apply_change(Document& document, const std::string& json) {
    const JsonSource source{kWhere, parse_json(json, kWhere)};
    const FindWeights find = [&](std::uint64_t checksum) {
        return document.weights && document.weights->checksum == checksum ? document.weights
                                                                          : nullptr;
    };
    document = read_change(&document, JsonView(source), find);
}

void set_side(Document& document, Side side, const std::string& text) {
    if (!document.alignment()) throw Error(kWhere, "only an alignment has a source and a target");
    set_text(document, side, text);
}

using Change = void (*)(Document&, const std::string&);
constexpr std::pair<std::string_view, Change> kChanges[] = {
    {"text",
     [](Document& document, const std::string& text) {
         const RecordedStudy* recorded = document.recorded();
         const bool is_joined = recorded && recorded->joined && recorded->joined->sentence();
         if (!document.sentence() && !is_joined)
             throw Error(kWhere, "this study has no sentence{}",
                         document.alignment() ? "; use source and target" : "");
         set_text(document, text);
     }},
    {"source",
     [](Document& document, const std::string& text) { set_side(document, Side::Source, text); }},
    {"target",
     [](Document& document, const std::string& text) { set_side(document, Side::Target, text); }},
    {"set", set},
    {"ablate", ablate_head},
    {"change", apply_change}};

const auto* find_change(std::string_view key) {
    const auto at = std::ranges::find(kChanges, key, &std::pair<std::string_view, Change>::first);
    return at == std::end(kChanges) ? nullptr : &*at;
}

/// Joins several texts, which are the lines of one.
Directives joined_texts(const Directives& directives) {
    Directives joined;
    for (const Directive& directive : directives)
        if (directive.key == "text" && !joined.empty() && joined.back().key == "text")
            joined.back().value += '\n' + directive.value;
        else
            joined.push_back(directive);
    return joined;
}

}  // namespace

bool changes_study(std::string_view key) {
    return find_change(key) != nullptr;
}

void change_study(Document& document, const Directive& directive) {
    const auto* change = find_change(directive.key);
    if (!change) throw Error(kWhere, "{} changes no study", in_quotes(directive.key));
    change->second(document, directive.value);
}

std::string said(const Error& error) {
    const std::string& name = error.place().name;
    const std::string what = error.without_name();
    if (name.starts_with("--")) return fmt::format("{}: {}", name.substr(2), what);
    return name.find_first_of("./ ") == std::string::npos ? what
                                                          : fmt::format("{}: {}", name, what);
}

Error page_error(const std::string& source_name, const LecturePage& page, const Error& error) {
    const std::string title = fmt::format("“{}” ", page.title);
    if (error.place().name != source_name) return {{source_name, page.line}, title + said(error)};
    const ErrorPlace& place = error.place();
    const std::string within = ErrorPlace{"", 0, place.within}.inside();
    return {{source_name, place.line > 0 ? place.line : page.line},
            title + within + error.problem()};
}

PageDocuments::PageDocuments(const Lecture& lecture, std::filesystem::path folder,
                             std::string source_name)
    : lecture_(lecture),
      folder_(std::move(folder)),
      source_name_(std::move(source_name)),
      made_(lecture.pages.size()),
      is_made_(lecture.pages.size()) {}

std::shared_ptr<const Document> PageDocuments::at(std::size_t page) {
    if (!is_made_[page]) {
        made_[page] = make(page, nullptr);
        is_made_[page] = true;
    }
    return made_[page];
}

Faults PageDocuments::faults_of(std::size_t page) {
    Faults faults;
    if (!is_made_[page]) attempt(&faults, [&] { static_cast<void>(make(page, &faults)); });
    return faults;
}

std::shared_ptr<const Document> PageDocuments::make(std::size_t page, Faults* faults) {
    const Directives& directives = lecture_.pages[page].directives;
    const auto found = std::ranges::find(directives, std::string_view("study"), &Directive::key);
    const Directive* own = found == directives.end() ? nullptr : &*found;
    const auto at_line = [&](int line, const auto& act) {
        return attempt(faults, [&] {
            try {
                act();
            } catch (const Error& error) {
                if (error.place().name == source_name_) throw;
                throw Error({source_name_, line}, said(error));
            }
        });
    };
    const std::shared_ptr<const Document> before = page > 0 && !own ? at(page - 1) : nullptr;
    std::optional<Document> document;
    if (own && !at_line(own->line, [&] { document = open(own->value); })) return nullptr;
    if (!document && before) document = *before;
    bool is_changed = own != nullptr;
    for (const Directive& directive : joined_texts(directives)) {
        if (!changes_study(directive.key)) continue;
        is_changed = true;
        at_line(directive.line, [&] {
            if (!document) throw Error(kWhere, "there is no study that could be changed");
            change_study(*document, directive);
        });
    }
    if (!is_changed) return before;
    return document ? std::make_shared<const Document>(*std::move(document)) : nullptr;
}

Document PageDocuments::open_inside(const std::string& name, const std::string& text) const {
    const auto first = lecture_.study_lines.find(name);
    const int n_before = first == lecture_.study_lines.end() ? 0 : first->second - 1;
    // Puts so many lines before it that errors count those of the file.
    const std::string in_place = std::string(static_cast<std::size_t>(n_before), '\n') + text;
    Document document = read_study(in_place, source_name_);
    open_named_files(document, folder_);
    return document;
}

/// Returns the error of a table inside the lecture, with the line of the lecture's file.
Error PageDocuments::curve_error(const Error& error, const std::string& name) const {
    const auto first = lecture_.curve_lines.find(name);
    const int begin = first == lecture_.curve_lines.end() ? 1 : first->second;
    const bool names_line = error.place().name == name && error.place().line > 0;
    if (!names_line) return {{source_name_, begin - 1}, said(error)};
    return {{source_name_, begin + error.place().line - 1}, error.problem()};
}

CurveLog PageDocuments::open_curve(const std::string& name) const {
    if (const auto inside = lecture_.curves.find(name); inside != lecture_.curves.end()) {
        try {
            return read_curve_log(inside->second, name);
        } catch (const Error& error) {
            throw curve_error(error, name);
        }
    }
    std::error_code ignored;
    if (std::filesystem::exists(folder_ / name, ignored))
        return read_curve_log(read_file(folder_ / name), name);
    std::vector<std::string_view> known;
    for (const auto& [inside_name, text] : lecture_.curves) known.push_back(inside_name);
    throw Error(kWhere, "there is no curve {} in the lecture or beside it{}", in_quotes(name),
                suggestion(name, known));
}

Document PageDocuments::open(const std::string& name) const {
    Document document;
    std::error_code ignored;
    if (name.ends_with(".lecture"))
        throw Error(kWhere, "{} is a lecture; a page is about a study", in_quotes(name));
    if (const auto inside = lecture_.studies.find(name); inside != lecture_.studies.end()) {
        document = open_inside(name, inside->second);
    } else if (const ReadyStudy* ready = find_ready_study(name)) {
        document = ready->make();
    } else if (std::filesystem::exists(folder_ / name, ignored)) {
        document = open_document(folder_ / name).document;
    } else {
        std::vector<std::string_view> known;
        for (const ReadyStudy& ready : ready_studies()) known.push_back(ready.name);
        for (const auto& [inside_name, text] : lecture_.studies) known.push_back(inside_name);
        throw Error(kWhere,
                    "there is no study {} in the lecture, beside it or among the ready ones{}",
                    in_quotes(name), suggestion(name, known));
    }
    if (needs_places(document)) give_places(document, nullptr);
    return document;
}

}  // namespace headlight
