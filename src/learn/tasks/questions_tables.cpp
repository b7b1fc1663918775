#include "learn/tasks/questions_tables.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>

#include "core/error.h"
#include "learn/tasks/grammar_text.h"

namespace headlight {
namespace {

using Words = std::vector<std::string>;
using Kind = QuestionRole::Kind;
using Is = QuestionSymbol::Is;

[[noreturn]] void fail_unknown(const char* what, std::string_view name) {
    throw Error("grammar", "there is no {} '{}'", what, name);
}

template <typename Items>
auto& named(Items& items, std::string_view name, const char* what) {
    for (auto& item : items)
        if (item.name == name) return item;
    fail_unknown(what, name);
}

/// The role "c1" is for what is said of the first noun, "c" for what is said of the one that an
/// adjective decides.
QuestionRole read_role(std::string_view text) {
    const char letter = text.empty() ? ' ' : text[0];
    const int noun = text.size() < 2 ? kOpen : text[1] - '1';
    switch (letter) {
        case ' ':
            return {};
        case '1':
        case '2':
            return {Kind::Article, letter - '1'};
        case 's':
            return {Kind::Auxiliary, 0};
        case 't':
            return {Kind::Auxiliary, 1};
        case 'k':
            return {Kind::Connective, 0};
        case 'p':
        case 'o':
            return {Kind::Pronoun, noun};
        case 'c':
            return {Kind::Copula, noun};
        case 'd':
            return {Kind::Degree, noun};
        case 'a':
            return {Kind::Adjective, noun};
        default:
            fail_unknown("role", text);
    }
}

std::vector<std::pair<std::string, double>> read_shares(const Words& words) {
    std::vector<std::pair<std::string, double>> shares;
    for (std::size_t k = 0; k + 1 < words.size(); k += 2)
        shares.emplace_back(words[k], std::strtod(words[k + 1].c_str(), nullptr));
    return shares;
}

QuestionVerb read_verb(const Words& forms) {
    if (forms.size() != kVerbForms) throw Error("grammar", "a verb has five forms");
    QuestionVerb verb;
    std::ranges::copy(forms, verb.forms.begin());
    std::string& base = verb.forms[0];
    for (std::size_t bar = base.rfind('_'); bar != std::string::npos; bar = base.rfind('_')) {
        verb.after.insert(verb.after.begin(), base.substr(bar + 1));
        base.erase(bar);
    }
    return verb;
}

}  // namespace

bool QuestionFrame::has_verb() const {
    return std::ranges::any_of(symbols, [](const QuestionSymbol& symbol) {
        return symbol.is == Is::Verb || symbol.is == Is::Present;
    });
}

bool QuestionFrame::has_second_noun() const {
    return std::ranges::any_of(symbols, [](const QuestionSymbol& symbol) {
        return symbol.is == Is::Noun && symbol.noun == 1;
    });
}

bool QuestionFrame::has_adjective_before(int noun) const {
    const auto is_noun = [&](const QuestionSymbol& symbol) {
        return symbol.is == Is::Noun && symbol.noun == noun;
    };
    const auto place = std::ranges::find_if(symbols, is_noun);
    return place != symbols.end() && place != symbols.begin() &&
           std::prev(place)->is == Is::Adjective;
}

bool QuestionFrame::has_participle() const {
    return std::ranges::any_of(symbols, [](const QuestionSymbol& symbol) {
        return symbol.is == Is::Verb && symbol.form == VerbForm::Participle;
    });
}

QuestionTables::QuestionTables(std::string_view text) {
    for (const GrammarLine& line : grammar_lines(text)) add_line(line.head, line.rest);
    index_words();
}

void QuestionTables::index_words() {
    for (std::size_t k = 0; k < nouns.size(); ++k) {
        for (const std::string& word : nouns[k].words) index_[word].lists |= std::uint64_t(1) << k;
        for (const std::string& word : nouns[k].attributes) index_[word].is_attribute = true;
        for (const std::string& word : nouns[k].pronouns) {
            index_[word].is_pronoun = true;
            index_[std::string(object_form(word))].is_pronoun = true;
        }
    }
    for (const QuestionPair& pair : pairs)
        for (const QuestionReasons* reasons : {&pair.against, &pair.in_favour}) {
            for (const Words& words : reasons->of)
                for (const std::string& word : words) index_[word].is_reason = true;
            for (const auto& [word, share] : reasons->of_either) index_[word].is_reason = true;
        }
}

QuestionWord QuestionTables::word(const std::string& word) const {
    const auto found = index_.find(word);
    return found == index_.end() ? QuestionWord{} : found->second;
}

/// Reads a line; `head` is the part before the colon.
void QuestionTables::add_line(const Words& head, std::string_view rest) {
    const std::string& kind = head[0];
    const Words words = words_between_blanks(rest);
    if (kind == "nouns") {
        Words pronouns(head.begin() + 2, head.end());
        const bool is_bare = std::erase(pronouns, "bare") > 0;
        nouns.push_back({head.at(1), std::move(pronouns), words, {}, is_bare});
    } else if (kind == "kind") {
        kinds_.emplace_back(head.at(1), words);
    } else if (kind == "pair") {
        pairs.push_back({head.at(1), {lists_named(words.at(0)), {}}});
        if (words.size() > 1) pairs.back().nouns[1] = lists_named(words[1]);
        const std::size_t weight =
            head.size() > 2 ? static_cast<std::size_t>(std::atoi(head[2].c_str())) : 1;
        weighted_pairs.insert(weighted_pairs.end(), weight * pairs.back().nouns[0].size(),
                              pairs.size() - 1);
    } else if (kind == "verbs") {
        for (const Words& forms : weighted_entries(rest))
            named(pairs, head.at(1), "pair").verbs.push_back(read_verb(forms));
    } else if (kind.starts_with("against") || kind.starts_with("for")) {
        QuestionPair& pair = named(pairs, head.at(1), "pair");
        QuestionReasons& reasons = kind[0] == 'a' ? pair.against : pair.in_favour;
        if (kind.back() == '1' || kind.back() == '2')
            reasons.of[kind.back() == '2'] = words;
        else
            reasons.of_either = read_shares(words);
    } else if (kind == "attributes") {
        named(nouns, head.at(1), "list of nouns").attributes = words;
    } else if (kind == "group") {
        QuestionGroup group{head.at(1), {}, {}};
        std::map<Words, std::size_t> known;
        for (const Words& entry : weighted_entries(rest)) {
            const auto [place, is_new] = known.emplace(entry, group.entries.size());
            if (is_new) group.entries.push_back(read_symbols(entry));
            group.weighted.push_back(place->second);
        }
        groups.push_back(std::move(group));
    } else if (kind == "frame") {
        const ReasonKind reason = head.at(3) == "against" ? ReasonKind::Against
                                  : head.at(3) == "for"   ? ReasonKind::For
                                                          : ReasonKind::Any;
        const bool is_held = head.at(2) == "held";
        frames.push_back({head.at(1), reason, read_symbols(words), is_held,
                          is_held ? 1 : std::atoi(head[2].c_str())});
    } else {
        fail_unknown("line of the kind", kind);
    }
}

std::vector<std::size_t> QuestionTables::lists_named(const std::string& name) const {
    for (const auto& [kind, members] : kinds_)
        if (kind == name) {
            std::vector<std::size_t> lists;
            for (const std::string& member : members)
                std::ranges::copy(lists_named(member), std::back_inserter(lists));
            return lists;
        }
    return {static_cast<std::size_t>(&named(nouns, name, "list of nouns") - nouns.data())};
}

QuestionSymbols QuestionTables::read_symbols(const Words& words) const {
    QuestionSymbols symbols;
    for (const std::string& word : words) symbols.push_back(read_symbol(word));
    return symbols;
}

/// "$the/1", "was~were/t", "although"
QuestionSymbol QuestionTables::read_symbol(std::string_view word) const {
    static const std::map<std::string_view, VerbForm> forms{{"$v", VerbForm::Base},
                                                            {"$vs", VerbForm::Third},
                                                            {"$ved", VerbForm::Past},
                                                            {"$ven", VerbForm::Participle},
                                                            {"$ving", VerbForm::Ing}};
    const std::size_t slash = word.find('/');
    const std::string_view text = word.substr(0, slash);
    QuestionSymbol symbol;
    if (slash != std::string_view::npos) symbol.role = read_role(word.substr(slash + 1));
    if (const auto form = forms.find(text); form != forms.end()) {
        symbol.is = form->second == VerbForm::Third ? Is::Present : Is::Verb;
        symbol.form = form->second;
    } else if (text == "$1" || text == "$2") {
        symbol.is = Is::Noun, symbol.noun = text[1] - '1';
    } else if (text == "$of1" || text == "$of2") {
        symbol.is = Is::Attributes, symbol.noun = text[3] - '1';
    } else if (text.starts_with("$adj")) {
        symbol.is = Is::Adjective, symbol.noun = text.size() > 4 ? text[4] - '1' : kOpen;
    } else if (text == "$it") {
        symbol.is = Is::Pronoun, symbol.noun = symbol.role.value_or(QuestionRole{}).noun;
        symbol.is_object = slash != std::string_view::npos && word[slash + 1] == 'o';
    } else if (text.starts_with('$')) {
        symbol.is = Is::Group;
        symbol.group =
            static_cast<std::size_t>(&named(groups, text.substr(1), "group") - groups.data());
    } else {
        const std::size_t tilde = text.find('~');
        symbol.word = text.substr(0, tilde);
        symbol.plural = tilde == std::string_view::npos ? symbol.word : text.substr(tilde + 1);
    }
    return symbol;
}

std::vector<std::string> QuestionTables::words() const {
    std::set<std::string> all{"an"};
    const auto add = [&](const Words& words) { all.insert(words.begin(), words.end()); };
    const auto add_symbols = [&](const QuestionSymbols& symbols) {
        for (const QuestionSymbol& symbol : symbols)
            if (symbol.is == Is::Word) add({symbol.word, symbol.plural});
    };
    for (const QuestionNouns& list : nouns) {
        add(list.words), add(list.attributes), add(list.pronouns);
        for (const std::string& pronoun : list.pronouns) all.emplace(object_form(pronoun));
    }
    for (const QuestionPair& pair : pairs) {
        for (const QuestionVerb& verb : pair.verbs) {
            for (const std::string& form : verb.forms)
                if (form != "-") all.insert(form);
            add(verb.after);
        }
        for (const QuestionReasons* reasons : {&pair.against, &pair.in_favour}) {
            add(reasons->of[0]), add(reasons->of[1]);
            for (const auto& [adjective, share] : reasons->of_either) all.insert(adjective);
        }
    }
    for (const QuestionGroup& group : groups)
        for (const QuestionSymbols& entry : group.entries) add_symbols(entry);
    for (const QuestionFrame& frame : frames) add_symbols(frame.symbols);
    return {all.begin(), all.end()};
}

std::string_view object_form(std::string_view pronoun) {
    return pronoun == "he"     ? "him"
           : pronoun == "she"  ? "her"
           : pronoun == "they" ? "them"
                               : pronoun;
}

double share_with_pronoun(double share, std::string_view pronoun, const QuestionNouns& first,
                          const QuestionNouns& second) {
    const auto likelihood = [&](const QuestionNouns& nouns) {
        const auto n = static_cast<double>(nouns.pronouns.size());
        return static_cast<double>(std::ranges::count(nouns.pronouns, pronoun)) / n;
    };
    const double a = share * likelihood(first), b = (1 - share) * likelihood(second);
    return a + b > 0 ? a / (a + b) : share;
}

// ---- answers ----

namespace {

/// The places of the words that answer.
class AnswerPlaces {
  public:
    AnswerPlaces(const std::vector<QuestionRole>& roles, double share) : share_(share) {
        for (std::size_t i = 0; i < roles.size(); ++i) add(roles[i], static_cast<Index>(i));
    }

