import type { Stopper, StopSignal } from "../kit/index.ts";

/** Passed with every call to a provider, of any modality. */
export type CallContext = {
  readonly requestId: string;
  /** Aborts when the client disconnects, the deadline passes or the process shuts down. */
  readonly signal: StopSignal;
  /** The same object as `signal`, passed so that a timeout can abort it. */
  readonly controller?: Stopper;
  /** Called when the headers of a good response have arrived. */
  onAnswered?(this: void): void;
};
