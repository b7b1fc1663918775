// Journals of windows that were killed.
#include "bad/bad_inputs.h"
#include "io/files/checksum.h"
#include "io/studies/journal.h"

namespace headlight::bad {
namespace {

using namespace std::string_literals;

const std::string kTitle(kJournalTitle);

/// A record with its checksum.
std::string record(const std::string& object) {
    return checksum_text(checksum(object)) + " " + object + "\n";
}

/// A single record of a sentence with these steps and members.
std::string with_steps(const std::string& steps, const std::string& more) {
    return kTitle +
           record(R"({"0": {"drop": 0, "keep": 0, "steps": [)" + steps + "]" + more + "}}");
}

/// The first step of a sentence.
std::string first_step(const std::string& study = R"({\"kind\": \"sentence\", \"text\": \"a\"})") {
    return R"({"label": "", "change": {"edits": {}, "study": ")" + study + R"("}})";
}

const std::string kRest = R"(, "at": 0, "file": "", "saved": {"edits": {}})";
const std::string kOneStep = "read: work 0 of 1 steps";

std::string next(const std::string& members) {
    return with_steps(first_step(), kRest) + record(R"({"0": {)" + members + "}}");
}

}  // namespace

std::string good_journal() {
    return with_steps(first_step(), kRest) +
           record(R"({"0": {"drop": 0, "keep": 1, "steps": [{"label": "Set W_Q", "change": )"
                  R"({"edits": {"embed": "{\"cells\": [[0, 1, 0.5]]}"}}}], "at": 1}})");
}

