# SPDX-License-Identifier: GPL-3.0-or-later
install(TARGETS hsel_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS hsel_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/hsel/hsel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hsel)
configure_file(cmake/hsel.pc.in hsel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hsel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
