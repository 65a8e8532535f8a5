# shellcheck shell=bash
# The Debian packages that the testbed needs on the host. Sourced by ../run.

readonly kTestbedPackages=(
  qemu-system-x86 busybox-static cpio kmod iproute2 util-linux
  libibverbs1 ibverbs-providers librdmacm1 perftest
)

package_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

missing_packages() {
  local package
  for package in "${kTestbedPackages[@]}"; do
    package_installed "$package" || printf '%s ' "$package"
  done
}

require_packages() {
  command -v apt-get >/dev/null || skip "this host has no apt-get, and the testbed is made of Debian packages"
  [[ $(uname -m) == x86_64 ]] || skip "the testbed emulates x86-64, and this host is $(uname -m)"
  local missing
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  ((EUID == 0)) || skip "these packages are missing and only root can install them: apt-get install $missing"

  local log=$cache_dir/apt.log
  # shellcheck disable=SC2086  # a list of package names
  { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $missing; } \
    >"$log" 2>&1 || skip "apt-get could not install $missing($(tail -n 1 "$log"))"
}
