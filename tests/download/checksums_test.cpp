// Checksums against those of FIPS 180-4 and of git hash-object.
#include <doctest/doctest.h>

#include "core/error.h"
#include "download/known_models.h"
#include "temporary_folder.h"

namespace headlight::checksums_test {
namespace {

const std::string kSha256 = std::string(64, '0'), kGit = std::string(40, '0');

}  // namespace

TEST_CASE("a file's SHA-256 is that of FIPS 180-4") {
    const TemporaryFolder folder;
    Progress progress;
    CHECK(checksum_of(folder.with("a", "abc"), kSha256, progress) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(checksum_of(folder.with("b", ""), kSha256, progress) ==
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(checksum_of(folder.with("c", std::string(1'000'000, 'a')), kSha256, progress) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK_THROWS_AS(checksum_of(folder.file("absent"), kSha256, progress), Error);
}

TEST_CASE("what Git calls a file is what git hash-object prints") {
    const TemporaryFolder folder;
    Progress progress;
    CHECK(checksum_of(folder.with("a", "hello\n"), kGit, progress) ==
          "ce013625030ba8dba906f756967f9e9ca394464a");
    CHECK(checksum_of(folder.with("b", ""), kGit, progress) ==
          "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
}

TEST_CASE("only whole lower-case hexadecimal numbers are checksums") {
    CHECK(is_sha256(kSha256));
    CHECK_FALSE(is_sha256(kGit));
    CHECK(is_git_blob(kGit));
    CHECK_FALSE(is_git_blob(std::string(39, '0') + "g"));
    CHECK_FALSE(is_sha256(std::string(63, 'a') + "A"));
}

}  // namespace headlight::checksums_test
