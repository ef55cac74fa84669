import type { Stopper, StopSignal } from "../kit/index.ts";

/** What every call to a provider is given beside its request, whatever it asks for. */
export type CallContext = {
  readonly requestId: string;
  /** Fires when the client left, the deadline passed or the process shuts down. */
  readonly signal: StopSignal;
  /** The same object as `signal`, given so that a timeout can abort it. */
  readonly controller?: Stopper;
};
