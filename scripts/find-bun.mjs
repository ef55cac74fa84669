import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCacheOf } from "./download-env.mjs";
import { announce, FETCH_TIMEOUT_MS, reasonOf, SetupError } from "./setup-error.mjs";

export const BUN_VERSION = "1.4.4";
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const IS_WINDOWS = process.platform === "win32";
/**
 * Users may have set the opposite of these for their own projects, which would leave Bun without its binary, since a
 * script of its package downloads that.
 */
const NPX_FLAGS = ["--ignore-scripts=false", "--global=false", "--dry-run=false", "-y"];

/** The path of exactly this version of Bun: remembered, on the PATH, or fetched through npx. */
export function findBun(env) {
  const memories = bunMemories(env);
  const remembered = memories.map(recall).find((path) => path !== undefined);
  if (remembered !== undefined) return remembered;
  const path = bunInstalled() ?? bunOnPath(env) ?? fetchBun(env);
  memories.find((memory) => remember(memory, path));
  return path;
}

/**
 * One memory per user: root's copy of Bun is unreadable for others, and theirs must not replace it. Users who cannot
 * write into this folder keep it beside their own downloads.
 */
function bunMemories(env) {
  const name = `bursar-bun-${BUN_VERSION}-${process.getuid?.() ?? "user"}`;
  return [join(ROOT, "node_modules", ".cache", name), join(npmCacheOf(env), name)];
}

/** The version was checked when the path was remembered; size and time show whether it is still the same file. */
function recall(memory) {
  try {
    const { path, size, modifiedMs } = JSON.parse(readFileSync(memory, "utf8"));
    const found = statSync(path);
    accessSync(path, constants.X_OK);
    return found.size === size && found.mtimeMs === modifiedMs ? path : undefined;
  } catch {
    return undefined;
  }
}

function remember(memory, path) {
  const { size, mtimeMs } = statSync(path);
  const draft = `${memory}.${process.pid}`;
  try {
    mkdirSync(dirname(memory), { recursive: true });
    writeFileSync(draft, JSON.stringify({ path, size, modifiedMs: mtimeMs }));
    renameSync(draft, memory);
    return true;
  } catch {
    return false;
  }
}

/** The published package depends on it. Its own file is a placeholder where npm ran no install scripts. */
function bunInstalled() {
  const { platform, arch } = process;
  const names = [`bun/bin/bun.exe`, `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}/bin/bun`];
  const { paths } = createRequire(import.meta.url).resolve;
  // Bun, which runs this where there is no Node, answers null.
  return (paths("bun") ?? []).flatMap((folder) => names.map((name) => join(folder, name))).find(isRightBun);
}

function bunOnPath(env) {
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, IS_WINDOWS ? "bun.exe" : "bun"))
    .find(isRightBun);
}

function isRightBun(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  const asked = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 10_000 });
  return asked.status === 0 && asked.stdout.trim() === BUN_VERSION;
}

function fetchBun(env) {
  announce(`Fetching Bun ${BUN_VERSION} (first start only) …`);
  const fetched = spawnSync(
    IS_WINDOWS ? "npx.cmd" : "npx",
    [...NPX_FLAGS, `bun@${BUN_VERSION}`, "-e", "console.log(process.execPath)"],
    { cwd: ROOT, env, encoding: "utf8", timeout: FETCH_TIMEOUT_MS, shell: IS_WINDOWS },
  );
  const path = (fetched.stdout ?? "").trim().split("\n").at(-1) ?? "";
  if (fetched.status === 0 && isRightBun(path)) return path;
  throw new SetupError(
    `Bun ${BUN_VERSION} could not be fetched through npx (${reasonOf(fetched)}): check that npm can reach its registry.`,
  );
}
