import type { Admitter } from "../../admission/index.ts";
import type { DraftAsset, Library } from "../../assets/index.ts";
import type { Priced, Target } from "../../catalog/index.ts";
import type { CallContext, MadeFile } from "../../contract/index.ts";
import { AppError, type Credits, createFairShares, failpoint, overloaded } from "../../kit/index.ts";
import type { Breaker } from "../../outbound/index.ts";
import type { Paid } from "../outcome.ts";
import type { StartCall, StartedCall } from "../paid-call/paid-call.ts";
import { paidCallOf, type ResolvedCall } from "../resolved-call.ts";
import { failpointAfterSend, passTarget } from "../targets/target-attempt.ts";
import { type Attempting, targetsInTurn, untilStopped } from "../targets/targets-in-turn.ts";
import { type CheckedFile, checkMade } from "./media-check.ts";

/**
 * For all concurrent calls of this process: their files are in memory, and the limits of a plan alone would allow
 * more than a machine has.
 */
const MAX_WEIGHT = 512;

/** Bounds the memory for media calls in progress, shared fairly by all organizations. */
function createMediaRoom() {
  const weights = createFairShares({ most: MAX_WEIGHT });
  return {
    /** Null if it was taken, and must be given back; else the error that says why not. */
    take(orgId: string, weight: number): AppError | null {
      const { taken } = weights;
      if (taken > 0 && taken + weight > MAX_WEIGHT) return overloaded("too many media calls");
      return weights.take(orgId, weight) ? null : tooMuchOfOne();
    },
    giveBack: weights.giveBack,
  };
}

function tooMuchOfOne(): AppError {
  return new AppError(
    "rate_limit_exceeded",
    "This organization is already generating as many images and sounds as allowed. Try again when one has finished.",
    { retryAfterSeconds: 1 },
  );
}

type MediaDeps = {
  readonly startCall: StartCall;
  readonly isRepeat: Admitter["isRepeat"];
  readonly breaker: Breaker;
  readonly library: Pick<Library, "store">;
  readonly timeoutMs: number;
};

/** What differs between the kinds of media calls. */
export type MediaWork<Outcome> = {
  readonly call: ResolvedCall;
  readonly kind: "image" | "audio";
  readonly prompt: string;
  /** The most it can cost: what was requested, or the most that the provider may make of it. */
  readonly quote: Credits;
  /** Number of files requested. */
  readonly most: number;
  /** How much memory it may take while it runs: in megapixels, each a megabyte or two, or the equivalent. */
  readonly weight: number;
  /** Looks up the target's provider and returns the function that calls it: only that may be slow or fail. */
  ask(to: Target): (upstreamModel: string, context: CallContext) => Promise<readonly MadeFile[]>;
  /** Never above the quote. */
  price(files: readonly CheckedFile[]): Priced;
  outcome(assets: readonly DraftAsset[]): Outcome;
};

export type MakeMedia = <Outcome>(work: MediaWork<Outcome>) => Promise<Paid<Outcome>>;

export function createMediaMaker(deps: MediaDeps): MakeMedia {
  const room = createMediaRoom();
  return async (work) => {
    const { call, weight } = work;
    const { id: orgId } = call.principal.organization;
    const refusal = room.take(orgId, weight);
    if (refusal !== null) return repeatOf(deps, work, refusal);
    try {
      return await makeMedia(deps, work);
    } finally {
      room.giveBack(orgId, weight);
    }
  };
}

/** A repeat makes nothing, so it needs no memory; anything else is refused before anything is held. */
async function repeatOf<Outcome>(
  { startCall, isRepeat, timeoutMs }: MediaDeps,
  { call, quote }: MediaWork<Outcome>,
  refusal: AppError,
): Promise<Paid<Outcome>> {
  const { principal, endpoint, idempotency } = call;
  const { keyId, organization } = principal;
  if (!(await isRepeat({ orgId: organization.id, keyId, endpoint, idempotency }))) throw refusal;
  const start = await startCall<Outcome>(paidCallOf(call, { minimum: quote, full: quote }, timeoutMs));
  if (start.kind === "replay") return start.paid;
  // The first call failed between our check and the admission, so this is no repeat after all.
  throw await start.call.fail(refusal);
}

/**
 * Hold, the model's targets in turn, bytes into the library, settlement. Once started it finishes and is charged,
 * even if the client disconnects; what fails before the settlement is charged 0, and its files are swept.
 */
async function makeMedia<Outcome>(deps: MediaDeps, work: MediaWork<Outcome>): Promise<Paid<Outcome>> {
  const start = await deps.startCall<Outcome>(
    paidCallOf(work.call, { minimum: work.quote, full: work.quote }, deps.timeoutMs),
  );
  if (start.kind === "replay") return start.paid;
  const started = start.call;
  const { target, files, assets } = await makeAndStore(deps, work, started);
  return started.succeed({
    outcome: work.outcome(assets),
    ...work.price(files),
    inputTokens: 0,
    outputTokens: 0,
    tokensSaved: 0,
    target,
    assets,
  });
}

async function makeAndStore<Outcome>(
  deps: MediaDeps,
  work: MediaWork<Outcome>,
  started: StartedCall<Outcome>,
) {
  try {
    const { target, files } = await untilStopped(started, (attempting) =>
      targetsInTurn(work.call.model.targets, { call: started, attempting }, (to) =>
        askTarget(deps, work, to, attempting),
      ),
    );
    await untilStopped(started, async () => failpoint("after_upstream_end"));
    const assets = await untilStopped(started, () => store(deps, work, files));
    return { target, files, assets };
  } catch (error) {
    throw await started.fail(error);
  }
}

async function askTarget(
  { breaker }: MediaDeps,
  work: MediaWork<unknown>,
  to: Target,
  attempting: Attempting,
): Promise<{ readonly target: string; readonly files: readonly CheckedFile[] }> {
  await failpoint("before_upstream_send");
  const ask = work.ask(to);
  const { requestId, principal } = work.call;
  const pass = passTarget(breaker, { requestId, orgId: principal.organization.id }, to);
  const { target, upstreamModel, permit, context } = pass;
  attempting.controller = context.controller;
  try {
    const making = ask(upstreamModel, context);
    const sent = failpointAfterSend(making);
    if (sent) await sent;
    const files = checkMade(await making, work);
    permit.succeeded();
    return { target, files };
  } catch (error) {
    permit.failed(error);
    throw error;
  }
}

/** In parallel: there are ten files at most. */
function store(
  { library }: MediaDeps,
  { call, kind, prompt }: MediaWork<unknown>,
  files: readonly CheckedFile[],
): Promise<DraftAsset[]> {
  const { id: orgId } = call.principal.organization;
  return Promise.all(files.map((file) => library.store(orgId, { ...file, type: kind, prompt })));
}
