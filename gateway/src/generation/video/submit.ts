import type { Admission, AdmissionCall, JobAdmitter, NewJob } from "../../admission/index.ts";
import type { Library } from "../../assets/index.ts";
import { freezeVideoPrice, type VideoModel } from "../../catalog/index.ts";
import type { GivenFile, Registry, VideoProvider } from "../../contract/index.ts";
import { AppError, type Credits, credits, failpoint, type RateState } from "../../kit/index.ts";
import type { Log, Metrics } from "../../telemetry/index.ts";
import { type CallMetrics, createCallMetrics } from "../paid-call/call-metrics.ts";
import { failureError } from "../paid-call/failure.ts";
import { refusalError, replyNotKept } from "../paid-call/refusal.ts";
import { notTaken, outcomeUnknown } from "../paid-call/settle-surely.ts";
import { admissionOf, type ResolvedCall, type WaitingCall } from "../resolved-call.ts";
import { videoEstimate } from "./cost.ts";
import { type ExtentField, keptExtent, mostEstimate } from "./extent.ts";
import type { VideoViews } from "./job.ts";
import { REFERENCES, type Reference, type VideoOptions, type VideoOrder } from "./order.ts";

/** A decoded and resolved video call: everything the wire knows about it. */
export type VideoCall = ResolvedCall<VideoModel> &
  WaitingCall & {
    readonly options: VideoOptions;
    /** The options that the caller set; the rest are defaults. */
    readonly said: readonly ExtentField[];
    readonly references: Readonly<Partial<Record<Reference, GivenFile>>>;
  };

/** A job whose hold and row are committed; or, for a repeat, the same job again. */
export type SubmittedVideo = {
  readonly requestId: string;
  readonly replayed: boolean;
  readonly model: string;
  readonly estimate: Credits;
  readonly rate: RateState;
};

/** A job that is not done by then fails, and costs nothing. */
const DEADLINE_MS = 60 * 60_000;
/**
 * How long hold and references are kept: beyond the deadline, so that a worker that was down still finds what it must
 * release.
 */
const KEPT_MS = DEADLINE_MS + 60 * 60_000;
const ADMIT_TRIES = 3;
const TRY_AGAIN_MS = 100;

type VideoRegistry = Pick<Registry, "serves" | "video">;

type SubmitDeps = {
  readonly admitter: JobAdmitter;
  readonly library: Library;
  readonly registry: VideoRegistry;
  readonly metrics: CallMetrics;
  readonly log: Log;
  /** Tells the workers of this process that there is work. */
  wake(): void;
};

type KeptReply = { readonly model: string; readonly estimate: number };

/** What a caller may do: submit a job, and poll it. */
export type VideoCalls = {
  /** The estimate is held and the job's row committed before the caller gets a reply. */
  submit(call: VideoCall): Promise<SubmittedVideo>;
  /** Read-only. */
  find: VideoViews["find"];
};

export function createVideoCalls(
  input: Omit<SubmitDeps, "metrics"> & { readonly metrics: Metrics; readonly views: VideoViews },
): VideoCalls {
  const { views, metrics, ...given } = input;
  const deps = { ...given, metrics: createCallMetrics(metrics) };
  return {
    async submit(asked) {
      checkOptions(deps.registry, asked);
      return submitChecked(deps, { ...asked, options: optionsOf(deps.registry, asked) });
    },
    find: (orgId, requestId) => views.find(orgId, requestId),
  };
}

/** Decided for all targets together: whichever makes the video, it must be what was held for. */
function optionsOf(registry: VideoRegistry, call: VideoCall): VideoOptions {
  const { model, options, said, references } = call;
  const keepsExtent = isSome(registry, model, (video) => video.keepsExtent?.(options.task) === true);
  return keepsExtent ? keptExtent(model, { options, said, reference: references.referenceVideo }) : options;
}

/** The most that any target may make of it. */
function estimateOf(registry: VideoRegistry, { model, options, references }: VideoCall): Credits {
  const mayKeepExtent = isSome(registry, model, (video) => video.mayKeepExtent === true);
  return mayKeepExtent ? mostEstimate(model, options, references) : videoEstimate(model, options);
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
  // Check first: a caller without credits or with too many jobs must not fill the disk with references that are
  // dropped again.
  const refusal = hasReferences(call) ? await deps.admitter.refuse(asked, jobOf(call, reply, {})) : null;
  if (refusal !== null) return refused(deps, refusal, asked);
  const references = await keepReferences(deps.library, call);
  const admission = await admit(deps, asked, jobOf(call, reply, references));
  if (admission.outcome === "admitted") {
    deps.wake();
    return { requestId: call.requestId, replayed: false, ...reply, estimate, rate: admission.rate };
  }
  // The call that came first has its own references.
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
    wish: call.options,
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

/** Refuses what the first configured target can never make, while the caller can still be told why. */
function checkOptions(registry: VideoRegistry, { model, options, references }: VideoCall): void {
  const first = model.targets.find(({ provider }) => registry.serves(provider, "video"));
  if (first === undefined) return;
  try {
    const { referenceImage = null, referenceVideo = null, referenceAudio = null } = references;
    registry.video(first.provider).check?.({ ...options, referenceImage, referenceVideo, referenceAudio });
  } catch (error) {
    throw failureError(error);
  }
}

/**
 * Before the hold: a job must never exist without its references. Unclaimed ones are swept. Storing them may take
 * seconds, so the caller's key is checked again afterwards.
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
 * Retries after a lost reply: the job's row shows whether it was admitted. After the last attempt the outcome is
 * unknown, unless every attempt surely failed: an attempt whose reply was lost may still run, and the others may have
 * waited for it.
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
  // Written above; nothing else writes the replies of this endpoint.
  const { model, estimate } = JSON.parse(admission.reply) as KeptReply;
  const { requestId, rate } = admission;
  return { requestId, replayed: true, model, estimate: credits(estimate), rate };
}
