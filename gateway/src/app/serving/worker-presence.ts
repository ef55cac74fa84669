/**
 * A worker that hangs keeps its share of new connections waiting, and nothing else reveals it. So its parent asks
 * regularly whether it is there, which only a responsive process answers.
 */
export type PresencePace = {
  readonly askMs: number;
  /** A worker that misses this many questions in a row hangs. */
  readonly mostMissed: number;
};

/** Half a minute: by then others have released what the worker held, and no garbage collection takes that long. */
export const PRESENCE_PACE: PresencePace = { askMs: 3_000, mostMissed: 10 };

type Question = { readonly type: "are_you_there" };
type Answer = { readonly type: "i_am_here" };
/** What the start of all workers creates, and its parent prints, exists. */
export const PREPARED = { type: "prepared" } as const;

/** The worker's side: answers its parent's questions. */
export function answerParent(prepared = () => {}): void {
  process.on("message", (message: Question | { readonly type?: unknown }) => {
    if (message.type === "are_you_there") process.send?.({ type: "i_am_here" } satisfies Answer);
    if (message.type === PREPARED.type) prepared();
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
 * The parent's side. It counts questions, not time: if the machine slept, so did the parent, which has then asked at
 * most once when all wake up.
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
