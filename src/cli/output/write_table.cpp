#include "cli/output/write_table.h"

#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/text/csv.h"

namespace headlight {

void check_is_table_name(const std::optional<std::string>& output, MayBePicture may_be) {
    if (!output) return;
    const Exporter& exporter = exporter_for(*output);
    if (exporter.write_table || may_be == MayBePicture::Yes) return;
    std::string others;
    for (const Exporter& other : exporters())
        if (other.write_table)
            others += (others.empty() ? "" : ", ") + std::string(other.extension);
    throw Error(path_text(*output), "this is a table; the extension must be one of " + others);
}

void write_table(const Table& table, const std::optional<std::string>& output,
                 const Streams& streams) {
    if (output)
        write_file(*output, export_bytes(exporter_for(*output), table));
    else
        streams.out << write_csv(table, ReadBy::Shell);
}

}  // namespace headlight
