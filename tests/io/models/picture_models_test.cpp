// Models of pictures against what transformers computes with the same files and the same picture.
#include <doctest/doctest.h>
#include <string_view>

#include "../../golden/golden_file.h"
#include "golden_model.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/models/open_model.h"
#include "io/models/picture_processor.h"
#include "io/open_document.h"
#include "io/pictures/given_picture.h"
#include "io/pictures/picture.h"
#include "io/pictures/resample.h"
#include "io/studies/study.h"
#include "learned_tensors.h"
#include "model/evaluate.h"
#include "model/settings/setting_names.h"

namespace headlight::picture_models_test {
namespace {

const char* const kModels[] = {"vit", "vit-base", "vit-plain"};
constexpr double kApart = 1e-5;

/// Matrix k of a stack of equal ones.
Matrix layer_of(const StoredArray& array, std::uint64_t k) {
    const auto rows = static_cast<Index>(array.shape[array.shape.size() - 2]),
               columns = static_cast<Index>(array.shape.back());
    Matrix values(rows, columns);
    read_numbers(array, k * static_cast<std::uint64_t>(values.size()), view(values));
    return values;
}

const Matrix& value(const Trace& trace, std::string_view path) {
    return *trace.at(path).value;
}

Document golden_study(const GoldenModel& golden) {
    return picture_study(open_model(golden.folder()), golden.file("picture.png"));
}

/// [3, rows, columns] as one row a pixel.
Matrix by_pixel(const StoredArray& array) {
    const auto n = static_cast<Index>(array.shape[1] * array.shape[2]);
    Matrix channels(3, n);
    read_numbers(array, 0, view(channels));
    return channels.transpose();
}

void check_close(const Trace& trace, const std::string& path, const Matrix& expected) {
    CHECK(find_difference(path, value(trace, path), expected, kApart, 1) == "");
}

}  // namespace

TEST_CASE("a model of pictures computes what transformers does with the same picture") {
    for (const std::string name : kModels) {
        CAPTURE(name);
        const GoldenModel golden(name);
        const Document document = golden_study(golden);
        const Trace trace = evaluate(document, nullptr, {.everything = true});
        const bool is_normalized = trace.find("image_normalized") != nullptr;
        const std::string pixels = is_normalized ? "image_normalized" : "image";
        CHECK(find_difference(pixels, value(trace, pixels), by_pixel(golden.array("pixels")), 2e-7,
                              1) == "");
        const StoredArray &patterns = golden.array("patterns"), &hidden = golden.array("hidden");
        for (std::uint64_t l = 0; l < patterns.shape[0]; ++l) {
            const std::string block = "blocks." + std::to_string(l) + ".";
            for (std::uint64_t h = 0; h < patterns.shape[1]; ++h)
                check_close(trace, block + "attn.heads." + std::to_string(h) + ".pattern",
                            layer_of(patterns, l * patterns.shape[1] + h));
            check_close(trace, block + "resid_pre", layer_of(hidden, l));
            check_close(trace, block + "resid_post", layer_of(hidden, l + 1));
        }
        check_close(trace, "ln_final.out", layer_of(golden.array("last"), 0));
        CHECK(golden.has("logits") == (trace.find("logits") != nullptr));
        if (golden.has("logits")) check_close(trace, "logits", layer_of(golden.array("logits"), 0));
    }
}

TEST_CASE("every learned tensor of a model of pictures is read from its files") {
    for (const std::string name : kModels) {
        CAPTURE(name);
        const GoldenModel golden(name);
        CHECK(unmatched_weights(golden_study(golden)) == std::vector<std::string>{});
    }
}

TEST_CASE("pictures get another size as Pillow gives it to them, byte for byte") {
    const std::filesystem::path folder = golden_folder("resized");
    const std::string png = read_file(folder / "picture.png"),
                      bytes = read_file(folder / "resized.safetensors");
    const Pixels picture = read_png(png, "picture.png");
    const ByteSource source = bytes_in_memory(bytes, "resized");
    const StoredArrays arrays = find_safetensors_arrays(source);
    CHECK(arrays.size() == 30);
    for (const StoredArray& array : arrays) {
        CAPTURE(array.name);
        const std::string filter = array.name.substr(0, array.name.find('.'));
        const auto word =
            std::ranges::find(kResampleWords, filter, [](const auto& pair) { return pair.first; });
        REQUIRE(word != kResampleWords.end());
        const PictureSize size{static_cast<int>(array.shape[0]), static_cast<int>(array.shape[1])};
        const Pixels found = resized(picture, size, word->second);
        Matrix expected(Index{size.rows} * size.columns, 3);
        read_numbers(array, 0, view(expected));
        int n_different = 0;
        for (Index i = 0; i < expected.rows(); ++i)
            for (Index c = 0; c < 3; ++c)
                n_different += found.rgba[static_cast<std::size_t>(4 * i + c)] != expected(i, c);
        CHECK(n_different == 0);
    }
}

TEST_CASE("a model of pictures names its classes, and tells two of one name apart") {
    const GoldenModel golden("vit"), plain("vit-plain");
    const auto names = [](const GoldenModel& model) {
        const auto made = plan(golden_study(model));
        return made->items(made->at("logits").columns.list);
    };
    CHECK(names(golden) == std::vector<std::string>{"crane", "tabby, tabby cat", "crane (2)"});
    CHECK(names(plain).front() == "LABEL_0");
}

TEST_CASE("a study of a picture is small, names the picture, and opens again where both moved") {
    const GoldenModel golden("vit");
    const TemporaryFolder folder;
    std::filesystem::copy(golden.folder(), folder.file("model"));
    std::filesystem::copy(golden.file("picture.png"), folder.file("cat.png"));
    const Document document =
        picture_study(open_model(folder.file("model")), folder.file("cat.png"));
    const std::string text = save_document(folder.file("a.headlight"), document);
    CHECK(text.size() < 4000);
    CHECK(text.find("\"file\": \"cat.png\"") != std::string::npos);
    CHECK(text.find("\"pixels\"") == std::string::npos);
    const TemporaryFolder elsewhere;
    std::filesystem::copy(folder.file(""), elsewhere.file(""),
                          std::filesystem::copy_options::recursive);
    const Document opened = open_document(elsewhere.file("a.headlight")).document;
    CHECK(opened.image()->picture->file == elsewhere.file("cat.png"));
    CHECK(value(evaluate(opened, nullptr, {}), "logits") ==
          value(evaluate(document, nullptr, {}), "logits"));
    std::filesystem::copy_file(golden_folder("resized") / "picture.png", elsewhere.file("cat.png"),
                               std::filesystem::copy_options::overwrite_existing);
    CHECK_THROWS_WITH(open_document(elsewhere.file("a.headlight")),
                      doctest::Contains("is another picture than the study was saved with"));
    std::filesystem::remove(elsewhere.file("cat.png"));
    CHECK_THROWS_WITH(open_document(elsewhere.file("a.headlight")), doctest::Contains("cat.png"));
}

TEST_CASE("the folder of a model of pictures opens with the built-in picture") {
    const GoldenModel golden("vit");
    const Document document = open_document(golden.folder()).document;
    REQUIRE(document.image()->picture);
    CHECK(document.image()->picture->file.empty());
    CHECK(document.image()->rows == 8);
    CHECK(document.image()->columns == 12);
    const TemporaryFolder folder;
    save_document(folder.file("a.headlight"), document);
    CHECK(open_document(folder.file("a.headlight")).document == document);
    CHECK_THROWS_WITH(model_study(open_model(golden.folder()), "a text"),
                      doctest::Contains("reads a picture, not a text"));
    CHECK_THROWS_WITH(picture_study(open_model(golden.folder()), golden.file("config.json")),
                      doctest::Contains("is no picture that is read: PNG or JPEG"));
}

TEST_CASE("what an image processor asks for and is not supported is refused by its key and line") {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& json) -> std::string {
        write_file(folder.file(kPictureProcessorFile), json);
        try {
            static_cast<void>(read_picture_processor(folder.file(""), {8, 12}));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const std::string fine = "\"image_mean\": 0.5, \"image_std\": [1, 1, 0.5],\n";
    const auto with = [&](const std::string& more) { return problem("{" + fine + more + "}"); };
    CHECK(with("\"size\": [8, 12]") == "");
    CHECK(with("\"size\": [8, 12], \"do_flip\": false, \"device\": null") == "");
    CHECK(with("\"size\": [8, 12], \"do_flip\": true")
              .ends_with("line 2, do_flip: is not supported"));
    CHECK(with("\"size\": 8")
              .find("makes pictures of 8 × 8 pixels; by config.json the model "
                    "reads 8 × 12") != std::string::npos);
    CHECK(with("\"size\": {\"shortest_edge\": 8}").find("does not say the size") !=
          std::string::npos);
    CHECK(with("\"size\": [8, 12], \"resample\": 6").find("line 2, resample") != std::string::npos);
    CHECK(with("\"size\": {\"height\": 8, \"wide\": 12}").find("wide") != std::string::npos);
    CHECK(with("\"size\": [8, 12], \"do_center_crop\": true").find("crop_size") !=
          std::string::npos);
    CHECK(problem("{\"size\": [8, 12]}").find("has no image_mean") != std::string::npos);
    std::filesystem::remove(folder.file(kPictureProcessorFile));
    CHECK_THROWS_WITH(read_picture_processor(folder.file(""), {8, 12}),
                      doctest::Contains("has no preprocessor_config.json"));
}

TEST_CASE("a ViT of another make is refused by its key") {
    const GoldenModel golden("vit");
    const std::string config = read_file(golden.file("config.json"));
    const auto problem = [&](const std::string& from, const std::string& to) -> std::string {
        std::string changed = config;
        changed.replace(changed.find(from), from.size(), to);
        write_file(golden.file("config.json"), changed);
        try {
            static_cast<void>(open_model(golden.folder()));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(problem("\"num_channels\": 3", "\"num_channels\": 1").find("num_channels: must be 3") !=
          std::string::npos);
    CHECK(problem("\"patch_size\": 4", "\"patch_size\": [4, 2]").find("must be square") !=
          std::string::npos);
    CHECK(problem("\"patch_size\": 4", "\"patch_size\": 3").find("do not fill") !=
          std::string::npos);
    CHECK(problem("\"patch_size\": 4", "\"patch_size\": 2")
              .find("position_embeddings is (1, 7, 16), not 25 × 16") != std::string::npos);
    // A model of another type that has all of a ViT's keys and arrays is one.
    CHECK(problem("\"model_type\": \"vit\"", "\"model_type\": \"deit\"") == "");
}

}  // namespace headlight::picture_models_test
