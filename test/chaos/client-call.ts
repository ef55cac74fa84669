import type { PlannedCall } from "./call-plan.ts";
import { type Attempt, attempt, type Caller } from "./client-attempt.ts";

/** One line of the clients' log. */
export type ClientLine = Attempt & {
  readonly tag: number;
  readonly organization: number;
  readonly kind: PlannedCall["kind"];
  readonly hasKey: boolean;
  readonly tookMs: number;
};

type ClientWorld = {
  readonly origins: readonly [string, string];
  readonly keys: readonly string[];
  readonly secrets: readonly string[];
  write(line: ClientLine): void;
  /** Per node, until when it is avoided, as a load balancer avoids one that does not answer. */
  readonly avoidedUntilMs: [number, number];
  /** Limits concurrent repeats, so that an outage is not followed by a storm of them. */
  repeat<T>(work: () => Promise<T>): Promise<T>;
  /** Until when a caller keeps repeating; infinite while faults go on. */
  readonly patientUntilMs: number;
};

/** Longer than the timeouts around a settlement. */
const ATTEMPT_LIMIT_MS = 12_000;
const AVOID_MS = 1_000;
const FIRST_PAUSE_MS = 50;
const MOST_PAUSE_MS = 1_500;
const POLL_MS = 90;

/** The first attempt. `finishCall` does the rest, concurrently with other calls. */
export async function startCall(call: PlannedCall, world: ClientWorld): Promise<Attempt> {
  const seen = await once(call, world, 0);
  // A caller that got no service waits a little before its next call.
  if (seen.ended === "lost" || (seen.status ?? 0) >= 500) await Bun.sleep(FIRST_PAUSE_MS * 2);
  return seen;
}

/** Repeats a call that has an idempotency key until its outcome is known, and polls a job until it ends. */
export async function finishCall(call: PlannedCall, world: ClientWorld, first: Attempt): Promise<void> {
  let seen = first;
  let pauseMs = FIRST_PAUSE_MS;
  for (let tries = 1; ; tries++) {
    if (seen.ended === "waits") return follow(call, world, seen);
    if (call.idempotencyKey === null || isFinal(seen)) return;
    if (performance.now() > world.patientUntilMs) return;
    await Bun.sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, MOST_PAUSE_MS);
    seen = await world.repeat(() => once(call, world, tries));
  }
}

async function once(call: PlannedCall, world: ClientWorld, tries: number): Promise<Attempt> {
  const startedMs = performance.now();
  const at = nodeFor(call, world, tries);
  const seen = await attempt(call, callerOf(call, world, at), tries === 0 ? call.leave : null);
  if (seen.ended === "lost") world.avoidedUntilMs[at] = performance.now() + AVOID_MS;
  write(world, call, seen, startedMs);
  return seen;
}

function nodeFor(call: PlannedCall, { avoidedUntilMs }: ClientWorld, tries: number): 0 | 1 {
  const wished = (call.node + tries) % 2 === 0 ? 0 : 1;
  const other = wished === 0 ? 1 : 0;
  const nowMs = performance.now();
  return avoidedUntilMs[wished] > nowMs && avoidedUntilMs[other] <= nowMs ? other : wished;
}

/** 409 means that the first attempt may still be running; 429 and 5xx ask for a retry. */
function isFinal({ ended, status }: Attempt): boolean {
  if (ended === "done") return true;
  return (
    ended === "error" && status !== null && status >= 400 && status < 500 && status !== 409 && status !== 429
  );
}

/** Polls a job until it has ended. */
async function follow(call: PlannedCall, world: ClientWorld, submitted: Attempt): Promise<void> {
  const startedMs = performance.now();
  const path = `/functions/v1/api-v1-video?request_id=${submitted.requestId}`;
  for (let looks = 0; performance.now() < world.patientUntilMs; looks++) {
    await Bun.sleep(POLL_MS);
    const { origin, key } = callerOf(call, world, nodeFor(call, world, looks));
    const signal = AbortSignal.timeout(MOST_PAUSE_MS * 4);
    const headers = { authorization: `Bearer ${key}` };
    const body = await fetch(`${origin}${path}`, { headers, signal })
      .then((response) => (response.ok ? (response.json() as Promise<Record<string, unknown>>) : null))
      .catch(() => null);
    if (body === null || body["status"] === "processing") continue;
    const isDone = body["status"] === "complete";
    const charged = Number(body["credits_charged"] ?? 0);
    const ended = isDone ? "done" : "error";
    const message = isDone ? null : `Nothing was charged. ${String(body["provider_status"])}`;
    return write(world, call, { ...submitted, ended, charged, message }, startedMs);
  }
}

function callerOf(call: PlannedCall, { origins, keys, secrets }: ClientWorld, at: 0 | 1): Caller {
  return {
    origin: origins[at],
    key: keys[call.organization] ?? "",
    secrets,
    limitMs: ATTEMPT_LIMIT_MS,
  };
}

function write(world: ClientWorld, call: PlannedCall, seen: Attempt, startedMs: number): void {
  const { tag, organization, kind, idempotencyKey } = call;
  const tookMs = Math.round(performance.now() - startedMs);
  world.write({ ...seen, tag, organization, kind, hasKey: idempotencyKey !== null, tookMs });
}
