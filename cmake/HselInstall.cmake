# SPDX-License-Identifier: GPL-3.0-or-later
install(TARGETS hsel_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS hsel_shared hsel_study_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/hsel/hsel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hsel)
# The prefix may be chosen as late as `cmake --install --prefix`, so the .pc files find it from their own place.
file(RELATIVE_PATH hsel_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(library hsel hsel-study)
  configure_file(cmake/${library}.pc.in ${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# The Python package, where Debian's python3 looks for it when the prefix is /usr/local; empty: not installed.
find_program(HSEL_PYTHON_PROGRAM python3 PATHS /usr/bin NO_DEFAULT_PATH)
mark_as_advanced(HSEL_PYTHON_PROGRAM)
set(python_folder "")
if(HSEL_PYTHON_PROGRAM)
  execute_process(COMMAND ${HSEL_PYTHON_PROGRAM} -c "import sys; print('lib/python%d.%d/dist-packages' % sys.version_info[:2], end='')"
                  OUTPUT_VARIABLE python_folder)
endif()
set(HSEL_PYTHON_FOLDER "${python_folder}" CACHE STRING "Folder for the Python package below the prefix; empty: it is not installed")
if(HSEL_PYTHON_FOLDER)
  install(DIRECTORY python/hsel DESTINATION ${HSEL_PYTHON_FOLDER} FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed
          PATTERN __pycache__ EXCLUDE)
endif()

# Man pages and completion come out of the program itself, once it is built: from the tables that it parses by.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/commands.def)
file(STRINGS cli/commands.def command_lines REGEX "^HS_COMMAND\\(")
set(manual_folder ${PROJECT_BINARY_DIR}/manual)
set(man_pages ${manual_folder}/hsel.1)
file(MAKE_DIRECTORY ${manual_folder})
add_custom_command(OUTPUT ${manual_folder}/hsel.1 COMMAND hsel_cli help --man > ${manual_folder}/hsel.1
                   DEPENDS hsel_cli COMMENT "" VERBATIM)
foreach(line ${command_lines})
  string(REGEX REPLACE "^HS_COMMAND\\(([a-z_]+)\\).*" "\\1" command ${line})
  set(page ${manual_folder}/hsel-${command}.1)
  add_custom_command(OUTPUT ${page} COMMAND hsel_cli help --man ${command} > ${page} DEPENDS hsel_cli COMMENT "" VERBATIM)
  list(APPEND man_pages ${page})
endforeach()
set(bash_completion ${manual_folder}/hsel.bash)
add_custom_command(OUTPUT ${bash_completion} COMMAND hsel_cli help --completion > ${bash_completion}
                   DEPENDS hsel_cli COMMENT "" VERBATIM)
add_custom_target(manual ALL DEPENDS ${man_pages} ${bash_completion})
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${bash_completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hsel)
