#!/usr/bin/env bash
# The front door: installs what is missing, builds what has changed, then runs.
#
#   ./tactus.sh            opens the default workspace
#   ./tactus.sh test       runs all tests
#   ./tactus.sh ARGS...    runs `tactus ARGS...` in the caller's folder
#
# Says what it does on standard error, and nothing when nothing is to do. Standard input, standard
# output, signals and the exit code belong to what it runs. Never asks a question.
# TACTUS_SKIP_PACKAGES=1 in the environment leaves the packages to you.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
build=$root/build/release

# What building, running and testing need, by Debian 12's names.
packages=(
  g++ cmake ninja-build ccache pkg-config
  libeigen3-dev libhwy-dev libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev
  libglfw3-dev libopengl-dev libgl-dev libegl-dev libimgui-dev libstb-dev libmeshoptimizer-dev
  libgl1-mesa-dri libegl-mesa0 libegl1 fonts-dejavu-core
  libgtest-dev xvfb xauth xdotool
  libfcl-dev libbullet-dev libopenmpi-dev openmpi-bin libsqlite3-dev libzstd-dev libboost-math-dev
)

say() { printf 'tactus: %s\n' "$*" >&2; }
stop() { say "$*"; exit 1; }

isDebian12() {
  [ -r /etc/os-release ] || return 1
  # shellcheck disable=SC1091
  (. /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ])
}

missingPackages() {
  local package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# The list is only looked up again when it has changed since the last time all of it was there.
installPackages() {
  local stamp=$build/packages.txt list="${packages[*]}" missing asRoot
  [ -z "${TACTUS_SKIP_PACKAGES:-}" ] || return 0
  [ -r "$stamp" ] && [ "$(<"$stamp")" = "$list" ] && return 0
  if ! isDebian12; then
    say "this is not Debian 12, the only system whose packages are installed by themselves;"
    say "install what these are called here, then set TACTUS_SKIP_PACKAGES=1 and call again:"
    say "  $list"
    exit 1
  else
    missing=$(missingPackages | tr '\n' ' ')
    if [ -n "${missing// /}" ]; then
      say "missing packages: $missing"
      if [ "$(id -u)" = 0 ]; then
        asRoot=(env)
      elif command -v sudo >/dev/null && sudo -n true 2>/dev/null </dev/null; then
        asRoot=(sudo -n env)
      else
        say "that needs root, and sudo without a password is not to be had here; please run:"
        say "  sudo apt-get update && sudo apt-get install --no-install-recommends $missing"
        exit 1
      fi
      say "installing them"
      local apt=("${asRoot[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600)
      "${apt[@]}" update </dev/null >&2 || say "the package lists could not be brought up to date; trying with the old ones"
      # shellcheck disable=SC2086  # a list of names
      "${apt[@]}" install -y --no-install-recommends $missing </dev/null >&2 ||
        stop "the packages could not be installed; the reason stands above."
    fi
  fi
  mkdir -p "$build"
  printf '%s\n' "$list" >"$stamp"
}

# A job needs up to 1.5 GB; a small machine runs fewer than it has cores.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo 2>/dev/null || echo "$cores")
  [ "${memory:-1}" -ge 1 ] || memory=1
  [ "$memory" -lt "$cores" ] && echo "$memory" || echo "$cores"
}

# build TARGET...: configures and builds in silence if there is nothing to do.
buildTargets() {
  # A folder that was copied or moved still has the paths of the old one in its build.
  if [ ! -e "$build/build.ninja" ] || ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    rm -f "$build/CMakeCache.txt" "$build/build.ninja"
    say "configuring"
    (cd "$root" && cmake --preset release) </dev/null >&2 || stop "configuring failed; the reason stands above."
  fi
  case $(ninja -C "$build" -n "$@" 2>&1 </dev/null | tail -n 1) in
    *"no work to do"*) return 0 ;;
  esac
  # Sources that are compiled as one may since have come to define the same name.
  if ! awk -f "$root/cmake/sources_together.awk" "$build/unity_sources.txt" 2>/dev/null |
    cmp -s - "$build/unity_groups.txt"; then
    (cd "$root" && cmake --preset release) </dev/null >&2 || stop "configuring failed; the reason stands above."
  fi
  if [ -e "$build/app/tactus" ]; then
    say "building what has changed"
  else
    say "building (the first time takes a few minutes)"
  fi
  ninja -C "$build" -j "$(jobs)" "$@" </dev/null >&2 || stop "building failed; the reason stands above."
}

# Somebody else's checkout, read only: what was built there can be used as it is.
if [ -x "$build/app/tactus" ] && { [ ! -w "$root/build" ] || { [ -e "$root/build/lock" ] && [ ! -w "$root/build/lock" ]; }; }; then
  [ "${1:-}" != test ] || stop "cannot write to $root/build; run the tests in a copy of your own."
  exec "$build/app/tactus" "$@"
fi
if ! mkdir -p "$root/build" 2>/dev/null || [ ! -w "$root/build" ]; then
  stop "cannot write to $root; put the project where you may write."
fi
exec 9>"$root/build/lock"
if ! flock -w 1 9; then
  say "waiting for another build of this folder to end"
  flock 9
fi

installPackages
if [ "${1:-}" = test ]; then
  shift
  buildTargets all
  exec 9>&-
  exec ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" "$@"
fi
buildTargets tactus
exec 9>&-
exec "$build/app/tactus" "$@"
