#include "io/arrays/recording_pictures.h"

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/pictures/given_picture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// The picture that was looked at last is kept.
class FolderOfPictures {
  public:
    FolderOfPictures(std::shared_ptr<const std::vector<RecordedText>> texts, fs::path folder)
        : texts_(std::move(texts)), folder_(std::move(folder)) {}

    void read(Index text, Index first_row, View rows) {
        const std::lock_guard lock(mutex_);
        if (text != text_) open(text);
        constexpr Index kChannels = 3;
        std::copy_n(pixels_->begin() + first_row * kChannels, rows.size(), rows.data());
    }

  private:
    void open(Index text) {
        const RecordedPatches& patches = *(*texts_)[static_cast<std::size_t>(text)].patches;
        const fs::path file = folder_ / patches.picture;
        ImageStudy picture;
        give_picture(picture, file, {});
        if (const PictureSize size{picture.rows, picture.columns}; !(size == patches.pixels))
            throw Error(path_text(file), "is " + size_words(size) +
                                             ", but the recording's index says " +
                                             size_words(patches.pixels));
        pixels_ = picture.picture->pixels;
        text_ = text;
    }

    static std::string size_words(PictureSize size) {
        return std::to_string(size.rows) + " rows of " + std::to_string(size.columns) + " pixels";
    }

    std::shared_ptr<const std::vector<RecordedText>> texts_;
    fs::path folder_;
    std::mutex mutex_;
    Index text_ = -1;
    std::shared_ptr<const std::vector<float>> pixels_;
};

}  // namespace

std::shared_ptr<const MatrixSource> pictures_in_folder(const RecordingIndex& index,
                                                       const fs::path& folder) {
    for (const RecordedText& text : *index.texts) {
        if (!text.patches) return nullptr;
        std::error_code ignored;
        if (!fs::is_regular_file(folder / text.patches->picture, ignored))
            throw Error(path_text(folder / text.patches->picture),
                        "is missing or no file; the recording's index names it as a picture");
    }
    const auto pictures = std::make_shared<FolderOfPictures>(index.texts, folder);
    return std::make_shared<const MatrixSource>(
        MatrixSource{[pictures](Index text, Index first_row, View rows) {
            pictures->read(text, first_row, rows);
        }});
}

}  // namespace headlight
