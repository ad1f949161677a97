install(CODE "")
