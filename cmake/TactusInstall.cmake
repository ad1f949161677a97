# What another project gets: find_package(tactus), then link tactus::collision (or a higher room)
# and nothing else. The window, the studies and the application are no libraries for others.
include(CMakePackageConfigHelpers)

set(TACTUS_EXPORTED models collision response haptics)
foreach(room IN LISTS TACTUS_EXPORTED)
  install(TARGETS tactus_${room} EXPORT tactusTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tactus COMPONENT development)
endforeach()

if(TACTUS_OWN_COPIES)
  foreach(room IN LISTS TACTUS_EXPORTED)
    install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\"
      \"-DARCHIVE=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libtactus_${room}.a\"
      ${TACTUS_OWN_COPIES} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT development)
  endforeach()
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tactus)
install(EXPORT tactusTargets NAMESPACE tactus:: DESTINATION ${package_folder}
  COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tactusConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tactusConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tactusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tactusConfig.cmake
  ${PROJECT_BINARY_DIR}/tactusConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)

if(TACTUS_APP)
  install(TARGETS tactus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT application)
endif()