std::vector<BadInput> journal_inputs() {
    const std::string good = good_journal(), start = with_steps(first_step(), kRest);
    std::string wrong_sum = good, wrong_title = good;
    wrong_sum[kTitle.size() + 30] ^= 1, wrong_title[3] ^= 1;
    const std::string foreign = "it does not begin as a journal of Headlight does";
    return {
        {"empty", "", foreign},
        {"something else", "{}", foreign},
        {"a changed title", wrong_title, foreign},
        {"another version", "Headlight journal 4: unsaved work\n0\n",
         "it is a journal of version 4, and this program reads 3; start the Headlight that wrote "
         "it"},
        {"an older version", "Headlight journal 0: unsaved work\n0\n",
         "it is a journal of version 0, and this program reads 3; start the Headlight that wrote "
         "it"},
        {"a lecture without a step",
         kTitle + record(R"({"lecture": {"drop": 0, "keep": 0, "steps": [], "at": 0, "file": "", )"
                         R"("saved": ""}})"),
         "[line 2] line 1, lecture: has no step"},
        {"a lecture that is cut out of another text",
         kTitle + record(R"({"lecture": {"drop": 0, "keep": 0, "steps": [{"label": "", "change": )"
                         R"({"of": "00", "start": 0, "end": 0, "text": "a"}}], "at": 0}})"),
         "[line 2] line 1, lecture.steps[0].change: is a change of another text"},
        {"a version of many digits", "Headlight journal 99999999999999999999: unsaved work\n",
         foreign},
        {"the title alone", kTitle, "read"},
        {"the title without its end", kTitle.substr(0, kTitle.size() - 1), foreign},
        {"good", good, "read: work 0 of 2 steps"},
        {"cut off in the first record", start.substr(0, start.size() - 1), "line 2 is cut off"},
        {"cut off in the second record", good.substr(0, good.size() - 5), kOneStep},
        {"no line", kTitle + "\n", "line 2 is damaged"},
        {"a wrong sum", wrong_sum, "line 2 is damaged"},
        {"a wrong sum after a right one", start + "0123456789abcdef {}\n",
         kOneStep + ", line 3 is damaged"},
        {"a record that begins anew", start + start, kOneStep + ", line 3 is damaged"},
        {"17 million characters", kTitle + repeated("a", 17'000'000), "line 2 is cut off"},
        {"zero bytes behind it, as after a power cut", good + std::string(4096, '\0'),
         "read: work 0 of 2 steps"},
        {"nothing", kTitle + record("{}"), "read"},
        {"a list", kTitle + record("[]"), "[line 2] line 1: must be an object { … }, not a list"},
        {"no JSON", kTitle + record("hello"),
         "[line 2] line 1: syntax error while parsing value - invalid literal; last read: 'h'"},
        {"a byte that is not UTF-8", kTitle + record("{\"\xFF\": 1}"),
         "[line 2] line 1: not UTF-8 at byte 2; save it as UTF-8"},
        {"65 levels", kTitle + record(repeated("[", 65)),
         "[line 2] line 1: nested too deep; at most 64 levels are read"},
        {"a workspace twice", kTitle + record(R"({"0": false, "0": false})"),
         "[line 2] line 1: the key '0' is here for the second time (first on line 1); keep one"},
        {"workspace 64", kTitle + record(R"({"64": {}})"), "[line 2] line 1, 64: is no workspace"},
        {"workspace -1", kTitle + record(R"({"-1": {}})"), "[line 2] line 1, -1: is no workspace"},
        {"workspace 0x", kTitle + record(R"({"0x": {}})"), "[line 2] line 1, 0x: is no workspace"},
        {"a shown study that there cannot be", kTitle + record(R"({"shown": 64})"),
         "[line 2] line 1, shown: must be a whole number from 0 to 63, not 64"},
        {"a work that is gone without having been", kTitle + record(R"({"0": false})"), "read"},
        {"an unknown key", kTitle + record(R"({"0": {"zebra": 1}})"),
         "[line 2] line 1, 0.zebra: unknown key; known here: 'drop', 'keep', 'steps', 'at', "
         "'file', 'saved', 'contents', 'view'"},
        {"no step", with_steps("", kRest), "[line 2] line 1, 0: has no step"},
        {"a step without a study", with_steps(R"({"label": "", "change": {"edits": {}}})", kRest),
         "[line 2] line 1, 0.steps[0].change: has no study"},
        {"a study that is none", with_steps(first_step("{}"), kRest),
         "[a study in the journal] line 1: the key 'kind' is missing"},
        {"step 1 of 1",
         with_steps(first_step(), R"(, "at": 1, "file": "", "saved": {"edits": {}})"),
         "[line 2] line 1, 0.at: must be a whole number from 0 to 0, not 1"},
        {"step -1", with_steps(first_step(), R"(, "at": -1, "file": "", "saved": {"edits": {}})"),
         "[line 2] line 1, 0.at: must be a whole number from 0 to 0, not -1"},
        {"not what was saved", with_steps(first_step(), R"(, "at": 0)"),
         "[line 2] line 1, 0: does not say what was saved"},
        {"a sum that is none", with_steps(first_step(), kRest + R"(, "contents": "0xyz")"),
         "[line 2] line 1, 0.contents: is no checksum"},
        {"drops two of one step", next(R"("drop": 2, "keep": 0, "steps": [], "at": 0)"),
         kOneStep + ", [line 3] line 1, 0.drop: must be a whole number from 0 to 1, not 2"},
        {"keeps two of one step", next(R"("drop": 0, "keep": 2, "steps": [], "at": 0)"),
         kOneStep + ", [line 3] line 1, 0.keep: must be a whole number from 0 to 1, not 2"},
        {"a change of another text",
         next(R"("drop": 0, "keep": 1, "at": 0, "steps": [{"label": "", "change": {"edits": {}, )"
              R"("study": {"of": "0000000000000000", "start": 0, "end": 0, "text": ""}}}])"),
         kOneStep + ", [line 3] line 1, 0.steps[0].change.study: is a change of another text"},
        {"a cell that is NaN",
         next(R"("drop": 0, "keep": 1, "at": 0, "steps": [{"label": "", "change": {"edits": )"
              R"({"embed": "{\"cells\": [[0, 0, \"nan\"]]}"}}}])"),
         kOneStep + ", [an edit in the journal] line 1, cells[0][2]: must be a number or \"-inf\", "
                    "not the text 'nan'"},
    };
}

}  // namespace headlight::bad
