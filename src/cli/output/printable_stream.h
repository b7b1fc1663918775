// A stream that passes text on with nothing in it that a terminal would obey.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace headlight {

/// Line by line: what is in the middle of a line waits for its end, or for a flush.
class PrintableBuffer : public std::streambuf {
  public:
    explicit PrintableBuffer(std::ostream& to) : to_(to) {}

  protected:
    int_type overflow(int_type byte) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

  private:
    bool pass_on(std::size_t size);

    std::ostream& to_;
    std::string line_;
};

class PrintableStream : public std::ostream {
  public:
    explicit PrintableStream(std::ostream& to) : std::ostream(nullptr), buffer_(to) {
        rdbuf(&buffer_);
    }
    ~PrintableStream() override { flush(); }

  private:
    PrintableBuffer buffer_;
};

}  // namespace headlight
