import type { Log, Metrics } from "../telemetry/index.ts";
import type { Letter, MailSettings } from "./letter.ts";
import { openSmtp, type Post } from "./smtp.ts";

export type Mailer = {
  /** Takes a letter into the queue. Rejects where the queue is full; whether it arrives is seen to later. */
  send(letter: Letter): Promise<void>;
  /** The same, and waits: false where every try failed. For work that nobody waits for. */
  deliver(letter: Letter): Promise<boolean>;
  /** Lets the letter under way finish, within bounds; what still waits is dropped and counted in the log. */
  close(): Promise<void>;
};

/** How patient the queue is. */
export type MailPace = {
  /** Waits before the second, the third try, and so on. */
  readonly retryMs: readonly number[];
  readonly closeWaitMs: number;
  readonly mostWaiting: number;
};

const PACE: MailPace = { retryMs: [2_000, 15_000, 60_000], closeWaitMs: 5_000, mostWaiting: 1_000 };

type Queued = { readonly letter: Letter; done(arrived: boolean): void };

/** One letter after the other: an installation writes to few people, and a mail server likes that. */
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
  const closing = new AbortController();
  let working: Promise<void> | null = null;

  function enqueue(letter: Letter): Promise<boolean> {
    if (closing.signal.aborted || waiting.length >= pace.mostWaiting) {
      outcomes.bind({ outcome: "dropped" }).inc();
      log.warn("mail_dropped", { waiting: waiting.length });
      throw new Error("the queue of emails is full");
    }
    return new Promise((resolve) => {
      waiting.push({ letter, done: resolve });
      working ??= work().finally(() => {
        working = null;
      });
    });
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const arrived = await tryUntilSent(next.letter);
      outcomes.bind({ outcome: arrived ? "sent" : "failed" }).inc();
      next.done(arrived);
    }
  }

  async function tryUntilSent(letter: Letter): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const problem = await post.send(letter);
      if (problem === null) return true;
      log.warn("mail_not_sent", { tries, reason: problem.reason, final: problem.isFinal });
      const waitMs = pace.retryMs[tries - 1];
      if (problem.isFinal || waitMs === undefined || closing.signal.aborted) return false;
      await pause(waitMs, closing.signal);
    }
  }

  return {
    async send(letter) {
      void enqueue(letter);
    },
    async deliver(letter) {
      return enqueue(letter);
    },
    async close() {
      closing.abort();
      const dropped = waiting.splice(0);
      for (const { done } of dropped) {
        outcomes.bind({ outcome: "dropped" }).inc();
        done(false);
      }
      if (dropped.length > 0) log.warn("mail_dropped", { dropped: dropped.length });
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
