import { commandOptions, numberOption } from "../../scripts/command-options.ts";
import { fdatasyncMedianMs } from "../fdatasync.ts";
import { type Load, startLoad } from "../load.ts";
import { type Field, startField } from "./contenders.ts";
import { type Measurement, measure, warmUp } from "./measure.ts";
import { nameOf, type Scenario } from "./scenario.ts";
import { type Summary, summarize } from "./summary.ts";

/** Duration of each part of a comparison. */
export type Pace = {
  readonly rounds: number;
  /** Before anything is measured: compilers do most of their work on the first thousands of calls. */
  readonly burnInSeconds: number;
  readonly scenarioWarmUpSeconds: number;
  readonly roundWarmUpSeconds: number;
  readonly roundSeconds: number;
};

export type Comparison = {
  readonly summary: Summary;
  readonly fdatasyncMs: number;
  readonly portkeyVersion: string | null;
  readonly portkeyServesStreams: boolean | null;
  /** The Node that runs Portkey. */
  readonly nodeVersion: string | null;
};

const FULL: Pace = {
  rounds: 3,
  burnInSeconds: 3,
  scenarioWarmUpSeconds: 1.5,
  roundWarmUpSeconds: 0.4,
  roundSeconds: 2.5,
};
/** Only shows that everything works, and the rough shape. */
const SHORT: Pace = {
  rounds: 1,
  burnInSeconds: 0.5,
  scenarioWarmUpSeconds: 0.2,
  roundWarmUpSeconds: 0,
  roundSeconds: 0.4,
};

/** `--short`, `--rounds N`. */
export function paceOf(args: readonly string[]): Pace & { readonly isShort: boolean } {
  const values = commandOptions(
    "Usage: npm run bench peers|chat [-- --short] [--rounds N]",
    { short: { type: "boolean", default: false }, rounds: { type: "string" } },
    args,
  );
  const pace = values.short ? SHORT : FULL;
  const rounds = numberOption("--rounds", values.rounds ?? String(pace.rounds), { most: 99 });
  return { ...pace, rounds, isShort: values.short };
}

export async function compare(
  scenarios: readonly Scenario[],
  { withPortkey, ...pace }: Pace & { withPortkey: boolean },
): Promise<Comparison> {
  const field = await startField({ withPortkey });
  const load = startLoad();
  try {
    const fdatasyncMs = fdatasyncMedianMs(field.folder);
    const [first] = scenarios;
    for (const contender of field.contenders)
      if (first) await warmUp(load, contender, first, pace.burnInSeconds);
    const found: Measurement[] = [];
    for (const scenario of scenarios) {
      process.stderr.write(`${nameOf(scenario)} …\n`);
      found.push(...(await measureScenario(load, field, scenario, pace)));
    }
    const portkey = field.contenders.find(({ name }) => name === "portkey");
    return {
      summary: summarize(found),
      fdatasyncMs,
      portkeyVersion: field.portkeyVersion,
      portkeyServesStreams: portkey?.servesStreams ?? null,
      nodeVersion: field.nodeVersion,
    };
  } finally {
    await load.stop();
    await field.stop();
  }
}

async function measureScenario(load: Load, field: Field, scenario: Scenario, pace: Pace) {
  const able = field.contenders.filter(({ servesStreams }) => scenario.form !== "stream" || servesStreams);
  for (const contender of able) await warmUp(load, contender, scenario, pace.scenarioWarmUpSeconds);
  const found: Measurement[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    // The first contender finds the machine in another state than the last, so the order rotates.
    const turn = round % able.length;
    for (const contender of [...able.slice(turn), ...able.slice(0, turn)]) {
      await warmUp(load, contender, scenario, pace.roundWarmUpSeconds);
      const orders = { scenario, round, seconds: pace.roundSeconds, upstreamPid: field.upstreamPid };
      found.push(await measure(load, contender, orders));
    }
  }
  return found;
}
