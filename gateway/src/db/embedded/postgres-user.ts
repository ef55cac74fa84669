import { readFileSync, statSync } from "node:fs";
import { EmbeddedPostgresError } from "./embedded-error.ts";

export type SystemUser = { readonly uid: number; readonly gid: number };

/** PostgreSQL refuses to run as root. These users exist on nearly every system; we never create one. */
const UNPRIVILEGED_NAMES = ["postgres", "nobody"];

/**
 * The user that must run PostgreSQL; null for the current one. For an existing cluster it is the owner, so that root
 * can serve a folder that another user created.
 */
export function postgresUser(clusterDir: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = UNPRIVILEGED_NAMES.map(findUser).find((found) => found !== undefined);
  if (user) return user;
  throw new EmbeddedPostgresError(
    `it must not run as root, and this system has no user ${UNPRIVILEGED_NAMES.join(" or ")}`,
  );
}

function findUser(name: string): SystemUser | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) return undefined;
  // macOS lists the ids of nobody as negative numbers.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}
