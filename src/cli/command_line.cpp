#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <new>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/commands.h"
#include "cli/lecture_commands.h"
#include "cli/options.h"
#include "cli/readout_command.h"
#include "cli/train_command.h"
#include "cli/window_command.h"
#include "core/error.h"
#include "io/studies/ready_studies.h"
#include "text/strings.h"
#include "text/words.h"
#include "views/view_state.h"

namespace headlight {
namespace {

constexpr const char* kNoMemory = "[memory] there is not enough; take a smaller study";

class CommandLine {
  public:
    /// `makes_studies` is false if the command is known not to be `new`, which has as many options
    /// as all others together.
    CommandLine(const Streams& streams, bool makes_studies)
        : streams_(streams), makes_studies_(makes_studies) {
        app_.require_subcommand(0, 1);
        app_.set_version_flag("--version", "Headlight " HEADLIGHT_VERSION, "Print the version");
        Options main(app_);
        main.optional_argument(
            "FILE", file_,
            "A study, graph, picture or a model's folder; without it, the built-in study");
        main.limit();
        main.example(
            "  headlight                        open the window\n"
            "  headlight tired.headlight        open a study\n"
            "  headlight new sentence \"The cat was tired\" -o tired.headlight");
        add_new();
        add_list();
        add_words();
        add_tokens_options(add("tokens", "Print the tokens that a trained model makes of a text",
                               [this] { list_tokens(tokens_, streams_); }),
                           tokens_);
        add_run_options(
            add("run", "Compute matrices into a file", [this] { run_study(run_, streams_); }),
            run_);
        add_change_command_options(add("change", "Save a study with changes, as edits of it",
                                       [this] { change_study(change_, streams_); }),
                                   change_);
        add_write_options(add("write", "Print the text that a network goes on with",
                              [this] { write_words(write_, streams_); }),
                          write_);
        add("serve", "Answer commands on the standard input, a JSON list of arguments a line",
            [this] { serve_commands(std::cin, streams_.out); });
        add_import();
        add_export();
        add_compare();
        add_head_commands([this](const char* name, const char* what,
                                 std::function<void()> run) { return add(name, what, run); },
                          of_heads_, streams_);
        add_get_options(add("get", kGetCommand, [&] { get_model(get_, streams_); }), get_);
        add_lectures();
        add_window();
        add_script();
        add_explain();
        add_train_options(add("train", "Train the weights of a task",
                              [this] {
                                  if (train_.lists) return list_tasks(streams_);
                                  train_.in_window ? train_in_window(train_)
                                                   : train(train_, streams_);
                              }),
                          train_);
        add_test_options(add("test", "Measure weights on examples that were never trained",
                             [this] { test_weights(test_, streams_); }),
                         test_);
        add_plot_options(add("plot", "Draw columns of CSV files as curves",
                             [this] { plot_curves(plot_, streams_); }),
                         plot_);
        add("doctor", "Print versions, OpenGL, fonts and the display", [this] {
            report_health(streams_);
        }).example("  headlight doctor");
    }

    int run(std::vector<std::string> args) {
        for (std::string& arg : args) arg = as_text(std::move(arg));
        std::ranges::reverse(args);  // as the library wants them
        try {
            app_.parse(std::move(args));
            if (!command_ && is_mistyped_command()) return kExitUsage;
            command_ ? command_() : open_window(file_);
            return kExitDone;
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) return app_.exit(error, streams_.out, streams_.err);
            return refuse(as_typed(error.what()));
        } catch (const std::bad_alloc&) {
            return fail(kNoMemory);
        } catch (const std::system_error& error) {
            const bool has_no_thread = error.code() == std::errc::resource_unavailable_try_again;
            return fail(has_no_thread ? kNoMemory : error.what());
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
        if (what.starts_with("--limit")) command = "headlight";  // it stands before the command
        streams_.err << command << ": " << what << "\nSee `" << command << " --help`.\n";
        return kExitUsage;
    }

    /// True for a word that is no file but looks like a command.
    bool is_mistyped_command() {
        std::error_code error;
        if (!file_ || file_->find_first_of("./") != std::string::npos) return false;
        if (std::filesystem::exists(*file_, error)) return false;
        std::vector<std::string> names;
        for (const CLI::App* app : app_.get_subcommands({})) names.push_back(app->get_name());
        const std::vector<std::string_view> known(names.begin(), names.end());
        const std::string near = suggestion(*file_, known);
        refuse(fmt::format("{} is neither a command nor a file{}", in_quotes(*file_), near));
        return true;
    }

