// How long a pretrained model takes: from the start of the program to the first patterns, and from
// a typed letter to its patterns. beside_transformers.py measures transformers in turns with it.
//
//     bench_model [FOLDER]
//
// prints a line for each: what it is, a tab, seconds or bytes. Seconds are processor time of all
// threads together: other programs do not count. Without FOLDER a tiny GPT-2 of the tests is
// measured.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <time.h>
#include <vector>

#include "core/error.h"
#include "io/models/golden_model.h"
#include "io/models/open_model.h"
#include "model/changes.h"
#include "model/session.h"

namespace {

using namespace headlight;

constexpr std::size_t kFirstTokens = 64, kTypedTokens = 32;
constexpr int kTurns = 12;

double now_secs() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The most memory that the process has had.
double peak_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (double kilobytes = 0; word == "VmHWM:" && status >> kilobytes) return 1024 * kilobytes;
    return 0;
}

std::size_t count_tokens(const OpenedModel& model, const std::string& text) {
    return tokens_of_text(*model.weights->model, text).size();
}

/// Words until there are so many tokens.
std::string text_of(const OpenedModel& model, std::size_t n_tokens) {
    std::string text = "The";
    for (int k = 0; count_tokens(model, text) < n_tokens; ++k) {
        constexpr const char* kWords[] = {" cat", " and", " the", " mat", " in", " a", " house"};
        text += kWords[k % 7];
    }
    return text;
}

void show(const std::string& what, double number) {
    std::cout << what << '\t' << number << std::endl;
}

/// The window's session, without pictures: a model's study, and what is looked at in it.
class Study {
  public:
    explicit Study(Document document) : session_(std::move(document)) {
        look_at({"blocks.*.pattern"});
    }

    void look_at(std::vector<std::string> globs) {
        session_.watch({.everything = false, .globs = std::move(globs)});
        settle();
    }

    /// Until everything that follows from the text is there.
    double type(const std::string& text) {
        const double begin = now_secs();
        session_.apply({"type", [&](Document& document) { set_text(document, text); }});
        settle();
        return now_secs() - begin;
    }

  private:
    void settle() {
        session_.wait();
        if (!session_.trace()) throw Error("bench", session_.why_no_trace());
    }

    Session session_;
};

/// The least of several turns; one text is typed after the other.
double type_in_turns(Study& study, const std::string& a, const std::string& b) {
    double least = 1e9;
    for (int turn = 0; turn < kTurns; ++turn)
        least = std::min(least, study.type(turn % 2 == 0 ? a : b));
    return least;
}

void measure_typing(Study& study, const OpenedModel& model) {
    const std::string text = text_of(model, kTypedTokens);
    std::string in_the_middle = text;
    in_the_middle.insert(text.find(' ', text.size() / 2), "x");
    study.type(text);
    show("a letter at the end", type_in_turns(study, text + "x", text));
    show("a letter in the middle", type_in_turns(study, in_the_middle, text));
}

void measure(const std::string& folder, std::size_t n_first_tokens) {
    const OpenedModel model = open_model(folder);
    show("the folder is open", now_secs());
    Study study(model_study(model, text_of(model, n_first_tokens)));
    show("first patterns", now_secs());
    show("weights", model.weights->model->size_bytes);
    show("peak memory", peak_bytes());
    measure_typing(study, model);
    show("peak memory at the end", peak_bytes());
}

}  // namespace

int main(int n_arguments, char** arguments) try {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // as the program does
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    if (n_arguments < 2) {
        measure(headlight::GoldenModel("gpt2").folder(), kTypedTokens);
    } else {
        measure(arguments[1], kFirstTokens);
    }
} catch (const headlight::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
