/**
 * `npm test`: starts one PostgreSQL, runs the tests on it and checks the tree at the same time, cleans up and ends with
 * the counts. `npm test -- path` runs only what matches, without the checks, and without PostgreSQL if nothing of it
 * needs one.
 */
import { join } from "node:path";
import { environmentOfRun } from "../test/run-environment.ts";
import { refuse } from "./command-options.ts";
import { needsDatabase } from "./needs-database.ts";
import { runChecks } from "./run-checks.ts";
import { filesToRunAgain } from "./second-run.ts";
import { chosenTestFiles, TEST_USAGE, testFilesOf, unknownTestOption } from "./test-options.ts";
import type { TestServer } from "./test-server.ts";
import {
  parseSummary,
  renderCounts,
  type SeenFailures,
  type TestCounts,
  watchFailures,
} from "./test-summary.ts";

const ROOT = join(import.meta.dir, "..");
const TEST_TIMEOUT_MS = 20_000;
const LONG_TEST_TIMEOUT_MS = 30 * 60_000;
/**
 * How long each file took in the last `npm test -- --update-timings`: the longest start first, so that no core waits
 * for one of them at the end. Files that are missing here, or whose time has changed, still run.
 */
const TIMINGS = "scripts/test-timings.json";
const NOTHING: TestCounts = { passed: 0, failed: 0, skipped: 0 };

const args = process.argv.slice(2);
if (args.includes("--help")) {
  console.log(TEST_USAGE);
  process.exit(0);
}
const unknown = unknownTestOption(args);
if (unknown !== undefined) refuse(`There is no option ${unknown}.\n\n${TEST_USAGE}`);
const files = testFilesOf(ROOT);
const chosen = chosenTestFiles(args, { root: ROOT, files });
for (const [path, found] of chosen) {
  if (found.length === 0) refuse(`No test file has "${path}" in its path.\n\n${TEST_USAGE}`);
}
const isLong = args.includes("--long");
const selection = args.filter((arg) => arg !== "--long");
const isWhole = chosen.size === 0;
const selected = isWhole ? files : [...new Set([...chosen.values()].flat())];

let runner: Bun.Subprocess | undefined;
let stopSignal: NodeJS.Signals | undefined;
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  // The tests stop; then the run ends as usual, which removes the server and its folder.
  process.on(signal, () => {
    stopSignal = signal;
    runner?.kill(signal);
    stop.abort();
  });
}

const [failedChecks, counts] = await Promise.all([
  isWhole ? runChecks({ stop: stop.signal }) : [],
  runTests(),
]);
if (stopSignal) {
  console.log(`Stopped by ${stopSignal}.`);
  process.exit(1);
}
counts.failed += failedChecks.length;
if (failedChecks.length > 0) console.log(`Not in order: ${failedChecks.join(", ")} (see above).`);
const ranNothing = counts.passed + counts.failed === 0;
if (ranNothing) console.log("No test ran.");
console.log(renderCounts(counts));
process.exit(counts.failed > 0 || ranNothing ? 1 : 0);

async function runTests(): Promise<TestCounts> {
  const [shared, server] = await Promise.all([environmentOfRun(isWhole), startServerIfNeeded()]);
  const environment = { ...shared, ...(server && { BURSAR_TEST_DATABASE_URL: server.url }) };
  try {
    if (stopSignal) return { ...NOTHING };
    const { counts: first, failures } = await runBun(environment, [
      ...(selected.length > 1 ? beside() : []),
      ...selection,
    ]);
    const again = isWhole ? filesToRunAgain(first, failures) : [];
    if (isWhole) sayAgain(failures);
    if (again.length === 0 || stopSignal) return first;
    console.log(`\nOnce more, alone: ${again.join(", ")}\n`);
    const { counts: second } = await runBun(environment, again);
    if (second.failed > 0 || second.passed === 0) return first;
    console.log(`\nFlaky: ${first.failed} failed among all the others and passed alone. Mend them.`);
    return { passed: first.passed + first.failed, failed: 0, skipped: first.skipped, flaky: first.failed };
  } finally {
    await server?.stop();
  }
}

/** Imported on demand: the test of a pure function should take no longer than reading it. */
async function startServerIfNeeded(): Promise<TestServer | undefined> {
  if (!needsDatabase(selected.map((file) => join(ROOT, file)))) return undefined;
  const { startTestServer } = await import("./test-server.ts");
  return startTestServer();
}

/** Thousands of lines are between a failure and the end, which may be all that is kept of a run. */
function sayAgain({ details }: SeenFailures): void {
  if (details.length > 0) console.log(`\nWhat failed, once more:\n\n${details.join("\n\n")}\n`);
}

/** How several files run beside each other. */
function beside(): string[] {
  // They wait for processes, leases and browsers as much as they compute. With four more than there are cores each test
  // takes more CPU, and the whole run longer.
  const workers = navigator.hardwareConcurrency + 2;
  // Loading every module again for each file is a fifth of the suite's CPU; and this way state that a file leaves
  // behind shows.
  return [`--parallel=${workers}`, "--no-isolate", `--timings=${TIMINGS}`];
}

async function runBun(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{ counts: TestCounts; failures: SeenFailures }> {
  const timeoutMs = isLong ? LONG_TEST_TIMEOUT_MS : TEST_TIMEOUT_MS;
  runner = Bun.spawn([process.execPath, "test", `--timeout=${timeoutMs}`, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      // A worker runs hundreds of files, one after the other: a collector told to save memory, as the gateway's is,
      // would spend a twentieth of the run on that.
      BUN_JSC_forceRAMSize: "0",
      ...environment,
      ...(isLong ? { BURSAR_TEST_LONG: "1" } : {}),
      ...(process.stderr.isTTY ? { FORCE_COLOR: "1" } : {}),
    },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "pipe",
  });
  const [{ tail, failures }, code] = await Promise.all([
    passThrough(runner.stderr as ReadableStream),
    runner.exited,
  ]);
  const counts = parseSummary(tail) ?? { ...NOTHING };
  // A crash of the runner itself must not look like success; finding no test is a different case.
  if (code !== 0 && counts.failed === 0 && !tail.includes("did not match any test files")) counts.failed = 1;
  return { counts, failures };
}

async function passThrough(
  stream: ReadableStream<Uint8Array>,
): Promise<{ tail: string; failures: SeenFailures }> {
  const decoder = new TextDecoder();
  const failures = watchFailures();
  let tail = "";
  let unfinished = "";
  for await (const chunk of stream) {
    process.stderr.write(chunk);
    const text = decoder.decode(chunk, { stream: true });
    // Only the summary at the end is read, so the rest is dropped.
    tail = (tail + text).slice(-64 * 1024);
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) failures.line(line);
  }
  return { tail, failures };
}
