import { type CarriedReasoning, createCarriedReasoning } from "../../../generation/index.ts";
import type { ChatEvent, FinishReason, ReasoningPart } from "../../../providers/index.ts";
import { type OpenCall, openCall } from "./call-writer.ts";
import { isCutBy } from "./cut-answer.ts";
import type { EventWriter } from "./event-writer.ts";
import { HeldItems, hasArguments } from "./held-items.ts";
import { type OpenMessage, openMessage } from "./message-writer.ts";
import type { ItemMaker, ItemStatus, OutputItem } from "./output-item.ts";
import { type OpenReasoning, openReasoning } from "./reasoning-writer.ts";

/** Writes an answer's neutral events as the items of a response, each with all the events that belong to it. */
export type AnswerWriter = {
  add(events: readonly ChatEvent[]): void;
  /** Ends what is open; `reason` says whether the last item is whole. */
  close(reason: FinishReason): void;
  /** What was ended so far. */
  readonly output: readonly OutputItem[];
};

type Thought = Extract<ChatEvent, { type: "reasoning" | "reasoning_signature" }>;
type CallStart = Extract<ChatEvent, { type: "tool_start" }>;

const NO_LOGPROBS: readonly unknown[] = [];
/**
 * Items of an answer; far more than any model takes turns between thinking and saying. Whoever goes on has its text written
 * on in one message and its thoughts in one item behind it: an item costs six events, and would be one of every chunk.
 */
const MOST_TURNS = 1_000;

/**
 * One item is open at a time, since some agents put every piece into the item that was begun last. A call's item begins
 * with its arguments, and what a provider says before those are whole waits for them: some write several calls side by
 * side. Bounded as the answer is.
 */
export function createAnswerWriter(writer: EventWriter, maker: ItemMaker): AnswerWriter {
  const output: OutputItem[] = [];
  const held = new HeldItems();
  const carried: CarriedReasoning = createCarriedReasoning();
  /** Of each call what was thought before it. */
  const thoughts = new Map<number, readonly ReasoningPart[] | undefined>();
  /** Calls that ended without arguments, because another one had some. */
  const ended = new Map<number, CallStart>();
  let open: OpenMessage | OpenReasoning | OpenCall | null = null;
  let hasAnswer = false;
  let isCut = false;
  /** That came between the words of a message, after too many turns. */
  let late: Thought[] = [];

  function closeOpen(status: ItemStatus): void {
    if (open !== null) output.push(open.close(isCut && isCallUnfinished() ? "incomplete" : status));
    open = null;
  }

  function message(): OpenMessage {
    if (open?.kind === "message") return open;
    closeOpen("completed");
    hasAnswer = true;
    const item = openMessage(writer, maker, output.length);
    open = item;
    return item;
  }

  function reasoning(): OpenReasoning {
    if (open?.kind === "reasoning") return open;
    closeOpen("completed");
    const item = openReasoning(writer, maker, output.length);
    open = item;
    return item;
  }

  function think(event: Thought): void {
    if (open?.kind === "message" && output.length >= MOST_TURNS) late.push(event);
    else if (event.type === "reasoning") reasoning().text(event.text);
    else reasoning().signature(event.signature);
  }

  /** Ends the turn that is open, with the thoughts that waited for it. */
  function closeTurn(status: ItemStatus): void {
    closeOpen(status);
    const thoughts = late;
    late = [];
    for (const thought of thoughts) think(thought);
    closeOpen(status);
  }

  function startCall({ call, id, name, signature }: CallStart): void {
    closeTurn("completed");
    hasAnswer = true;
    const sealed = signature === undefined ? {} : { signature };
    const start = { id, name, ...sealed, reasoning: thoughts.get(call) };
    open = openCall({ writer, maker, index: output.length, number: call, start });
  }

  function isCallUnfinished(): boolean {
    return open?.kind === "call" && open.isUnfinished;
  }

  function mustWait(event: ChatEvent): boolean {
    if (event.type === "tool_start") return true;
    if (event.type !== "tool_arguments") return isCallUnfinished();
    return open?.kind !== "call" || open.number !== event.call;
  }

  /** What was thought before a call is known when the call comes, not when it is written. */
  function note(event: ChatEvent): void {
    if (event.type === "reasoning") carried.text(event.text);
    else if (event.type === "reasoning_signature") carried.signature(event.signature);
    else if (event.type === "tool_start") thoughts.set(event.call, carried.take());
  }

  function hold(event: ChatEvent): void {
    if (held.add(event) || event.type !== "tool_arguments") return;
    // Its item is ended, so what it is given after all is a call of its own. That there is nothing is no news.
    const start = ended.get(event.call);
    if (start === undefined || /^\s*(?:\{\s*\})?\s*$/.test(event.text)) return;
    ended.delete(event.call);
    held.add({ ...start, id: `${start.id}_late` });
    held.add(event);
  }

  function writeEvent(event: ChatEvent, before: ChatEvent | undefined, next: ChatEvent | undefined): void {
    switch (event.type) {
      case "text":
        // Log probabilities follow the text that they are of, and go out with it where they came with it.
        message().text(event.text, next?.type === "logprobs" ? next.content : NO_LOGPROBS);
        break;
      case "logprobs":
        if (before?.type !== "text") message().logprobs(event.content);
        break;
      case "refusal":
        message().refusal(event.text);
        break;
      case "reasoning":
      case "reasoning_signature":
        think(event);
        break;
      case "tool_start":
        startCall(event);
        break;
      case "tool_arguments":
        if (open?.kind === "call" && open.number === event.call) open.arguments(event.text);
        break;
    }
  }

  function writeItem(events: readonly ChatEvent[]): void {
    const [start] = events;
    if (start?.type === "tool_start" && !hasArguments(events)) ended.set(start.call, start);
    for (const [at, event] of events.entries()) writeEvent(event, events[at - 1], events[at + 1]);
  }

  function writeReady(): void {
    // Most calls are the last of their answer: then nobody needs to know whether they are whole.
    while (!held.isEmpty && !isCallUnfinished()) {
      const item = held.takeReady();
      if (item === null) return;
      writeItem(item);
    }
  }

  return {
    add(events) {
      for (let at = 0; at < events.length; at++) {
        const event = events[at];
        if (event === undefined || event.type === "finish") continue;
        note(event);
        if (mustWait(event)) hold(event);
        else writeEvent(event, events[at - 1], events[at + 1]);
        if (event.type === "tool_arguments") writeReady();
      }
    },
    close(reason) {
      isCut = isCutBy(reason);
      const next = () => held.takeReady() ?? held.takeFirst();
      for (let item = next(); item !== null; item = next()) writeItem(item);
      if (!hasAnswer && !isCut) message();
      closeTurn(isCut ? "incomplete" : "completed");
    },
    output,
  };
}
