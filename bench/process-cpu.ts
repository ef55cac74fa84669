import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of /proc. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process, in microseconds. */
export function cpuMicros(pid: number): number {
  const fields = statOf(pid);
  return fields ? ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6 : 0;
}

/** The same for a process and its children: PostgreSQL has many. Ended children are counted by their parent. */
export function familyCpuMicros(pid: number): number {
  let total = cpuMicros(pid);
  const own = statOf(pid);
  if (own) total += ((Number(own[13]) + Number(own[14])) / TICKS_PER_SECOND) * 1e6;
  for (const child of childrenOf(pid)) total += cpuMicros(child);
  return total;
}

export function residentMegabytes(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

export function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => Number(statOf(candidate)?.[1]) === pid);
}

/** The fields after the command's name in /proc/PID/stat: state, parent, … */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
