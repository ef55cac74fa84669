import { userInfo } from "node:os";

/** Who this process is to the system. In a container nobody may have given that number a name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "of this process");
  }
}
