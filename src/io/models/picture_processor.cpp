#include "io/models/picture_processor.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <variant>

#include "core/error.h"
#include "core/matrix.h"
#include "io/files/file.h"
#include "io/text/json_view.h"
#include "model/document.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Keys that do not affect the numbers.
constexpr std::string_view kOtherKeys[] = {
    "image_processor_type", "feature_extractor_type", "processor_class",
    "do_convert_rgb",       "return_tensors",         "device",
    "disable_grouping",     "default_to_square",      "auto_map"};
constexpr std::string_view kKeys[] = {
    "do_resize",      "size",         "resample",   "do_center_crop", "crop_size",  "do_rescale",
    "rescale_factor", "do_normalize", "image_mean", "image_std",      "data_format"};

class ProcessorReader {
  public:
    explicit ProcessorReader(const JsonView& json) : json_(json) {}

    PictureProcessor read() {
        check_keys();
        PictureProcessor processor;
        processor.preparation = preparation();
        set_numbers(processor);
        return processor;
    }

  private:
    std::optional<JsonView> find(std::string_view key) const {
        const auto found = json_.find(key);
        const bool is_null = found && std::holds_alternative<std::monostate>(found->value().value);
        return is_null ? std::nullopt : found;
    }
    bool flag(std::string_view key, bool otherwise) const {
        const auto found = find(key);
        return found ? found->flag() : otherwise;
    }

    /// Throws Error for an unknown key, unless it is false or null and so asks for nothing.
    void check_keys() const {
        json_.for_each_member([&](const std::string& key, const JsonView& value) {
            const bool is_known = is_among(key, kKeys) || is_among(key, kOtherKeys);
            const bool* is_on = std::get_if<bool>(&value.value().value);
            const bool asks =
                !std::holds_alternative<std::monostate>(value.value().value) && !(is_on && !*is_on);
            if (!is_known && asks && !key.starts_with("_")) value.fail("is not supported");
        });
        if (const auto format = find("data_format"); format && format->text() != "channels_first")
            format->fail(R"(must be "channels_first", not "{}")", printable(format->text()));
    }

    PicturePreparation preparation() const {
        PicturePreparation how;
        how.resample = resample();
        if (flag("do_resize", true)) set_size(how);
        if (flag("do_center_crop", false)) how.crop = size_in(json_.at("crop_size"));
        return how;
    }

    /// Returns the filter, by the number that Pillow gives it.
    Resample resample() const {
        const auto number = find("resample");
        if (!number) return Resample::Bilinear;
        constexpr Resample kByNumber[] = {Resample::Nearest, Resample::Lanczos, Resample::Bilinear,
                                          Resample::Bicubic, Resample::Box,     Resample::Hamming};
        return kByNumber[number->integer(0, std::ssize(kByNumber) - 1)];
    }

    void set_size(PicturePreparation& how) const {
        const auto size = find("size");
        if (!size) json_.fail("has no size, and do_resize is on");
        const auto shortest = size->is_object() ? size->find("shortest_edge") : std::nullopt;
        if (!shortest) {
            how.size = size_in(*size);
            return;
        }
        size->expect_keys({"shortest_edge"});
        how.shortest = static_cast<int>(shortest->integer(1, kMaxPreparedSide));
    }

    /// 224, [224, 224] or {"height": 224, "width": 224}.
    static PictureSize size_in(const JsonView& size) {
        const auto side = [](const JsonView& number) {
            return static_cast<int>(number.integer(1, kMaxPreparedSide));
        };
        if (size.is_object()) {
            size.expect_keys({"height", "width"});
            return {side(size.at("height")), side(size.at("width"))};
        }
        if (!size.is_list()) return {side(size), side(size)};
        if (size.size() != 2) size.fail("must be [height, width]");
        return {side(size[0]), side(size[1])};
    }

    /// Folds the rescaling into the mean: (255 f x − m) / s = (x − m / 255 f) / (s / 255 f), where
    /// f is the factor of bytes.
    void set_numbers(PictureProcessor& processor) const {
        constexpr double kWhite = 255;
        double factor = 1;
        if (flag("do_rescale", true)) {
            const auto given = find("rescale_factor");
            factor = given ? given->real(1e-6, 1e3) : 1 / kWhite;
        }
        const double white = std::abs(factor * kWhite - 1) < 1e-9 ? 1 : factor * kWhite;
        const bool normalizes = flag("do_normalize", true);
        for (std::size_t c = 0; c < processor.mean.size(); ++c) {
            const double mean = normalizes ? number_of("image_mean", c, -1e6) : 0,
                         deviation = normalizes ? number_of("image_std", c, 1e-6) : 1;
            processor.mean[c] = static_cast<float>(mean / white);
            processor.deviation[c] = static_cast<float>(deviation / white);
        }
    }

    /// Returns the number of one channel; a value that is not a list counts for all channels.
    double number_of(std::string_view key, std::size_t channel, double least) const {
        const auto found = find(key);
        if (!found) json_.fail("has no {}, and do_normalize is on", key);
        if (!found->is_list()) return found->real(least, 1e6);
        if (found->size() != 3) found->fail("must have 3 numbers: red, green and blue");
        return (*found)[channel].real(least, 1e6);
    }

    const JsonView& json_;
};

}  // namespace

bool PictureProcessor::normalizes() const {
    return std::ranges::any_of(mean, [](float m) { return m != 0; }) ||
           std::ranges::any_of(deviation, [](float s) { return s != 1; });
}

PictureProcessor read_picture_processor(const std::filesystem::path& folder, PictureSize size) {
    const std::filesystem::path file = folder / kPictureProcessorFile;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        throw Error(path_text(folder),
                    "has no {}, which says how a picture becomes what the model reads",
                    kPictureProcessorFile);
    const JsonSource source{path_text(file), parse_json(read_dense_file(file), path_text(file))};
    const JsonView json(source);
    json.expect_object();
    const PictureProcessor processor = ProcessorReader(json).read();
    const PicturePreparation& how = processor.preparation;
    const PictureSize made = how.crop.is_empty() ? how.size : how.crop;
    const std::string wanted = shape_text(size.rows, size.columns);
    if (made.is_empty())  // it depends on the picture
        throw Error(
            source.name,
            "does not say the size of its pictures by size or crop_size; the model reads {} pixels",
            wanted);
    if (made != size)
        throw Error(source.name, "makes pictures of {} pixels; by config.json the model reads {}",
                    shape_text(made.rows, made.columns), wanted);
    return processor;
}

}  // namespace headlight
