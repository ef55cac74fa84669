import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf, syncToDisk } from "../../kit/index.ts";
import { clusterPaths } from "./cluster-paths.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";
import { isAlive, runAs } from "./postgres-process.ts";
import type { SystemUser } from "./postgres-user.ts";

/** Our role. initdb makes it a superuser; `takeOwnRole` gives the superuser another name and us a plain role. */
export const ROLE = "bursar";

const DRAFT = /^\.postgres-draft-(\d+)-/;
const INITDB_TIMEOUT_MS = 120_000;
/** Drafts of this process. A draft with our pid may also be left from a killed process: in a container pids repeat. */
const draftsInMaking = new Set<string>();

type InitOptions = {
  readonly binaries: string;
  readonly user: SystemUser | null;
  /** Whether initdb waits until everything is on disk. */
  readonly sync: boolean;
};

/**
 * Creates the cluster in a draft folder next to its final place, then renames it. No lock is needed: of several
 * processes the first rename wins, and the others delete their drafts. A killed process leaves a draft that the next
 * start removes.
 */
export async function ensureCluster(dataDir: string, options: InitOptions): Promise<void> {
  const { home } = clusterPaths(dataDir);
  removeDeadDrafts(dataDir);
  if (existsSync(home)) return;
  const draft = join(dataDir, `.postgres-draft-${process.pid}-${randomBytes(6).toString("hex")}`);
  draftsInMaking.add(draft);
  try {
    await initialize(draft, options);
    renameSync(draft, home);
    syncToDisk(dataDir);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOTEMPTY" || code === "EEXIST") return;
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(`${home} cannot be made (${(error as Error).message})`, { cause: error });
  } finally {
    rmSync(draft, { recursive: true, force: true });
    draftsInMaking.delete(draft);
  }
}

async function initialize(draft: string, options: InitOptions): Promise<void> {
  const cluster = join(draft, "cluster");
  const password = randomBytes(24).toString("base64url");
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  // initdb reads the password as the database's user, from the parent of its working directory.
  chmodSync(draft, 0o711);
  const handOver = join(draft, "handover");
  writeFileSync(handOver, password, { mode: 0o600 });
  if (options.user) {
    for (const path of [cluster, handOver]) chownSync(path, options.user.uid, options.user.gid);
  }
  const result = await runAs({
    file: join(options.binaries, "bin", "initdb"),
    args: [
      `--username=${ROLE}`,
      "--pwfile=../handover",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--no-instructions",
      ...(options.sync ? [] : ["--no-sync"]),
    ],
    dataDir: cluster,
    user: options.user,
    timeoutMs: INITDB_TIMEOUT_MS,
  });
  if (result.code !== 0) throw new EmbeddedPostgresError(`initdb failed (${reasonOf(result.output)})`);
  rmSync(handOver);
  writeFileSync(join(draft, "password"), password, { mode: 0o600 });
  chmodSync(draft, 0o700);
  // If a power cut lost the password, the cluster would be locked forever.
  for (const path of [join(draft, "password"), draft]) syncToDisk(path);
}

function reasonOf(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    // initdb's last lines are about cleaning up.
    .filter((line) => line !== "" && !line.startsWith("initdb: removing "));
  const reason =
    lines.find((line) => /error:|FATAL:/.test(line)) ??
    lines.findLast((line) => /denied|cannot|could not/.test(line));
  return reason ?? lines.at(-1) ?? "it printed nothing";
}

function removeDeadDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = Number(DRAFT.exec(name)?.[1] ?? 0);
    const draft = join(dataDir, name);
    if (pid === 0 || (pid === process.pid ? draftsInMaking.has(draft) : isAlive(pid))) continue;
    try {
      rmSync(draft, { recursive: true, force: true });
    } catch {
      // An initdb that outlived its parent is still writing there; a later start removes it.
    }
  }
}
