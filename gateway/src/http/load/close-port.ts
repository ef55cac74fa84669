import { closeSync, openSync } from "node:fs";
import { listeningSockets, openLibc } from "./listening-sockets.ts";

/**
 * Refuses new connections from now on but leaves open ones alone: the runtime cannot do one without the other. False
 * if the system is not Linux or hides its socket tables; then the port stays open.
 */
export function closePort(port: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const sockets = listeningSockets(port);
    const libc = openLibc({ dup2: { args: ["i32", "i32"], returns: "i32" } });
    const nothing = openSync("/dev/null", "r");
    // Replaces the socket under the same descriptor: the runtime closes that number later, and must hit nothing else.
    const closed = sockets.filter((fd) => libc.symbols.dup2(nothing, fd) === fd);
    closeSync(nothing);
    libc.close();
    return closed.length > 0;
  } catch {
    return false;
  }
}
