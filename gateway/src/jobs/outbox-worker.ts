import { atMost } from "../kit/index.ts";
import { type Claim, type Lane, MOST_OF_QUICK, type Outbox } from "../outbox/index.ts";
import type { Log } from "../telemetry/index.ts";
import { startWakeUps } from "./wake-ups.ts";

type OutboxWorker = {
  /** Something may be due: looks at once instead of at the next tick. */
  wake(): void;
  /** Takes nothing more, waits briefly for what is under way, and cuts it off: it is tried again. */
  stop(): Promise<void>;
};

type OutboxPace = {
  readonly idleMs: number;
  readonly stopWaitMs: number;
};

const PACE: OutboxPace = { idleMs: 500, stopWaitMs: 2_000 };

/**
 * Most deliveries at once on this node: to endpoints that fail, that are slow or new, and that are quick. Each kind has
 * its own places, so that those that never answer delay none that do.
 */
const MOST: Readonly<Record<Lane, readonly number[]>> = {
  web: [16, 16, 32],
  // The mail server takes one at a time.
  mail: [4, 4, 8],
};
/** A quick endpoint may bring several. */
const MOST_OF_ONE = [1, 1, MOST_OF_QUICK];

/** Delivers events on every node; an endpoint is served by one node at a time. */
export function startOutboxWorker(input: {
  outbox: Outbox;
  log: Log;
  pace?: Partial<OutboxPace>;
}): OutboxWorker {
  const { outbox, log } = input;
  const pace = { ...PACE, ...input.pace };
  const running: Record<Lane, Map<Claim, Promise<void>>> = { web: new Map(), mail: new Map() };
  const closing = new AbortController();

  /** For how many endpoints of each pace there is room. */
  function roomOf(lane: Lane): number[] {
    const left = [...MOST[lane]];
    for (const { pace: at, due } of running[lane].keys()) left[at] = (left[at] ?? 0) - due.length;
    return left.map((places, at) => Math.floor(places / (MOST_OF_ONE[at] ?? 1)));
  }

  async function check(): Promise<void> {
    try {
      const hasMore = await outbox.fanOut();
      await Promise.all([claimAll("web"), claimAll("mail")]);
      if (hasMore) wakeUps.atOnce();
    } catch (error) {
      log.warn("outbox_waits", { error: String(error) });
    }
  }

  /** Each round takes places, and ends where it finds nothing or none is left. */
  async function claimAll(lane: Lane): Promise<void> {
    while (!closing.signal.aborted) {
      const room = roomOf(lane);
      const claims = room.some((places) => places > 0) ? await outbox.claim(lane, room) : [];
      if (claims.length === 0) return;
      for (const claim of claims) running[lane].set(claim, deliver(lane, claim));
    }
  }

  async function deliver(lane: Lane, claim: Claim): Promise<void> {
    try {
      await outbox.deliver(claim, closing.signal);
    } catch (error) {
      // The claim ends by itself, and the delivery is tried again.
      log.warn("outbox_waits", { error: String(error) });
    } finally {
      running[lane].delete(claim);
      wakeUps.atOnce();
    }
  }

  const wakeUps = startWakeUps(check, pace.idleMs);
  return {
    wake: () => wakeUps.atOnce(),
    async stop() {
      await wakeUps.stop();
      const all = [...running.web.values(), ...running.mail.values()];
      await atMost(Promise.all(all), pace.stopWaitMs);
      closing.abort();
      await atMost(Promise.all(all), pace.stopWaitMs);
    },
  };
}
