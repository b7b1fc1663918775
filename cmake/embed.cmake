# Writes a C++ source that holds the bytes of FILES, and the header that finds one by its name.
set(arrays "")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "const unsigned char k${index}[] = {${bytes}0};\n")
    string(APPEND rows "    if (file == \"${name}\") return "
                       "{reinterpret_cast<const char*>(k${index}), sizeof k${index} - 1};\n")
    math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${HEADER} "#pragma once\n#include <string_view>\nnamespace headlight {\n"
                     "std::string_view embedded_${NAME}(std::string_view file);\n}\n")
file(WRITE ${SOURCE} "#include \"embedded_${NAME}.h\"\nnamespace headlight {\nnamespace {\n${arrays}}\n"
                     "std::string_view embedded_${NAME}(std::string_view file) {\n${rows}    return {};\n}\n}\n")
