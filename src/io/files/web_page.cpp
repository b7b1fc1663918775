#include "io/files/web_page.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "io/files/file.h"
#include "io/text/base64.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr const char* kPageVariable = "HEADLIGHT_PAGE";
constexpr const char* kPageName = "headlight.html";

// The places of the program's page that are filled in.
constexpr std::string_view kBody = "<body>", kTitle = "<title>Headlight</title>";
constexpr std::string_view kData = "<script type=\"text/plain\" class=\"data\" data-name=\"";
constexpr std::string_view kFirstScript = "<script type=\"text/plain\" id=\"unpacker\"";

/// Returns the folder of the running program; empty where a program has none.
std::filesystem::path program_folder() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

bool is_file(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

/// Replaces the first `place`, which must be there.
void fill_in(std::string& html, std::string_view place, const std::string& text) {
    html.replace(html.find(place), place.size(), text);
}

}  // namespace

std::optional<std::filesystem::path> find_program_page() {
    if (const char* named = std::getenv(kPageVariable); named && *named) {
        if (!is_file(named))
            throw Error(kPageVariable, "{} is not a file; it names the program's page",
                        path_text(named));
        return named;
    }
    const std::filesystem::path folder = program_folder();
    if (folder.empty()) return std::nullopt;
    const std::filesystem::path above = folder.parent_path();
    for (const std::filesystem::path& file :
         {folder / kPageName, above / "web" / kPageName, above / "share" / "headlight" / kPageName})
        if (is_file(file)) return file;
    return std::nullopt;
}

std::string read_program_page(const std::filesystem::path& output, const std::string& otherwise) {
    const auto file = find_program_page();
    if (!file)
        throw Error("page",
                    "the program's page, {}, is neither beside the program nor in ../web or "
                    "../share/headlight, and {} names none: `./run web` makes it{}",
                    kPageName, kPageVariable, otherwise.empty() ? "" : "; " + otherwise);
    check_is_no_input(output, std::array{*file});
    std::string html = read_file(*file);
    for (const std::string_view place : {kBody, kTitle, kFirstScript})
        if (html.find(place) == std::string::npos)
            throw Error(path_text(*file),
                        "is not the program's page as it was made, without files inside");
    return html;
}

std::string data_of_weights(const std::string& file) {
    return "weights/" + file;
}

std::string with_data(const std::string& program, const std::set<std::string>& names) {
    std::string kept;
    std::size_t copied = 0;  // so many letters
    for (std::size_t at = 0; (at = program.find(kData, at)) != std::string::npos;) {
        const std::size_t name = at + kData.size();
        const std::size_t name_end = program.find('"', name);
        const std::size_t text = program.find('>', name_end);
        const std::size_t end = program.find('<', text);
        if (end == std::string::npos) break;
        if (const std::string called = program.substr(name, name_end - name);
            names.contains(called)) {
            if (end == text + 1)
                throw Error(kPageVariable, "names a page from which {} was left out", called);
        } else {
            kept.append(program, copied, text + 1 - copied);
            copied = end;  // an element without a text says that it was left out
        }
        at = end;
    }
    return kept.append(program, copied);
}

std::string write_web_page(std::string program, const WebPage& page) {
    program = with_data(program, page.data);
    std::string files;
    for (const WebPage::File& file : page.files)
        files +=
            fmt::format("<script type=\"text/plain\" class=\"file\" data-name=\"{}\">{}</script>\n",
                        xml_escaped(file.name), base64(file.bytes));
    fill_in(program, kFirstScript, files + std::string(kFirstScript));
    fill_in(program, kBody,
            fmt::format("<body data-open=\"{}\"{}>", xml_escaped(page.open),
                        page.is_presented ? " data-present" : ""));
    fill_in(program, kTitle, fmt::format("<title>{}</title>", xml_escaped(page.title)));
    return program;
}

WebPage::File read_page_file(const std::filesystem::path& folder,
                             const std::filesystem::path& file) {
    const std::filesystem::path base = std::filesystem::absolute(folder / ".").lexically_normal();
    const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
    const std::filesystem::path name = path.lexically_relative(base);
    if (name.empty() || *name.begin() == "..")
        throw Error(path_text(file),
                    "does not lie beside what names it, or in a folder there, so a page cannot "
                    "hold it; copy it there");
    return {name.generic_string(), read_file(path)};
}

}  // namespace headlight
