import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Area } from "./areas.ts";
import { asMutants, type Edit, type Mutant } from "./mutant.ts";
import { mutantsOfTypeScript } from "./mutate-typescript.ts";
import { openPlace, type Place } from "./place.ts";

const SWAPS: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "=": "<>",
  "<>": "=",
  and: "or",
  or: "and",
  least: "greatest",
  greatest: "least",
  ceil: "floor",
  true: "false",
  false: "true",
  not: "",
  "is null": "is not null",
  "is not null": "is null",
  "for update": "",
};

/** `select 1` and `perform 1` only test whether there is a row; any number would do. */
const TOKEN =
  /--[^\n]*|\b(?:select|perform) 1\b|'(?:[^']|'')*'|\bis not null\b|\bis null\b|\bfor update\b|:=|<=|>=|<>|[-+*<>=]|\b[a-z_]\w*\b|\b\d+\b|;|::/g;

/** Assignments and statements of a function body. */
const STATEMENT =
  /(?<=[\n;]\s*|then |else )(?:[a-z_][\w.]* :=|perform|update|insert|delete|return|raise|continue)[^;']*(?:'[^']*'[^;']*)*;/g;

/** Mutants of the body between the dollar quotes of a file's function; the server decides whether each is valid SQL. */
export function mutantsOfSql(path: string, text: string): Mutant[] {
  const bodyStart = text.indexOf("$$") + 2;
  const bodyEnd = text.lastIndexOf("$$");
  const body = text.slice(bodyStart, bodyEnd);
  const begin = /^begin$/m.exec(body)?.index ?? 0;
  const edits: Edit[] = [...body.matchAll(TOKEN)].flatMap((match) => {
    const now = Object.hasOwn(SWAPS, match[0])
      ? SWAPS[match[0]]
      : /^\d+$/.test(match[0])
        ? String(Number(match[0]) + 1)
        : undefined;
    if (now === undefined) return [];
    return [{ start: bodyStart + match.index, end: bodyStart + match.index + match[0].length, now }];
  });
  for (const match of body.matchAll(/\b(?:els)?if ([^;]*?) then\b/g)) {
    const start = bodyStart + match.index + match[0].indexOf(match[1] ?? "");
    edits.push({ start, end: start + (match[1] ?? "").length, now: "false" });
  }
  for (const match of body.slice(begin).matchAll(STATEMENT)) {
    const start = bodyStart + begin + match.index;
    edits.push({ start, end: start + match[0].length, now: "null;" });
  }
  return asMutants(path, text, edits);
}

/** A mutant that loops forever counts as noticed when it is killed; a slow machine must not look like one. */
const LEAST_TIMEOUT_MS = 30_000;
const TIMEOUT_FACTOR = 6;

type TestRun = { readonly passed: boolean; readonly ms: number; readonly output: string };

/** The groups of tests for a file, its own test first. */
function testsOf(root: string, area: Area, path: string): string[][] {
  const own = path.replace(/\.ts$/, ".test.ts");
  const groups = own !== path && existsSync(join(root, own)) ? [[own]] : [];
  return [...groups, ...area.tests.map((group) => group.filter((each) => each !== own))].filter(
    (group) => group.length > 0,
  );
}

/** Stops at the first failing test. */
async function runTests(input: {
  folder: string;
  tests: readonly string[];
  databaseUrl: string;
  usualMs: number;
}): Promise<TestRun> {
  const begun = performance.now();
  const child = Bun.spawn(
    [process.execPath, "test", "--bail", "--timeout=30000", ...input.tests.map((test) => `./${test}`)],
    {
      cwd: input.folder,
      env: { ...process.env, BURSAR_TEST_DATABASE_URL: input.databaseUrl },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: Math.ceil(Math.max(LEAST_TIMEOUT_MS, input.usualMs * TIMEOUT_FACTOR)),
      killSignal: "SIGKILL",
    },
  );
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return { passed: code === 0, ms: performance.now() - begun, output };
}

/** A mutant of SQL is tried by replacing its function where test databases are copied from. */
export type Candidate = Mutant & {
  readonly area: Area;
  readonly original: string;
};

export type Verdict = "killed" | "survived" | "invalid";

export function candidatesOf(root: string, area: Area, path: string): Candidate[] {
  const text = readFileSync(join(root, path), "utf8");
  const mutantsOf = path.endsWith(".ts") ? mutantsOfTypeScript : mutantsOfSql;
  return mutantsOf(path, text).map((mutant) => ({ ...mutant, area, original: text }));
}

/** Tries each candidate, as many at a time as there are places; reports verdicts in the order in which they end. */
export async function tryMutants(input: {
  root: string;
  candidates: readonly Candidate[];
  places: number;
  /** On abort, running tries are finished, so that copies and servers are removed. */
  signal?: AbortSignal;
  onVerdict: (candidate: Candidate, verdict: Verdict) => void;
}): Promise<void> {
  const { root, candidates } = input;
  const places = await openPlaces(root, input.places, candidates.some(needsDatabase));
  try {
    const usualMs = await expectPassing(root, candidates, places[0]);
    const queue = [...candidates];
    await Promise.all(
      places.map(async (place) => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          if (input.signal?.aborted) return;
          input.onVerdict(next, await tryOne(root, place, next, usualMs));
        }
      }),
    );
  } finally {
    await Promise.all(places.map((place) => place.close()));
  }
}

async function openPlaces(root: string, count: number, withDatabase: boolean): Promise<Place[]> {
  const places: Place[] = [];
  for (let at = 0; at < count; at += 1) places.push(await openPlace(root, withDatabase));
  return places;
}

function needsDatabase({ area, path }: Candidate): boolean {
  return path.endsWith(".sql") || !["credits", "prices", "url-guard", "sse", "planted"].includes(area.name);
}

/** Tests that already fail would kill every mutant. Returns how long each group takes. */
async function expectPassing(root: string, candidates: readonly Candidate[], place: Place | undefined) {
  const usualMs = new Map<string, number>();
  for (const { area, path } of candidates) {
    for (const tests of testsOf(root, area, path)) {
      if (place === undefined || usualMs.has(tests.join())) continue;
      const run = await runTests({
        folder: place.tree.folder,
        databaseUrl: place.databaseUrl,
        tests,
        usualMs: 60_000,
      });
      if (!run.passed) throw new Error(`Without any mutant these fail: ${tests.join(" ")}\n${run.output}`);
      usualMs.set(tests.join(), run.ms);
    }
  }
  return usualMs;
}

async function tryOne(
  root: string,
  place: Place,
  candidate: Candidate,
  usualMs: ReadonlyMap<string, number>,
): Promise<Verdict> {
  const put = async (text: string) => {
    if (candidate.path.endsWith(".sql")) return place.replaceFunction(text);
    place.tree.write(candidate.path, text);
    return true;
  };
  if (!(await put(candidate.text))) return "invalid";
  try {
    for (const tests of testsOf(root, candidate.area, candidate.path)) {
      const run = await runTests({
        folder: place.tree.folder,
        databaseUrl: place.databaseUrl,
        tests,
        usualMs: usualMs.get(tests.join()) ?? 0,
      });
      if (!run.passed) return "killed";
    }
    return "survived";
  } finally {
    await put(candidate.original);
    await place.dropLeftovers();
  }
}