    WordAnswer who(const QuestionRole& role, Index itself) const {
        switch (role.kind) {
            case Kind::Article:
            case Kind::Attribute:
                return noun(role.noun, itself);
            case Kind::Auxiliary:
            case Kind::Verb:
                return noun(0, itself);
            case Kind::Pronoun:
            case Kind::Copula:
            case Kind::Degree:
            case Kind::Adjective:
                return role.noun == kOpen ? either() : noun(role.noun, itself);
            default:
                return {{itself, 1}};
        }
    }

    WordAnswer state(const QuestionRole& role, Index itself) const {
        switch (role.kind) {
            case Kind::Noun:
                return state_of(role.noun, itself);
            case Kind::Pronoun:
            case Kind::Copula:
            case Kind::Degree:
                return one(role.noun == kOpen ? open_ : said_[at(role.noun)], itself);
            default:
                return {{itself, 1}};
        }
    }

    WordAnswer action(const QuestionRole& role, Index itself) const {
        switch (role.kind) {
            case Kind::Noun:
            case Kind::Pronoun:
            case Kind::Auxiliary:
            case Kind::Connective:
                return one(verb_, itself);
            default:
                return {{itself, 1}};
        }
    }

  private:
    static std::size_t at(int noun) { return static_cast<std::size_t>(noun); }
    static WordAnswer one(std::optional<Index> place, Index itself) {
        return {{place.value_or(itself), 1}};
    }

