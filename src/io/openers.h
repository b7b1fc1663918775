// What can be opened as a study, and how it is told apart: by its content, not by its name.
//
// A new format is a row in the table of openers.cpp: a test of the first bytes, and a reader. The
// first row whose test is true opens the file; the last one takes any text.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "graph/graph_builder.h"
#include "model/document.h"

namespace headlight {

inline constexpr std::size_t kBeginningBytes = std::size_t{64} << 10;

/// A file before it is known what it is. A reader reads the rest itself, in the way it likes.
struct UnknownFile {
    std::filesystem::path path;
    std::string name;       // of the path, fit for messages
    std::string beginning;  // at most kBeginningBytes
};

struct OpenOptions {
    Directed directed = Directed::No;  // of graphs in formats that do not say
};

struct OpenedFile {
    Document document;
    std::string notes;  // what else is to be said: "2 duplicate edges left out"; or ""
};

struct Opener {
    const char* format;  // "an edge list"
    bool (*recognises)(const UnknownFile& file);
    OpenedFile (*open)(const UnknownFile& file, const OpenOptions& options);
};

std::span<const Opener> openers();

}  // namespace headlight
