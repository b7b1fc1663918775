// ZipArchive: a zip file whose entries are read in place, through libzip.
//
// Goals: central directory and local headers must agree before anything is read; nothing is ever
// unpacked beyond the declared size. Not goals: writing, encryption, other methods than deflate.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <zip.h>

#include "io/files/byte_source.h"

namespace headlight {

/// The library's error, freed.
class ZipError {
  public:
    ZipError() { zip_error_init(&error_); }
    ~ZipError() { zip_error_fini(&error_); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;

    zip_error_t* get() { return &error_; }
    std::string text() { return zip_error_strerror(&error_); }

  private:
    zip_error_t error_;
};

struct ZipEntry {
    std::uint64_t index = 0;
    std::string name;
    std::uint64_t size = 0;  // as declared, when unpacked
    bool is_compressed = false;
};

class ZipArchive {
  public:
    /// Throws Error, naming the source, if the archive contradicts itself, has too many entries, or
    /// one that is encrypted or of an unknown method.
    explicit ZipArchive(const ByteSource& bytes);

    const std::vector<ZipEntry>& entries() const;

    /// The bytes of an entry, which outlive this object. Without compression they are read in
    /// place; else all are unpacked when more than the first few are wanted, and kept. The checksum
    /// is compared where an entry is read from its beginning to its end. Reading throws Error if it
    /// is wrong, or if less or more comes out than was declared.
    ByteSource entry_bytes(std::uint64_t index) const;

    /// Reads all of an entry; throws Error if it is cut off or damaged.
    void check(std::uint64_t index) const;

  private:
    class Opened;
    std::shared_ptr<Opened> opened_;
};

}  // namespace headlight
