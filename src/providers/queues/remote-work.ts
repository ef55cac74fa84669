import type { CallContext } from "../contract.ts";
import type { EmbeddedMedia } from "../media/embedded-media.ts";

/** Where a piece of work stands. What no list of ours knows is `running`: the deadline ends it, nobody guesses. */
export type WorkState =
  | { readonly state: "queued" | "starting" | "running" }
  | { readonly state: "done"; readonly output: unknown }
  | FailedWork;

/** In the vendor's own words, unwashed. `isRejected`: it says that the request is at fault. */
export type FailedWork = { readonly state: "failed"; readonly text: string; readonly isRejected?: true };

/** A vendor that takes an order and is asked for it again and again. */
export type RemoteWork = {
  /** Files that an order may carry. */
  readonly embedded: EmbeddedMedia;
  /** The vendor's id of the order. */
  start(upstreamModel: string, input: WorkRequest, context: CallContext): Promise<string>;
  /** A ProviderFailure says nothing of the work. */
  look(upstreamModel: string, id: string, context: CallContext): Promise<WorkState>;
};

export type WorkRequest = Readonly<Record<string, unknown>>;
