// Numbers as text for the clipboard, as spreadsheets, papers and Python read and write them.
//
// Goals: a block of cells survives copy and paste to the last bit; a block from a spreadsheet in
// any country is understood, or refused with the place of what is wrong.
// Not goals: labels; formats of files (csv.h, npy.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/matrix.h"

namespace headlight {

enum class NumbersFormat {
    Tsv,       // tabs and line ends; all digits
    NumPy,     // np.array([[0.5, -np.inf]], dtype=np.float32); all digits
    Latex,     // \begin{bmatrix} … \end{bmatrix}; rounded as on the screen
    Markdown,  // a table with numbered columns; rounded as on the screen
};

/// Writes numbers. The minus of LaTeX and of the formats with all digits is a hyphen; −∞ is "-inf",
/// "-np.inf", "-\infty" or "−∞".
std::string write_numbers(const Matrix& values, NumbersFormat format);

/// Writes a number for TeX's math mode, rounded as on the screen: "0.781", "1.2 \cdot 10^{-5}",
/// "-\infty".
std::string latex_number(Scalar value);

/// Parses one number: "0.5", "-1e-3", "+2", "−∞", "-inf", "-np.inf". Nothing if it is not a number,
/// is NaN, or is too large for a Scalar.
std::optional<Scalar> parse_number(std::string_view text);
/// Parses one number, which may have a decimal comma: "0,5".
std::optional<Scalar> parse_typed_number(std::string_view text);

/// Reads rows of numbers. Cells are separated by tabs; else by semicolons; else by commas; else by
/// spaces. A comma inside a cell is a decimal comma: with tabs or semicolons, and with spaces where
/// commas as separators would leave two numbers in one cell ("0,5 0,25"). Also reads NumPy's own
/// forms, "[[1, 2], [3, 4]]", with or without array( … ). Empty lines are skipped. Throws Error if
/// there is no number, rows differ in length, or a cell is no number; rows and columns count from 1
/// in the message.
Matrix read_numbers(std::string_view text);

}  // namespace headlight
