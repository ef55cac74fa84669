import type { DraftAsset } from "../../assets/index.ts";
import type { Priced } from "../../catalog/index.ts";
import type { VideoFailureReason, VideoOperation } from "../../contract/index.ts";
import type { Credits, ErrorCode, FailureReason } from "../../kit/index.ts";
import type { MadeVideo } from "./cost.ts";
import type { VideoOrder } from "./order.ts";

/** Plain JSON, kept until the settlement, since the price may depend on it; old drafts have no `hasSound`. */
export type DraftVideo = DraftAsset & Pick<MadeVideo, "hasSound">;

/** A job that a worker has leased: its row, and the lease under which the next step is written. */
export type VideoJob = {
  readonly orgId: string;
  readonly requestId: string;
  readonly model: string;
  readonly lease: string;
  readonly estimate: Credits;
  readonly order: VideoOrder;
  /** `provider/model`, committed before the provider is asked; null if none was. */
  readonly target: string | null;
  readonly operation: VideoOperation | null;
  /** The video that is stored but not settled yet. */
  readonly draft: DraftVideo | null;
  readonly looks: number;
  /** Failed steps in a row; for failed polls see `failuresAfterPoll`. */
  readonly failures: number;
  /** True if its deadline has passed, by the database's clock. */
  readonly isOverdue: boolean;
};

/** Why a job failed, as callers see it after `failed:`; a closed set. */
export type VideoEndReason =
  | VideoFailureReason
  /** It was submitted to a provider that cannot tell whether it has it: asking again could make the video twice. */
  | "interrupted";

/** How a job ends. */
export type VideoEnd =
  | ({ readonly status: "complete"; readonly draft: DraftAsset } & Priced)
  | {
      readonly status: "failed";
      readonly reason: VideoEndReason;
      readonly errorCode: ErrorCode;
      readonly failureReason: FailureReason;
    };

export type VideoEnding = {
  /** settled_before: it had already ended, and nothing changed. lease_lost: another worker has it. */
  readonly outcome: "ended" | "settled_before" | "lease_lost";
  readonly charged: Credits;
  readonly writtenOff: Credits;
};

/** Another worker has the job by now: whoever gets this error must not write any more. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** The states of a job before its end, as callers see them. */
export type VideoProgress = "queued" | "starting" | "running" | "storing";

/** The writes of a step. If its lease was lost, `end` returns `lease_lost`, and every other throws `LeaseLost`. */
export type VideoJobs = {
  /** Before a provider is asked: from here on it may have the job. */
  saveIntent(job: VideoJob, target: string): Promise<void>;
  /** After a clear refusal: the provider does not have the job. */
  dropIntent(job: VideoJob): Promise<void>;
  saveOperation(job: VideoJob, operation: VideoOperation): Promise<void>;
  saveStoring(job: VideoJob): Promise<void>;
  saveDraft(job: VideoJob, draft: DraftVideo): Promise<void>;
  /** Ends the step: the job may be leased again in `inMs`. */
  giveBack(
    job: VideoJob,
    next: {
      readonly inMs: number;
      readonly looks: number;
      readonly failures: number;
      /** Null leaves it unchanged. */
      readonly progress: VideoProgress | null;
    },
  ): Promise<void>;
  end(job: VideoJob, end: VideoEnd): Promise<VideoEnding>;
};

/** A job as a poll shows it. */
export type VideoView = {
  readonly requestId: string;
  readonly model: string;
  readonly status: "processing" | "complete" | "failed";
  readonly providerStatus: string;
  readonly estimate: Credits;
  /** Null while it runs. */
  readonly charge: {
    readonly credits: Credits;
    readonly subscription: Credits;
    readonly anytime: Credits;
  } | null;
  /** Null before it is complete, and after the asset was deleted. */
  readonly asset: Pick<DraftAsset, "urlToken" | "mediaType"> | null;
};

export type VideoViews = {
  /** Null if there is no such job in this organization. */
  find(orgId: string, requestId: string): Promise<VideoView | null>;
};
