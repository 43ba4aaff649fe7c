# SPDX-License-Identifier: GPL-3.0-or-later
install(TARGETS hsel_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS hsel_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/hsel/hsel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hsel)
# The prefix may be chosen as late as `cmake --install --prefix`, so hsel.pc finds it from its own place.
file(RELATIVE_PATH hsel_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/hsel.pc.in hsel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hsel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
