import type { Library } from "../../assets/index.ts";
import { ProviderFailure } from "../../contract/index.ts";
import { type ErrorCode, type FailureReason, failpoint } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { CallMetrics } from "../paid-call/call-metrics.ts";
import { failureReason } from "../paid-call/failure.ts";
import { noteWriteOff } from "../paid-call/write-off.ts";
import { LeaseLost, type VideoEnd, type VideoEndReason, type VideoJob, type VideoJobs } from "./job.ts";
import { privateKeys } from "./order.ts";

export type EndDeps = {
  readonly jobs: VideoJobs;
  readonly library: Library;
  readonly metrics: CallMetrics;
  readonly log: Log;
};

const ENDPOINT = "api-v1-video";

/** Failures caused by the request itself, so that the caller can do something about them. */
const AT_FAULT: ReadonlySet<VideoEndReason> = new Set(["rejected", "content_filter"]);

const FAILURE_REASONS: Readonly<Record<VideoEndReason, FailureReason>> = {
  rejected: "provider_refused_request",
  content_filter: "content_refused",
  provider_error: "provider_error",
  timeout: "timeout_first_byte",
  unknown: "provider_error",
  interrupted: "internal",
};

/** For the log: a provider's public message may quote the prompt, so only the kind and our own notes are logged. */
export function errorForLog(error: unknown): string {
  if (!(error instanceof ProviderFailure)) return String(error);
  return error.detail.internal === undefined ? error.kind : `${error.kind}: ${error.detail.internal}`;
}

/** `failure`: what it ended with, if that says more than the reason that callers are told. */
export function failedEnd(reason: VideoEndReason, failure: unknown = null): VideoEnd {
  const errorCode: ErrorCode = AT_FAULT.has(reason) ? "validation_error" : "internal_error";
  const known = failure instanceof ProviderFailure ? failureReason(failure) : FAILURE_REASONS[reason];
  return { status: "failed", reason, errorCode, failureReason: known };
}

/** The last step of a job: state, charge and asset in one transaction. A second call changes nothing. */
export async function endVideo(deps: EndDeps, job: VideoJob, end: VideoEnd): Promise<void> {
  const { jobs, library, metrics, log } = deps;
  const { requestId } = job;
  await failpoint("before_settle_sql");
  const ending = await jobs.end(job, end);
  await failpoint("after_settle_sql");
  if (ending.outcome === "lease_lost") throw new LeaseLost(requestId);
  if (ending.outcome === "ended") {
    const status = end.status === "complete" ? "succeeded" : "failed";
    metrics.ended(ENDPOINT, status, ending.charged);
    const reason = end.status === "failed" ? end.reason : undefined;
    log.info("video_ended", { request_id: requestId, status, reason, credits: ending.charged });
  }
  noteWriteOff(deps, job, ending);
  await failpoint("asset_after_row");
  await library.dropPrivate(privateKeys(job.order));
}
