import { type CarriedReasoning, createCarriedReasoning } from "../../../generation/index.ts";
import type { ChatEvent, FinishReason, ReasoningPart } from "../../../providers/index.ts";
import { type OpenCall, openCall } from "./call-writer.ts";
import type { EventWriter } from "./event-writer.ts";
import { type OpenMessage, openMessage } from "./message-writer.ts";
import type { ItemMaker, ItemStatus, OutputItem } from "./output-item.ts";
import { type OpenReasoning, openReasoning } from "./reasoning-writer.ts";
import { isCutBy } from "./whole-output.ts";

/** Writes an answer's neutral events as the items of a response, each with all the events that belong to it. */
export type AnswerWriter = {
  add(events: readonly ChatEvent[]): void;
  /** Ends what is open; `reason` says whether the last item is whole. */
  close(reason: FinishReason): void;
  /** What was ended so far, by place. */
  readonly output: readonly OutputItem[];
};

const NO_LOGPROBS: readonly unknown[] = [];

export function createAnswerWriter(writer: EventWriter, maker: ItemMaker): AnswerWriter {
  const closed = new Map<number, OutputItem>();
  /** Calls may be written side by side, so all stay open until the answer ends. */
  const calls = new Map<number, { readonly index: number; readonly call: OpenCall }>();
  const carried: CarriedReasoning = createCarriedReasoning();
  let open: { readonly index: number; readonly item: OpenMessage | OpenReasoning } | null = null;
  let items = 0;
  let hasAnswer = false;

  function closeOpen(status: ItemStatus): void {
    if (open !== null) closed.set(open.index, open.item.close(status));
    open = null;
  }

  function message(): OpenMessage {
    if (open?.item.kind === "message") return open.item;
    closeOpen("completed");
    hasAnswer = true;
    const item = openMessage(writer, maker, items);
    open = { index: items, item };
    items += 1;
    return item;
  }

  function reasoning(): OpenReasoning {
    if (open?.item.kind === "reasoning") return open.item;
    closeOpen("completed");
    const item = openReasoning(writer, maker, items);
    open = { index: items, item };
    items += 1;
    return item;
  }

  function startCall({ call, id, name, signature }: Extract<ChatEvent, { type: "tool_start" }>): void {
    closeOpen("completed");
    hasAnswer = true;
    const thought: readonly ReasoningPart[] | undefined = carried.take();
    const start = { id, name, ...(signature === undefined ? {} : { signature }), reasoning: thought };
    calls.set(call, { index: items, call: openCall({ writer, maker, index: items, start }) });
    items += 1;
  }

  function addEvent(event: ChatEvent, next: ChatEvent | undefined): void {
    switch (event.type) {
      case "text":
        // Log probabilities follow the text that they are of, and go out with it where they came with it.
        message().text(event.text, next?.type === "logprobs" ? next.content : NO_LOGPROBS);
        break;
      case "refusal":
        message().refusal(event.text);
        break;
      case "reasoning":
        carried.text(event.text);
        reasoning().text(event.text);
        break;
      case "reasoning_signature":
        carried.signature(event.signature);
        reasoning().signature(event.signature);
        break;
      case "tool_start":
        startCall(event);
        break;
      case "tool_arguments":
        calls.get(event.call)?.call.arguments(event.text);
        break;
    }
  }

  return {
    add(events) {
      for (let at = 0; at < events.length; at++) {
        const event = events[at];
        if (event === undefined || event.type === "finish") continue;
        if (event.type !== "logprobs") addEvent(event, events[at + 1]);
        else if (events[at - 1]?.type !== "text") message().logprobs(event.content);
      }
    },
    close(reason) {
      const isCut = isCutBy(reason);
      if (!hasAnswer && !isCut) message();
      const last = items - 1;
      const statusOf = (index: number) => (isCut && index === last ? "incomplete" : "completed");
      for (const { index, call } of calls.values()) closed.set(index, call.close(statusOf(index)));
      calls.clear();
      closeOpen(statusOf(last));
    },
    get output() {
      return [...closed.entries()].toSorted(([a], [b]) => a - b).map(([, item]) => item);
    },
  };
}
