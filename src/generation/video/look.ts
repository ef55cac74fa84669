import { type DraftAsset, type NewAsset, UnusableAsset } from "../../assets/index.ts";
import { failpoint } from "../../kit/index.ts";
import {
  AbsentFile,
  type MadeFile,
  ProviderFailure,
  type ProviderFailureKind,
  type VideoOperation,
  type VideoState,
  WithheldResult,
} from "../../providers/index.ts";
import { type BeginDeps, targetOf } from "./begin.ts";
import { priceMadeVideo } from "./cost.ts";
import { endVideo, failedEnd } from "./end.ts";
import type { DraftVideo, VideoJob, VideoProgress } from "./job.ts";
import { loadVideoRequest } from "./order.ts";
import { FAILURES_TO_LONGEST_PAUSE } from "./pace.ts";

/** Where a job stands after one look; null: it has ended. */
type Looked = VideoProgress | null;

/** Answers that say the same however often one asks; a wrong key of ours may be mended meanwhile. */
const FINAL: ReadonlySet<ProviderFailureKind> = new Set(["rejected", "context_overflow", "unauthorized"]);
/** With their pauses, some five minutes. */
const MAX_FINAL_FAILURES = 15;

export async function lookAtVideo(
  deps: BeginDeps,
  job: VideoJob,
  work: { readonly target: string; readonly operation: VideoOperation; readonly signal: AbortSignal },
): Promise<Looked> {
  const state = await lookOnce(deps, job, work);
  await failpoint("poll_after_fetch");
  switch (state?.state) {
    case "succeeded":
      await keepVideo(deps, job, state.file);
      return null;
    case "failed":
      await endVideo(deps, job, failedEnd(state.reason));
      return null;
    case undefined:
      await endVideo(deps, job, failedEnd("provider_error"));
      return null;
    case "queued":
    case "starting":
      return state.state;
    default:
      // A state that nobody knows is no end: the deadline is.
      return "running";
  }
}

/** Null: the provider says for good that it has no such job, or gives no video where it says that one is. */
async function lookOnce(
  { registry, library }: BeginDeps,
  job: VideoJob,
  { target, operation, signal }: { target: string; operation: VideoOperation; signal: AbortSignal },
): Promise<VideoState | null> {
  const { provider, upstreamModel } = targetOf(registry, target);
  const request = () => loadVideoRequest(library, job.order);
  try {
    return await provider.look(upstreamModel, { operation, request }, { requestId: job.requestId, signal });
  } catch (error) {
    if (signal.aborted || !isFinal(error) || job.failures < MAX_FINAL_FAILURES) throw error;
    return null;
  }
}

/**
 * What is counted after one more failed look. Failures that say nothing of the job count only as far as they lengthen
 * the pauses: an outage, however long, leaves nearly all of the patience to the answers that are final if they last.
 */
export function failuresAfterLook({ failures }: VideoJob, error: unknown): number {
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

/** Null: what the provider handed over is no video, which ends the job. Everything else that goes wrong is tried again. */
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
