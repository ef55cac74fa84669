/**
 * `npm run fuzz`: runs the fuzzers of the tests for longer, on their own PostgreSQL. Prints one table, saves it as
 * docs/figures/fuzz.json and exits with 1 if anything was found.
 */
import { commandOptions, numberOption } from "../../../scripts/command-options.ts";
import { saveWholeRun } from "../../../scripts/figures/whole-run.ts";
import { startTestServer } from "../../../scripts/test-server.ts";
import { type Finding, fuzzParser, PARSER_TARGETS } from "./fuzz-parsers.ts";
import { planFuzzing, seedFrom } from "./fuzz-plan.ts";

type Run = {
  readonly target: string;
  readonly inputs: number;
  readonly longestMs: number;
  readonly findings: readonly Finding[];
};

/** Runs with fewer inputs are trials; their figures are not saved. */
const WORTH_KEEPING = 100_000;
const USAGE = `Usage: npm run fuzz [-- OPTIONS]
  --inputs N    how many (1000000); from ${WORTH_KEEPING} on their figures are kept
  --seed N      repeats a run`;

const values = commandOptions(USAGE, {
  inputs: { type: "string", default: "1000000" },
  seed: { type: "string" },
});
const inputs = numberOption("--inputs", values.inputs);
const seed =
  values.seed === undefined ? seedFrom(undefined) : numberOption("--seed", values.seed, { least: 0 });
const plan = planFuzzing(inputs);
console.log(`${inputs} inputs, seed ${seed}`);

const runs: Run[] = PARSER_TARGETS.map((target) => {
  const run = fuzzParser(target, plan.ofParser.get(target.name) ?? 0, seed);
  console.log(`${run.target}: ${run.inputs} inputs, ${run.findings.length} findings`);
  return run;
});
runs.push(await fuzzGateway());

for (const { target, input, what } of runs.flatMap(({ findings }) => findings)) {
  console.log(`\n${target}: ${what}\n${input}`);
}
const total = runs.reduce((sum, run) => sum + run.inputs, 0);
const found = runs.reduce((sum, run) => sum + run.findings.length, 0);
const rows = [...runs.map(rowOf), ["all", count(total), "", String(found)]];
const header = ["read from outside", "inputs", "longest, ms of CPU", "crashes, 5xx, leaks, blocked loops"];
for (const row of [header, ...rows]) console.log(row.map((cell) => cell.padEnd(24)).join(""));
saveWholeRun(
  {
    name: "fuzz",
    command: `npm run fuzz -- --inputs ${inputs} --seed ${seed}`,
    seed,
    figures: runs,
    tables: { runs: { header, rows } },
  },
  { isWhole: inputs >= WORTH_KEEPING, hasHeld: found === 0 },
);
process.exit(found === 0 ? 0 : 1);

/** Imported late, because the harness reads the server's address from the environment. */
async function fuzzGateway(): Promise<Run> {
  const server = await startTestServer();
  process.env["BURSAR_TEST_DATABASE_URL"] = server.url;
  const { startFuzzGateway } = await import("./fuzz-gateway.ts");
  const { fuzzRequests } = await import("./fuzz-requests.ts");
  const { expectSound } = await import("./sound-gateway.ts");
  const fuzzed = await startFuzzGateway();
  try {
    const run = await fuzzRequests(fuzzed, plan.requests, seed);
    await expectSound(fuzzed);
    return run;
  } finally {
    await fuzzed.close();
    await server.stop();
  }
}

function rowOf({ target, inputs: tried, longestMs, findings }: Run): string[] {
  return [target, count(tried), longestMs.toFixed(0), String(findings.length)];
}

function count(number: number): string {
  return number.toLocaleString("en");
}
