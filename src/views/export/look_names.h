// The words that stand for how pictures look, on the command line, in captions and in the window.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure_look.h"
#include "figure/picture_scales.h"
#include "figure/words/arithmetic.h"
#include "model/settings/setting_names.h"
#include "views/comparison.h"
#include "views/finished_sweep.h"

namespace headlight {

inline constexpr EnumNames<ThemeName, 3> kThemeWords = {
    {{"light", ThemeName::Light}, {"dark", ThemeName::Dark}, {"contrast", ThemeName::Contrast}}};
inline constexpr EnumNames<FigureLook::Background, 3> kBackgroundWords = {
    {{"theme", FigureLook::Background::Theme},
     {"white", FigureLook::Background::White},
     {"transparent", FigureLook::Background::Transparent}}};
inline constexpr EnumNames<FigureLook::Heading, 3> kHeadingWords = {
    {{"on", FigureLook::Heading::Shown},
     {"names", FigureLook::Heading::Names},
     {"off", FigureLook::Heading::Hidden}}};
inline constexpr EnumNames<FigureLook::Selected, 2> kSelectedWords = {
    {{"on", FigureLook::Selected::Shown}, {"off", FigureLook::Selected::Hidden}}};
inline constexpr EnumNames<FigureLength::Unit, 3> kUnitWords = {
    {{"mm", FigureLength::Unit::Millimetres},
     {"px", FigureLength::Unit::Pixels},
     {"pt", FigureLength::Unit::Points}}};

inline constexpr EnumNames<PictureSettings::Scale, 3> kColorStepWords = {
    {{"linear", PictureSettings::Scale::Linear},
     {"log", PictureSettings::Scale::Log},
     {"per-row", PictureSettings::Scale::PerRow}}};
inline constexpr EnumNames<FarOut, 2> kFarOutWords = {
    {{"strongest", FarOut::Strongest}, {"mean", FarOut::Mean}}};
inline constexpr EnumNames<PictureSettings::Numbers, 3> kNumbersWords = {
    {{"automatic", PictureSettings::Numbers::Automatic},
     {"small", PictureSettings::Numbers::Small},
     {"never", PictureSettings::Numbers::Never}}};
inline constexpr EnumNames<std::optional<int>, 8> kDecimalsWords = {{{"automatic", std::nullopt},
                                                                     {"0", 0},
                                                                     {"1", 1},
                                                                     {"2", 2},
                                                                     {"3", 3},
                                                                     {"4", 4},
                                                                     {"5", 5},
                                                                     {"6", 6}}};

inline constexpr EnumNames<Quantity, 6> kQuantityWords = {{{"signed", Quantity::Signed},
                                                           {"amount", Quantity::Amount},
                                                           {"probability", Quantity::Probability},
                                                           {"mask", Quantity::Mask},
                                                           {"intensity", Quantity::Intensity},
                                                           {"rank", Quantity::Rank}}};
/// The word before an option of A − B, as the name of a quantity stands before others.
inline constexpr std::string_view kDifferenceWord = "difference";

inline constexpr EnumNames<WordView::Layout, 2> kWordLayoutWords = {
    {{"columns", WordView::Layout::Columns}, {"line", WordView::Layout::Line}}};
inline constexpr EnumNames<WordView::LeaveOut, 3> kLeaveOutWords = {
    {{"nothing", WordView::LeaveOut::Nothing},
     {"first-token", WordView::LeaveOut::FirstToken},
     {"special-tokens", WordView::LeaveOut::SpecialTokens}}};
inline constexpr EnumNames<LeftOutWeight, 2> kLeftOutWords = {
    {{"missing", LeftOutWeight::Missing}, {"shared", LeftOutWeight::SharedOut}}};
inline constexpr EnumNames<RowsAs, 2> kRowsAsWords = {
    {{"sum", RowsAs::Sum}, {"mean", RowsAs::Mean}}};
inline constexpr EnumNames<MatrixLook::Sort, 2> kSortWords = {
    {{"none", MatrixLook::Sort::None}, {"similarity", MatrixLook::Sort::Similarity}}};
inline constexpr EnumNames<MetricRows, 2> kMetricRowsWords = {
    {{"all", MetricRows::All}, {"all-but-first", MetricRows::WithoutFirst}}};
inline constexpr EnumNames<TermOrder, 2> kTermOrderWords = {
    {{"largest", TermOrder::Strongest}, {"in-order", TermOrder::AsComputed}}};
inline constexpr EnumNames<Comparison::Show, 3> kSideWords = {
    {{"all", Comparison::Show::All},
     {"both", Comparison::Show::Both},
     {"difference", Comparison::Show::Difference}}};

/// Returns the name of a theme that theme_named() returned.
ThemeName theme_name(const Theme& theme);

/// "85mm"
std::string length_text(const FigureLength& length);
/// Reads "85mm", "1200px", "240pt"; returns nothing if it is none, or no width that a picture can
/// have.
std::optional<FigureLength> width_from(std::string_view text);
/// Reads "7pt", "2.5mm", "14px"; returns nothing if it is none, or no size of type.
std::optional<FigureLength> type_from(std::string_view text);

inline constexpr EnumNames<SweepKind, 4> kSweepWords = {{{"mean", SweepKind::Mean},
                                                         {"zero", SweepKind::Zero},
                                                         {"resample", SweepKind::Resample},
                                                         {"patch", SweepKind::Patch}}};
inline constexpr EnumNames<SweepSites, 3> kSweepOverWords = {
    {{"heads", SweepSites::Heads}, {"layers", SweepSites::Layers}, {"tokens", SweepSites::Tokens}}};
inline constexpr EnumNames<SweepQuantity, 4> kSweepQuantityWords = {
    {{"logit", SweepQuantity::Logit},
     {"probability", SweepQuantity::Probability},
     {"divergence", SweepQuantity::Divergence},
     {"loss", SweepQuantity::Loss}}};
inline constexpr EnumNames<HeadInput, 4> kHeadInputWords = {{{"all", HeadInput::All},
                                                             {"q", HeadInput::Query},
                                                             {"k", HeadInput::Key},
                                                             {"v", HeadInput::Value}}};

/// Returns the arguments that repeat the sweep, without the study, the output and its look.
std::vector<std::string> sweep_arguments(const FinishedSweep& sweep);

/// Explains why the command cannot make the sweep again: B is no other text of the study, or a word
/// has no name of its own. Returns "" if it can.
std::string why_no_sweep_command(const FinishedSweep& sweep);

}  // namespace headlight
