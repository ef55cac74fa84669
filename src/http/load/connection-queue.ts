import { listeningSockets, openLibc } from "./listening-sockets.ts";

/** The system uses less if it allows less (`net.core.somaxconn`). */
const WAITING_CONNECTIONS = 4_096;

/**
 * Lets more new connections wait than the 512 that the runtime requests and has no setting for. When many arrive at
 * once, the system silently drops the rest, and their clients retry after a second. Does nothing if the system is not
 * Linux or hides its tables.
 */
export function lengthenConnectionQueue(port: number): void {
  if (process.platform !== "linux") return;
  try {
    const sockets = listeningSockets(port);
    const libc = openLibc({ listen: { args: ["i32", "i32"], returns: "i32" } });
    // A socket that listens already is only given the new length.
    for (const fd of sockets) libc.symbols.listen(fd, WAITING_CONNECTIONS);
    libc.close();
  } catch {
    // No harm: only crowds wait longer.
  }
}
