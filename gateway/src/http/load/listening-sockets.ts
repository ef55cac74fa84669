import { dlopen, type FFIFunction } from "bun:ffi";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const LISTENS = "0A";

/** Descriptors of this process's own sockets that listen on the port; throws if the system has no /proc tables. */
export function listeningSockets(port: number): number[] {
  // Without IPv6 there is no tcp6 table.
  const inodes = new Set(TABLES.filter(existsSync).flatMap((path) => listeningInodes(path, port)));
  return readdirSync("/proc/self/fd").flatMap((name) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${name}`))?.[1];
    return inode !== undefined && inodes.has(inode) ? [Number(name)] : [];
  });
}

export function openLibc<Symbols extends Record<string, FFIFunction>>(symbols: Symbols) {
  try {
    return dlopen("libc.so.6", symbols);
  } catch {
    // The name under musl.
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

/** Empty if the descriptor was closed since it was listed. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
