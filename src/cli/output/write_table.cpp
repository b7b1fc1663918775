#include "cli/output/write_table.h"

#include "cli/open_study.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "paint/theme.h"
#include "text/strings.h"

namespace headlight {

void check_is_table_name(const std::optional<std::string>& output, MayBePicture may_be) {
    if (!output) return;
    const Exporter& exporter = exporter_for(*output);
    if (exporter.write_table || may_be == MayBePicture::Yes) return;
    std::string others;
    for (const Exporter& other : exporters())
        if (other.write_table) append_part(others, ", ", other.extension);
    throw Error(path_text(*output), "this is a table; the extension must be one of {}", others);
}

void add_json_flag(Options& command, bool& json) {
    command.flag("--json", json, "Print for programs: an object for each row");
}

PrintAs print_as(bool json, const std::optional<std::string>& output) {
    if (json && output)
        throw Error("--json", "is of what is printed; a file is JSON by its name: -o FILE.json");
    return json ? PrintAs::Json : PrintAs::Csv;
}

void write_table(const Table& table, const std::optional<std::string>& output,
                 const Streams& streams, PrintAs form, ReadBy reader) {
    if (output)
        write_file(*output, export_bytes(exporter_for(*output), table));
    else
        streams.out << (form == PrintAs::Json ? write_table_json(table) : write_csv(table, reader));
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

}  // namespace headlight
