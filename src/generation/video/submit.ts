import type { Admission, AdmissionCall, JobAdmitter, NewJob } from "../../admission/index.ts";
import type { Library } from "../../assets/index.ts";
import { freezeVideoPrice, type VideoModel } from "../../catalog/index.ts";
import { AppError, type Credits, credits, failpoint, type RateState } from "../../kit/index.ts";
import type { GivenFile, Registry, VideoProvider } from "../../providers/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { CallMetrics } from "../paid-call/call-metrics.ts";
import { failureError } from "../paid-call/failure.ts";
import { refusalError, replyNotKept } from "../paid-call/refusal.ts";
import { notTaken, outcomeUnknown } from "../paid-call/settle-surely.ts";
import { admissionOf, type ResolvedCall, type WaitingCall } from "../resolved-call.ts";
import { videoEstimate } from "./cost.ts";
import { type ExtentField, keptExtent, mostEstimate } from "./extent.ts";
import { REFERENCES, type Reference, type VideoOrder, type VideoWish } from "./order.ts";

/** A video call, decoded and resolved: everything the wire knows of it. */
export type VideoCall = ResolvedCall<VideoModel> &
  WaitingCall & {
    readonly wish: VideoWish;
    /** What of the wish the caller said; the rest are defaults. */
    readonly said: readonly ExtentField[];
    readonly references: Readonly<Partial<Record<Reference, GivenFile>>>;
  };

/** A job that is held for and whose row is committed; or the same again, for a repeat. */
export type SubmittedVideo = {
  readonly requestId: string;
  readonly replayed: boolean;
  readonly model: string;
  readonly estimate: Credits;
  readonly rate: RateState;
};

/** The same for every job: whoever made nothing by then fails, and costs nothing. */
const DEADLINE_MS = 60 * 60_000;
/** Hold and references, beyond the deadline, so that a worker that was away still finds what it must release. */
const KEPT_MS = DEADLINE_MS + 60 * 60_000;
const ADMIT_TRIES = 3;
const TRY_AGAIN_MS = 100;

type VideoRegistry = Pick<Registry, "serves" | "video">;

export type SubmitDeps = {
  readonly admitter: JobAdmitter;
  readonly library: Library;
  readonly registry: VideoRegistry;
  readonly metrics: CallMetrics;
  readonly log: Log;
  /** There is something to do for whoever works here. */
  wake(): void;
};

type KeptReply = { readonly model: string; readonly estimate: number };

/** Takes a job on: its estimate is held and its row committed before the caller is answered. */
export function createSubmitVideo(deps: SubmitDeps): (call: VideoCall) => Promise<SubmittedVideo> {
  return async (asked) => {
    checkWish(deps.registry, asked);
    return submitChecked(deps, { ...asked, wish: wishOf(deps.registry, asked) });
  };
}

/** Whichever target makes it in the end, what was held for must be what was asked of it. */
function wishOf(registry: VideoRegistry, call: VideoCall): VideoWish {
  const { model, wish, said, references } = call;
  const keepsExtent = isSome(registry, model, (video) => video.keepsExtent?.(wish.task) === true);
  return keepsExtent ? keptExtent(model, { wish, said, reference: references.referenceVideo }) : wish;
}

/** Hold for the most that any target may make. */
function estimateOf(registry: VideoRegistry, { model, wish, references }: VideoCall): Credits {
  const mayKeepExtent = isSome(registry, model, (video) => video.mayKeepExtent === true);
  return mayKeepExtent ? mostEstimate(model, wish, references) : videoEstimate(model, wish);
}

function isSome(registry: VideoRegistry, { targets }: VideoModel, holds: (video: VideoProvider) => boolean) {
  return targets.some(
    ({ provider }) => registry.serves(provider, "video") && holds(registry.video(provider)),
  );
}

