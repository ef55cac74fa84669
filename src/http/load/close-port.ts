import { closeSync, openSync } from "node:fs";
import { listeningSockets, openLibc } from "./listening-sockets.ts";

/**
 * Refuses new connections from now on, and leaves those that are open alone: the runtime has no word for the one without
 * the other. False where the system is no Linux or hides its tables; then the port is as open as before.
 */
export function closePort(port: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const sockets = listeningSockets(port);
    const libc = openLibc({ dup2: { args: ["i32", "i32"], returns: "i32" } });
    const nothing = openSync("/dev/null", "r");
    // Put in the socket's place, so that the runtime closes in the end what it has opened, and no stranger's number.
    const closed = sockets.filter((fd) => libc.symbols.dup2(nothing, fd) === fd);
    closeSync(nothing);
    libc.close();
    return closed.length > 0;
  } catch {
    return false;
  }
}
