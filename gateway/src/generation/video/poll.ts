import { type DraftAsset, type NewAsset, UnusableAsset } from "../../assets/index.ts";
import {
  type MadeFile,
  ProviderFailure,
  type ProviderFailureKind,
  type VideoOperation,
  type VideoState,
  WithheldResult,
} from "../../contract/index.ts";
import { failpoint } from "../../kit/index.ts";
import { AbsentFile } from "../../outbound/index.ts";
import { type BeginDeps, targetOf } from "./begin.ts";
import { priceMadeVideo } from "./cost.ts";
import { endVideo, failedEnd } from "./end.ts";
import type { DraftVideo, VideoJob, VideoProgress } from "./job.ts";
import { loadVideoRequest } from "./order.ts";
import { FAILURES_TO_LONGEST_PAUSE } from "./pace.ts";

/** What one poll found; null if the job has ended. */
type Polled = { readonly progress: VideoProgress; readonly readyInMs?: number | undefined } | null;

/** Failures that a retry will not change; except that an operator may fix a wrong key meanwhile. */
const FINAL: ReadonlySet<ProviderFailureKind> = new Set(["rejected", "context_overflow", "unauthorized"]);
/** About five minutes, with the pauses between them. */
const MAX_FINAL_FAILURES = 15;

export async function pollVideo(
  deps: BeginDeps,
  job: VideoJob,
  work: { readonly target: string; readonly operation: VideoOperation; readonly signal: AbortSignal },
): Promise<Polled> {
  const state = await pollOnce(deps, job, work);
  await failpoint("poll_after_fetch");
  switch (state.state) {
    case "lost":
      await endVideo(deps, job, failedEnd("provider_error", state.failure));
      return null;
    case "succeeded":
      await keepVideo(deps, job, state.file);
      return null;
    case "failed":
      await endVideo(deps, job, failedEnd(state.reason));
      return null;
    case "queued":
    case "starting":
      return { progress: state.state, readyInMs: state.readyInMs };
    default:
      // An unknown state does not end the job; its deadline does.
      return { progress: "running", readyInMs: state.readyInMs };
  }
}

/**
 * Lost if the provider keeps answering with a final failure, such as that it has no such job, or that there is no video
 * although the job is done.
 */
async function pollOnce(
  { registry, library }: BeginDeps,
  job: VideoJob,
  { target, operation, signal }: { target: string; operation: VideoOperation; signal: AbortSignal },
): Promise<VideoState | { readonly state: "lost"; readonly failure: unknown }> {
  const { provider, upstreamModel } = targetOf(registry, target);
  const request = () => loadVideoRequest(library, job.order);
  try {
    return await provider.poll(upstreamModel, { operation, request }, { requestId: job.requestId, signal });
  } catch (error) {
    if (signal.aborted || !isFinal(error) || job.failures < MAX_FINAL_FAILURES) throw error;
    return { state: "lost", failure: error };
  }
}

/**
 * The failure count after one more failed poll. Failures that say nothing about the job count only until the pauses
 * are longest: so even a long outage leaves most attempts for failures that are final if they last.
 */
export function failuresAfterPoll({ failures }: VideoJob, error: unknown): number {
  return isFinal(error) ? failures + 1 : Math.min(failures + 1, FAILURES_TO_LONGEST_PAUSE);
}

function isFinal(error: unknown): boolean {
  if (error instanceof AbsentFile || error instanceof WithheldResult) return true;
  return error instanceof ProviderFailure && FINAL.has(error.kind);
}

async function keepVideo(deps: BeginDeps, job: VideoJob, file: MadeFile): Promise<void> {
  await deps.jobs.saveStoring(job);
  const draft = await store(deps, job, { type: "video", ...file, prompt: job.order.wish.prompt });
  if (draft === null) return endVideo(deps, job, failedEnd("provider_error"));
  const made = { ...draft, hasSound: file.hasSound ?? null };
  await deps.jobs.saveDraft(job, made);
  await settleVideo(deps, job, made);
}

/** Null if the file is no video, which ends the job. Any other error is retried. */
async function store(deps: BeginDeps, job: VideoJob, asset: NewAsset): Promise<DraftAsset | null> {
  try {
    return await deps.library.store(job.orgId, asset);
  } catch (error) {
    if (error instanceof UnusableAsset) return null;
    throw error;
  }
}

export async function settleVideo(deps: BeginDeps, job: VideoJob, draft: DraftVideo): Promise<void> {
  const { model, order, estimate } = job;
  const price = priceMadeVideo({ model, order, made: draft, estimate });
  await endVideo(deps, job, { status: "complete", ...price, draft });
}
