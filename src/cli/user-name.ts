import { readFileSync } from "node:fs";

/**
 * Who this process is to the system, or a number where nobody has given it a name, as in a container. Not asked of the
 * runtime: that believes $USER, which `sudo -E` and units leave as somebody else's.
 */
export function userName(uid = process.getuid?.()): string {
  if (uid === undefined) return "of this process";
  return knownName(uid) ?? String(uid);
}

function knownName(uid: number): string | undefined {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    return users.map((line) => line.split(":")).find((fields) => fields[2] === String(uid))?.[0];
  } catch {
    return undefined;
  }
}
