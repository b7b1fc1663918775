#include "io/files/system_calls.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace headlight {

const SystemCalls kSystemCalls = {
    [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
    ::pread,
    ::write,
    ::fsync,
    ::close,
    ::rename,
    ::link,
};

SystemCalls system_calls = kSystemCalls;

}  // namespace headlight
