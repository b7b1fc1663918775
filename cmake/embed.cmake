# Writes a C++ source that holds the bytes of FILES, and the header that finds one by its name: its
# bytes, whether it is here, and whether the program has been made without it, which only a page is. The
# assembler takes the bytes from the files, for WebAssembly (FOR_PAGE) the compiler: weights are too large
# for a list of numbers. ccache does not see those files; it compiles the source anew since their checksums
# are in it.
set(sections "")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    file(SHA256 ${file} checksum)
    set(symbol headlight_${NAME}_${index})
    if(FOR_PAGE)
        string(APPEND sections "// ${checksum}\n"
                               "alignas(64) static const char ${symbol}[] = {\n"
                               "#embed \"${file}\"\n};\n")
        string(APPEND rows "    if (file == \"${name}\")\n"
                           "        return {${symbol}, sizeof ${symbol}};\n")
        math(EXPR index "${index} + 1")
        continue()
    endif()
    string(APPEND sections "// ${checksum}\n"
                           "extern \"C\" const char ${symbol}[], ${symbol}_end[];\n"
                           "asm(\".section .rodata\\n.balign 64\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n\"\n"
                           "    \"${symbol}_end:\\n.byte 0\\n.previous\");\n")
    string(APPEND rows "    if (file == \"${name}\")\n"
                       "        return {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})};\n")
    math(EXPR index "${index} + 1")
endforeach()
list(TRANSFORM FILES REPLACE "^.*/([^/]*)$" "file == \"\\1\"" OUTPUT_VARIABLE known)
list(JOIN known " ||\n           " known)
file(WRITE ${HEADER} "#pragma once\n#include <string_view>\nnamespace headlight {\n"
                     "std::string_view embedded_${NAME}(std::string_view file);\n"
                     "bool has_embedded_${NAME}(std::string_view file);\n"
                     "bool lacks_embedded_${NAME}(std::string_view file);\n}\n")
file(WRITE ${SOURCE} "#include \"embedded_${NAME}.h\"\n${sections}namespace headlight {\n"
                     "std::string_view embedded_${NAME}(std::string_view file) {\n${rows}    return {};\n}\n"
                     "bool has_embedded_${NAME}(std::string_view file) {\n    return ${known};\n}\n"
                     "bool lacks_embedded_${NAME}(std::string_view) {\n    return false;\n}\n}\n")
