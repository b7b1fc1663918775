// Arguments → one command. The only file that knows the library that parses them.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <string_view>

#include "cli/commands.h"
#include "cli/window_command.h"
#include "core/error.h"
#include "io/printable.h"
#include "io/study_words.h"

namespace headlight {
namespace {

constexpr ChoiceWords<Residual, 2> kResidualWords = {
    {{"on", Residual::On}, {"off", Residual::Off}}};
constexpr ChoiceWords<SelfLoops, 2> kSelfLoopWords = {
    {{"on", SelfLoops::On}, {"off", SelfLoops::Off}}};
constexpr ChoiceWords<ThemeName, 2> kThemeWords = {
    {{"light", ThemeName::Light}, {"dark", ThemeName::Dark}}};

/// A number that takes the whole text; nothing if it does not, or is not between the limits.
template <typename Number>
std::optional<Number> number_between(std::string_view text, Number low, Number high) {
    Number number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || rest != end || !(number >= low && number <= high))
        return std::nullopt;
    return number;
}

/// "1600x1000"
std::optional<Point> size_from(std::string_view text) {
    constexpr float kLeast = 64, kMost = 16384;
    const std::size_t cut = text.find('x');
    if (cut == std::string_view::npos) return std::nullopt;
    const auto width = number_between(text.substr(0, cut), kLeast, kMost);
    const auto height = number_between(text.substr(cut + 1), kLeast, kMost);
    if (!width || !height) return std::nullopt;
    return Point{*width, *height};
}

template <typename Number>
std::string short_text(Number number) {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

/// Options of one command, each described with what it can be and its default.
class Command {
  public:
    explicit Command(CLI::App& app) : app_(app) {}

    void example(const std::string& lines) { app_.footer("\nExample:\n" + lines); }

    void argument(const char* name, std::string& value, const char* what) {
        app_.add_option(name, value, what)->required()->type_name("");
    }
    void optional_argument(const char* name, std::optional<std::string>& value, const char* what) {
        app_.add_option(name, value, what)->type_name("");
    }
    void flag(const char* name, bool& value, const char* what) { app_.add_flag(name, value, what); }

    void path(const char* name, std::string& value, const char* what) {
        app_.add_option(name, value, what)->required()->type_name("PATH");
    }
    void output(std::string& value, const char* what) {
        app_.add_option("-o,--output", value, what)->required()->type_name("FILE");
    }
    void optional_output(std::optional<std::string>& value) {
        app_.add_option("-o,--output", value, "The study; without it, standard output")
            ->type_name("FILE");
    }
    /// May be given several times.
    void list(const char* name, std::vector<std::string>& values, const char* type,
              const char* what) {
        app_.add_option(name, values, what)->type_name(type)->allow_extra_args(false);
    }

    template <typename Number>
    void number(const char* name, Number& value, Number low, Number high, const std::string& what) {
        const std::string range = short_text(low) + " to " + short_text(high);
        take(name, what + ", " + range + with_default(short_text(value)), "NUMBER",
             "is not a number from " + range, [&value, low, high](const std::string& text) {
                 const auto number = number_between<Number>(text, low, high);
                 if (number) value = *number;
                 return number.has_value();
             });
    }

    template <typename Choice, std::size_t n>
    void choice(const char* name, Choice& value, const ChoiceWords<Choice, n>& words,
                const std::string& what) {
        std::string known;
        for (const auto& [word, meaning] : words)
            known += (known.empty() ? "" : "|") + std::string(word);
        take(name, what + with_default(std::string(word_for(words, value))), known,
             "is not one of " + known, [&value, &words](const std::string& text) {
                 for (const auto& [word, meaning] : words)
                     if (word == text) value = meaning;
                 return word_for(words, value) == text;
             });
    }

    void size(std::optional<Point>& value, const std::string& what) {
        take("--size", what, "WxH", "is not a size such as 1600x1000, each side 64 to 16384",
             [&value](const std::string& text) {
                 value = size_from(text);
                 return value.has_value();
             });
    }

  private:
    static std::string with_default(const std::string& text) { return " [" + text + "]"; }

    /// `accept` takes the text's meaning over, or returns false.
    void take(const std::string& name, const std::string& what, const std::string& type,
              const std::string& refusal, std::function<bool(const std::string&)> accept) {
        const auto read = [name, refusal, accept = std::move(accept)](const std::string& text) {
            if (!accept(text)) throw CLI::ValidationError(name, in_quotes(text) + " " + refusal);
        };
        app_.add_option_function<std::string>(name, read, what)->type_name(type);
    }

    CLI::App& app_;
};

class CommandLine {
  public:
    explicit CommandLine(const Streams& streams) : streams_(streams) {
        app_.require_subcommand(0, 1);
        app_.set_version_flag("--version", "Headlight " HEADLIGHT_VERSION, "Print the version");
        Command main(app_);
        main.optional_argument("FILE", file_, "A study to open; without it, the built-in one");
        main.example(
            "  headlight                        open the window\n"
            "  headlight tired.headlight        open a study\n"
            "  headlight new sentence \"The cat was tired\" -o tired.headlight");
        add_new();
        add_list();
        add_run();
        add_export();
        add_window();
        add_explain();
        add("doctor", "Print versions, OpenGL, fonts and the display", [this] {
            report_health(streams_);
        }).example("  headlight doctor");
    }

    int run(std::vector<std::string> args) {
        std::ranges::reverse(args);  // as the library wants them
        try {
            app_.parse(std::move(args));
            if (!command_ && is_mistyped_command()) return kExitUsage;
            command_ ? command_() : open_window(file_);
            if (!streams_.out.flush()) throw Error("output", "cannot be written");
            return kExitDone;
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) return app_.exit(error, streams_.out, streams_.err);
            return refuse(error.what());
        } catch (const std::bad_alloc&) {
            return fail("[memory] there is not enough; take a smaller study");
        } catch (const std::exception& error) {
            return fail(error.what());
        }
    }

  private:
    int fail(const std::string& what) {
        streams_.err << "headlight: " << what << '\n';
        return kExitError;
    }

    int refuse(const std::string& what) {
        std::string command = "headlight";
        const CLI::App* app = &app_;
        while (!app->get_subcommands().empty()) {
            app = app->get_subcommands().back();
            command += " " + app->get_name();
        }
        streams_.err << command << ": " << what << "\nSee `" << command << " --help`.\n";
        return kExitUsage;
    }

    /// A word that is no file but looks like a command.
    bool is_mistyped_command() {
        std::error_code error;
        if (!file_ || file_->find_first_of("./") != std::string::npos) return false;
        if (std::filesystem::exists(*file_, error)) return false;
        std::vector<std::string> names;
        for (const CLI::App* app : app_.get_subcommands({})) names.push_back(app->get_name());
        const std::vector<std::string_view> known(names.begin(), names.end());
        const std::string near = suggestion(*file_, known);
        refuse(in_quotes(*file_) + " is neither a command nor a file" + near);
        return true;
    }

    Command add(CLI::App& parent, const char* name, const char* what,
                std::function<void()> command) {
        CLI::App& app = *parent.add_subcommand(name, what);
        app.callback([this, command = std::move(command)] { command_ = command; });
        return Command(app);
    }
    Command add(const char* name, const char* what, std::function<void()> command) {
        return add(app_, name, what, std::move(command));
    }

    void add_new() {
        CLI::App& app = *app_.add_subcommand("new", "Make a study");
        app.require_subcommand(1);
        Command(app).example(
            "  headlight new sentence \"The cat was tired\" -o tired.headlight\n"
            "  headlight new graph friends.edges -o friends.headlight");
        add_new_sentence(app);
        add_new_graph(app);
    }

    void add_new_sentence(CLI::App& parent) {
        Command command = add(parent, "sentence", "A study of self-attention over a sentence", [&] {
            sentence_.document.sentence()->text = text_;
            new_sentence(sentence_, streams_);
        });
        sentence_.document.study = SentenceStudy{};
        SelfAttentionSettings& layer = sentence_.document.sentence()->layer;
        command.argument("TEXT", text_, "The sentence");
        command.number("--layers", layer.n_layers, 1, kMaxLayers, "Attention layers");
        command.number("--heads", layer.n_heads, 1, kMaxHeads, "Heads in each layer");
        command.number("--d-model", layer.d_model, 1, kMaxWidth, "Width of a word's vector");
        command.number("--d-k", layer.d_k, 1, kMaxWidth, "Width of a head's queries and keys");
        command.number("--d-v", layer.d_v, 1, kMaxWidth, "Width of a head's values");
        command.choice("--mask", layer.mask, kMaskWords, "Which words a word may read");
        command.choice("--positions", layer.positions, kPositionWords, "Added to the embeddings");
        command.choice("--residual", layer.residual, kResidualWords,
                       "Add a layer's input to its output");
        add_seed(command, sentence_.document);
        command.optional_output(sentence_.output);
        command.example(
            "  headlight new sentence \"The cat was tired\" --heads 2 --mask causal "
            "-o tired.headlight");
    }

    void add_new_graph(CLI::App& parent) {
        Command command = add(parent, "graph", "A study of graph attention over an edge list",
                              [&] { new_graph(graph_, streams_); });
        graph_.document.study = GraphStudy{};
        GraphStudy& study = *graph_.document.graph();
        command.argument("EDGES", graph_.edge_list, "Two names a line; # starts a comment");
        command.flag("--directed", study.graph.directed, "In a line \"a b\", only b reads a");
        command.number("--heads", study.layer.n_heads, 1, kMaxHeads, "Heads");
        command.number("--d-in", study.layer.d_in, 1, kMaxWidth, "Width of a node's features");
        command.number("--d-out", study.layer.d_out, 1, kMaxWidth, "Width of a head's output");
        command.number("--slope", study.layer.slope, 0.0f, 1.0f, "Of the LeakyReLU below 0");
        command.choice("--activation", study.layer.activation, kActivationWords, "Of the result");
        command.choice("--combine", study.layer.combine, kCombineWords, "How heads come together");
        command.choice("--self-loops", study.self_loops, kSelfLoopWords, "Every node reads itself");
        add_seed(command, graph_.document);
        command.optional_output(graph_.output);
        command.example(
            "  headlight new graph friends.edges --heads 2 --combine mean -o friends.headlight");
    }

    static void add_seed(Command& command, Document& document) {
        command.number("--seed", document.seed, std::uint64_t{0},
                       std::numeric_limits<std::uint64_t>::max(),
                       "What weights and embeddings are drawn from");
    }

    void add_list() {
        Command command = add("list", "Print every matrix: path, rows, columns, equation",
                              [this] { list_tensors(list_, streams_); });
        command.argument("STUDY", list_.study, "A *.headlight file");
        command.example("  headlight list tired.headlight");
    }

    void add_run() {
        Command command =
            add("run", "Compute matrices into a file", [this] { run_study(run_, streams_); });
        command.argument("STUDY", run_.study, "A *.headlight file");
        command.list("--tensor", run_.tensors, "GLOB",
                     "Only paths like this (* any text, ? any character); may be repeated");
        command.list("--set", run_.settings, "FILE",
                     "Values by path (.npz, .safetensors, .json) that replace inputs and weights, "
                     "and pin computed matrices; may be repeated");
        command.output(run_.output, ".npz, .safetensors or .json");
        command.example("  headlight run tired.headlight --tensor '*.pattern' -o patterns.npz");
    }

    void add_export() {
        Command command = add("export", "Save one matrix as a picture or as numbers",
                              [this] { export_one_tensor(export_, streams_); });
        command.argument("STUDY", export_.study, "A *.headlight file");
        command.path("--tensor", export_.tensor, "The matrix");
        command.output(export_.output, ".png, .csv or .npy");
        command.size(export_.size, "Of a picture, in points [as large as it needs]");
        command.choice("--theme", export_.theme, kThemeWords, "Of a picture");
        command.number("--scale", export_.scale, 0.25f, 16.0f, "Pixels a point");
        command.example(
            "  headlight export tired.headlight --tensor blocks.0.attn.heads.0.pattern "
            "-o pattern.png");
    }

    void add_window() {
        Command command =
            add("window", "Draw the window into a picture, without a display", [this] {
                if (!window_.output.ends_with(".png"))
                    throw Error(printable(window_.output), "the extension must be .png");
                if (window_size_) {
                    window_.width_px = window_size_->x;
                    window_.height_px = window_size_->y;
                }
                render_window(window_);
            });
        command.optional_argument("STUDY", window_.study,
                                  "A *.headlight file; without it, the built-in study");
        command.output(window_.output, "The picture, .png");
        command.size(window_size_, "Of the picture, in pixels [1600x1000]");
        command.choice("--theme", window_.theme, kThemeWords, "Colours");
        command.number("--scale", window_.scale, 0.5f, 4.0f, "Of text and everything else");
        command.example("  headlight window tired.headlight -o window.png --theme dark");
    }

    void add_explain() {
        Command command = add("explain", "Print the arithmetic of one cell", [this] {
            explain_.form = json_ ? ExplainAs::Json : ExplainAs::Text;
            explain_cell(explain_, streams_);
        });
        command.argument("STUDY", explain_.study, "A *.headlight file");
        command.argument("PATH", explain_.tensor, "The matrix");
        command.argument("ROW", explain_.row,
                         "An index from 0, a word, a node, or an edge: '9<-33'");
        command.optional_argument("COLUMN", explain_.column,
                                  "The same; may be left out where there is one column");
        command.flag("--json", json_, "For programs");
        command.example(
            "  headlight explain tired.headlight blocks.0.attn.heads.0.pattern tired cat");
    }

    Streams streams_;
    CLI::App app_{"See and change how attention works.", "headlight"};
    std::function<void()> command_;
    std::optional<std::string> file_;
    std::string text_;
    bool json_ = false;
    NewSentence sentence_;
    NewGraph graph_;
    ListTensors list_;
    RunStudy run_;
    ExportTensor export_;
    ExplainCell explain_;
    WindowPicture window_;
    std::optional<Point> window_size_;
};

}  // namespace

int run_command_line(std::vector<std::string> args, std::ostream& out, std::ostream& err) {
    return CommandLine({out, err}).run(std::move(args));
}

}  // namespace headlight
