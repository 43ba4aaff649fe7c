# SPDX-License-Identifier: GPL-3.0-or-later
# The explorer page as constants of C: hsel_embed_page(target) gives the target hs_explorer_script, hs_explorer_style and hs_explorer_body, and
# hs_explorer_hash, by which the policy of the page allows the script (HselTexts.cmake).
# Debian's esbuild makes one script of explore/page/*.js and of the modules of Debian that they use, whenever one of them changes. Without them the
# constants are empty, and hsel explore says what to install.
if(CMAKE_SCRIPT_MODE_FILE) # cmake -D out=FILE -D texts=FILES -P: as codes of characters, because compilers need not take strings of this length
  include(${CMAKE_CURRENT_LIST_DIR}/HselTexts.cmake)
  set(code "/* Made from explore/page by cmake/HselPage.cmake. */\n")
  set(hash "")
  if(texts)
    list(GET texts 0 script)
    hsel_script_hash(${script} hash)
  endif()
  string(APPEND code "extern const char hs_explorer_hash[];\nconst char hs_explorer_hash[] = \"${hash}\";\n")
  foreach(name script style body)
    list(POP_FRONT texts file)
    set(bytes "")
    if(file)
      file(READ ${file} bytes HEX)
      string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
      string(REGEX REPLACE "(0x0a,)" "\\1\n" bytes "${bytes}")
    endif()
    string(APPEND code "extern const char hs_explorer_${name}[];\nconst char hs_explorer_${name}[] = {${bytes}0};\n")
  endforeach()
  file(WRITE ${out} "${code}")
  return()
endif()

find_program(ESBUILD esbuild)
find_path(HSEL_NODE_MODULES dagre/package.json PATHS /usr/share/nodejs NO_DEFAULT_PATH)
mark_as_advanced(ESBUILD HSEL_NODE_MODULES)

function(hsel_embed_page target)
  set(page ${PROJECT_SOURCE_DIR}/explore/page)
  set(made ${PROJECT_BINARY_DIR}/texts)
  file(MAKE_DIRECTORY ${made})
  foreach(module d3-zoom d3-selection dagre)
    if(NOT HSEL_NODE_MODULES OR NOT EXISTS ${HSEL_NODE_MODULES}/${module}/package.json)
      set(missing ${module})
    endif()
  endforeach()
  if(NOT ESBUILD OR missing)
    message(STATUS "no esbuild or no modules (Debian: esbuild node-d3-zoom node-d3-selection node-dagre-layout): without hsel explore")
    add_custom_command(OUTPUT ${made}/hs_explorer_texts.c COMMAND ${CMAKE_COMMAND} -D out=${made}/hs_explorer_texts.c -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
                       DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM)
  else()
    file(GLOB scripts CONFIGURE_DEPENDS ${page}/*.js)
    set(bundle ${made}/explorer.js ${made}/explorer.css)
    add_custom_command(
      OUTPUT ${bundle}
      COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${HSEL_NODE_MODULES} ${ESBUILD} ${page}/main.js --bundle --minify --format=iife --target=es2021
              --legal-comments=inline --log-level=warning --outfile=${made}/explorer.js
      COMMAND ${ESBUILD} ${page}/page.css --minify --legal-comments=none --log-level=warning --outfile=${made}/explorer.css
      DEPENDS ${scripts} ${page}/page.css COMMENT "Bundling the explorer page" VERBATIM)
    set(texts ${bundle} ${page}/page.html)
    add_custom_command(OUTPUT ${made}/hs_explorer_texts.c
                       COMMAND ${CMAKE_COMMAND} -D out=${made}/hs_explorer_texts.c "-Dtexts=${texts}" -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
                       DEPENDS ${texts} ${CMAKE_CURRENT_FUNCTION_LIST_FILE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/HselTexts.cmake VERBATIM)
  endif()
  target_sources(${target} PRIVATE ${made}/hs_explorer_texts.c)
endfunction()
