# Compiler settings shared by every target, and the one way in which a room is declared.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(headlight_options INTERFACE)
# −∞ is a legal number in masks: nothing here may assume finite arithmetic. GCC 12 warns of overlaps
# (-Wrestrict) where a literal is joined to a string; there are none.
target_compile_options(
    headlight_options INTERFACE -Wall -Wextra -Wpedantic -Wno-restrict -fno-math-errno)
# A newer compiler's new warning must not keep a user from building.
if(HEADLIGHT_TESTS)
    target_compile_options(headlight_options INTERFACE -Werror)
endif()
target_include_directories(headlight_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(headlight_options INTERFACE HEADLIGHT_VERSION="${PROJECT_VERSION}")
if(HEADLIGHT_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined
                   -fno-omit-frame-pointer)
    # GCC warns of phantoms in instrumented code; the plain build is the judge of warnings.
    target_compile_options(headlight_options
                           INTERFACE ${sanitizers} -Wno-error -Wno-maybe-uninitialized)
    target_link_options(headlight_options INTERFACE ${sanitizers})
endif()
if(HEADLIGHT_FUZZ)
    target_compile_options(headlight_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# headlight_room(core SOURCES a.cpp … LINK other rooms and libraries)
# makes the static library headlight_core.
function(headlight_room room)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(headlight_${room} STATIC ${ARG_SOURCES})
    target_link_libraries(headlight_${room} PUBLIC headlight_options ${ARG_LINK})
endfunction()

# headlight_test(core SOURCES a_test.cpp … LINK …) makes one test program, tests/core.
function(headlight_test name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_executable(test_${name} ${PROJECT_SOURCE_DIR}/tests/main.cpp ${ARG_SOURCES})
    target_link_libraries(test_${name} PRIVATE headlight_options headlight::doctest ${ARG_LINK})
    # A test is compiled more often than it runs. Below -O2 GCC sees uninitialised phantoms.
    target_compile_options(
        test_${name} PRIVATE $<IF:$<BOOL:${HEADLIGHT_SANITIZE}>,-O0,-O1> -Wno-maybe-uninitialized)
    target_compile_definitions(test_${name} PRIVATE DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(
        test_${name} PRIVATE HEADLIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_test(NAME ${name} COMMAND test_${name})
endfunction()

# headlight_embed(target name files…) compiles the files into the target; the generated header
# embedded_<name>.h declares  std::string_view headlight::embedded_<name>(std::string_view file).
function(headlight_embed target name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/embedded/embedded_${name}.h)
    add_custom_command(
        OUTPUT ${source} ${header}
        COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DFILES=${ARGN}" -DSOURCE=${source}
                -DHEADER=${header} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${source} ${header})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()
