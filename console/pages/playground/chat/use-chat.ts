import { useCallback, useRef, useState } from "react";
import { failureOf, NO_ANSWER, openPlay, type PlayCall, PlayError, unreachable } from "../play.ts";
import type { ChatEnd } from "../replies.ts";
import { useSpent } from "../use-spent.ts";
import { paced } from "./paced.ts";

type ChatEvent =
  | { readonly event: "connection_established"; readonly data: { readonly request_id: string } }
  | { readonly event: "content"; readonly data: { readonly content: string } }
  | { readonly event: "done"; readonly data: ChatEnd }
  | {
      readonly event: "error";
      readonly data: { readonly error: { readonly code: string; readonly message: string } };
    };

/** The events of a streamed chat as they arrive, grouped by chunk. */
async function* chatEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    const events = blocks.flatMap(decode);
    if (events.length > 0) yield events;
  }
}

/** Comments, which keep the connection alive, yield nothing. */
function decode(block: string): ChatEvent[] {
  const lines = block.split("\n");
  const event = lines.find((line) => line.startsWith("event: "))?.slice("event: ".length);
  const data = lines.find((line) => line.startsWith("data: "))?.slice("data: ".length);
  return event && data ? [{ event, data: JSON.parse(data) } as ChatEvent] : [];
}

export type Turn = {
  readonly id: number;
  readonly asked: string;
  readonly answer: string;
  /** A turn that broke off is charged for what was written; one that failed is not. */
  readonly state: "writing" | "done" | "stopped" | "broken" | "failed";
  /** Known as soon as the gateway has accepted the call. */
  readonly requestId: string | null;
  readonly end: ChatEnd | null;
  readonly problem: PlayError | null;
};

const BROKEN = new PlayError(NO_ANSWER, "The connection was lost in the middle of the answer.");

type ChatMessage = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** The conversation so far. Incomplete answers are left out, unless the user stopped them. */
export function messagesOf(turns: readonly Turn[], system: string, asked: string): ChatMessage[] {
  const said = turns
    .filter(({ state, answer }) => state !== "failed" && state !== "broken" && answer !== "")
    .flatMap((turn): ChatMessage[] => [
      { role: "user", content: turn.asked },
      { role: "assistant", content: turn.answer },
    ]);
  return [
    ...(system.trim() ? [{ role: "system", content: system } as const] : []),
    ...said,
    { role: "user", content: asked },
  ];
}

/** A conversation exists only in this page: the gateway stores none. Visiting another page does not end an answer. */
export function useChat() {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef<AbortController | null>(null);
  const lastId = useRef(0);
  const { onSpent, onRefused } = useSpent();

  const change = useCallback((id: number, next: (turn: Turn) => Partial<Turn>) => {
    setTurns((before) => before.map((turn) => (turn.id === id ? { ...turn, ...next(turn) } : turn)));
  }, []);

  /** False if it was not sent because the user was signed out. */
  async function ask(asked: string, call: PlayCall): Promise<boolean> {
    const id = ++lastId.current;
    const abort = new AbortController();
    running.current = abort;
    const begun: Turn = {
      id,
      asked,
      answer: "",
      state: "writing",
      requestId: null,
      end: null,
      problem: null,
    };
    setTurns((before) => [...withoutRetried(before, asked), begun]);
    try {
      await read(call, abort.signal, (next) => change(id, next));
      onSpent();
    } catch (error) {
      if (abort.signal.aborted) change(id, () => ({ state: "stopped" }));
      else {
        const failed = failureOf(error);
        const problem = onRefused(failed, call);
        if (problem === null) {
          setTurns((before) => before.filter((turn) => turn.id !== id));
          return false;
        }
        change(id, ({ requestId }) =>
          requestId !== null && problem.code === NO_ANSWER
            ? { state: "broken", problem: BROKEN }
            : { state: "failed", problem },
        );
      }
    } finally {
      running.current = null;
    }
    return true;
  }

  return {
    turns,
    isWriting: turns.at(-1)?.state === "writing",
    ask,
    stop: () => running.current?.abort(),
    clear() {
      running.current?.abort();
      setTurns([]);
    },
  };
}

/** A retry replaces the failed turn. */
function withoutRetried(turns: readonly Turn[], asked: string): readonly Turn[] {
  const last = turns.at(-1);
  return last?.state === "failed" && last.asked === asked ? turns.slice(0, -1) : turns;
}

async function read(
  call: PlayCall,
  signal: AbortSignal,
  change: (next: (turn: Turn) => Partial<Turn>) => void,
): Promise<void> {
  // Without an idempotency key: a call that has one runs to its end so that it can be repeated, and cannot be stopped.
  const { body } = await openPlay(call, { signal });
  if (!body) throw unreachable();
  const answer = paced((text) => change((turn) => ({ answer: turn.answer + text })));
  try {
    for await (const events of chatEvents(body)) {
      for (const { event, data } of events) {
        if (event === "content") answer.add(data.content);
        if (event === "error") throw new PlayError(data.error.code, data.error.message);
        if (event === "connection_established") change(() => ({ requestId: data.request_id }));
        if (event === "done") return change(() => ({ state: "done", end: data, requestId: data.request_id }));
      }
    }
    throw unreachable();
  } finally {
    answer.show();
  }
}
