// Panel: one part of the window. It reads a world that it cannot change, and asks for edits and
// requests.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "model/session.h"
#include "scene/readout/sweep_run.h"
#include "scene/scene.h"
#include "scene/training/training_view.h"
#include "ui/painter.h"
#include "ui/regions.h"
#include "ui/requests.h"

namespace headlight {

struct PanelContext {
    const Scene& scene;  // what pictures of it read, too; its trace is empty where there is none
    const Trace* trace;  // the scene's; null: `error` says why, or it is being computed
    const Trace* whole;  // all sentences; `trace` is the page of one
    const std::optional<Error>& error;
    Selection& selection;  // the scene's: hover and pick, shared by all panels
    Edits& edits;          // applied after the frame …
    Requests& requests;    // … as are these, or by the panel that they are for
    Painter& painter;
    Regions& regions;
    const SweepRun& sweep;         // of the study's heads
    const TrainingView& training;  // of the workspace that trains …
    bool trains = false;           // … which is this one
    compat::AstralCodes& codes;    // how ImGui's text fields hold characters beyond 16 bits
    float least_main = 0;          // the area that the large picture must keep, in square points

    // Shortcuts to members of the scene.
    const Document& document = scene.document;
    const Components& components = scene.components;
    const Theme& theme = scene.theme;
    const Comparison& comparison = *scene.comparison;  // the comparison that the study is in
};

/// Members hold view state only (a drag, a text being typed).
struct Panel {
    virtual ~Panel() = default;
    virtual const char* title() const = 0;
    virtual const char* help() const = 0;  // what am I looking at, and which equation is it?
    virtual bool has_own_heading() const { return false; }  // else the title stands above it
    virtual void draw(PanelContext& context) = 0;
};

}  // namespace headlight
