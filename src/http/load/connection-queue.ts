import { dlopen } from "bun:ffi";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The system takes less where it allows less (`net.core.somaxconn`). */
const WAITING_CONNECTIONS = 4_096;
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const LISTENS = "0A";

/**
 * Lets more new connections wait for the loop than the 512 that the runtime asks the system for and has no setting for:
 * in a crowd the system drops the others without a word, and a client tries again after a second. Does nothing
 * where the system is no Linux or hides its tables; then it stays as it was.
 */
export function lengthenConnectionQueue(port: number): void {
  if (process.platform !== "linux") return;
  try {
    // A machine without IPv6 has no table of it.
    const sockets = new Set(TABLES.filter(existsSync).flatMap((path) => listeningInodes(path, port)));
    const libc = openLibc();
    // A socket that listens already is only given the new length.
    for (const fd of ownSockets(sockets)) libc.symbols.listen(fd, WAITING_CONNECTIONS);
    libc.close();
  } catch {
    // No harm: only crowds wait longer.
  }
}

function openLibc() {
  const symbols = { listen: { args: ["i32", "i32"], returns: "i32" } } as const;
  try {
    return dlopen("libc.so.6", symbols);
  } catch {
    // As musl calls it.
    return dlopen("libc.so", symbols);
  }
}

function listeningInodes(path: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hexPort}`) && state === LISTENS)
    .map((fields) => fields[9] ?? "");
}

function ownSockets(inodes: ReadonlySet<string>): number[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${name}`))?.[1];
    return inode !== undefined && inodes.has(inode) ? [Number(name)] : [];
  });
}

/** What was open a moment ago may be closed. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