    Options add(CLI::App& parent, const char* name, const char* what, std::function<void()> run) {
        CLI::App& app = *parent.add_subcommand(name, what);
        app.callback([this, run = std::move(run)] { command_ = run; });
        return Options(app);
    }
    Options add(const char* name, const char* what, std::function<void()> command) {
        return add(app_, name, what, std::move(command));
    }

    void add_new() {
        CLI::App& app = *app_.add_subcommand("new", "Make a study");
        if (!makes_studies_) return;
        app.require_subcommand(0, 1);
        Options command(app);
        add_ready_options(command, ready_);
        command.optional_output(new_.output);
        app.callback([this, &app] {
            if (app.get_subcommands().empty()) command_ = preset_command(app);
        });
        add_new_sentence(app);
        add_new_alignment(app);
        add_new_graph(app);
        add_new_image(app);
        add_new_recorded(app);
        add_new_joined(app);
        add_model_options(add(app, "model", kModelStudy, [&] { new_model(model_, streams_); }),
                          model_);
    }

    /// Returns the command of `new` without a kind.
    std::function<void()> preset_command(const CLI::App& app) {
        if (ready_.lists) return [this] { list_presets(streams_); };
        if (!ready_.name) throw CLI::RequiredError("NAME, --list, or what the study is about,");
        const ReadyStudy* preset = find_ready_study(*ready_.name);
        if (!preset) throw CLI::ValidationError("NAME", unknown_preset(*ready_.name, app));
        return [this, preset] { new_ready({*preset, ready_, new_}, streams_); };
    }

    static std::string unknown_preset(const std::string& name, const CLI::App& app) {
        std::vector<std::string> names;
        for (const ReadyStudy& preset : ready_studies()) names.emplace_back(preset.name);
        for (const CLI::App* kind : app.get_subcommands({})) names.push_back(kind->get_name());
        return fmt::format(
            "{} is not a study; `headlight new --list` prints them{}", in_quotes(name),
            suggestion(name, std::vector<std::string_view>(names.begin(), names.end())));
    }

    void add_new_sentence(CLI::App& parent) {
        Options command = add(parent, "sentence", "A study of sentences with self-attention", [&] {
            std::string& text = sentence_.document.sentence()->text;
            for (const std::string& line : texts_) append_part(text, "\n", line);
            new_study(sentence_, streams_);
        });
        command.arguments("TEXT", texts_, "The sentence, or several");
        add_settings(command, sentence_, SentenceStudy{});
        command.example(
            "  headlight new sentence \"The cat was tired\" --heads 2 --causal on "
            "-o tired.headlight");
    }

    void add_new_alignment(CLI::App& parent) {
        Options command = add(parent, "alignment", "A study of a target that reads a source",
                              [&] { new_study(alignment_, streams_); });
        AlignmentStudy& study = add_settings(command, alignment_, AlignmentStudy{});
        command.argument("SOURCE", study.source, "What is read");
        command.argument("TARGET", study.target, "What is written");
        command.example(
            "  headlight new alignment \"The cat was tired\" \"Le chat était fatigué\" "
            "--mechanism recurrent -o tired.headlight");
    }

    void add_new_graph(CLI::App& parent) {
        Options command =
            add(parent, "graph", "A study of the nodes of a graph that read each other",
                [&] { new_graph(graph_, streams_); });
        command.optional_argument("FILE", graph_.file,
                                  "A list of edges (two names per line), an adjacency matrix or "
                                  "list, GraphML, GEXF, GML, DOT, Pajek, SIF, Matrix Market, JSON, "
                                  "or .content beside .cites");
        command.optional_text(
            "--sentence", graph_.sentence,
            "Instead of FILE: the words of a sentence, each connected with every other");
        command.optional_text("--features", graph_.features,
                              "A file of features: a name, numbers and an optional group per line");
        GraphStudy& study = add_settings(command, graph_.study, GraphStudy{});
        command.flag("--directed", study.graph.directed,
                     "For an edge \"a b\" only b reads a, unless the file says otherwise");
        command.example(
            "  headlight new graph friends.edges --heads 2 --combine mean -o friends.headlight");
    }

    void add_new_image(CLI::App& parent) {
        Options command = add(parent, "image", "A study of a picture's patches",
                              [&] { new_image(image_, streams_); });
        command.optional_argument("FILE", image_.file,
                                  "A PNG or JPEG picture; without it, the built-in one");
        add_settings(command, image_.study, *built_in_image().image());
        command.example("  headlight new image photo.jpg --patch 8 -o photo.headlight");
    }

