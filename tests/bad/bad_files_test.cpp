// Files that are not what they seem, and the errors of opening them.
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/error.h"
#include "io/arrays/recording.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/recognise.h"
#include "io/system_calls_in_place.h"
#include "temporary_folder.h"

namespace headlight::bad_files_test {
using namespace std::string_literals;

namespace {

/// The error of opening the file, without its path in front; "opened" if there is none.
std::string answer_of(const std::string& file) {
    try {
        const OpenedFile opened = open_document(file);
        return "opened" + (opened.notes.empty() ? "" : ": " + opened.notes);
    } catch (const Error& error) {
        const std::string what = error.what(), front = "[" + path_text(file) + "] ";
        return what.starts_with(front) ? what.substr(front.size()) : what;
    }
}

/// If not 0, a file gets this size just before it is read.
off_t size_while_read = 0;
ssize_t pread_of_changing_file(int fd, void* bytes, std::size_t size, off_t begin) {
    constexpr std::size_t kSmall = 100;
    const std::string file = "/proc/self/fd/" + std::to_string(fd);
    if (size < kSmall && ::truncate(file.c_str(), size_while_read) != 0) return -1;
    return kSystemCalls.pread(fd, bytes, size, begin);
}

/// Makes a socket at that path.
Descriptor socket_at(const std::string& file) {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    file.copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return socket;
}

}  // namespace

TEST_CASE("anything but a regular file is refused at once") {
    const TemporaryFolder folder;
    CHECK(answer_of(folder.file("absent")) == "cannot be opened: No such file or directory");
    CHECK(answer_of(folder.file("")) ==
          "cannot be read: it is a folder, not a file; nor is it a model's folder, since it has no "
          "config.json");
    CHECK(answer_of("/dev/zero") == "cannot be read: it is a device, not a file");
    REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    CHECK(answer_of(folder.file("pipe")) == "cannot be read: it is a pipe, not a file");
    const Descriptor socket = socket_at(folder.file("socket"));
    CHECK(answer_of(folder.file("socket")) == "cannot be read: it is a socket, not a file");
    std::filesystem::create_symlink("loop", folder.file("loop"));
    CHECK(answer_of(folder.file("loop")) == "cannot be opened: Too many levels of symbolic links");
    std::filesystem::create_symlink("absent", folder.file("dangling"));
    CHECK(answer_of(folder.file("dangling")) == "cannot be opened: No such file or directory");
    CHECK(answer_of("/proc/self/status") == "changed while it was read, or hides its size");
}

TEST_CASE("a file that shrinks or grows while it is read is reported") {
    const TemporaryFolder folder;
    const SystemCallsInPlace calls;
    for (const off_t size : {2, 4000}) {
        const std::string file = folder.with("a.edges", "a b\nb c\n");
        size_while_read = size;
        system_calls.pread = pread_of_changing_file;
        CHECK(answer_of(file) == "changed while it was read, or hides its size");
        system_calls = kSystemCalls;
    }
}

TEST_CASE("a recording that refers to another kind of file reveals nothing of it") {
    const TemporaryFolder folder;
    const std::string secret = folder.with("secret", "root:x:0:0\n");
    const auto answer_for = [&](const std::string& name) {
        return answer_of(folder.with(
            "a.headlight", R"({"kind": "recorded", "file": ")" + name + R"(", "tokens": ["a"]})"));
    };
    const std::string refusal = "[" + secret + "] is neither NPY, NPZ nor safetensors";
    CHECK(answer_for("secret") == refusal);
    CHECK(answer_for(secret) == refusal);
    CHECK(answer_for("a.headlight").ends_with("is neither NPY, NPZ nor safetensors"));
    CHECK(answer_for("/dev/zero") == "[/dev/zero] cannot be read: it is a device, not a file");
    CHECK(answer_for("absent").ends_with("cannot be opened: No such file or directory"));
}

TEST_CASE("an empty file of 17 GB is refused by its size") {
    const TemporaryFolder folder;
    const std::string file = folder.with("large.edges", "a b\n");
    REQUIRE(::truncate(file.c_str(), off_t{17} << 30) == 0);
    CHECK(answer_of(file) ==
          "is too large: 18253611008 bytes; at most 1073741824 are read; "
          "raise the limit, as with --limit 4G");
}

TEST_CASE("JSON, GraphML and pictures of more than 256 MB are refused by their size") {
    const TemporaryFolder folder;
    constexpr off_t kSize = off_t{256} << 20;
    for (const char* beginning : {"{", "<graphml", "\x89PNG\r\n\x1A\n", "\xFF\xD8\xFF"}) {
        const std::string file = folder.with("large", beginning);
        REQUIRE(::truncate(file.c_str(), kSize + 1) == 0);
        CHECK(answer_of(file) ==
              "is too large: 268435457 bytes; at most 268435456 are read; "
              "raise the limit, as with --limit 4G");
    }
    const std::string tokens = folder.with("tokens", "[");
    REQUIRE(::truncate(tokens.c_str(), kSize + 1) == 0);
    CHECK_THROWS_AS(read_token_file(tokens, 1), Error);
}

TEST_CASE("a file of a recognizable other type is called by its name") {
    const TemporaryFolder folder;
    const auto answer = [&](const std::string& bytes) {
        return answer_of(folder.with("file.headlight", bytes));
    };
    const auto is = [](const std::string& what) {
        return "is not a study, graph or picture; this is " + what;
    };
    CHECK(answer("") == "is empty");
    CHECK(answer("\x01\xFE\x02 a study, cut to pieces") == "is not a study, graph or picture");
    CHECK(answer("version https://git-lfs.github.com/spec/v1\noid sha256:0\n") ==
          is("a Git LFS pointer: the file itself was not downloaded, run `git lfs pull`"));
    for (const char* page : {"<!DOCTYPE html><html>", "<!doctype html>", "<html><body>", "<HTML>"})
        CHECK(answer(page) == is("a web page, perhaps an error page of the download"));
    CHECK(answer("\x1F\x8B\x08\0"s) == is("compressed with gzip"));
    CHECK(answer("BZh91AY&SY\0"s) == is("compressed with bzip2"));
    CHECK(answer("\xFD"
                 "7zXZ\0"s) == is("compressed with xz"));
    CHECK(answer("\x28\xB5\x2F\xFD") == is("compressed with zstd"));
    for (const char* pickle : {"\x80\x02}", "\x80\x03}", "\x80\x04\x95", "\x80\x05\x95"})
        CHECK(answer(pickle) == is(kPickle));
    CHECK(answer("\x80\x02\x8A\x0Al\xFC\x9C\x46\xF9 j\xA8P\x19.") == is(kTorchPickle));
    CHECK(answer("GGUF\3\0\0\0"s).starts_with(is("a GGUF file of llama.cpp")));
    CHECK(answer("7z\xBC\xAF\x27\x1C") == is("a 7z archive"));
    CHECK(answer("MATLAB 5.0 MAT-file").starts_with(is("a MAT file of MATLAB")));
    CHECK(answer("\x89HDF\r\n") == is("an HDF5 file"));
    CHECK(answer("%PDF-1.7") == is("a PDF file"));
    const std::string others = "; PNG and JPEG pictures are read";
    for (const char* brand : {"heic", "heix", "hevc", "mif1", "msf1"})
        CHECK(answer("\0\0\0\x18"s + "ftyp" + brand) ==
              is("a HEIC picture, as telephones save them") + others);
    CHECK(answer("\0\0\0\x18"s + "ftypavif") == is("an AVIF picture") + others);
    CHECK(answer("\0\0\0\x0CJXL \r\n"s) == is("a JPEG XL picture") + others);
    CHECK(answer("GIF89a\1\0\1\0"s) == is("a GIF picture") + others);
    CHECK(answer("RIFF\4\0\0\0WEBPVP8 "s) == is("a WebP picture") + others);
    CHECK(answer("BM\x42\0\0\0\0\0\0\0"s) == is("a BMP picture") + others);
    CHECK(answer("II*\0\x08\0\0\0"s) == is("a TIFF picture") + others);
    CHECK(answer("MM\0*\0\0\0\x08"s) == is("a TIFF picture") + others);
    CHECK(answer("<svg xmlns=\"\"/>") == is("an SVG drawing") + others);
}

TEST_CASE("random bytes are refused") {
    const TemporaryFolder folder;
    std::string bytes;
    std::uint32_t state = 1;
    for (int k = 0; k < 1000; ++k) {
        state = state * 1664525 + 1013904223;
        bytes += static_cast<char>(state >> 24);
    }
    const std::string answer = answer_of(folder.with("random", bytes));
    CHECK(answer.find("[edge list]") == 0);
}

TEST_CASE("file names are shown on one line") {
    const TemporaryFolder folder;
    for (const std::string& name :
         {"a\nb \"%n%s\""s, "\xFF\xFE"s, "\u202Egnp.exe"s, std::string(255, 'n')}) {
        CHECK(answer_of(folder.with(name, "a b\n")) == "opened");
        const std::string empty = answer_of(folder.with(name, ""));
        CHECK(empty == "is empty");
    }
}

TEST_CASE("a citation graph opens from either of its two files, even if they are swapped") {
    const TemporaryFolder folder;
    const std::string content = folder.with("cora.content", "1\t0\t1\tred\n2\t1\t0\tblue\n");
    CHECK(answer_of(content) == "is one of two files, .content and .cites; the other is missing");
    const std::string cites = folder.with("cora.cites", "1\t2\n");
    for (const std::string& file : {content, cites}) {
        CHECK(answer_of(file) == "opened: groups 1 'red', 2 'blue'");
        CHECK(open_document(file).document.graph()->graph.edges.size() == 1);
    }
    std::filesystem::rename(content, folder.file("other"));
    CHECK(answer_of(cites) == "opened");  // an edge list
    std::filesystem::rename(cites, content);
    std::filesystem::rename(folder.file("other"), cites);
    CHECK(answer_of(content) == "opened: groups 1 'red', 2 'blue'");
}

TEST_CASE("the content decides the format, not the name") {
    const TemporaryFolder folder;
    const auto kind = [&](const std::string& name, const std::string& bytes) {
        return open_document(folder.with(name, bytes)).document.study.index();
    };
    constexpr std::size_t kSentence = 0, kGraph = 2;
    CHECK(kind("a.png", R"({"kind": "sentence", "text": "a"})") == kSentence);
    CHECK(kind("a.csv", R"({"nodes": ["a"], "links": []})") == kGraph);
    CHECK(kind("a.json", "a b\n") == kGraph);
    CHECK(kind("a.txt",
               "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/></graph></graphml>") ==
          kGraph);
    CHECK(kind("a.edges", "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n") == kGraph);
}

}  // namespace headlight::bad_files_test
