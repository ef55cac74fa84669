import { type Metrics, mergeCounters } from "../../telemetry/index.ts";

/**
 * Workers share a port, so whoever scrapes metrics cannot choose which of them answers. The one that is asked speaks
 * for all: it asks its parent, the parent asks the others, and their figures come back the same way.
 */
type FromWorker =
  | { readonly type: "metrics_wanted"; readonly id: number; readonly text: string }
  | { readonly type: "metrics_said"; readonly id: number; readonly text: string };
type FromParent =
  | { readonly type: "say_metrics"; readonly id: number }
  | { readonly type: "metrics_of_others"; readonly id: number; readonly texts: readonly string[] };

/** For a worker that hangs, only its last counters are reported: figures without it are better than none. */
const SAY_WITHIN_MS = 1_000;
/** How long the asking worker waits, in case the parent itself hangs. */
const ANSWER_WITHIN_MS = 2 * SAY_WITHIN_MS;

/** Waits for answers by id; after the timeout a default is used. */
class Answers<Answer> {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  ask(send: (id: number) => void, otherwise: Answer, withinMs: number): Promise<Answer> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.take(id, otherwise), withinMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      send(id);
    });
  }

  take(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}

/** The worker's side: reports its figures when asked, and asks for those of others. A lone process has no others. */
export function joinSiblings(metrics: Metrics): (own: string) => Promise<readonly string[]> {
  const send = process.send?.bind(process);
  if (send === undefined) return async () => [];
  const answers = new Answers<readonly string[]>();
  process.on("message", (message: FromParent) => {
    if (message.type === "metrics_of_others") answers.take(message.id, message.texts);
    else if (message.type === "say_metrics")
      send({ type: "metrics_said", id: message.id, text: metrics.render() } satisfies FromWorker);
  });
  return (text) =>
    answers.ask(
      (id) => send({ type: "metrics_wanted", id, text } satisfies FromWorker),
      [],
      ANSWER_WITHIN_MS,
    );
}

/** A worker as seen by its parent; `send` returns false if it is not running now. */
export type MetricsPeer = { send(message: FromParent): boolean };

/**
 * The parent's side: relays questions and answers between its workers. Counters that were once reported stay counted
 * even if their worker is silent or has ended: a sum that falls is read as a counter reset, and counted again from
 * there.
 */
export function createMetricsExchange(peers: () => readonly MetricsPeer[]) {
  const answers = new Answers<boolean>();
  /** The last report of each running worker. */
  const last = new Map<MetricsPeer, string>();
  /** Merged counters of workers that have ended. */
  let ofEnded = "";

  /** Resolves to whether the worker answered. */
  function askOne(peer: MetricsPeer): Promise<boolean> {
    return answers.ask(
      (id) => {
        if (!peer.send({ type: "say_metrics", id })) answers.take(id, false);
      },
      false,
      SAY_WITHIN_MS,
    );
  }

  async function tellOthers(from: MetricsPeer, id: number): Promise<void> {
    const others = peers().filter((peer) => peer !== from);
    const answered = await Promise.all(others.map(askOne));
    // Read all at one moment: a worker that ended after it answered is already in `ofEnded`.
    const texts = others.map((peer, index) => {
      const text = last.get(peer) ?? "";
      return answered[index] ? text : mergeCounters([text]);
    });
    from.send({ type: "metrics_of_others", id, texts: [...texts, ofEnded].filter((text) => text !== "") });
  }

  return {
    received(from: MetricsPeer, message: FromWorker): void {
      if (message.type !== "metrics_said" && message.type !== "metrics_wanted") return;
      last.set(from, message.text);
      if (message.type === "metrics_said") answers.take(message.id, true);
      else void tellOthers(from, message.id);
    },
    /** A restarted worker counts from zero. */
    ended(peer: MetricsPeer): void {
      ofEnded = mergeCounters([ofEnded, last.get(peer) ?? ""]);
      last.delete(peer);
    },
  };
}
