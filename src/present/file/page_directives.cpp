#include "present/file/page_directives.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <string>

#include "core/error.h"
#include "present/lecture.h"
#include "text/strings.h"
#include "views/export/look_names.h"
#include "views/view_state.h"

namespace headlight {
namespace {

using IsValue = bool (*)(const std::string& text);

struct ValueRule {
    const char* key;
    const char* what;  // it is
    IsValue is_right;
};

constexpr double kMostMinutes = 10'000;

bool is_number_to(const std::string& text, double most) {
    return number_between(text, 0.0, most).has_value();
}

const ValueRule kValueRules[] = {
    {"theme", "light, dark or contrast",
     [](const std::string& text) { return choice_named(text, kThemeWords).has_value(); }},
    {"minutes", "a number of minutes, from 0",
     [](const std::string& text) { return is_number_to(text, kMostMinutes); }},
    {"animate", "a number of seconds from 0 to 60",
     [](const std::string& text) { return is_number_to(text, kMostAnimationSecs); }}};

class DirectiveCheck {
  public:
    DirectiveCheck(const Directives& directives, const std::string& source_name)
        : directives_(directives), source_name_(source_name) {}

    void run(Faults* faults) const {
        for (std::size_t k = 0; k < directives_.size(); ++k)
            attempt(faults, [&] {
                check_once(k);
                check_value(directives_[k]);
            });
    }

  private:
    [[noreturn]] void fail(const Directive& directive, const std::string& what) const {
        throw Error({source_name_, directive.line}, "{}: {}", directive.key, what);
    }

    void check_once(std::size_t k) const {
        const Directive& directive = directives_[k];
        const auto key = std::ranges::find_if(
            directive_keys(), [&](const DirectiveKey& each) { return each.key == directive.key; });
        if (key == directive_keys().end() || key->given != DirectiveKey::Given::Once) return;
        for (std::size_t before = 0; before < k; ++before)
            if (directives_[before].key == directive.key)
                fail(directive, fmt::format("is given twice; it was {} before",
                                            in_quotes(directives_[before].value)));
    }

    void check_value(const Directive& directive) const {
        for (const ValueRule& rule : kValueRules)
            if (directive.key == rule.key && !rule.is_right(directive.value))
                fail(directive,
                     fmt::format("is {}, not {}", rule.what, in_quotes(directive.value)));
    }

    const Directives& directives_;
    const std::string& source_name_;
};

}  // namespace

void check_directives(const PageSource& source, std::size_t page, Faults* faults) {
    if (page == 0) DirectiveCheck(source.lecture.directives, source.name).run(faults);
    DirectiveCheck(source.lecture.pages[page].directives, source.name).run(faults);
}

namespace {

using Of = DirectiveKey::Of;
using Given = DirectiveKey::Given;

const DirectiveKey kOwnKeys[] = {
    {"study",
     "What the page is about: a study of this file, a file beside it, or a ready study; without "
     "it, that of the page before, with its changes"},
    {"text", "The study's sentence; given again, one more sentence", Of::Page, Given::OftenAsWell},
    {"source", "The source of an alignment"},
    {"target", "Its target"},
    {"set",
     "A change of the study: a setting (layer.attention.n_heads = 2), a cell "
     "(embed[cat, 0] = 1), a row, or a matrix (embed = 1 0; 0 1)",
     Of::Page, Given::OftenAsWell},
    {"ablate", "A head whose output is set to zero: blocks.0.attn.heads.2", Of::Page,
     Given::OftenAsWell},
    {"change", "Changes that the window made, as one line of JSON", Of::Page, Given::OftenAsWell},
    {"what", "The view, as `headlight export --what` names it, or none"},
    {"tensor", "The matrix that is shown large"},
    {"curve",
     "Instead of a view: a table of a training, as `headlight train --log` writes it, of this file "
     "or a file beside it, drawn as curves; given again, in the same picture",
     Of::Page, Given::OftenAsWell},
    {"series", "A column of that table that is drawn; given again, one more; without it all",
     Of::Page, Given::OftenAsWell},
    {"sentence", "Which one of several sentences, from 1"},
    {"control",
     "What can be changed on the slide: a slider, layer.attention.temperature = 0.2:4; the words "
     "of a setting, layer.positions; heads to switch off, heads or blocks.1.attn.heads; text, to "
     "type",
     Of::Page, Given::OftenAsWell},
    {"animate", "Seconds that the change from the page before takes when it is presented [0.6]"},
    {"claim", "A condition that must hold on this page", Of::Page, Given::OftenAsWell},
    {"task", "A question to the students"},
    {"choice", "An answer to choose that is wrong", Of::Page, Given::OftenAsWell},
    {"right", "An answer to choose that is right", Of::Page, Given::OftenAsWell},
    {"predict", "An expression whose value the students predict: a number, or a name"},
    {"within", "How far a predicted number may be off [0.05]"},
    {"cover",
     "on: the matrix of the page is seen only after the answer; off: before it, too [of "
     "predictions "
     "on, of choices off]"},
    {"order", "A row whose names the students put in order, the largest first"},
    {"goal", "A condition that the students make true"},
    {"hint", "Shown when a student asks; given again, one more", Of::Page, Given::OftenAsWell},
    {"solution", "A change that reaches the goal: `set embed[cat, 0] = 1`, `text …`, `ablate …`",
     Of::Page, Given::OftenAsWell},
    {"answer-from",
     "The day from which the answer and the solution can be shown, such as 2026-12-01; hints "
     "always "
     "can"},
    {"minutes", "How long it is planned to take", Of::Both},
    {"theme", "light, dark or contrast", Of::Both},
    {"author", "Whose lecture it is", Of::Lecture}};

std::vector<DirectiveKey> make_keys() {
    std::vector<DirectiveKey> keys(std::begin(kOwnKeys), std::end(kOwnKeys));
    for (const ViewOption& option : view_options()) {
        const bool is_list = option.given == TextOption::Given::OftenAsWell;
        keys.push_back({option.word.c_str(), option.help.c_str(), Of::Page,
                        is_list ? Given::OftenAsWell : Given::Once});
    }
    return keys;
}

}  // namespace

const std::vector<DirectiveKey>& directive_keys() {
    static const std::vector<DirectiveKey> keys = make_keys();
    return keys;
}

}  // namespace headlight
