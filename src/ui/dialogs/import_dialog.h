// The import dialog: a table of a file's matrices and their destinations.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "io/arrays/array_file.h"
#include "model/history.h"
#include "model/imports/import_choice.h"
#include "ui/dialogs/dialog.h"
#include "ui/panel.h"

namespace headlight {

class ImportDialog {
  public:
    /// Opens in the next frame. The mappings are those of the last import of such a file, else
    /// guessed from names.
    void open(const std::filesystem::path& file, ArrayFile arrays, const Plan& plan);

    /// Called once a frame. Returns the step that sets the matrices, when it is asked for.
    std::optional<Edit> draw(PanelContext& context);

    /// The import failed; the dialog stays open.
    void show_problem(const std::string& problem) { problem_ = problem; }
    /// The import succeeded; its mappings are kept for the next such file.
    void finish();

  private:
    struct Option {
        std::string label;
        std::vector<TensorMapping> mappings;  // empty: it is not imported
    };
    struct Row {
        std::string name, type, shape, problem;
        std::vector<Option> options;
        int chosen = 0;
    };

    Row make_row(const StoredArray& array, const Plan& plan) const;
    void choose(const std::vector<TensorMapping>& mappings);
    std::vector<TensorMapping> mappings() const;
    Edit edit() const;
    void summarize(PanelContext& context);
    void draw_table(PanelContext& context);
    void draw_summary(PanelContext& context);
    void draw_buttons(PanelContext& context, std::optional<Edit>& asked);
    void draw_row(PanelContext& context, Row& row);

    std::filesystem::path file_;
    std::shared_ptr<const ArrayFile> arrays_;
    std::vector<ArrayShape> shapes_;
    std::vector<Row> rows_;
    std::vector<UnusedArray> unused_;  // arrays whose names say nothing, or without numbers
    std::string problem_;
    std::vector<std::string> summary_;  // summary of the choices
    std::optional<RotaryPairs> rotary_pairs_;
    Dialog dialog_;
    bool is_strict_ = false, is_all_mapped_ = false;
};

}  // namespace headlight
