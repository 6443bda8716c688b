# machine.awk: where a kernel's data can be, with the figures of the GPU that the simulator stands for.
# The placeholders are filled as in the handouts.

BEGIN {
  svg(720, 262, "Multiprocessors with L1 and shared memory, the L2 cache, and device memory")
  for (i = 0; i < 3; i++) {
    x = 4 + i * 172 + (i == 2 ? 36 : 0)
    round_box(x, 4, 160, 128, "off")
    words(x + 80, 24, "middle", "bold", i == 2 ? "SM @{gpu.sm_count - 1}" : "SM " i)
    round_box(x + 10, 34, 140, 40, "la")
    words(x + 80, 51, "middle", "", "warps of 32 lanes")
    words(x + 80, 67, "middle", "muted", "registers")
    round_box(x + 10, 82, 140, 42, "lb")
    words(x + 80, 99, "middle", "", "L1 and shared")
    words(x + 80, 115, "middle", "muted", "memory, @{gpu.shared_per_sm:KiB} KiB")
    arrow(x + 80, 160, x + 80, 134)
  }
  words(366, 72, "middle", "bold", "…")
  round_box(4, 162, 544, 36, "lc")
  words(276, 185, "middle", "", "L2 cache, @{gpu.l2_mib} MiB, for all SMs: works in sectors of 32 bytes")
  arrow(276, 222, 276, 200)
  round_box(4, 224, 544, 34, "ld")
  words(276, 246, "middle", "", "global memory (DRAM), @{gpu.memory_mib / 1024:.0} GiB")
  words(566, 56, "start", "bold", "near")
  words(566, 76, "start", "muted", "one wavefront of")
  words(566, 92, "start", "muted", "128 bytes a cycle")
  words(566, 108, "start", "muted", "and SM")
  words(566, 178, "start", "bold", "far")
  words(566, 196, "start", "muted", "@{gpu.l2_sectors_per_ns} sectors a ns")
  words(566, 236, "start", "bold", "farther")
  words(566, 254, "start", "muted", "@{gpu.dram_bytes_per_ns} bytes a ns")
  done()
}
