import { MINUTE_MS } from "../kit/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import type { Letter, MailSettings } from "./letter.ts";
import { watchServer } from "./server-trouble.ts";
import { openSmtp, type Post } from "./smtp.ts";

/** Refused: whoever it is for, their server will not take it. Lost: nobody knows, so it is worth another try some day. */
type Delivery = "taken" | "refused" | "lost";

export type Mailer = {
  /** Whether `send` would take a letter at this moment. */
  hasRoom(): boolean;
  /** Takes a letter into the queue. Rejects where the queue is full; whether it arrives is seen to later. */
  send(letter: Letter): Promise<void>;
  /** The same, and waits. For work that nobody waits for, which gets half of the queue at most. */
  deliver(letter: Letter): Promise<Delivery>;
  /** Lets the letter under way finish, within bounds; what still waits is dropped and counted in the log. */
  close(): Promise<void>;
};

/** How patient the queue is. */
export type MailPace = {
  /** Waits before the second, the third try, and so on. A letter has so many; a server in trouble goes on with the last. */
  readonly retryMs: readonly number[];
  readonly closeWaitMs: number;
  /** With those that wait for their next try. */
  readonly mostWaiting: number;
  /** So long a letter may wait until it is taken; whoever it is for has asked for another by then. */
  readonly letterMs: number;
  /** And a notice; behind a server that is silent a queue can stand for days. */
  readonly noticeMs: number;
};

const PACE: MailPace = {
  retryMs: [2_000, 15_000, 60_000],
  closeWaitMs: 5_000,
  mostWaiting: 1_000,
  letterMs: 60 * MINUTE_MS,
  noticeMs: 30 * MINUTE_MS,
};

type Queued = {
  readonly letter: Letter;
  /** Nobody waits for it, and who sends it tries again some other day. */
  readonly isNotice: boolean;
  /** Those that say something about this letter; a server in trouble costs none. */
  readonly tries: number;
  readonly sinceMs: number;
  done(delivery: Delivery): void;
};

/**
 * One letter after the other: an installation writes to few people, and a mail server likes that. One that is put off
 * waits aside, for a server that makes one address wait would else make everybody wait. Where the server itself is in
 * trouble all wait, until they are too old: while it lasts it says nothing about any of them.
 */
export function createMailer(options: {
  readonly settings: MailSettings;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pace?: MailPace;
}): Mailer {
  const { log, pace = PACE } = options;
  const post: Post = openSmtp(options.settings);
  const outcomes = options.metrics.counter("bursar_mails_total", "Emails, by what became of them.", [
    "outcome",
  ]);
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

  function enqueue(letter: Letter, isNotice: boolean): Promise<Delivery> {
    if (!hasRoom(isNotice)) {
      outcomes.bind({ outcome: "dropped" }).inc();
      log.warn("mail_dropped", { waiting: waiting.length + putOff.size });
      throw new Error("the queue of emails is full");
    }
    return new Promise((resolve) =>
      add({ letter, isNotice, tries: 0, sinceMs: performance.now(), done: resolve }),
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
    // In the same breath as nothing was found: what is added next needs somebody who looks.
    working = null;
  }

  function isStale({ isNotice, sinceMs }: Queued): boolean {
    return performance.now() - sinceMs > (isNotice ? pace.noticeMs : pace.letterMs);
  }

  /** Wherever they stand: a letter in front may be allowed to wait for longer than the notices behind it. */
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
    const problem = await post.send(queued.letter);
    if (problem === null) {
      trouble.end();
      return end(queued, "taken");
    }
    const isServers = !problem.isFinal && trouble.meet(queued.letter.to, problem.whose);
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
    // Briefly: it may still be those few letters, and the next one shows.
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
    async send(letter) {
      void enqueue(letter, false);
    },
    async deliver(letter) {
      return enqueue(letter, true);
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

/** Ends early when the signal fires; never keeps the process alive. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    signal?.addEventListener("abort", end);
  });
}
