#include "cli/output.h"

#include <cmath>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <string>
#include <system_error>

#include "cli/open_study.h"
#include "core/error.h"
#include "core/numeric/read_digits.h"
#include "figure/theme.h"
#include "io/exporters.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kStep{200};
constexpr const char* kClear = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(std::ostream* terminal, std::chrono::milliseconds patience) {
    if (!terminal) return;
    worker_ = std::jthread([this, terminal, patience](const std::stop_token& stop) {
        show_progress(*terminal, stop, patience);
    });
}

void ProgressLine::show_progress(std::ostream& terminal, const std::stop_token& stop,
                                 std::chrono::milliseconds patience) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    const auto must_end = [&](std::chrono::milliseconds time) {
        return ended.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
    };
    if (must_end(patience)) return;
    do {
        const auto percent = std::lround(100 * progress_.share());
        const auto secs = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
        terminal << kClear << "headlight: " << percent << " %, " << printable(progress_.at())
                 << ", " << secs.count() << " s" << std::flush;
    } while (!must_end(kStep));
    terminal << kClear << std::flush;
}

void check_table_output(const std::optional<std::string>& output, const TableOptions& options) {
    if (!output) return;
    const Exporter& exporter = exporter_for(*output);
    if (!exporter.write_table && !options.may_be_picture) {
        std::string others;
        for (const Exporter& other : exporters())
            if (other.write_table) append_part(others, ", ", other.extension);
        throw Error(path_text(*output), "this is a table; the extension must be one of {}", others);
    }
    if (options.json)
        throw Error("--json", "is of what is printed; a file is JSON by its name: -o FILE.json");
}

void add_json_flag(Options& command, bool& json) {
    command.flag("--json", json, "Print for programs: an object for each row");
}

void write_table(const Table& table, const std::optional<std::string>& output,
                 const Streams& streams, const TableOptions& options) {
    if (output)
        write_file(*output, export_bytes(exporter_for(*output), table));
    else
        streams.out << (options.json ? write_table_json(table) : write_csv(table, options.reader));
}

void note_idle_look(const FigureLook& look, const std::optional<std::string>& output,
                    const Streams& streams) {
    const bool is_picture = output && is_picture_name(*output);
    if (!is_picture && look != FigureLook{})
        write_note(streams, "how pictures look is without effect: no picture is written");
}

void write_picture(const std::filesystem::path& file, const FigureLook& look,
                   const MakeFigure& make, const Streams& streams) {
    const Exporter& exporter = exporter_for(file);
    if (exporter.kind != ExportKind::Picture)
        throw Error(path_text(file), "is no picture; take .png, .svg, .pdf or .gif");
    const LaidOutFigure laid_out = lay_out_figure(look, make);
    const FigureSheet sheet =
        sheet_for(laid_out.figure, laid_out.look, theme_named(look.theme).card);
    write_file(file, export_bytes(exporter, {Trace(), {}, laid_out.figure, sheet}));
    if (!laid_out.note.empty()) write_note(streams, laid_out.note);
}

void write_picture(const std::filesystem::path& file, const ViewFigure& view) {
    const FigureSheet sheet = sheet_for(view.figure, view.look, view.background);
    write_file(file, export_bytes(exporter_for(file), {Trace(), {}, view.figure, sheet}));
}

namespace {

double number_in(const JsonView& view) {
    const std::string& digits = view.text();
    double number = 0;
    const auto [rest, error] = read_digits(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || rest != digits.data() + digits.size() || !std::isfinite(number))
        view.fail("is no finite number");
    return number;
}

/// Returns the first line. It contains the version: numbers of two versions are never counted
/// together.
std::string sum_line(std::string_view json) {
    return checksum_text(checksum(HEADLIGHT_VERSION "\n" + std::string(json))) + "\n";
}

}  // namespace

void KeptCount::write(std::string_view json) const {
    write_file(file_, sum_line(json) + std::string(json));
}

std::optional<std::string> KeptCount::read(const Streams& streams) const {
    if (!keeps() || !std::filesystem::exists(file_)) return std::nullopt;
    const std::string bytes = read_file(file_);
    const std::size_t end = bytes.find('\n');
    std::string json = end == std::string::npos ? "" : bytes.substr(end + 1);
    if (bytes == sum_line(json) + json) return json;
    set_aside("is damaged, or was counted by another version of Headlight", streams);
    return std::nullopt;
}

void KeptCount::set_aside(const std::string& why, const Streams& streams) const {
    const std::filesystem::path aside = backup_path(file_);
    std::error_code failure;
    std::filesystem::rename(file_, aside, failure);
    if (failure)
        throw Error(path_text(file_), "{}, and cannot be renamed: {}", why, failure.message());
    write_note(streams, fmt::format("{} {}: it is not used, and is called {} from now on; "
                                    "everything is counted anew",
                                    path_text(file_), why, path_text(aside.filename())));
}

void KeptCount::remove() const {
    if (keeps()) std::filesystem::remove(file_);
}

std::string moments_json(const Moments& m) {
    std::string json = fmt::format("[{}", m.n);
    for (const double number : {m.mean, m.square, m.low, m.high})
        json += fmt::format(", \"{}\"", number_text(number));
    return json + "]";
}

std::uint64_t checksum_in(const JsonView& view) {
    const auto sum = parse_checksum(view.text());
    if (!sum) view.fail("is no checksum");
    return *sum;
}

Moments moments_in(const JsonView& view) {
    if (view.size() != 5) view.fail("must be five numbers");
    return {static_cast<long>(view[0].integer(0, kMostCounted)), number_in(view[1]),
            number_in(view[2]), number_in(view[3]), number_in(view[4])};
}

}  // namespace headlight
