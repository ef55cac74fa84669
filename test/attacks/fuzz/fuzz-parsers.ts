import { createRandom } from "../../simulation/random.ts";
import { ADDRESS_TARGETS } from "./address-targets.ts";
import { answer } from "./answer-target.ts";
import { busyMs, MOST_BLOCKED_MS } from "./loop-watch.ts";
import { MEDIA_TARGETS } from "./media-targets.ts";
import { mutateBytes, randomBytes } from "./mutate-bytes.ts";
import type { ParserTarget } from "./parser-target.ts";
import { TEXT_TARGETS } from "./text-targets.ts";

export const PARSER_TARGETS: readonly ParserTarget[] = [
  ...TEXT_TARGETS,
  ...ADDRESS_TARGETS,
  ...MEDIA_TARGETS,
  answer,
];

export type Finding = { readonly target: string; readonly input: string; readonly what: string };

type ParserRun = {
  readonly target: string;
  readonly inputs: number;
  readonly longestMs: number;
  readonly findings: readonly Finding[];
};

/** Enough to see what is wrong; a broken parser fails on thousands of inputs. */
const MOST_FINDINGS = 5;
const MOST_RANDOM_BYTES = 200;

/** The same seed gives the same inputs, whatever the other targets do. */
export function fuzzParser(target: ParserTarget, inputs: number, seed: number): ParserRun {
  const random = createRandom(seed ^ Bun.hash.crc32(target.name));
  const findings: Finding[] = [];
  let longestMs = 0;
  for (let count = 0; count < inputs && findings.length < MOST_FINDINGS; count++) {
    const bytes = inputOf(target, random);
    const note = (what: string) =>
      findings.push({
        target: target.name,
        input: Buffer.from(bytes).toString("base64").slice(0, 2_000),
        what,
      });
    const startedMs = performance.now();
    const startedBusyMs = busyMs();
    try {
      target.check(bytes, random);
    } catch (error) {
      note(String(error).slice(0, 500));
    }
    // CPU time too: on a busy machine, elapsed time alone would blame the parser.
    const elapsedMs = performance.now() - startedMs;
    const spentMs = elapsedMs > longestMs ? Math.min(elapsedMs, busyMs() - startedBusyMs) : 0;
    longestMs = Math.max(longestMs, spentMs);
    if (spentMs > MOST_BLOCKED_MS) note(`took ${Math.round(spentMs)} ms`);
  }
  return { target: target.name, inputs, longestMs, findings };
}

function inputOf(target: ParserTarget, random: ReturnType<typeof createRandom>): Uint8Array {
  if (random.chance(0.15)) return randomBytes(random, MOST_RANDOM_BYTES);
  if (target.make !== undefined && random.chance(0.6)) return target.make(random);
  return mutateBytes(random, random.pick(target.seeds), target.seeds);
}
