// Workspace: one of the studies that are open in the window, with what is looked at in it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "ui/comparison.h"

namespace headlight {

struct Workspace {
    Workspace(const Document& document, std::function<void()> wake)
        : session(document, wake), comparison(std::move(wake)), saved(document) {}

    Session session;
    Selection selection;
    Comparison comparison;
    Watched watched;
    std::shared_ptr<const Trace> whole, page;  // all sentences, and the one that is shown
    Parts parts;
    int turned = 0;  // which sentence the page is of
    std::filesystem::path file;
    Document saved;
    bool is_new = true;  // nothing was pointed at yet
};

}  // namespace headlight
