/**
 * Runs Bun on a machine that has only Node 20 and npm. Plain Node without dependencies, since it runs before anything
 * is installed. After the first time it costs two small file reads.
 */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { downloadEnv } from "./download-env.mjs";
import { findBun } from "./find-bun.mjs";
import { GATEWAY, installDependencies, SANDBOX } from "./install-dependencies.mjs";
import { withRuntimeEnv } from "./runtime-env.mjs";
import { SetupError } from "./setup-error.mjs";

const SCRIPTS = dirname(fileURLToPath(import.meta.url));
const OLDEST_NODE = 20;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/**
 * Finds Bun, installs what the lock files of the given parts name, runs `bun <args>` and exits as that exited. With
 * `isService` the child has an IPC channel to us, whose end tells it that we were killed: otherwise it would keep
 * running, in the way of the next start.
 */
export async function runBun(args, { forDevelopment, parts = [GATEWAY, SANDBOX], isService = false }) {
  try {
    requireMachine(process);
    const env = withRuntimeEnv(downloadEnv(process.env));
    const bun = findBun(env);
    await installDependencies(bun, env, parts, forDevelopment);
    // Developers are in our folder, and run third-party programs that do not accept these flags.
    const flags = forDevelopment ? [] : flagsIn(process.cwd());
    const stdio = ["inherit", "inherit", "inherit", ...(isService ? ["ipc"] : [])];
    runAndFollow(() => spawn(bun, [...flags, ...args], { stdio, env }));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** What does not fit fails later, and says less. */
function requireMachine({ platform, arch, versions }) {
  if (!["linux", "darwin", "win32"].includes(platform) || !["x64", "arm64"].includes(arch))
    throw new SetupError(
      `Bursar runs on x64 and arm64, with Linux or macOS, and this is ${platform}-${arch}: use another machine.`,
    );
  const version = versions.node;
  if (Number.parseInt(version, 10) < OLDEST_NODE)
    throw new SetupError(
      `Bursar needs Node ${OLDEST_NODE} or newer, and this is ${version}: install a newer one.`,
    );
}

/** Bun reads `.env` and `bunfig.toml` of the current folder: another project's secrets, and its code. */
function flagsIn(folder) {
  const isOurs = folder === dirname(SCRIPTS);
  return isOurs ? [] : ["--no-env-file", `--config=${join(SCRIPTS, "bunfig.toml")}`];
}

/**
 * The child stays in our process group, so that killing the group ends it too. A terminal sends Ctrl-C to the whole
 * group: forwarding it would make it two. We listen before the child exists: on a busy machine it may be ready, and
 * told to stop, before we run again.
 */
function runAndFollow(start) {
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  let child;
  const passOn = (signal) => {
    if (signal !== "SIGINT" || !atTerminal) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, passOn);
  child = start();
  child.on("error", (error) => {
    process.stderr.write(`Bun could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    for (const name of SIGNALS) process.removeListener(name, passOn);
    // The first process of a container outlives its own signals.
    process.exitCode = code ?? 1;
    if (signal) process.kill(process.pid, signal);
    else process.exit();
  });
}
