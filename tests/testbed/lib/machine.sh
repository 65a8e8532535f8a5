# shellcheck shell=bash
# The virtual machine: software emulation, the host's file system read-only, no network outside. Sourced by ../run.

# Runs the machine to its end: standard output gets what the command prints, $job_dir/console what the kernel does.
boot_machine() {
  local arguments=(
    -accel tcg,thread=multi -cpu max -smp 2 -m "$memory"
    -display none -monitor none -no-reboot -nodefaults
    -kernel "$kernel_image" -initrd "$initramfs"
    -append "console=ttyS0 quiet panic=-1 mitigations=off hugepages=$hugepages"
    -serial "file:$job_dir/console"
    -device virtio-rng-pci
    -device virtio-serial-pci -chardev stdio,id=output,signal=off -device virtserialport,chardev=output
  )
  share_folder host / on
  share_folder job "$job_dir" off
  if [[ -n $output ]]; then
    share_folder output "$output" off
  fi
  if [[ -n $disk ]]; then
    truncate --size="$disk" "$job_dir/disk"
    arguments+=(-drive "file=$job_dir/disk,format=raw,if=virtio")
  fi
  # At the end of its standard input qemu would close the channel for the output too, so it gets one without an end.
  mkfifo "$job_dir/input"
  # timeout ends the machine, not only this script, when the time is over.
  timeout --kill-after=5 "$timeout" qemu-system-x86_64 "${arguments[@]}" <>"$job_dir/input" 2>"$job_dir/qemu" &
  machine_pid=$!
  machine_status=0
  wait "$machine_pid" || machine_status=$?
  machine_pid=''
}

# share_folder TAG DIR READONLY adds to boot_machine's arguments.
share_folder() {
  arguments+=(
    -fsdev "local,id=$1,path=$2,security_model=none,multidevs=remap,readonly=$3"
    -device "virtio-9p-pci,fsdev=$1,mount_tag=$1"
  )
}

stop_machine() {
  if [[ -n ${machine_pid:-} ]]; then
    kill "$machine_pid" 2>/dev/null || true
    wait "$machine_pid" 2>/dev/null || true
    machine_pid=''
  fi
}

# Exits as the command did, or says what became of the machine.
exit_with_machine_result() {
  if [[ -s $job_dir/exit_code ]]; then
    local exit_code
    exit_code=$(<"$job_dir/exit_code")
    if ((exit_code == 132)); then
      echo "testbed: the command met an instruction that the emulated processor lacks; build it with the preset" \
        "portable" >&2
    fi
    exit "$exit_code"
  fi
  tail -n 40 "$job_dir/console" "$job_dir/qemu" >&2 || true
  if ((machine_status == 124 || machine_status == 137)); then
    printf 'testbed: stopped after %s seconds (--timeout)\n' "$timeout" >&2
    exit "$kExitTimeout"
  fi
  fail "the machine went away before the command ended (qemu's exit code $machine_status); its last words are above"
}