    void add_new_recorded(CLI::App& parent) {
        Options command =
            add(parent, "recorded", "A study of attention that was recorded in a file",
                [&] { new_recorded(recorded_, streams_); });
        command.argument("FILE", recorded_.file,
                         "NPZ, NPY or safetensors: [layers, heads, n, n], [heads, n, n], or one "
                         "array a layer");
        command.optional_text("--tokens", recorded_.tokens,
                              "A file with the tokens, as JSON or text, or for ids the folder of "
                              "their model; without it, those in FILE or beside it");
        command.optional_output(recorded_.output);
        command.example("  headlight new recorded attention.npz -o attention.headlight");
    }

    void add_new_joined(CLI::App& parent) {
        Options command = add(parent, "joined",
                              "A study of the attention between words, of one between their pieces",
                              [&] { new_joined(joined_, streams_); });
        command.argument("STUDY", joined_.study,
                         "A study whose tokens are pieces of words: of a pretrained model, of its "
                         "folder, or of a recording");
        command.optional_output(joined_.output);
        command.example("  headlight new joined minilm.headlight -o words.headlight");
    }

    /// Adds the options that every kind of study has. The study lives in `options`.
    template <typename AnyStudy>
    static AnyStudy& add_settings(Options& command, NewStudy& options, const AnyStudy& study) {
        options.document.study = study;
        AnyStudy& settings = std::get<AnyStudy>(options.document.study);
        command.number("--seed", options.document.seed, std::uint64_t{0},
                       std::numeric_limits<std::uint64_t>::max(),
                       "The seed of random weights and embeddings");
        command.optional_output(options.output);
        add_setting_options(command, settings, options.given);
        return settings;
    }

    void add_list() {
        Options command = add("list", "Print every matrix: path, rows, columns, equation",
                              [this] { list_tensors(list_, streams_); });
        command.argument("STUDY", list_.study, "A *.headlight file");
        add_sentence(command, list_.sentence);
        add_json_flag(command, list_.json);
        add_change_options(command, list_.changes);
        command.example("  headlight list tired.headlight");
    }

    void add_words() {
        Options command = add("words", "Print the words: a sequence a line, tabs between them",
                              [this] { list_words(words_, streams_); });
        command.argument("STUDY", words_.study, "A *.headlight file");
        add_json_flag(command, words_.json);
        add_change_options(command, words_.changes);
        command.example("  headlight words tired.headlight");
    }

    void add_import() {
        Options command = add("import", "Set matrices of a study to those of a file",
                              [this] { import_matrices(import_, streams_); });
        add_import_options(command, import_);
    }

    void add_export() {
        Options command = add("export", "Save figures and numbers of a study", [this] {
            const Options used(*app_.get_subcommand("export"));
            export_.given = used.given();
            if (is_lecture(export_.study))
                return export_lecture(lecture_export(export_, of_lecture_), streams_);
            export_study(export_, streams_);
        });
        add_export_options(command, export_);
        add_sentence(command, export_.sentence);
        add_change_options(command, export_.changes);
        command.optional_number("--page", of_lecture_.page, 1, 100000,
                                "Of a lecture: only this page, from 1");
        command.number("--per-sheet", of_lecture_.what.n_per_sheet, 1, 4,
                       "Of a lecture's PDF: pages on a sheet of paper, 1, 2 or 4");
        command.number("--page-seconds", of_lecture_.what.page_secs, 0.1f, 3600.0f,
                       "Of a lecture's film: how long each page is seen");
        command.flag("--static", of_lecture_.is_static,
                     "Of a lecture's web page: text and pictures instead of the program");
        export_.of_pictures = look_options(export_.choice.look);
        for (TextOption& option : command_options(export_.state))
            export_.of_pictures.push_back(std::move(option));
        command.add_all(export_.of_pictures);
    }

    void add_lectures() {
        Options check = add("check", "Play a lecture and say what does not hold",
                            [this] { check_lecture(checked_, streams_); });
        check.argument("LECTURE", checked_, "A *.lecture file");
        check.example("  headlight check attention.lecture");
        Options grade = add("grade", "Grade the answers that students have saved",
                            [this] { grade_lecture(graded_, streams_); });
        add_grade_options(grade, graded_);
        Options answers = add("answers", "Count the answers of a class, from codes and files",
                              [this] { count_answers(answers_, streams_); });
        add_answers_options(answers, answers_);
        Options course = add("course", "Write the lessons as web pages, with an index",
                             [this] { export_course(course_); });
        course.argument("FOLDER", course_, "The folder, which is made if it is missing");
        course.example("  headlight course lessons");
    }

