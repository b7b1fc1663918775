// Models are downloaded by the program alone: a page asks no other computer for anything.
#include "core/error.h"
#include "download/known_models.h"
#include "download/model_download.h"
#include "io/host.h"

namespace headlight {
namespace {

[[noreturn]] void refuse() {
    throw Error("get", host().lacks.models);
}

}  // namespace

std::span<const KnownModel> known_models() {
    return {};
}

KnownModel known_model(const std::string&) {
    refuse();
}

std::string usual_source() {
    return "";
}

ModelDownload ask_for_model(const KnownModel&, const std::optional<std::string>&,
                            const std::filesystem::path&, Progress&) {
    refuse();
}

void download_model(const ModelDownload&, Progress&) {
    refuse();
}

}  // namespace headlight
