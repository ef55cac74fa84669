/** Why work was stopped. A closed set, so that code can decide from it how a call ends. */
export type StopReason = "client_gone" | "deadline" | "shutdown" | "lease_lost";

export class Stopped extends Error {
  override name = "Stopped";
  constructor(readonly reason: StopReason) {
    super(reason);
  }
}

type StopListener = (() => void) | { handleEvent(): void };

/**
 * Controller and signal in one. Every call has one but hardly any is ever stopped, and the runtime's AbortController
 * with its listeners is among the most expensive parts of a call.
 */
export class Stopper {
  aborted = false;
  reason: unknown = undefined;
  #listeners: StopListener | StopListener[] | null = null;
  #real: AbortController | null = null;

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const listeners = this.#listeners;
    this.#listeners = null;
    for (const listener of Array.isArray(listeners) ? listeners : [listeners]) {
      if (typeof listener === "function") listener();
      else listener?.handleEvent();
    }
    this.#real?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** The listener is called at most once, since there is only one abort. */
  addEventListener(_type: "abort", listener: StopListener, _options?: { readonly once?: boolean }): void {
    if (this.aborted) return;
    if (this.#listeners === null) this.#listeners = listener;
    else if (Array.isArray(this.#listeners)) this.#listeners.push(listener);
    else this.#listeners = [this.#listeners, listener];
  }

  removeEventListener(_type: "abort", listener: StopListener): void {
    if (this.#listeners === listener) this.#listeners = null;
    else if (Array.isArray(this.#listeners)) {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    }
  }

  /** For APIs that accept only the runtime's AbortSignal. */
  get real(): AbortSignal {
    if (this.#real === null) {
      this.#real = new AbortController();
      if (this.aborted) this.#real.abort(this.reason);
    }
    return this.#real.signal;
  }
}

/** The light `Stopper` where possible, the runtime's signal where a library made it. */
export type StopSignal = AbortSignal | Stopper;

export function realSignal(signal: StopSignal): AbortSignal {
  return signal instanceof Stopper ? signal.real : signal;
}

/** Rejects when the signal fires, even if `work` never settles. A later rejection of `work` is not left unhandled. */
export async function raceSignal<T>(work: Promise<T>, signal: StopSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    throw signal.reason;
  }
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } catch (error) {
    work.catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
