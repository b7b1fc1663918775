// The formats that open as a study, recognised by content, not by name.
//
// A new format is a row in the table of openers.cpp: a test of the first bytes, and a reader. The
// first row whose test is true opens the file; the last one accepts any text.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "graph/graph_builder.h"
#include "io/studies/study.h"
#include "model/document.h"

namespace headlight {

inline constexpr std::size_t kBeginningBytes = std::size_t{64} << 10;

/// A file whose format is not known yet. Its reader reads the rest in its own way.
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
    std::string notes;    // notes for the user: "2 duplicate edges left out"; or ""
    ViewWords view = {};  // that a study was saved with
};

struct Opener {
    const char* format;  // "an edge list"
    bool (*recognises)(const UnknownFile& file);
    OpenedFile (*open)(const UnknownFile& file, const OpenOptions& options);
};

std::span<const Opener> openers();

}  // namespace headlight
