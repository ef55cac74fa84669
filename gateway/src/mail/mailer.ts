import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../kit/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import type { Email, MailSettings } from "./email.ts";
import { watchServer } from "./server-trouble.ts";
import { openSmtp, type Post } from "./smtp.ts";

/** refused: the recipient's server will never accept it. lost: unknown, so another attempt later may succeed. */
type Delivery = "taken" | "refused" | "lost";

export type Mailer = {
  /** True if `send` would accept an email right now. */
  hasRoom(): boolean;
  /** Queues an email. Rejects if the queue is full; delivery happens later. */
  send(message: Email): Promise<void>;
  /** Queues an email and waits for its delivery. For background notices, which get at most half of the queue. */
  deliver(message: Email): Promise<Delivery>;
  /** Lets the email being sent finish, for a bounded time; those still waiting are dropped and counted in the log. */
  close(): Promise<void>;
};

/** Limits and pauses of the queue. */
export type MailPace = {
  /**
   * Pauses before the second, third … attempt of an email; after the last one it fails. Trouble with the server itself
   * is retried for longer, with the last of these pauses.
   */
  readonly retryMs: readonly number[];
  readonly closeWaitMs: number;
  /** Includes those waiting for their next attempt. */
  readonly mostWaiting: number;
  /** How long an email may wait to be accepted; by then its recipient has asked for another. */
  readonly emailMs: number;
  /** The same for a notice; behind a server that does not respond, a queue can last for days. */
  readonly noticeMs: number;
};

const PACE: MailPace = {
  retryMs: [2_000, 15_000, 60_000],
  closeWaitMs: 5_000,
  mostWaiting: 1_000,
  emailMs: 60 * MINUTE_MS,
  noticeMs: 30 * MINUTE_MS,
};

type Queued = {
  readonly message: Email;
  /** True for a background notice: nobody waits for it, and its sender will try again another day. */
  readonly isNotice: boolean;
  /** Failed attempts that say something about this email; trouble with the server does not count. */
  readonly tries: number;
  readonly sinceMs: number;
  done(delivery: Delivery): void;
};

/**
 * Sends one email at a time: an installation writes to few people, and mail servers prefer that. A deferred email waits
 * on the side, because a server that defers one address would otherwise delay everybody. If the server itself is in
 * trouble, all wait until they are too old, since its failures say nothing about any single email.
 */
export function createMailer(options: {
  readonly settings: MailSettings;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pace?: MailPace;
}): Mailer {
  const { log, pace = PACE } = options;
  const post: Post = openSmtp(options.settings);
  const outcomes = options.metrics.counter("bursar_mails_total", "Emails, by outcome.", ["outcome"]);
  const waiting: Queued[] = [];
  const putOff = new Map<Queued, Timer>();
  const closing = new AbortController();
  const trouble = watchServer(pace.retryMs);
  let working: Promise<void> | null = null;

  function hasRoom(isNotice: boolean): boolean {
    if (closing.signal.aborted) return false;
    const queued = [...waiting, ...putOff.keys()];
    const notices = queued.filter((one) => one.isNotice).length;
    return queued.length < pace.mostWaiting && (!isNotice || notices < pace.mostWaiting / 2);
  }

  function enqueue(message: Email, isNotice: boolean): Promise<Delivery> {
    if (!hasRoom(isNotice)) {
      outcomes.bind({ outcome: "dropped" }).inc();
      log.warn("mail_dropped", { waiting: waiting.length + putOff.size });
      throw new Error("the queue of emails is full");
    }
    return new Promise((resolve) =>
      add({ message, isNotice, tries: 0, sinceMs: performance.now(), done: resolve }),
    );
  }

  function add(queued: Queued): void {
    waiting.push(queued);
    working ??= work();
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await attempt(next);
      dropStale();
    }
    // Set synchronously once the queue is empty: the next `add` must start a new worker.
    working = null;
  }

  function isStale({ isNotice, sinceMs }: Queued): boolean {
    return performance.now() - sinceMs > (isNotice ? pace.noticeMs : pace.emailMs);
  }

  /** Checks the whole queue: an email at the front may be allowed to wait longer than the notices behind it. */
  function dropStale(): void {
    const stale = waiting.filter(isStale);
    for (const one of stale) waiting.splice(waiting.indexOf(one), 1);
    drop(stale);
  }

  function drop(dropped: readonly Queued[]): void {
    for (const { done } of dropped) {
      outcomes.bind({ outcome: "dropped" }).inc();
      done("lost");
    }
    if (dropped.length > 0) log.warn("mail_dropped", { dropped: dropped.length });
  }

  async function attempt(queued: Queued): Promise<void> {
    if (isStale(queued)) return drop([queued]);
    const problem = await post.send(queued.message);
    if (problem === null) {
      trouble.end();
      return end(queued, "taken");
    }
    const isServers = !problem.isFinal && trouble.meet(queued.message.to, problem.whose);
    const next = isServers ? queued : { ...queued, tries: queued.tries + 1 };
    const { tries } = isServers ? trouble : next;
    log.warn("mail_not_sent", { tries, reason: problem.reason, final: problem.isFinal });
    const waitMs = isServers ? trouble.waitMs : pace.retryMs[tries - 1];
    if (problem.isFinal || waitMs === undefined || closing.signal.aborted) {
      return end(queued, problem.isRefusal ? "refused" : "lost");
    }
    if (problem.whose === "server") {
      waiting.unshift(next);
      return pause(waitMs, closing.signal);
    }
    putAside(next, waitMs);
    // A short pause: it may still be only these few emails, and the next one will show.
    if (isServers) await pause(pace.retryMs[0] ?? 0, closing.signal);
  }

  function end({ done }: Queued, delivery: Delivery): void {
    outcomes.bind({ outcome: delivery === "taken" ? "sent" : "failed" }).inc();
    done(delivery);
  }

  function putAside(queued: Queued, waitMs: number): void {
    const timer = setTimeout(() => {
      putOff.delete(queued);
      add(queued);
    }, waitMs);
    timer.unref();
    putOff.set(queued, timer);
  }

  return {
    hasRoom: () => hasRoom(false),
    async send(message) {
      void enqueue(message, false);
    },
    async deliver(message) {
      return enqueue(message, true);
    },
    async close() {
      closing.abort();
      for (const timer of putOff.values()) clearTimeout(timer);
      const dropped = [...waiting.splice(0), ...putOff.keys()];
      putOff.clear();
      drop(dropped);
      await Promise.race([working, pause(pace.closeWaitMs)]);
      post.close();
    },
  };
}

/** Ends early if the signal fires; never keeps the process alive. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}
