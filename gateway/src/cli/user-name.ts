import { readFileSync } from "node:fs";

/**
 * The user of this process, or its number if it has no name, as in a container. Not taken from the runtime: that trusts
 * $USER, which `sudo -E` and systemd units leave as somebody else's.
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
