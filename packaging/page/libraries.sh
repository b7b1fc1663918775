#!/usr/bin/env bash
# Compiles the libraries that the page needs for WebAssembly, from Debian's source packages.
#
#     libraries.sh FOLDER
#
# FOLDER/source has their sources, FOLDER/root their headers, archives and pkg-config files. Runs in
# the Debian 13 of system.sh.
set -euo pipefail

folder=$1
source=$folder/source root=$folder/root
mkdir -p -- "$source" "$folder/made" "$root/include" "$root/lib/pkgconfig"

say() { printf 'libraries: %s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# The upstream sources of PACKAGE as Debian has them, in $source/PACKAGE. A mirror may lack the ones of
# a suite, so the suites are tried in turn; apt-helper compares the checksum.
fetch() {
    local package=$1 suite line uri file sum part=$folder/made/part
    [[ ! -d $source/$package ]] || return 0
    for suite in trixie bookworm; do
        line=$(cd -- "$folder/made" && apt-get source -qq --print-uris -t "$suite" "$package" 2>/dev/null |
            sed -nE "s/^'([^']*)' ([^ ]*\.orig\.tar\.[a-z0-9]+) [0-9]+ (.*)/\1 \2 \3/p" | head -n 1)
        read -r uri file sum <<<"$line"
        [[ -n $uri ]] || continue
        rm -rf -- "$part"
        mkdir -- "$part"
        if /usr/lib/apt/apt-helper download-file "$uri" "$part/$file" "$sum" >/dev/null 2>&1 &&
            mkdir -- "$part/tree" && tar -xf "$part/$file" -C "$part/tree"; then
            mv -- "$part"/tree/* "$source/$package"
            say "$package: $file of $suite"
            return 0
        fi
    done
    fail "the sources of $package cannot be fetched"
}

flags='-Os -msimd128 -sSUPPORT_LONGJMP=wasm'

cat >"$folder/made/cross.ini" <<END
[binaries]
c = 'emcc'
cpp = 'em++'
ar = 'emar'
ranlib = 'emranlib'
pkg-config = 'pkg-config'
[built-in options]
c_args = [$(printf "'%s'," $flags)]
cpp_args = [$(printf "'%s'," $flags)]
default_library = 'static'
buildtype = 'plain'
[properties]
pkg_config_libdir = '$root/lib/pkgconfig'
needs_exe_wrapper = true
[host_machine]
system = 'emscripten'
cpu_family = 'wasm32'
cpu = 'wasm32'
endian = 'little'
END
export PKG_CONFIG_LIBDIR=$root/lib/pkgconfig

# by_cmake PACKAGE OPTIONS…, by_meson PACKAGE OPTIONS…: configure, compile and install.
by_cmake() {
    local package=$1
    shift
    fetch "$package"
    emcmake cmake -S "$source/$package" -B "$folder/made/$package" -G Ninja \
        -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
        -DCMAKE_INSTALL_PREFIX="$root" -DCMAKE_INSTALL_LIBDIR="$root/lib" -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_FIND_ROOT_PATH="$root" -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "$@"
    cmake --build "$folder/made/$package"
    cmake --install "$folder/made/$package"
}

by_meson() {
    local package=$1
    shift
    fetch "$package"
    meson setup "$folder/made/$package" "$source/$package" --cross-file "$folder/made/cross.ini" \
        --prefix "$root" --libdir lib --wrap-mode nodownload "$@"
    meson install -C "$folder/made/$package"
}

# by_hand PACKAGE NAME SOURCES…: an archive of these sources, without what a build would configure.
by_hand() {
    local package=$1 name=$2 file objects=()
    shift 2
    for file in "$@"; do
        objects+=("$folder/made/$name-$(basename -- "$file").o")
        # shellcheck disable=SC2086  # each flag is a word
        emcc $flags -c "$source/$package/$file" -o "${objects[-1]}"
    done
    rm -f -- "$root/lib/lib$name.a"
    emar rcs "$root/lib/lib$name.a" "${objects[@]}"
}

# describe MODULE VERSION CFLAGS LIBS: a file for pkg-config.
describe() {
    printf 'Name: %s\nDescription: %s\nVersion: %s\nCflags: %s\nLibs: %s\n' \
        "$1" "$1" "$2" "-I$root/include $3" "-L$root/lib $4" >"$root/lib/pkgconfig/$1.pc"
}

# share DIRECTORY MODULE: headers that need no compiling are those of this system.
share() { ln -sfn -- "/usr/include/$1" "$root/include/$1"; }

zlib() {
    fetch zlib
    local flags="$flags -O2"
    local files=(adler32 compress crc32 deflate infback inffast inflate inftrees trees uncompr zutil)
    by_hand zlib z "${files[@]/%/.c}"
    cp -- "$source"/zlib/{zlib,zconf}.h "$root/include/"
    describe zlib 1.3.1 '' -lz
}

giflib() {
    fetch giflib
    by_hand giflib gif {dgif_lib,egif_lib,gif_err,gif_hash,gifalloc,openbsd-reallocarray,quantize}.c
    # In Debian the library has what giflib gives to its own programs.
    {
        cat -- "$source/giflib/gif_lib.h"
        printf '#ifdef __cplusplus\nextern "C"\n#endif\n'
        sed -n '/^int GifQuantizeBuffer/,/;/p' "$source/giflib/getarg.h"
    } >"$root/include/gif_lib.h"
    describe libgif 5.2 '' -lgif
}

utf8proc() {
    fetch utf8proc
    by_hand utf8proc utf8proc utf8proc.c
    cp -- "$source/utf8proc/utf8proc.h" "$root/include/"
    describe libutf8proc 2.8 -DUTF8PROC_STATIC -lutf8proc
}

pugixml() {
    fetch pugixml
    local flags="$flags -fwasm-exceptions"
    by_hand pugixml pugixml src/pugixml.cpp
    cp -- "$source"/pugixml/src/*.hpp "$root/include/"
    describe pugixml 1.13 '' -lpugixml
}

spng() {
    fetch libspng
    local flags="$flags -I$root/include"
    by_hand libspng spng spng/spng.c
    cp -- "$source/libspng/spng/spng.h" "$root/include/"
    describe spng 0.7 -DSPNG_STATIC '-lspng -lz'
}

# Fonts are TrueType or OpenType; the other formats would be a quarter of the library.
freetype() {
    fetch freetype
    sed -i -E '/(t1|t1cid|pfr|t42|winfnt|pcf|bdf)_driver_class|(raster1|sdf|svg)_renderer_class/d' \
        "$source/freetype/include/freetype/config/ftmodule.h"
    sed -i -E '/^#define FT_CONFIG_OPTION_USE_(LZW|ZLIB)/d' \
        "$source/freetype/include/freetype/config/ftoption.h"
    by_cmake freetype -DFT_DISABLE_{BZIP2,BROTLI,HARFBUZZ,PNG,ZLIB}=ON
}

# The part of liblzma that unpacks the page, as a module of its own. It is not in an archive.
unpacker() {
    fetch xz-utils
    local lzma=$source/xz-utils/src/liblzma files
    files=(common/{common,stream_{buffer_decoder,decoder,flags_decoder,flags_common}}.c
        common/{block_{decoder,header_decoder,util},filter_{flags_decoder,decoder,common}}.c
        common/{index_hash,vli_decoder,vli_size}.c check/{check,crc32_small}.c
        lz/lz_decoder.c lzma/{lzma2_decoder,lzma_decoder}.c)
    # shellcheck disable=SC2086  # each flag is a word
    emcc $flags -O2 -DNDEBUG -DHAVE_{STDINT_H,STDBOOL_H,INTTYPES_H,STRING_H,LIMITS_H,SMALL}=1 \
        -DHAVE_CHECK_CRC32=1 -DHAVE_DECODERS=1 -DHAVE_DECODER_LZMA2=1 -DSIZEOF_SIZE_T=4 \
        -DTUKLIB_SYMBOL_PREFIX=lzma_ -DTUKLIB_FAST_UNALIGNED_ACCESS=1 \
        -I"$lzma"/{../common,api,common,check,lz,rangecoder,lzma,delta,simple} \
        "${files[@]/#/$lzma/}" --no-entry -sALLOW_MEMORY_GROWTH \
        -sEXPORTED_FUNCTIONS=_malloc,_free,_lzma_stream_buffer_decode -o "$root/lib/unpacker.wasm"
}

harfbuzz() {
    fetch harfbuzz
    local flags="$flags -fno-exceptions -fno-rtti -fno-threadsafe-statics -DHB_TINY -DHAVE_FREETYPE=1
        -UHB_NO_VAR -I$root/include/freetype2"
    by_hand harfbuzz harfbuzz src/harfbuzz.cc
    mkdir -p -- "$root/include/harfbuzz"
    cp -- "$source"/harfbuzz/src/hb*.h "$root/include/harfbuzz/"
    describe harfbuzz 10.2 "-I$root/include/harfbuzz" '-lharfbuzz -lfreetype'
}

# Its tables are among the sources of a release, so that nothing that makes them has to run here.
fribidi() {
    fetch fribidi
    local lib=$source/fribidi/lib files
    sed -E 's/@FRIBIDI_MSVC_BUILD_PLACEHOLDER@//; s/@SIZEOF_INT@/4/; s/@PACKAGE(_NAME)?@/fribidi/;
        s/@FRIBIDI_M[A-Z]*_VERSION@|@FRIBIDI_INTERFACE_VERSION@/1/; s/@[A-Z_]+@//' \
        "$lib/fribidi-config.h.in" >"$lib/fribidi-config.h"
    mkdir -p -- "$root/include/fribidi"
    cp -- "$lib"/fribidi*.h "$root/include/fribidi/"
    mapfile -t files < <(cd -- "$source/fribidi" && ls lib/*.c)
    local flags="$flags -DHAVE_STRINGIZE=1 -DHAVE_STRING_H=1 -DHAVE_STDLIB_H=1 -I$lib"
    by_hand fribidi fribidi "${files[@]}"
    describe fribidi 1.0.16 "-I$root/include/fribidi" -lfribidi
}

headers() {
    local directory
    for directory in eigen3 fmt nlohmann fast_float doctest; do
        ln -sfn -- "/usr/include/$directory" "$root/include/$directory"
    done
    describe fmt 10 -DFMT_HEADER_ONLY ''
}

# The fonts of the window and of figures, as far as their letters are drawn from left to right, or have
# forms that the program joins; the browser draws all other letters.
fonts() {
    local signs='U+2000-206F,U+2070-209C,U+20A0-20BF,U+2100-214F,U+2190-22FF'
    local inter="U+0020-007E,U+00A0-017F,U+0300-036F,U+0370-03FF,U+0400-045F,U+1D40-1D62,U+1EA0-1EFF,$signs,U+FFFD"
    # What Inter lacks, with the spaces and brackets that may lie between.
    local symbols="U+0020-0040,U+0530-06FF,U+1D40-1D62,$signs,U+2300-23FF,U+2500-27BF,U+27E6-27EB,U+FB1D-FB4F,U+FE70-FEFF"
    local few="U+0020-007E,U+00A0-017F,U+0370-03FF,U+1D40-1D62,$signs" file
    mkdir -p -- "$root/fonts"
    for file in Regular SemiBold Bold; do
        subset "/usr/share/fonts/opentype/inter/Inter-$file.otf" "$inter"
    done
    subset /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf "$symbols"
    for file in Serif-Italic SansMono; do
        subset "/usr/share/fonts/truetype/dejavu/DejaVu$file.ttf" "$few"
    done
}

# subset FONT RANGES
subset() {
    python3 -m fontTools.subset "$1" --unicodes="$2" --output-file="$root/fonts/$(basename -- "$1")" \
        --layout-features+=kern,calt,mark,mkmk --no-hinting
}

all() {
    zlib
    giflib
    utf8proc
    pugixml
    spng
    freetype
    fribidi
    harfbuzz
    by_cmake libzip -DENABLE_{COMMONCRYPTO,GNUTLS,MBEDTLS,OPENSSL,WINDOWS_CRYPTO,BZIP2,LZMA}=OFF \
        -DBUILD_{TOOLS,REGRESS,EXAMPLES,DOC}=OFF \
        -DZLIB_LIBRARY="$root/lib/libz.a" -DZLIB_INCLUDE_DIR="$root/include"
    by_cmake libjpeg-turbo -DWITH_SIMD=0 -DENABLE_SHARED=0 -DWITH_JAVA=0
    by_meson pixman -D{tests,demos,gtk,libpng,openmp,tls}=disabled
    by_meson cairo -D{fontconfig,dwrite,png,quartz,tee,xcb,xlib,zlib,tests,lzo,gtk2-utils,glib,spectre,symbol-lookup}=disabled \
        -Dfreetype=enabled
    fetch imgui
    unpacker
    headers
    fonts
    # The linker of a page without threads would lay a variable of a thread upon the program's texts.
    if grep -l __tls_base "$root"/lib/*.a >&2; then fail 'this library has variables of threads'; fi
    sed -i -E 's/ *-l?pthread//g' "$root"/lib/pkgconfig/*.pc  # a page has no threads
}

all
say "they are in $root"