async function submitChecked(deps: SubmitDeps, call: VideoCall): Promise<SubmittedVideo> {
  const estimate = estimateOf(deps.registry, call);
  const asked = admissionOf(call, "job", { minimum: estimate, full: estimate }, KEPT_MS);
  const reply: KeptReply = { model: call.model.id, estimate };
  // Whoever has no credits or too many jobs must not fill the disk with what is thrown away again.
  const refusal = hasReferences(call) ? await deps.admitter.refuse(asked, jobOf(call, reply, {})) : null;
  if (refusal !== null) return refused(deps, refusal, asked);
  const references = await keepReferences(deps.library, call);
  const admission = await admit(deps, asked, jobOf(call, reply, references));
  if (admission.outcome === "admitted") {
    deps.wake();
    return { requestId: call.requestId, replayed: false, ...reply, estimate, rate: admission.rate };
  }
  // The call that came first has its own.
  await deps.library.dropPrivate(Object.values(references));
  return refused(deps, admission, asked);
}

function refused(
  deps: SubmitDeps,
  admission: Exclude<Admission, { outcome: "admitted" }>,
  asked: AdmissionCall,
): SubmittedVideo {
  if (admission.outcome === "replay") return replayed(admission);
  deps.metrics.refused(asked.endpoint, admission.outcome);
  throw refusalError(admission, asked);
}

const hasReferences = ({ references }: VideoCall) =>
  REFERENCES.some((name) => references[name] !== undefined);

function jobOf(call: VideoCall, reply: KeptReply, references: VideoOrder["references"]): NewJob {
  const order: VideoOrder = {
    wish: call.wish,
    references,
    price: freezeVideoPrice(call.model),
    targets: call.model.targets,
  };
  return {
    order: JSON.stringify(order),
    reply: JSON.stringify(reply),
    priceRuleId: call.model.priceRule.id,
    deadlineMs: DEADLINE_MS,
  };
}

/** What the one that is asked first can never make is refused while its reason can still be told. */
function checkWish(registry: VideoRegistry, { model, wish, references }: VideoCall): void {
  const first = model.targets.find(({ provider }) => registry.serves(provider, "video"));
  if (first === undefined) return;
  try {
    const { referenceImage = null, referenceVideo = null, referenceAudio = null } = references;
    registry.video(first.provider).check?.({ ...wish, referenceImage, referenceVideo, referenceAudio });
  } catch (error) {
    throw failureError(error);
  }
}

/**
 * Before the hold: a job must never be found without what it needs. Unclaimed ones are swept. A bucket may take seconds for
 * them, so the caller is asked about again.
 */
async function keepReferences(library: Library, call: VideoCall): Promise<VideoOrder["references"]> {
  const kept: Partial<Record<Reference, string>> = {};
  if (!hasReferences(call)) return kept;
  for (const name of REFERENCES) {
    const file = call.references[name];
    if (file === undefined) continue;
    kept[name] = await library.keepPrivate(call.principal.organization.id, file, KEPT_MS);
  }
  try {
    await call.askAgain();
  } catch (refusal) {
    await library.dropPrivate(Object.values(kept));
    throw refusal;
  }
  return kept;
}

/**
 * A lost answer is asked for again: the job's own row tells. Given up, nobody can say whether it runs, unless every
 * answer was that it does not: a try whose answer was lost may be what the others waited for in vain.
 */
async function admit(deps: SubmitDeps, call: AdmissionCall, job: NewJob): Promise<Admission> {
  let mayRun = false;
  for (let tries = 1; ; tries++) {
    try {
      const admission = await deps.admitter.admit(call, job);
      await failpoint("after_hold_commit");
      return admission;
    } catch (error) {
      if (error instanceof AppError) throw error;
      mayRun ||= !deps.admitter.isUndone(error);
      deps.log.warn("video_admission_retried", { request_id: call.requestId, error: String(error) });
      if (tries >= ADMIT_TRIES) throw mayRun ? outcomeUnknown(call.requestId, error) : notTaken(error);
      await Bun.sleep(TRY_AGAIN_MS * tries);
    }
  }
}

function replayed(admission: Extract<Admission, { outcome: "replay" }>): SubmittedVideo {
  if (admission.reply === null) throw replyNotKept(admission);
  // Written above; nothing else writes replies of this endpoint.
  const { model, estimate } = JSON.parse(admission.reply) as KeptReply;
  const { requestId, rate } = admission;
  return { requestId, replayed: true, model, estimate: credits(estimate), rate };
}
