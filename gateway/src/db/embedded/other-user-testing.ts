import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SystemUser } from "./postgres-user.ts";

/** An unprivileged user, for running test programs. */
export const NOBODY: SystemUser = { uid: 65534, gid: 65534 };

type OtherUser = {
  /** Why tests as another user cannot run here; undefined if they can. */
  readonly missing: string | undefined;
  /** A Bun that this user may execute: ours is often in root's home. */
  readonly bun: string;
  remove(): void;
};

export function prepareOtherUser(): OtherUser {
  if (process.getuid?.() !== 0)
    return { missing: "only root can run programs as another user", bun: "", remove() {} };
  const dir = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  chmodSync(dir, 0o755);
  const bun = join(dir, "bun");
  copyFileSync(process.execPath, bun);
  chmodSync(bun, 0o755);
  const script = `await Bun.file(${JSON.stringify(import.meta.path)}).text()`;
  const tried = spawnSync(bun, ["-e", script], { ...NOBODY, cwd: "/", env: {}, stdio: "ignore" });
  const missing = tried.status === 0 ? undefined : "another user cannot read this checkout";
  return { missing, bun, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
