/**
 * `npm run dev`: the gateway as `npm start` runs it, started again whenever a file changes that it is made of. A changed
 * console is bundled at once, which otherwise its first visitor would wait for. The data folder stays, and so does its
 * PostgreSQL: this process holds it while the gateway restarts.
 */
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { servedAddress } from "../gateway/src/app/serving/served-address.ts";
import { loadConfig } from "../gateway/src/app/settings.ts";
import { type Database, openDatabase } from "../gateway/src/db/index.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { commandOptions } from "./command-options.ts";

const ROOT = join(import.meta.dir, "..");
const MAIN = join(ROOT, "gateway", "src", "main.ts");
const WATCHED = ["gateway", "compaction", "sandbox", "console", "bursar.yaml"];
const MATTERS = /(?<!\.test)\.(css|json|sql|tsx?|ya?ml)$/;
/** An editor that saves several files, or one in several steps, causes one restart. */
const SETTLE_MS = 50;
/** Whoever works on it will not wait for calls that are still running. */
const DRAIN_MS = 2_000;

commandOptions("Usage: npm run dev", {});

let changed = new Set<string>();
let wake = Promise.withResolvers<void>();
let isStopping = false;
for (const name of WATCHED.filter((name) => existsSync(join(ROOT, name)))) {
  watch(join(ROOT, name), { recursive: true }, (_event, file) => {
    const path = file === null || file === name ? name : join(name, file);
    if (!MATTERS.test(path)) return;
    changed.add(path);
    wake.resolve();
  });
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    isStopping = true;
    wake.resolve();
  });
}

let held: Database | undefined;
while (!isStopping) {
  const cause = [...changed];
  changed = new Set();
  wake = Promise.withResolvers();
  const startedMs = performance.now();
  const gateway = startGateway();
  const isUp = await gateway.ready;
  if (isUp && cause.length > 0) say(`restarted after ${cause.join(", ")}, in ${since(startedMs)}`);
  if (!isUp && !isStopping) say("The gateway has ended. It starts again when a file changes.");
  if (isUp) await afterStart(cause);
  await wake.promise;
  await Bun.sleep(SETTLE_MS);
  await gateway.stop();
}
await held?.close();
process.exit(0);

function startGateway() {
  const { promise: ready, resolve } = Promise.withResolvers<boolean>();
  const child = Bun.spawn([process.execPath, MAIN, "serve"], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    ipc: () => resolve(true),
  });
  void child.exited.then(() => resolve(false));
  return {
    ready,
    async stop() {
      child.kill("SIGTERM");
      const impatience = setTimeout(() => child.kill("SIGINT"), DRAIN_MS);
      await child.exited;
      clearTimeout(impatience);
    },
  };
}

async function afterStart(cause: readonly string[]): Promise<void> {
  const config = loadConfig();
  held ??= await openDatabase({ ...config, poolSize: 1, log: silentLog });
  if (!cause.some((path) => path.startsWith("console/"))) return;
  const startedMs = performance.now();
  const answer = await fetch(`${servedAddress(config)}/console`);
  await answer.arrayBuffer();
  say(
    answer.ok
      ? `bundled the console in ${since(startedMs)}`
      : "The console could not be bundled (see above).",
  );
}

function since(startedMs: number): string {
  return `${Math.round(performance.now() - startedMs)} ms`;
}

function say(text: string): void {
  console.log(`[dev] ${text}`);
}
