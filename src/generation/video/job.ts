import type { DraftAsset } from "../../assets/index.ts";
import type { Priced } from "../../catalog/index.ts";
import type { Credits, ErrorCode } from "../../kit/index.ts";
import type { VideoFailureReason, VideoOperation } from "../../providers/index.ts";
import type { MadeVideo } from "./cost.ts";
import type { VideoOrder } from "./order.ts";

/** Plain JSON, kept until the settlement, since its price may follow from it; drafts of old have no `hasSound`. */
export type DraftVideo = DraftAsset & Pick<MadeVideo, "hasSound">;

/** A job that somebody has taken up: its row, and the lease under which its next step is written. */
export type VideoJob = {
  readonly orgId: string;
  readonly requestId: string;
  readonly model: string;
  readonly lease: string;
  readonly estimate: Credits;
  readonly order: VideoOrder;
  /** `provider/model`, committed before they are asked; null: nobody was. */
  readonly target: string | null;
  readonly operation: VideoOperation | null;
  /** Made, stored, and not settled yet. */
  readonly draft: DraftVideo | null;
  readonly looks: number;
  /** Steps that failed in a row; of looks, see `failuresAfterLook`. */
  readonly failures: number;
  /** Its deadline has passed, by the database's time. */
  readonly isOverdue: boolean;
};

/** Why a job failed, as callers see it behind `failed:`; closed. */
export type VideoEndReason =
  | VideoFailureReason
  /** It was given to a provider that cannot tell whether it has it: asking again could make it twice. */
  | "interrupted";

/** How a job ends; decided once. */
export type VideoEnd =
  | ({ readonly status: "complete"; readonly draft: DraftAsset } & Priced)
  | { readonly status: "failed"; readonly reason: VideoEndReason; readonly errorCode: ErrorCode };

export type VideoEnding = {
  /** settled_before: somebody had ended it, and nothing changed. lease_lost: somebody else has it. */
  readonly outcome: "ended" | "settled_before" | "lease_lost";
  readonly charged: Credits;
  readonly writtenOff: Credits;
};

/** Somebody else has the job by now: whoever is told so writes nothing more. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** The states of a job before its end, as callers see them. */
export type VideoProgress = "queued" | "starting" | "running" | "storing";

/** What a step writes; each throws `LeaseLost` where the job is no longer the caller's. */
export type VideoJobs = {
  /** Before a provider is asked: from here on it may have the job. */
  saveIntent(job: VideoJob, target: string): Promise<void>;
  /** The provider surely does not have it. */
  dropIntent(job: VideoJob): Promise<void>;
  saveOperation(job: VideoJob, operation: VideoOperation): Promise<void>;
  saveStoring(job: VideoJob): Promise<void>;
  saveDraft(job: VideoJob, draft: DraftVideo): Promise<void>;
  /** Ends the step: the job may be taken up again in `inMs`. */
  giveBack(
    job: VideoJob,
    next: {
      readonly inMs: number;
      readonly looks: number;
      readonly failures: number;
      /** Null: as it is. */
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
  /** Null while it runs. */
  readonly charge: {
    readonly credits: Credits;
    readonly subscription: Credits;
    readonly anytime: Credits;
  } | null;
  /** Null before it is complete, and after it was deleted. */
  readonly asset: Pick<DraftAsset, "urlToken" | "mediaType"> | null;
};

export type VideoViews = {
  /** Null: no such job, or somebody else's. */
  find(orgId: string, requestId: string): Promise<VideoView | null>;
};
