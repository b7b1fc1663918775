# Compiler settings shared by every target, and the one way in which each kind is declared.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Sanitized code is read in stack traces. Below -O1 it is several times slower; above it takes
# longer to compile than it saves.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
if(HEADLIGHT_SANITIZE)
    set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")
endif()

# GCC looks for memory to use again whenever it has taken twice as much as before. To begin only at
# half a gigabyte saves a tenth of the time.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(--param=ggc-min-heapsize=524288)
endif()

# What a unit includes is parsed once for several sources: local names are different within a room.
# -DCMAKE_UNITY_BUILD=OFF compiles each source by itself.
option(CMAKE_UNITY_BUILD "Compile several sources as one" ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)

find_program(HEADLIGHT_CCACHE ccache)
if(HEADLIGHT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # What a precompiled header needs, by ccache's manual; two clones share what is equal in both and
    # reads nothing that is precompiled. For GCC a header is another one if only a comment in it has
    # changed, so its text counts (CCACHE_DEPEND), not what the preprocessor makes of it.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
            CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${HEADLIGHT_CCACHE})
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

# The page: a folder with the libraries of packaging/page/libraries.sh, compiled by emscripten.
set(HEADLIGHT_PAGE "" CACHE PATH "Make the page, with the libraries in this folder")

# mold links in a fifth of the time that the compiler's own linker takes.
find_program(HEADLIGHT_MOLD mold)
if(HEADLIGHT_MOLD AND NOT HEADLIGHT_PAGE)
    add_link_options(-fuse-ld=mold)
endif()

add_library(headlight_options INTERFACE)
# −∞ is a legal number in masks: nothing here may assume finite arithmetic.
target_compile_options(
    headlight_options INTERFACE -Wall -Wextra -Wpedantic -fno-math-errno)
if(HEADLIGHT_PAGE)
    set(CMAKE_CXX_FLAGS_RELEASE "-Os")  # what is not computing
    # A page from a disk has no shared memory, so no threads.
    target_compile_options(headlight_options INTERFACE -fwasm-exceptions -msimd128)
    target_link_options(headlight_options INTERFACE -fwasm-exceptions)
else()
    target_compile_options(headlight_options INTERFACE -pthread)
endif()
# In a unit of several sources GCC takes what is local in one for what a header gives to all. GCC 12
# sees overlaps and bounds where a literal is joined to a string, and uses of freed memory in Eigen;
# there are none.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(headlight_options INTERFACE -Wno-subobject-linkage)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(headlight_options INTERFACE -Wno-restrict -Wno-array-bounds
                               -Wno-stringop-overflow -Wno-stringop-overread
                               -Wno-use-after-free)
    endif()
endif()
target_include_directories(headlight_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
# Every room writes messages.
target_link_libraries(headlight_options INTERFACE headlight::fmt)
target_compile_definitions(headlight_options INTERFACE HEADLIGHT_VERSION="${PROJECT_VERSION}")
# Matrices begin where the widest vector register can load from one line of the cache.
target_compile_definitions(headlight_options INTERFACE EIGEN_MAX_ALIGN_BYTES=64)
if(HEADLIGHT_SANITIZE)
    # A wild pointer ends the program under AddressSanitizer anyway, and of a function without its
    # return the compiler warns. To check each pointer takes as long to compile as all the rest.
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined
                   -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow,return
                   -fno-omit-frame-pointer)
    # To mark where each variable's scope ends is a third of what an instrumented source takes.
    if(NOT HEADLIGHT_SANITIZE_SCOPES)
        list(APPEND sanitizers -fno-sanitize-address-use-after-scope)
    endif()
    # GCC sees uninitialised phantoms in instrumented code.
    target_compile_options(headlight_options INTERFACE ${sanitizers} -Wno-maybe-uninitialized)
    target_link_options(headlight_options INTERFACE ${sanitizers})
endif()
if(HEADLIGHT_FUZZ)
    target_compile_options(headlight_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# headlight_room(core [PRECOMPILED_BY figure | PRECOMPILES trace.h] SOURCES a.cpp … LINK other rooms and
# libraries) makes the static library headlight_core. Rooms with the same flags share what is
# precompiled: cmake/precompiled.h, and what nearly every source of a room includes.
function(headlight_room room)
    cmake_parse_arguments(ARG "" "PRECOMPILED_BY" "PRECOMPILES;SOURCES;LINK" ${ARGN})
    add_library(headlight_${room} STATIC EXCLUDE_FROM_ALL ${ARG_SOURCES})
    target_link_libraries(headlight_${room} PUBLIC headlight_options ${ARG_LINK})
    if(ARG_PRECOMPILES)
        list(TRANSFORM ARG_PRECOMPILES PREPEND ${PROJECT_SOURCE_DIR}/)
        target_precompile_headers(headlight_${room} PRIVATE ${ARG_PRECOMPILES})
    elseif(ARG_PRECOMPILED_BY)
        target_precompile_headers(headlight_${room} REUSE_FROM headlight_${ARG_PRECOMPILED_BY})
    endif()
endfunction()

# headlight_program(name PART_OF release_tests SOURCES a.cpp … LINK …) makes a program that is built
# where one of the targets behind PART_OF is: release_tests, sanitized_tests or benchmarks.
function(headlight_program name)
    cmake_parse_arguments(ARG "" "" "PART_OF;SOURCES;LINK" ${ARGN})
    add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE headlight_options ${ARG_LINK})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    foreach(target IN LISTS ARG_PART_OF)
        add_dependencies(${target} ${name})
    endforeach()
