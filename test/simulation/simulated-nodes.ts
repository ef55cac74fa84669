import { admitTogether } from "../../src/admission/admit-together.ts";
import type { Decision } from "../../src/admission/call.ts";
import type { AdmissionCall } from "../../src/admission/index.ts";
import { admitAll } from "../../src/admission/store.ts";
import type { TestDatabase } from "../../src/db/testing.ts";
import { type Clock, present } from "../../src/kit/index.ts";
import { type LeaseKeeper, type Settled, type Settlement, sweepHolds } from "../../src/ledger/index.ts";
import { takeLease } from "../../src/ledger/lease.ts";
import { settleTogether } from "../../src/ledger/settle-together.ts";
import { settleAll } from "../../src/ledger/store.ts";
import { silentLog } from "../../src/telemetry/index.ts";
import type { Random } from "./random.ts";

/** Processes that share one database and die, sleep and come back as the simulation wants. */
export type SimulatedNodes = {
  readonly count: number;
  admit(node: number, calls: readonly AdmissionCall[]): Promise<Decision[]>;
  settle(settlements: readonly Settlement[]): Promise<Settled[]>;
  /** The node dies without a word and starts again as a new process. */
  crash(node: number): Promise<void>;
  /** Time passes for everybody; living nodes renew their leases; one of them sweeps. */
  pass(ms: number): Promise<number>;
};

const RENEWAL_MS = 5_000;
/** How often a batch is sent one by one, as calls that come alone are. */
const ALONE = 0.15;

export async function startNodes(
  database: TestDatabase,
  count: number,
  random: Random,
): Promise<SimulatedNodes> {
  const { db } = database;
  let skewMs = 0;
  const clock: Clock = {
    nowMs: () => Date.now() + skewMs,
    elapsedMs: () => performance.now() + skewMs,
  };
  const join = () => takeLease({ db, log: silentLog, clock, onLost: () => {} });
  const leases: LeaseKeeper[] = [];
  for (let i = 0; i < count; i++) leases.push(await join());
  const lease = (node: number) => present(leases[node], "a node");

  return {
    count,
    async admit(node, calls) {
      const { current } = lease(node);
      const answers = random.chance(ALONE)
        ? await oneByOne(calls, (call) => admitTogether(db, current, [call]))
        : await admitAll(db, current, calls, false);
      // Commit unknown: the answer is lost and the batch asked again, one by one.
      if (!random.chance(0.1)) return answers;
      const again: Decision[] = [];
      for (const [index, call] of calls.entries()) {
        const admitted = answers[index]?.outcome === "admitted";
        const repeated = admitted ? (await admitAll(db, current, [call], true))[0] : answers[index];
        again.push(present(repeated, "an answer"));
      }
      return again;
    },
    async settle(settlements) {
      const answers = random.chance(ALONE)
        ? await oneByOne(settlements, (settlement) => settleTogether(db, [settlement]))
        : await settleAll(db, "call", settlements);
      if (random.chance(0.1)) {
        const repeats = await settleAll(db, "call", settlements);
        for (const repeat of repeats) {
          if (repeat.outcome !== "repeat" && repeat.outcome !== "late") {
            throw new Error(`a settlement was ${repeat.outcome} twice`);
          }
        }
      }
      return answers;
    },
    async crash(node) {
      leases[node] = await join();
    },
    async pass(ms) {
      // A long jump is a sleep of the whole world: leases run out and nobody may judge anybody at once.
      if (ms > 60_000) {
        skewMs += ms;
        await database.advanceClock(ms);
      }
      for (let i = 0; i < 4; i++) {
        skewMs += RENEWAL_MS;
        await database.advanceClock(RENEWAL_MS);
        for (const one of leases) await one.renew();
      }
      return sweepHolds({ db, log: silentLog, lease: lease(random.between(0, count - 1)) });
    },
  };
}

async function oneByOne<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const item of items) answers.push(...(await ask(item)));
  return answers;
}
