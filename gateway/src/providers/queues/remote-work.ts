import type { CallContext } from "../../contract/index.ts";
import type { EmbeddedMedia } from "../media/embedded-media.ts";

/** The state of ordered work. An unknown status counts as `running`: the deadline ends the work, nothing is guessed. */
export type WorkState =
  /** `readyInMs` as in a VideoState. */
  | { readonly state: "queued" | "starting" | "running"; readonly readyInMs?: number }
  | { readonly state: "done"; readonly output: unknown }
  | FailedWork;

/** `text` is the vendor's own message, not sanitised. `reason`: if it says that the request was at fault, or too slow. */
export type FailedWork = {
  readonly state: "failed";
  readonly text: string;
  readonly reason?: "rejected" | "timeout" | undefined;
};

/** A vendor that takes orders and is polled for their results. */
export type RemoteWork = {
  /** Files that an order may contain. */
  readonly embedded: EmbeddedMedia;
  /** Returns the vendor's id of the order. */
  start(upstreamModel: string, input: WorkRequest, context: CallContext): Promise<string>;
  /** A ProviderFailure says nothing about the work. */
  poll(upstreamModel: string, id: string, context: CallContext): Promise<WorkState>;
};

export type WorkRequest = Readonly<Record<string, unknown>>;
