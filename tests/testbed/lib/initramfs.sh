# shellcheck shell=bash
# The first root file system of the machine: busybox, kernel modules, guest/init. Sourced by ../run.

# Without crc32_generic a Soft-RoCE link cannot be added. ext4, virtio_blk, brd and the NVMe modules let a run have
# disks and swap over RDMA.
readonly kKernelModules=(
  virtio_pci virtio_rng virtio_console 9pnet_virtio 9p overlay
  crc32_generic veth rdma_rxe rdma_ucm ib_uverbs
  virtio_net virtio_blk ext4 brd nvmet-rdma nvme-rdma
)

# Sets initramfs; builds it unless what an earlier run has built is newer than its sources.
build_initramfs() {
  initramfs=$cache_dir/initramfs.cpio
  local source
  for source in "$modules_root/complete" "$testbed_dir/lib/initramfs.sh" "$testbed_dir/guest/init"; do
    if [[ ! $initramfs -nt $source ]]; then
      make_initramfs
      return
    fi
  done
}

make_initramfs() {
  local root=$cache_dir/initramfs
  rm -rf "$root"
  mkdir -p "$root"/{bin,dev,proc,sys,layers}
  cp "$(command -v busybox)" "$root/bin/busybox"
  local applet
  for applet in sh mount mkdir insmod poweroff switch_root cat; do
    ln -s busybox "$root/bin/$applet"
  done
  cp "$testbed_dir/guest/init" "$root/init"
  copy_modules "$root"
  (cd "$root" && find . | cpio --quiet -o -H newc) >"$initramfs.new"
  mv "$initramfs.new" "$initramfs"
}

# Copies the modules and what they depend on, and writes /modules.order, the order in which they can be inserted.
copy_modules() {
  local root=$1 module_dir=$modules_root/lib/modules/$kernel_version
  [[ -e $module_dir/modules.dep ]] || depmod -b "$modules_root" "$kernel_version"
  mkdir -p "$root/modules"
  local module file
  for module in "${kKernelModules[@]}"; do
    modprobe -d "$modules_root" -S "$kernel_version" --show-depends "$module" |
      while read -r verb file _; do
        [[ $verb == insmod ]] || continue
        cp -n "$file" "$root/modules/"
        echo "/modules/${file##*/}"
      done
  done | awk '!seen[$0]++' >"$root/modules.order"
}