    void add(const QuestionRole& role, Index place) {
        if (role.kind == Kind::Noun) nouns_[at(role.noun)] = place;
        if (role.kind == Kind::Verb) verb_ = place;
        if (role.kind == Kind::Attribute) attributes_[at(role.noun)].push_back(place);
        if (role.kind == Kind::Adjective)
            (role.noun == kOpen ? open_ : said_[at(role.noun)]) = place;
    }

    WordAnswer noun(int which, Index itself) const { return one(nouns_[at(which)], itself); }

    WordAnswer either() const {
        WordAnswer answer;
        if (share_ > 0) answer.push_back({*nouns_[0], share_});
        if (share_ < 1) answer.push_back({*nouns_[1], 1 - share_});
        return answer;
    }

    /// A word that is said of the noun takes precedence over the adjectives that stand before it.
    WordAnswer state_of(int which, Index itself) const {
        if (said_[at(which)]) return {{*said_[at(which)], 1}};
        const double share = !open_ ? 0 : which == 0 ? share_ : 1 - share_;
        WordAnswer answer;
        if (share > 0) answer.push_back({*open_, share});
        if (share == 1) return answer;
        const std::vector<Index>& attributes = attributes_[at(which)];
        const auto n = static_cast<double>(attributes.size());
        for (const Index place : attributes) answer.push_back({place, (1 - share) / n});
        if (attributes.empty()) answer.push_back({itself, 1 - share});
        return answer;
    }

    double share_;
    std::array<std::optional<Index>, 2> nouns_, said_;
    std::array<std::vector<Index>, 2> attributes_;
    std::optional<Index> verb_, open_;
};

}  // namespace

void add_answers(QuestionSentence& sentence, const std::vector<QuestionRole>& roles, double share) {
    const AnswerPlaces places(roles, share);
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const auto itself = static_cast<Index>(i);
        sentence.answers[0].push_back(places.who(roles[i], itself));
        sentence.answers[1].push_back(places.state(roles[i], itself));
        sentence.answers[2].push_back(places.action(roles[i], itself));
        if (roles[i] == QuestionRole{Kind::Pronoun, kOpen}) sentence.pronoun = itself;
    }
}

}  // namespace headlight
