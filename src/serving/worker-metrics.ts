import { type Metrics, mergeCounters } from "../telemetry/index.ts";

/**
 * Workers share a port, so nobody who asks for metrics can choose which of them answers. The one that is asked speaks for
 * all: it asks its parent, the parent asks the others, and what they say goes back the same way.
 */
type FromWorker =
  | { readonly type: "metrics_wanted"; readonly id: number; readonly text: string }
  | { readonly type: "metrics_said"; readonly id: number; readonly text: string };
type FromParent =
  | { readonly type: "say_metrics"; readonly id: number }
  | { readonly type: "metrics_of_others"; readonly id: number; readonly texts: readonly string[] };

/** Of one that hangs only what it had counted is told: figures without it are better than none. */
const SAY_WITHIN_MS = 1_000;
/** Of the one that asked, for a parent that hangs itself. */
const ANSWER_WITHIN_MS = 2 * SAY_WITHIN_MS;

/** Waits for answers by number; whoever does not answer in time has said nothing. */
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

/** The worker's side: says its figures when asked, and asks for those of the others. Alone there are no others. */
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

/** A worker as its parent reaches it; false where it is not there now. */
export type MetricsPeer = { send(message: FromParent): boolean };

/**
 * The parent's side: carries questions and answers between its workers. What was once shown stays counted, though its
 * worker is silent or has ended: a sum that falls is read as a start from nothing, and counted again from there.
 */
export function createMetricsExchange(peers: () => readonly MetricsPeer[]) {
  const answers = new Answers<boolean>();
  /** What each that runs said last. */
  const last = new Map<MetricsPeer, string>();
  /** What those had counted that run no longer. */
  let ofEnded = "";

  /** Whether it answered. */
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
    // All read at one moment: one that ended since it answered is among those by now.
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
    /** Its next life counts from nothing. */
    ended(peer: MetricsPeer): void {
      ofEnded = mergeCounters([ofEnded, last.get(peer) ?? ""]);
      last.delete(peer);
    },
  };
}
