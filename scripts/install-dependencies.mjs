import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { downloadEnv } from "./download-env.mjs";
import { announce, FETCH_TIMEOUT_MS, reasonOf, SetupError } from "./setup-error.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const GATEWAY = {
  folder: ROOT,
  name: "dependencies",
  command: `node ${shellWord(join(ROOT, "bin", "bursar"))} --help`,
};
/** Installed apart, from a lock file of its own: whoever needs no sandbox does without its packages. */
export const SANDBOX = {
  folder: join(ROOT, "sandbox"),
  name: "the sandbox",
  command: `npm run --prefix ${shellWord(ROOT)} sandbox -- --help`,
};
const LOCK = join(ROOT, "node_modules", ".bursar-install-lock");
/** Longer than an install may take, so that a slow one is not interrupted. */
const LOCK_WAIT_MS = FETCH_TIMEOUT_MS + 60_000;
const POLL_MS = 100;

/** For `serve`, which alone knows whether the settings want one. */
export function installSandbox() {
  return installDependencies(process.execPath, downloadEnv(process.env), [SANDBOX]);
}

/**
 * Brings each part's node_modules to the state of its `bun.lock`; only compares a stamp if it is already there. An
 * installation that only runs the service leaves out what tests and checks need, two thirds of everything; one that has
 * everything keeps it.
 */
export async function installDependencies(bun, env, parts, forDevelopment) {
  for (const part of parts) {
    if (isThere(part.folder, forDevelopment)) continue;
    try {
      await lock();
      if (!isThere(part.folder, forDevelopment)) install(bun, env, part, forDevelopment);
    } catch (error) {
      if (error instanceof SetupError) throw error;
      throw new SetupError(mayNotWrite(error) ? readOnlyText(error, part) : failureText(error.message));
    } finally {
      if (Number(readText(LOCK)) === process.pid) rmSync(LOCK, { force: true });
    }
  }
}

function isThere(folder, forDevelopment) {
  // A published package has no lock: npm has installed what it names.
  if (!existsSync(join(folder, "bun.lock"))) return true;
  const stamp = readText(stampIn(folder));
  return [true, forDevelopment].some((isWhole) => stamp === lockedIn(folder, isWhole));
}

function install(bun, env, { folder, name }, forDevelopment) {
  announce(`Installing ${name} …`);
  const flags = forDevelopment ? [] : ["--production"];
  const installed = spawnSync(bun, ["install", "--frozen-lockfile", ...flags], {
    cwd: folder,
    env,
    encoding: "utf8",
    timeout: FETCH_TIMEOUT_MS,
  });
  if (installed.status !== 0) throw new SetupError(failureText(reasonOf(installed)));
  const stamp = stampIn(folder);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(`${stamp}.${process.pid}`, lockedIn(folder, forDevelopment));
  renameSync(`${stamp}.${process.pid}`, stamp);
}

function stampIn(folder) {
  return join(folder, "node_modules", ".cache", "bursar-install");
}

function lockedIn(folder, isWhole) {
  const locked = createHash("sha256")
    .update(readFileSync(join(folder, "bun.lock")))
    .update(readFileSync(join(folder, "package.json")))
    .digest("hex");
  return isWhole ? `${locked} whole` : locked;
}

function failureText(reason) {
  return `The dependencies could not be installed (${reason}).`;
}

function mayNotWrite({ code }) {
  return code === "EROFS" || code === "EACCES" || code === "EPERM";
}

/** Quoted so that it can be pasted. */
function shellWord(path) {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** A service is rightly kept from writing into its own folder: somebody else has to install, after each upgrade. */
function readOnlyText({ message }, { command }) {
  return `The dependencies of this version are not installed, and this user may not install them (${message}). Run \`${command}\` once as a user who may write there, then start again (see docs/operate.md, "Upgrade").`;
}

/**
 * Two first starts at once would install into the same folder and corrupt it. The file names its holder, so that nobody
 * waits for one that was killed.
 */
async function lock() {
  makeFolder(dirname(LOCK));
  const giveUpAt = Date.now() + LOCK_WAIT_MS;
  let isTold = false;
  while (!take()) {
    // Empty for the instant between its creation and the write.
    const holder = Number(readText(LOCK) ?? 0);
    if (isGone(holder) || Date.now() > giveUpAt) {
      rmSync(LOCK, { force: true });
      continue;
    }
    if (holder !== 0 && !isTold) {
      process.stderr.write(`Waiting for process ${holder}, which installs the dependencies …\n`);
      isTold = true;
    }
    await wait(POLL_MS);
  }
}

/** Not `recursive`: that reports "no such file" for a read-only folder. */
function makeFolder(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

function take() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

function isGone(pid) {
  if (pid === 0) return false;
  // A container gives us the same process id at each start: this one belongs to an earlier start that was killed.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
