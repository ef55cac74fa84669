import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Area } from "./areas.ts";
import type { Mutant } from "./mutant.ts";
import { mutantsOfSql } from "./mutate-sql.ts";
import { mutantsOfTypeScript } from "./mutate-typescript.ts";
import { openPlace, type Place } from "./place.ts";
import { runTests, testsOf } from "./test-run.ts";

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
