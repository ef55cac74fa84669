import { childEnvironment } from "../../config/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { keepRunning } from "./keep-running.ts";
import type { createMetricsExchange, MetricsPeer } from "./worker-metrics.ts";
import {
  isPresenceAnswer,
  PREPARED,
  PRESENCE_PACE,
  type PresencePace,
  type PresenceWatch,
  watchPresence,
} from "./worker-presence.ts";

export type SupervisedWorker = MetricsPeer & {
  readonly ready: Promise<void>;
  /** Resolves with the exit code if the first start fails: the next one would fail for the same reason. */
  readonly neverReady: Promise<number>;
  /** Tells it that what the start creates exists. */
  prepared(): void;
  stop(): Promise<void>;
};

type SupervisionPace = PresencePace & { readonly firstRestartMs: number };

/** Keeps one worker running: restarts it if it dies, kills it if it hangs, and forwards the request to stop. */
export function superviseWorker(input: {
  readonly command: readonly string[];
  readonly index: number;
  readonly log: Log;
  readonly exchange: ReturnType<typeof createMetricsExchange>;
  /** A worker that has not ended this long after it was told to stop is killed. */
  readonly stopWithinMs: number;
  /** True once what the start creates exists: a worker that starts later is told at once. */
  isPrepared(): boolean;
  /** What differs from our own environment, beside what every worker gets. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly pace?: Partial<SupervisionPace>;
}): SupervisedWorker {
  const { log, index, exchange } = input;
  const pace = { ...PRESENCE_PACE, ...input.pace };
  let child: Bun.Subprocess | undefined;
  let presence: PresenceWatch | null = null;
  let wasReady = false;
  const ready = Promise.withResolvers<void>();
  const neverReady = Promise.withResolvers<number>();

  function start(): Bun.Subprocess {
    return Bun.spawn([...input.command], {
      env: childEnvironment({ ...input.environment, BURSAR_SHARED_PORT: "true", BURSAR_SIBLINGS: "true" }),
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (message, from) => {
        // The figures of an ended worker were already added to those of other ended workers.
        if (hasEnded(from)) return;
        if (isPresenceAnswer(message)) presence?.answered();
        else if (message === "ready") isReady(from);
        else exchange.received(worker, message);
      },
    });
  }

  function isReady(of: Bun.Subprocess): void {
    wasReady = true;
    ready.resolve();
    if (input.isPrepared()) worker.prepared();
    // Not before: during its start it may wait for its database, and no connection waits for it yet.
    presence = watchPresence({ ask: tell, hangs: () => kill(of, "worker_hangs") }, pace);
  }

  function kill(it: Bun.Subprocess, event: string): void {
    log.error(event, { index, pid: it.pid });
    it.kill("SIGKILL");
  }

  async function run() {
    child = start();
    const code = await child.exited;
    presence?.end();
    presence = null;
    exchange.ended(worker);
    return { code, signal: child.signalCode };
  }

  /** Whether the worker could be reached: between two runs it cannot. */
  function tell(message: unknown): boolean {
    try {
      child?.send(message);
      return child !== undefined && !hasEnded(child);
    } catch {
      return false;
    }
  }

  const worker: SupervisedWorker = {
    ready: ready.promise,
    neverReady: neverReady.promise,
    send: tell,
    prepared: () => void tell(PREPARED),
    async stop() {
      running.stop();
      child?.kill("SIGTERM");
      const late = setTimeout(() => child && kill(child, "worker_not_stopped"), input.stopWithinMs);
      await running.done;
      clearTimeout(late);
    },
  };
  const running = keepRunning(
    run,
    ({ code, signal, error }) => {
      log.error("worker_ended", { index, code, signal, error });
      if (!wasReady) neverReady.resolve(code || 1);
      return wasReady;
    },
    pace.firstRestartMs,
  );
  return worker;
}

function hasEnded({ exitCode, signalCode }: Bun.Subprocess): boolean {
  return exitCode !== null || signalCode !== null;
}
