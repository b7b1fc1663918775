#include "io/files/folder.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <unistd.h>

#include "../temporary_folder.h"
#include "io/studies/window_state.h"

namespace headlight::folder_test {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(const TemporaryFolder& folder) {
    std::vector<std::string> names;
    for (const FolderEntry& entry : list_folder(folder.file("")).entries)
        names.push_back(entry.name.native());
    return names;
}

}  // namespace

TEST_CASE("folder: folders come first; names are sorted ignoring case") {
    const TemporaryFolder folder;
    for (const char* name : {"b.headlight", "A.headlight", ".hidden", "c\xFF\n"})
        folder.with(name, "12345");
    fs::create_directory(folder.file("z"));
    fs::create_directory_symlink(folder.file("z"), folder.file("link"));
    fs::create_symlink("nowhere", folder.file("lost"));
    CHECK(names_in(folder) == std::vector<std::string>{"link", "z", ".hidden", "A.headlight",
                                                       "b.headlight", "c\xFF\n", "lost"});
    const FolderEntry entry = list_folder(folder.file("")).entries[3];
    CHECK(entry.size_bytes == 5);
    CHECK(time_text(entry.changed_at).size() == 16);
}

TEST_CASE("folder: a folder that cannot be read says why") {
    const FolderContents none = list_folder("/no/such/folder");
    CHECK(none.entries.empty());
    CHECK(none.problem == "/no/such/folder: No such file or directory");
    CHECK(list_folder("/dev/null").problem == "/dev/null: Not a directory");
    if (::geteuid() == 0) return;  // root may read everything
    const TemporaryFolder folder;
    fs::permissions(folder.file(""), fs::perms(0));
    CHECK(list_folder(folder.file("")).problem.ends_with("Permission denied"));
    fs::permissions(folder.file(""), fs::perms(0700));
}

TEST_CASE("folder: a typed path is completed as far as names agree") {
    const TemporaryFolder folder;
    for (const char* name : {"lecture 1.headlight", "lecture 2.headlight", "notes", ".config"})
        folder.with(name, "");
    fs::create_directory(folder.file("studies"));
    folder.with("studies/deep.headlight", "");
    const auto completed = [&](const std::string& typed) {
        return complete_path(folder.file(""), typed);
    };
    CHECK(completed("l") == "lecture ");
    CHECK(completed("lecture 2") == "lecture 2.headlight");
    CHECK(completed("s") == "studies/");
    CHECK(completed("studies/") == "studies/deep.headlight");
    CHECK(completed("studies/../n") == "studies/../notes");
    CHECK(completed("x") == "x");
    CHECK(completed(".") == ".config");
    CHECK(completed("") == "");
    CHECK(completed("no/such/folder") == "no/such/folder");
    CHECK(completed(folder.file("st")) == folder.file("studies/"));
}

TEST_CASE("folder: a typed path may begin at the home folder, the root, or the current folder") {
    const char* before = std::getenv("HOME");
    const std::string kept = before ? before : "";
    setenv("HOME", "/home/her", 1);
    CHECK(typed_path("/here", "~/a") == "/home/her/a");
    CHECK(typed_path("/here", "~") == "/home/her/");
    CHECK(typed_path("/here", "~a") == "/here/~a");
    CHECK(typed_path("/here", "/a") == "/a");
    CHECK(typed_path("/here", "../a") == "/a");
    before ? setenv("HOME", kept.c_str(), 1) : unsetenv("HOME");
}

TEST_CASE("folder: sizes have few digits") {
    CHECK(size_text(0) == "0 B");
    CHECK(size_text(999) == "999 B");
    CHECK(size_text(1000) == "1.0 kB");
    CHECK(size_text(15'400) == "15 kB");
    CHECK(size_text(999'600) == "1.0 MB");
    CHECK(size_text(20'000'000'000) == "20 GB");
    CHECK(time_text(0) == "");
}

TEST_CASE("folder: a free name is the wanted one, or the first with a number") {
    const TemporaryFolder folder;
    CHECK(free_name(folder.file("a.b.png")) == folder.file("a.b.png"));
    folder.with("a.b.png", "");
    folder.with("a.b-3.png", "");
    CHECK(free_name(folder.file("a.b.png")) == folder.file("a.b-2.png"));
    folder.with("a.b-2.png", "");
    CHECK(free_name(folder.file("a.b.png")) == folder.file("a.b-4.png"));
}

TEST_CASE("recent files: the newest come first, each once, up to a limit, without deleted ones") {
    const TemporaryFolder folder;
    const fs::path list = folder.file("state/recent.json");
    CHECK(read_recent_files(list).empty());
    std::vector<fs::path> added;
    for (std::size_t k = 0; k < kMostRecentFiles + 5; ++k) {
        added.push_back(folder.with("study \"" + std::to_string(k) + "\"", ""));
        add_recent_file(list, added.back());
    }
    CHECK(read_recent_files(list).size() == kMostRecentFiles);
    CHECK(read_recent_files(list).front() == added.back());
    add_recent_file(list, added[10]);
    CHECK(read_recent_files(list)[0] == added[10]);
    CHECK(read_recent_files(list)[1] == added.back());
    CHECK(read_recent_files(list).size() == kMostRecentFiles);
    fs::remove(added[10]);
    CHECK(read_recent_files(list).front() == added.back());
    const fs::path model = folder.file("a model");  // is a folder
    fs::create_directory(model);
    add_recent_file(list, model / "");
    CHECK(read_recent_files(list).front() == model);
    fs::remove(model);
    CHECK(read_recent_files(list).front() == added.back());
    folder.with("study \"10\"", "");  // is there again
    CHECK(read_recent_files(list).front() == added[10]);
}

TEST_CASE("recent files: a broken or unwritable list counts as empty, without an error") {
    const TemporaryFolder folder;
    const fs::path list = folder.with("recent.json", "{\"x\": 1}");
    CHECK(read_recent_files(list).empty());
    add_recent_file(list, folder.with("a", ""));
    CHECK(read_recent_files(list).size() == 1);
    add_recent_file(folder.file("recent.json/below"), folder.file("a"));
    add_recent_file(list, {});
    add_recent_file(list, folder.file("\xFF"));
    CHECK(read_recent_files(list).size() == 1);
}

}  // namespace headlight::folder_test