endfunction()

# headlight_test(core [SANITIZED|SANITIZED_TOO] [EACH_FILE] [SECONDS 20] SOURCES a_test.cpp … LINK …)
# makes one test program.
#
# SANITIZED: it reads the bytes of others or counts indices, and .ci/run runs it under the sanitizers
# alone: it is part of the target `sanitized_tests`, not of `release_tests`, and its label is
# `sanitized_alone`. SANITIZED_TOO: it is part of both, since its numbers depend on the kernels of the
# release, and its label is `sanitized`.
# EACH_FILE: each source is a test by itself, core.a, so that several processors share the program.
# SECONDS it takes, or its longest source: tests that take longest begin first, so that no processor
# waits for them at the end.
function(headlight_test name)
    cmake_parse_arguments(ARG "SANITIZED;SANITIZED_TOO;EACH_FILE" "SECONDS" "SOURCES;LINK" ${ARGN})
    set(targets release_tests)
    set(label "")
    if(ARG_SANITIZED)
        set(targets sanitized_tests)
        set(label sanitized_alone)
    elseif(ARG_SANITIZED_TOO)
        list(APPEND targets sanitized_tests)
        set(label sanitized)
    endif()
    headlight_program(test_${name} PART_OF ${targets} SOURCES ${ARG_SOURCES}
                      LINK headlight_test_main ${ARG_LINK})
    target_precompile_headers(test_${name} REUSE_FROM headlight_test_main)
    target_link_libraries(test_${name} PRIVATE headlight_test_options)
    if(HEADLIGHT_PAGE)
        target_link_options(test_${name} PRIVATE -sNODERAWFS -sENVIRONMENT=node -sALLOW_MEMORY_GROWTH
                            -sSTACK_SIZE=4MB)
    endif()
    if(ARG_EACH_FILE)
        headlight_test_each_file(${name} tests ${ARG_SOURCES})
    else()
        add_test(NAME ${name} COMMAND test_${name})
        set(tests ${name})
    endif()
    if(ARG_SECONDS)
        set_tests_properties(${tests} PROPERTIES COST ${ARG_SECONDS})
    endif()
    set_tests_properties(${tests} PROPERTIES LABELS "${label}")
endfunction()

# No case may be in no test, and no test may be without a case.
function(headlight_test_each_file name list)
    set(tests "")
    foreach(source IN LISTS ARGN)
        if(NOT source MATCHES "_test\\.cpp$")
            file(STRINGS ${source} cases REGEX "^TEST_CASE")
            if(cases)
                message(FATAL_ERROR "${source} has cases: its name must end in _test.cpp")
            endif()
        else()
            get_filename_component(file ${source} NAME)
            string(REPLACE "_test.cpp" "" part ${file})
            add_test(NAME ${name}.${part} COMMAND test_${name} --source-file=*/${file})
            set_tests_properties(${name}.${part} PROPERTIES FAIL_REGULAR_EXPRESSION
                                 "test cases: +0 ")
            list(APPEND tests ${name}.${part})
        endif()
    endforeach()
    set(${list} ${tests} PARENT_SCOPE)
endfunction()

# headlight_embed(target name files…) compiles the files into the target; the generated header
# embedded_<name>.h declares  std::string_view headlight::embedded_<name>(std::string_view file)  and
# whether the file is here (has_…), or is left out (lacks_…), which happens only in a page: page_data.cpp.
function(headlight_embed target name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/embedded/embedded_${name}.h)
    add_custom_command(
        OUTPUT ${source} ${header}
        COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFILES=${ARGN}" -DSOURCE=${source}
                -DHEADER=${header} -DFOR_PAGE=${HEADLIGHT_PAGE} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        VERBATIM)
    set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                                SKIP_PRECOMPILE_HEADERS ON)
    if(HEADLIGHT_PAGE)
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-Wno-c23-extensions;-Wno-c++11-narrowing")
    endif()
    target_sources(${target} PRIVATE ${source} ${header})
    set_target_properties(${target} PROPERTIES EMBEDDED_${name} "${ARGN}")
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()
