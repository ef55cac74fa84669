import type { Metrics } from "../../telemetry/index.ts";
import { createCallMetrics } from "../paid-call/call-metrics.ts";
import type { VideoViews } from "./job.ts";
import { type AdvanceVideo, createAdvanceVideo, type StepDeps } from "./step.ts";
import { createSubmitVideo, type SubmitDeps, type SubmittedVideo, type VideoCall } from "./submit.ts";

/** What a caller may do: submit a job, and poll it. */
export type VideoCalls = {
  submit(call: VideoCall): Promise<SubmittedVideo>;
  /** Read-only. */
  find: VideoViews["find"];
};

/** The function with which a worker advances jobs step by step. */
export function createVideoSteps(
  input: Omit<StepDeps, "metrics"> & { readonly metrics: Metrics },
): AdvanceVideo {
  return createAdvanceVideo({ ...input, metrics: createCallMetrics(input.metrics) });
}

export function createVideoCalls(
  input: Omit<SubmitDeps, "metrics"> & { readonly metrics: Metrics; readonly views: VideoViews },
): VideoCalls {
  const { views, metrics, ...deps } = input;
  return {
    submit: createSubmitVideo({ ...deps, metrics: createCallMetrics(metrics) }),
    find: (orgId, requestId) => views.find(orgId, requestId),
  };
}
