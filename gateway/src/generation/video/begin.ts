import {
  isClearNo,
  isContentRefusal,
  ProviderFailure,
  type Registry,
  type VideoOperation,
  type VideoProvider,
  type VideoRequest,
} from "../../contract/index.ts";
import { failpoint } from "../../kit/index.ts";
import { type Breaker, UnsentFailure } from "../../outbound/index.ts";
import { type EndDeps, endVideo, errorForLog, failedEnd } from "./end.ts";
import type { VideoEndReason, VideoJob } from "./job.ts";
import { loadVideoRequest } from "./order.ts";

export type BeginDeps = EndDeps & { readonly registry: Registry; readonly breaker: Breaker };

/**
 * begun: a provider has accepted it. ended: it failed for good. refused: no provider accepted it; it may be retried.
 */
type Begun = "begun" | "ended" | "refused";
/** Of one target; a refusal is the failure, or null if the target was passed over. */
type Asked = "begun" | "ended" | { readonly refusal: ProviderFailure | null };

/**
 * How often a job is retried after a refusal, or after an unclear failure of a provider that treats our id as an
 * idempotency key; then the job fails.
 */
const MAX_FAILURES = 6;

export async function beginVideo(deps: BeginDeps, job: VideoJob, signal: AbortSignal): Promise<Begun> {
  if (job.target !== null) return beginAgain(deps, job, job.target, signal);
  // Skip targets that are not configured on this node.
  const served = job.order.targets.filter(({ provider }) => deps.registry.serves(provider, "video"));
  if (served.length === 0) throw new UnservedTarget(job.order.targets.map(({ provider }) => provider));
  const request = await loadVideoRequest(deps.library, job.order);
  let last: ProviderFailure | null = null;
  for (const { provider, model } of served) {
    const asked = await ask({ deps, job, target: `${provider}/${model}`, request, signal });
    if (typeof asked === "string") return asked;
    last = asked.refusal ?? last;
    await deps.jobs.dropIntent(job);
  }
  return job.failures < MAX_FAILURES ? "refused" : fail(deps, job, "provider_error", last);
}

/**
 * The previous process died while submitting it: only a provider that treats our id as an idempotency key may be
 * asked again.
 */
async function beginAgain(
  deps: BeginDeps,
  job: VideoJob,
  target: string,
  signal: AbortSignal,
): Promise<Begun> {
  if (!targetOf(deps.registry, target).provider.knowsOurId) return fail(deps, job, "interrupted");
  const request = await loadVideoRequest(deps.library, job.order);
  const asked = await ask({ deps, job, target, request, signal });
  if (typeof asked === "string") return asked;
  return job.failures < MAX_FAILURES ? "refused" : fail(deps, job, "provider_error", asked.refusal);
}

/** This node cannot continue the job, but another one may: says nothing about the job itself. */
export class UnservedTarget extends Error {
  override name = "UnservedTarget";
  constructor(readonly providers: readonly string[]) {
    const verb = providers.length === 1 ? "is" : "are";
    super(
      `This node has no provider for this video job: ${providers.join(", ")} ${verb} not configured here.`,
    );
  }
}

/** Looks up the provider of a target as a job's row names it. */
export function targetOf(
  registry: Registry,
  target: string,
): { readonly provider: VideoProvider; readonly upstreamModel: string } {
  const slash = target.indexOf("/");
  const name = target.slice(0, slash);
  if (!registry.serves(name, "video")) throw new UnservedTarget([name]);
  return { provider: registry.video(name), upstreamModel: target.slice(slash + 1) };
}

type Ask = {
  readonly deps: BeginDeps;
  readonly job: VideoJob;
  readonly target: string;
  readonly request: VideoRequest;
  readonly signal: AbortSignal;
};

async function ask(work: Ask): Promise<Asked> {
  const { deps, job, target, request, signal } = work;
  const permit = deps.breaker.pass(target, job.orgId);
  if (permit === null) return { refusal: null };
  const { provider, upstreamModel } = targetOf(deps.registry, target);
  let operation: VideoOperation;
  try {
    await deps.jobs.saveIntent(job, target);
    await failpoint("before_upstream_send");
    operation = await provider.begin(upstreamModel, request, { requestId: job.requestId, signal });
    permit.succeeded();
  } catch (error) {
    permit.failed(error);
    if (signal.aborted || !(error instanceof ProviderFailure)) throw error;
    deps.log.warn("video_not_begun", { request_id: job.requestId, target, error: errorForLog(error) });
    return afterFailure({ deps, job, failure: error, knowsOurId: provider.knowsOurId });
  }
  await failpoint("after_upstream_send");
  // If the provider does not know our id, this is the only link to its work.
  await deps.jobs.saveOperation(job, operation);
  return "begun";
}

/**
 * A provider that did not clearly refuse may have accepted the job: one that does not know our id is never asked
 * twice.
 */
async function afterFailure(input: {
  deps: BeginDeps;
  job: VideoJob;
  failure: ProviderFailure;
  knowsOurId: boolean;
}): Promise<Asked> {
  const { deps, job, failure } = input;
  // A failure that was asked for comes again.
  const { isOfTest = false } = failure;
  const isLast = isOfTest || job.failures >= MAX_FAILURES;
  // The request never reached the provider: as good as a clear refusal.
  if (failure instanceof UnsentFailure || (isClearNo(failure) && !isOfTest)) return { refusal: failure };
  switch (failure.kind) {
    case "rejected":
    case "context_overflow":
      return fail(deps, job, isContentRefusal(failure.publicMessage) ? "content_filter" : "rejected");
    case "rate_limited":
    case "unauthorized":
      return isOfTest ? fail(deps, job, "provider_error", failure) : { refusal: failure };
    case "unavailable":
    case "timeout":
      if (input.knowsOurId && !isLast) throw failure;
      return fail(deps, job, failure.kind === "timeout" ? "timeout" : "provider_error", failure);
  }
}

async function fail(
  deps: BeginDeps,
  job: VideoJob,
  reason: VideoEndReason,
  failure: ProviderFailure | null = null,
): Promise<"ended"> {
  await endVideo(deps, job, failedEnd(reason, failure));
  return "ended";
}
