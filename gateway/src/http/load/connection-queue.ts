import { listeningSockets, openLibc } from "./listening-sockets.ts";

/** The system caps this at `net.core.somaxconn`. */
const WAITING_CONNECTIONS = 4_096;

/**
 * Lengthens the accept queue beyond the 512 that the runtime requests and does not let us set. In a burst the system
 * silently drops connections beyond it, and their clients retry after a second. Does nothing if the system is not
 * Linux or hides its socket tables.
 */
export function lengthenConnectionQueue(port: number): void {
  if (process.platform !== "linux") return;
  try {
    const sockets = listeningSockets(port);
    const libc = openLibc({ listen: { args: ["i32", "i32"], returns: "i32" } });
    // Calling `listen` again on a listening socket only changes the length of its queue.
    for (const fd of sockets) libc.symbols.listen(fd, WAITING_CONNECTIONS);
    libc.close();
  } catch {
    // Harmless: only bursts wait longer.
  }
}
