import { admitTogether } from "../../gateway/src/admission/admit.ts";
import type { Decision } from "../../gateway/src/admission/call.ts";
import type { AdmissionCall } from "../../gateway/src/admission/index.ts";
import { admitAll } from "../../gateway/src/admission/store.ts";
import type { TestDatabase } from "../../gateway/src/db/testing.ts";
import { type Clock, present } from "../../gateway/src/kit/index.ts";
import {
  type LeaseKeeper,
  type Settled,
  type Settlement,
  sweepHolds,
} from "../../gateway/src/ledger/index.ts";
import { takeLease } from "../../gateway/src/ledger/lease/lease.ts";
import { settleTogether } from "../../gateway/src/ledger/ledger.ts";
import { settleAll } from "../../gateway/src/ledger/store.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import type { Random } from "./random.ts";

/** Processes that share one database, and that crash, sleep and restart as the simulation decides. */
export type SimulatedNodes = {
  readonly count: number;
  admit(node: number, calls: readonly AdmissionCall[]): Promise<Decision[]>;
  settle(settlements: readonly Settlement[]): Promise<Settled[]>;
  /** The node dies without releasing its holds and starts again as a new process. */
  crash(node: number): Promise<void>;
  /**
   * Time passes for all; living nodes renew their leases, and one of them sweeps. Returns how many holds it released.
   */
  pass(ms: number): Promise<number>;
};

const RENEWAL_MS = 5_000;
/** How often the calls of a batch are sent one by one, like calls that arrive alone. */
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
      // Simulates an unknown commit: the answers are lost, and the calls are repeated one by one.
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
      // A long jump is like a pause of all machines: leases expire, and no node may judge another right away.
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
