# shellcheck shell=bash
# Debian's stock kernel, unpacked and not installed. Sourced by ../run.

# Sets kernel_image, modules_root and kernel_version; downloads the kernel unless an earlier run has.
fetch_kernel() {
  modules_root=$cache_dir/kernel
  if [[ ! -e $modules_root/complete ]]; then
    download_kernel
  fi
  kernel_image=$(echo "$modules_root"/boot/vmlinuz-*)
  kernel_version=${kernel_image##*/vmlinuz-}
}

download_kernel() {
  local package download_dir=$cache_dir/download log=$cache_dir/apt.log
  package=$(newest_kernel_package)
  if [[ -z $package ]] && ((EUID == 0)) && apt-get -q update >"$log" 2>&1; then
    package=$(newest_kernel_package)
  fi
  [[ -n $package ]] || skip "apt knows no linux-image-amd64 (try: apt-get update)"

  rm -rf "$modules_root" "$download_dir"
  mkdir -p "$modules_root" "$download_dir"
  (cd "$download_dir" && apt-get -q download "$package") >"$log" 2>&1 ||
    skip "apt-get could not download $package ($(tail -n 1 "$log"))"
  dpkg -x "$download_dir"/*.deb "$modules_root"
  rm -rf "$download_dir"
  touch "$modules_root/complete"
}

newest_kernel_package() {
  apt-cache depends linux-image-amd64 2>/dev/null | awk '$1 == "Depends:" { print $2; exit }'
}
