// The output of a command on its way to the terminal.
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Writes line by line: an unfinished line waits for its end, or for a flush.
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

PrintableBuffer::int_type PrintableBuffer::overflow(int_type byte) {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char c = traits_type::to_char_type(byte);
    return xsputn(&c, 1) == 1 ? byte : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
    const std::string_view added(text, static_cast<std::size_t>(size));
    const std::size_t end = added.rfind('\n');
    const std::size_t whole = end == std::string_view::npos ? 0 : line_.size() + end + 1;
    line_ += added;
    return pass_on(whole) ? size : 0;
}

int PrintableBuffer::sync() {
    return pass_on(line_.size()) && to_.flush() ? 0 : -1;
}

bool PrintableBuffer::pass_on(std::size_t size) {
    if (size == 0) return to_.good();
    to_ << printable_lines(std::string_view(line_).substr(0, size));
    line_.erase(0, size);
    return to_.good();
}

}  // namespace

int run_command_line(std::vector<std::string> args, std::ostream& out, std::ostream& err,
                     std::ostream* terminal, std::istream* answers) {
    PrintableStream shown_out(out), shown_err(err);
    const int code = run_command(std::move(args), {shown_out, shown_err, terminal, answers});
    // The output may be all that was asked for: also --help.
    if (shown_out.flush() || code != kExitDone) return code;
    shown_err << "headlight: [output] cannot be written\n";
    return kExitError;
}

}  // namespace headlight
