import type { Database } from "../db/index.ts";
import { createSealer, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/index.ts";
import type { PublicPost } from "../outbound/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { createEndpoints, type Endpoints } from "./endpoints.ts";
import { type EventData, type EventType, OPERATORS } from "./events.ts";
import { type SendDeps, send } from "./send.ts";
import {
  type Claim,
  claimEndpoints,
  deleteOldEvents,
  isMembersEmail,
  saveEvent,
  saveFannedOut,
  saveTried,
  type Tried,
} from "./store.ts";

/** Pauses before the second, third … try of a delivery: in all not quite three days. */
const AGAIN_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  DAY_MS,
];

const TIMEOUT_MS = 10 * SECOND_MS;
/** An endpoint that accepts sooner is quick: it gets several deliveries at once. */
const QUICK_MS = 1_000;
export const MOST_OF_QUICK = 4;
/** How long a claim lasts if its node dies. An email may wait for half an hour in the queue of emails. */
const BUSY_MS = { web: MINUTE_MS, mail: HOUR_MS };

const KEEP_DAYS = 30;
const FORGET_BATCH = 5_000;
/** Most batches per run; the next run goes on. */
const MAX_BATCHES = 20;

export type Lane = "web" | "mail";

/** Events and their deliveries. */
export type Outbox = {
  readonly endpoints: Endpoints;
  /** For a cause outside the database. Told once an hour; never throws, since it stands beside what happened. */
  note(type: EventType, data: EventData): Promise<void>;
  /** Lays out new events for those who are to be told. True if there may be more. */
  fanOut(): Promise<boolean>;
  /** What is due, at most of so many endpoints that fail, that are slow or new, and that are quick. */
  claim(lane: Lane, room: readonly number[]): Promise<Claim[]>;
  /** Tries each delivery of a claim once. */
  deliver(claim: Claim, signal: AbortSignal): Promise<void>;
  /** Forgets events and deliveries of a month ago. */
  forgetOld(): Promise<void>;
};

export function createOutbox(deps: {
  readonly db: Database;
  readonly secret: string;
  readonly post: PublicPost;
  readonly mail: SendDeps["mail"];
  /** An organization's owners and admins; few. */
  owners(orgId: string): Promise<readonly { readonly email: string }[]>;
  readonly isLocal: boolean;
  readonly publicUrl: string;
  readonly timeoutMs?: number;
  readonly log: Log;
  readonly metrics: Metrics;
}): Outbox {
  const { db, log, mail, isLocal, publicUrl } = deps;
  const hasMail = mail !== null;
  const sealer = createSealer(deps.secret, "endpoints");
  const outcomes = deps.metrics.counter("bursar_deliveries_total", "Tries to deliver an event, by outcome.", [
    "kind",
    "outcome",
  ]);
  const sending: SendDeps = {
    sealer,
    post: deps.post,
    mail,
    isLocal,
    pages: `${publicUrl}/console`,
    timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
    async recipients({ kind, orgId }, address) {
      if (kind === "owners") return (await deps.owners(orgId)).map(({ email }) => email);
      // Whoever has left the organization is told no more of it.
      const isTold =
        address !== null && (orgId === OPERATORS || (await isMembersEmail(db.pool, orgId, address)));
      return isTold ? [address] : [];
    },
  };

  async function attempt(
    claim: Claim,
    { event, attempts }: Claim["due"][number],
    signal: AbortSignal,
  ): Promise<Tried> {
    const startedMs = performance.now();
    const { outcome, httpStatus, problem } = await send(sending, claim, event, signal);
    const { kind, orgId } = claim;
    outcomes.bind({ kind, outcome }).inc();
    if (kind === "owners" && outcome === "accepted")
      log.info("notice_sent", { org_id: orgId, kind: event.type });
    if (kind === "owners" && outcome === "refused")
      log.warn("notice_reaches_nobody", { org_id: orgId, kind: event.type });
    const againMs = outcome === "failed" ? (AGAIN_MS[attempts] ?? null) : null;
    return {
      event_id: event.id,
      status: outcome === "accepted" ? "delivered" : againMs === null ? "failed" : "waiting",
      http_status: httpStatus,
      ms: Math.round(performance.now() - startedMs),
      problem,
      again_ms: againMs,
    };
  }

  return {
    endpoints: createEndpoints({ sealer, hasMail, isLocal, ownHosts: [new URL(publicUrl).hostname] }),
    async note(type, data) {
      await saveEvent(db, OPERATORS, type, data).catch((error: unknown) =>
        log.warn("event_not_written", { type, error: String(error) }),
      );
    },
    fanOut: async () => (await saveFannedOut(db, hasMail)) > 0,
    async claim(lane, room) {
      if (lane === "mail" && !hasMail) return [];
      return claimEndpoints(db, {
        isMail: lane === "mail",
        room,
        most: MOST_OF_QUICK,
        busyMs: BUSY_MS[lane],
      });
    },
    async deliver(claim, signal) {
      const tried = await Promise.all(claim.due.map((due) => attempt(claim, due, signal)));
      // What was cut off by a stop says nothing about the endpoint: the claim ends by itself.
      if (signal.aborted) return;
      const accepted = tried.filter(({ status }) => status === "delivered");
      const isQuick = accepted.length > 0 && accepted.every(({ ms }) => ms < QUICK_MS);
      await saveTried(
        db,
        claim,
        tried.length === 0 ? null : accepted.length === 0 ? 0 : isQuick ? 2 : 1,
        tried,
      );
    },
    async forgetOld() {
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        if ((await deleteOldEvents(db, { keepDays: KEEP_DAYS, limit: FORGET_BATCH })) < FORGET_BATCH) return;
      }
    },
  };
}
