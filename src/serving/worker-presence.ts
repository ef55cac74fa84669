/**
 * A worker that hangs keeps its share of new connections waiting, and nothing else tells of it. So its parent asks it now
 * and then whether it is there, which only a process that can still do something answers.
 */
export type PresencePace = {
  readonly askMs: number;
  /** So many questions in a row without an answer: it hangs. */
  readonly mostMissed: number;
};

/** Half a minute: others have released what it held by then, and no collection of garbage takes that long. */
export const PRESENCE_PACE: PresencePace = { askMs: 3_000, mostMissed: 10 };

type Question = { readonly type: "are_you_there" };
type Answer = { readonly type: "i_am_here" };

/** The worker's side. */
export function answerParent(): void {
  process.on("message", (message: Question | { readonly type?: unknown }) => {
    if (message.type === "are_you_there") process.send?.({ type: "i_am_here" } satisfies Answer);
  });
}

export function isPresenceAnswer(message: unknown): message is Answer {
  return typeof message === "object" && message !== null && "type" in message && message.type === "i_am_here";
}

export type PresenceWatch = {
  answered(): void;
  end(): void;
};

/**
 * The parent's side. It counts questions, not time: where the machine slept, so did the parent, and has asked once at
 * most when all of them wake.
 */
export function watchPresence(
  worker: { ask(question: Question): void; hangs(): void },
  { askMs, mostMissed }: PresencePace = PRESENCE_PACE,
): PresenceWatch {
  let missed = 0;
  let timer: ReturnType<typeof setTimeout>;
  function ask(): void {
    if (missed >= mostMissed) {
      worker.hangs();
      return;
    }
    missed++;
    worker.ask({ type: "are_you_there" });
    timer = setTimeout(ask, askMs);
  }
  ask();
  return {
    answered() {
      missed = 0;
    },
    end: () => clearTimeout(timer),
  };
}
