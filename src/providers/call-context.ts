import type { Stopper, StopSignal } from "../kit/index.ts";

/** What every call to a provider is given beside its request, whatever it asks for. */
export type CallContext = {
  readonly requestId: string;
  /** Fires when the client left, the deadline passed or the process shuts down. */
  readonly signal: StopSignal;
  /** The signal's own, for this attempt alone: who times the provider out may abort it, and needs no second signal. */
  readonly controller?: Stopper;
};
