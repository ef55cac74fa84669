import { listeningSockets, openLibc } from "./listening-sockets.ts";

/** The system takes less where it allows less (`net.core.somaxconn`). */
const WAITING_CONNECTIONS = 4_096;

/**
 * Lets more new connections wait for the loop than the 512 that the runtime asks the system for and has no setting for:
 * in a crowd the system drops the others without a word, and a client tries again after a second. Does nothing
 * where the system is no Linux or hides its tables; then it stays as it was.
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