    void add_compare() {
        Options command =
            add("compare", "Print how much a matrix of B differs from that of A, and where",
                [this] { compare_tensors(compare_, streams_); });
        add_compare_options(command, compare_);
    }

    void add_window() {
        Options command =
            add("window", "Draw the window into a picture, without a display", [this] {
                if (!window_.output.ends_with(".png"))
                    throw Error(printable(window_.output), "the extension must be .png");
                if (window_size_) {
                    window_.width_px = window_size_->x;
                    window_.height_px = window_size_->y;
                }
                if (window_.step && !window_.presents) throw Error("--step", "needs --present");
                render_window(window_);
            });
        add_window_options(command, window_, window_size_);
    }

    void add_script() {
        Options command = add("script", "Drive the window with a script", [this] {
            if (script_size_) {
                script_.width = script_size_->x;
                script_.height = script_size_->y;
            }
            run_window_script(script_);
        });
        add_script_options(command, script_, script_size_);
    }

    void add_explain() {
        Options command = add("explain", "Print the arithmetic of one cell",
                              [this] { explain_cell(explain_, streams_); });
        add_explain_options(command, explain_);
    }

    Streams streams_;
    bool makes_studies_ = true;
    CLI::App app_{"See and change how attention works.", "headlight"};
    std::function<void()> command_;
    std::optional<std::string> file_;
    ReadyArguments ready_;
    PlotCurves plot_;
    TrainTask train_;
    TestWeights test_;
    NewStudy new_, sentence_, alignment_;
    std::vector<std::string> texts_;
    NewGraph graph_;
    NewImage image_;
    NewRecorded recorded_;
    NewJoined joined_;
    NewModel model_;
    ListTensors list_;
    ListWords words_;
    ListTokens tokens_;
    RunStudy run_;
    ChangeStudy change_;
    WriteWords write_;
    ImportMatrices import_;
    ExportStudy export_;
    std::string checked_;  // a lecture
    GradeLecture graded_;
    CountAnswers answers_;
    std::string course_;  // a folder
    LectureOptions of_lecture_;
    CompareTensors compare_;
    HeadCommands of_heads_;
    GetModel get_;
    ExplainCell explain_;
    WindowPicture window_;
    WindowScript script_;
    std::optional<Point> window_size_, script_size_;
};

}  // namespace

int run_command(std::vector<std::string> args, const Streams& streams) {
    const bool makes_studies = is_among("new", args);
    return CommandLine(streams, makes_studies).run(std::move(args));
}

namespace {

/// Writes line by line: an unfinished line waits for its end, or for a flush.
class PrintableBuffer : public std::streambuf {
  public:
    explicit PrintableBuffer(std::ostream& to) : to_(to) {}

  protected:
    int_type overflow(int_type byte) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

  private:
    bool pass_on(std::size_t size);

    std::ostream& to_;
    std::string line_;
};

class PrintableStream : public std::ostream {
  public:
    explicit PrintableStream(std::ostream& to) : std::ostream(nullptr), buffer_(to) {
        rdbuf(&buffer_);
    }
    ~PrintableStream() override { flush(); }

  private:
    PrintableBuffer buffer_;
};

PrintableBuffer::int_type PrintableBuffer::overflow(int_type byte) {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char c = traits_type::to_char_type(byte);
    return xsputn(&c, 1) == 1 ? byte : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
    const std::string_view added(text, static_cast<std::size_t>(size));
    const std::size_t end = added.rfind('\n');
    const std::size_t whole = end == std::string_view::npos ? 0 : line_.size() + end + 1;
    line_ += added;
    return pass_on(whole) ? size : 0;
}

int PrintableBuffer::sync() {
    return pass_on(line_.size()) && to_.flush() ? 0 : -1;
}

bool PrintableBuffer::pass_on(std::size_t size) {
    if (size == 0) return to_.good();
    to_ << printable_lines(std::string_view(line_).substr(0, size));
    line_.erase(0, size);
    return to_.good();
}

}  // namespace

int run_command_line(std::vector<std::string> args, std::ostream& out, std::ostream& err,
                     std::ostream* terminal, std::istream* answers) {
    PrintableStream shown_out(out), shown_err(err);
    const int code = run_command(std::move(args), {shown_out, shown_err, terminal, answers});
    // The output may be all that was asked for: also --help.
    if (shown_out.flush() || code != kExitDone) return code;
    shown_err << "headlight: [output] cannot be written\n";
    return kExitError;
}

}  // namespace headlight
