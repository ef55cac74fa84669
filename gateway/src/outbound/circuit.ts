/** A call that was let through while the circuit was open. */
export type Probe = { readonly startedAtMs: number; readonly openedAtMs: number };

const OPEN_MS = 10_000;
const MAX_PROBES = 4;
/** A probe without an outcome keeps its place this long: a slow one shuts nobody out. */
const MAX_PROBE_MS = 5_000;

/** Closed until it is opened; ten seconds later a few probes at a time, the first outcome of which decides. */
export class Circuit {
  #openedAtMs: number | null = null;
  #probes: readonly Probe[] = [];

  get isOpen(): boolean {
    return this.#openedAtMs !== null;
  }

  isProbed(nowMs: number): boolean {
    return this.#running(nowMs).length > 0;
  }

  /** How long the next call has to wait; 0 or less if it may pass. */
  waitMs(nowMs: number): number {
    if (this.#openedAtMs === null) return 0;
    const sparedMs = this.#openedAtMs + OPEN_MS - nowMs;
    const running = this.#running(nowMs);
    const [oldest] = running;
    if (sparedMs > 0 || oldest === undefined || running.length < MAX_PROBES) return sparedMs;
    return oldest.startedAtMs + MAX_PROBE_MS - nowMs;
  }

  /** A call that may pass begins. */
  enter(nowMs: number): Probe | null {
    if (this.#openedAtMs === null) return null;
    const probe = { startedAtMs: nowMs, openedAtMs: this.#openedAtMs };
    this.#probes = [...this.#running(nowMs), probe];
    return probe;
  }

  /** It ended without an outcome. */
  leave(probe: Probe | null): void {
    this.#probes = this.#probes.filter((running) => running !== probe);
  }

  /** Whether this is a probe and the first with an outcome since the circuit opened. */
  isDecidedBy(probe: Probe | null): boolean {
    return probe !== null && probe.openedAtMs === this.#openedAtMs;
  }

  /** Calls that were already running when it opened tell nothing new. */
  failed(nowMs: number, probe: Probe | null, isDown: boolean): void {
    if (this.#openedAtMs === null ? !isDown : !this.isDecidedBy(probe)) return;
    this.#openedAtMs = nowMs;
    this.#probes = [];
  }

  close(): void {
    this.#openedAtMs = null;
    this.#probes = [];
  }

  #running(nowMs: number): readonly Probe[] {
    return this.#probes.filter(({ startedAtMs }) => nowMs - startedAtMs < MAX_PROBE_MS);
  }
}
