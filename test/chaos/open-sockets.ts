import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Where the sockets of a process lead, by port and state: `5432 ESTABLISHED ×3`. For reports of leaks. */
export function socketsOf(pid: number): string {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /socket:\[(\d+)\]/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1]),
  );
  const seen = new Map<string, number>();
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)) {
    const [, local = "", remote = "", state = "", , , , , , inode] = line.trim().split(/\s+/);
    if (!own.has(inode)) continue;
    const name = `${portIn(local)}-${portIn(remote)} ${STATES[Number.parseInt(state, 16)] ?? state}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return [...seen].map(([name, count]) => `${name} ×${count}`).join(", ");
}

const STATES: Readonly<Record<number, string>> = {
  1: "ESTABLISHED",
  6: "TIME_WAIT",
  8: "CLOSE_WAIT",
  10: "LISTEN",
};

function portIn(address: string): number {
  return Number.parseInt(address.split(":")[1] ?? "0", 16);
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
