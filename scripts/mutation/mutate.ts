/**
 * `npm run mutate`: changes the code for money, keys and the URL guard in small ways, and checks
 * whether a test notices. Exits with 1 if an unexplained mutant survives.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { commandOptions, numberOption, partOption, refuse } from "../command-options.ts";
import { saveWholeRun } from "../figures/whole-run.ts";
import { AREAS } from "./areas.ts";
import { explains, loadExplanations } from "./explained.ts";
import { type Candidate, candidatesOf, tryMutants, type Verdict } from "./try-mutants.ts";

const ROOT = join(import.meta.dir, "..", "..");

const USAGE = `Usage: npm run mutate [-- OPTIONS]
  --only NAME    one area or file; areas: ${AREAS.map(({ name }) => name).join(", ")}
  --changed      files that differ from the last commit
  --part 1/4     every fourth mutant
  --minutes N    when it stops at the latest (90)
  --list         only says what would be tried
  --explained    tries those too that explained.json gives a reason for`;

const values = commandOptions(USAGE, {
  only: { type: "string" },
  part: { type: "string" },
  minutes: { type: "string", default: "90" },
  changed: { type: "boolean" },
  explained: { type: "boolean" },
  list: { type: "boolean" },
});
if (!AREAS.some(({ name, files }) => files.some((path) => isWanted(name, path))))
  refuse(
    `--only takes an area or a part of a file's path, and there is none of "${values.only}"\n\n${USAGE}`,
  );
const minutesAllowed = numberOption("--minutes", values.minutes);
const explanations = loadExplanations();
const isExplained = (candidate: Candidate) => explanations.some((each) => explains(each, candidate));
const candidates = takePart(chosen());
const VERDICTS = ["killed", "explained", "survived", "not tried"] as const;
type Counts = Record<(typeof VERDICTS)[number], number>;
const counts = new Map<string, Counts>();

if (values.list) {
  for (const { path, line, change, code } of candidates)
    console.log(`${path}:${line}  ${change}  |  ${code}`);
  process.exit(0);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort("stopped"));
const limit = setTimeout(() => stop.abort("time"), minutesAllowed * 60_000);
const begun = performance.now();
const untried = new Set(candidates);
for (const candidate of candidates) if (isPassedOver(candidate)) note(candidate, "survived");
await tryMutants({
  root: ROOT,
  candidates: [...untried].toSorted(byChance),
  places: Math.min(2, availableParallelism()),
  signal: stop.signal,
  onVerdict: note,
});
clearTimeout(limit);
if (stop.signal.reason === "stopped") process.exit(1);
for (const { area } of untried) countsOf(area.name)["not tried"] += 1;
report();

function note(candidate: Candidate, verdict: Verdict): void {
  untried.delete(candidate);
  if (untried.size % 100 === 0) console.log(`${untried.size} of ${candidates.length} left`);
  if (verdict === "invalid") return;
  const count = countsOf(candidate.area.name);
  if (verdict === "killed") count.killed += 1;
  else if (isExplained(candidate)) count.explained += 1;
  else {
    count.survived += 1;
    console.log(
      `survived  ${candidate.path}:${candidate.line}  ${candidate.change}\n          ${candidate.code}`,
    );
  }
}

function countsOf(area: string): Counts {
  const known = counts.get(area) ?? { killed: 0, explained: 0, survived: 0, "not tried": 0 };
  counts.set(area, known);
  return known;
}

function report(): void {
  const rows = AREAS.flatMap(({ name }) => {
    const count = counts.get(name);
    return count === undefined ? [] : [{ name, ...count }];
  });
  const sum = (key: keyof Counts) => rows.reduce((total, row) => total + row[key], 0);
  const all = Object.fromEntries(VERDICTS.map((key) => [key, sum(key)])) as Counts;
  const minutes = Number(((performance.now() - begun) / 60_000).toFixed(1));
  console.table([...rows, { name: "all", ...all }]);
  console.log(`${minutes} minutes`);
  const cells = ({ name, ...count }: Counts & { name: string }) => [
    name,
    String(VERDICTS.reduce((total, key) => total + count[key], 0)),
    ...VERDICTS.map((key) => String(count[key])),
  ];
  saveWholeRun(
    {
      name: "mutation",
      command: ["npm run mutate", ...(Bun.argv.length > 2 ? ["--", ...Bun.argv.slice(2)] : [])].join(" "),
      seed: null,
      figures: { minutes, areas: rows },
      tables: {
        areas: { header: ["", "mutants", ...VERDICTS], rows: [...rows, { name: "all", ...all }].map(cells) },
      },
    },
    { isWhole: isWholeRun() && all["not tried"] === 0, hasHeld: all.survived === 0 },
  );
  process.exit(all.survived > 0 ? 1 : 0);
}

function isWholeRun(): boolean {
  return !values.only && !values.changed && !values.part;
}

/** A fixed but arbitrary order: if time runs out, every area was tried. */
function byChance(a: Candidate, b: Candidate): number {
  const draw = ({ path, code, change }: Candidate) => Bun.hash.crc32(`${change}\n${code}\n${path}`);
  return draw(a) - draw(b);
}

/** The name of an area selects it; any other word selects by path. */
function isWanted(area: string, path: string): boolean {
  if (values.only === undefined) return true;
  return AREAS.some(({ name }) => name === values.only) ? area === values.only : path.includes(values.only);
}

function chosen(): Candidate[] {
  const changed = values.changed ? changedFiles() : null;
  return AREAS.flatMap((area) =>
    area.files
      .filter((path) => isWanted(area.name, path) && (changed === null || changed.has(path)))
      .flatMap((path) => candidatesOf(ROOT, area, path)),
  );
}

function takePart(all: readonly Candidate[]): readonly Candidate[] {
  if (values.part === undefined) return all;
  const { which, of } = partOption("--part", values.part);
  return all.filter((_, at) => at % of === which - 1);
}

/** No test is expected to notice these, and they take longest of all. */
function isPassedOver(candidate: Candidate): boolean {
  return !values.explained && isExplained(candidate);
}

function changedFiles(): Set<string> {
  const { stdout } = Bun.spawnSync(["git", "diff", "--name-only", "HEAD"], { cwd: ROOT });
  return new Set(stdout.toString().split("\n"));
}
