import { type CarriedReasoning, createCarriedReasoning } from "../../../generation/index.ts";
import type { ChatEvent, FinishReason, ReasoningPart } from "../../../providers/index.ts";
import { type OpenCall, openCall } from "./call-writer.ts";
import { isCutBy } from "./cut-answer.ts";
import type { EventWriter } from "./event-writer.ts";
import { HeldItems } from "./held-items.ts";
import { type OpenMessage, openMessage } from "./message-writer.ts";
import type { ItemMaker, ItemStatus, OutputItem } from "./output-item.ts";
import { type OpenReasoning, openReasoning } from "./reasoning-writer.ts";
import { ToldCitations } from "./told-citations.ts";

/** Writes an answer's neutral events as the items of a response, each with all the events that belong to it. */
type AnswerWriter = {
  add(events: readonly ChatEvent[]): void;
  /** Ends what is open; `reason` says whether the last item is whole. */
  close(reason: FinishReason): void;
  /** What was ended so far. */
  readonly output: readonly OutputItem[];
};

type Thought = Extract<ChatEvent, { type: "reasoning" | "reasoning_signature" }>;
type CallStart = Extract<ChatEvent, { type: "tool_start" }>;
type CallArguments = Extract<ChatEvent, { type: "tool_arguments" }>;

const NO_LOGPROBS: readonly unknown[] = [];
/**
 * Items of an answer; far more than any model takes turns between thinking and saying. Whoever goes on has its text written
 * on in one message and its thoughts in one item behind it: an item costs six events, and would be one of every chunk.
 */
const MOST_TURNS = 1_000;

/**
 * One item is open at a time, since some agents put every piece into the item that was begun last. A call's item begins
 * with its arguments, and what a provider says before those are whole waits for them: some write several calls side by
 * side. Arguments that are no object are whole when the answer is. A call without any is over as soon as the answer goes on
 * behind a later call that is whole. Bounded as the answer is.
 */
export function createAnswerWriter(writer: EventWriter, maker: ItemMaker): AnswerWriter {
  const output: OutputItem[] = [];
  const held = new HeldItems();
  const carried: CarriedReasoning = createCarriedReasoning();
  const cited = new ToldCitations();
  /** Of each call what was thought before its arguments. */
  const thoughts = new Map<number, readonly ReasoningPart[] | undefined>();
  let open: OpenMessage | OpenReasoning | OpenCall | null = null;
  let hasAnswer = false;
  let isCut = false;
  /** Wait for the end of a message: after too many turns, and signatures, behind which it may be known to be cut. */
  const late: Thought[] = [];

  function closeOpen(status: ItemStatus): void {
    const isPart = isCut && open?.kind === "call" && open.isUnfinished;
    if (open !== null) output.push(open.close(isPart ? "incomplete" : status));
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
    const isLate = event.type === "reasoning_signature" || output.length >= MOST_TURNS;
    if (open?.kind === "message" && isLate) late.push(event);
    else addThought(reasoning(), event);
  }

  function endMessage(status: ItemStatus): void {
    closeOpen(status);
    for (const thought of late.splice(0)) addThought(reasoning(), thought);
  }

  function closeTurn(status: ItemStatus): void {
    endMessage(status);
    closeOpen(status);
  }

  function startCall({ call, id, name, signature }: CallStart): void {
    closeTurn("completed");
    hasAnswer = true;
    const sealed = signature === undefined ? {} : { signature };
    const start = { id, name, ...sealed, reasoning: thoughts.get(call) };
    open = openCall({ writer, maker, index: output.length, number: call, start });
  }

  function isCallOpen(): boolean {
    return open?.kind === "call" && !open.isWhole;
  }

  function writeHeld(): void {
    for (endPassed(); !held.isEmpty && !isCallOpen(); endPassed()) writeItem(held.take() ?? []);
  }

  function endPassed(): void {
    if (open?.kind !== "call" || !open.isBare || !held.hasPassed) return;
    held.endedBare(open.number);
    open.arguments("{}");
  }

  function addArguments(event: CallArguments): void {
    if (open?.kind === "call" && open.number === event.call) open.arguments(event.text);
    // What was thought before a call is known now, not when it is written.
    else for (const call of held.arguments(event)) thoughts.set(call, carried.take());
    // Most calls are the last of their answer: then nobody needs to know whether they are whole.
    writeHeld();
  }

  function addWords(event: ChatEvent, before: ChatEvent | undefined, next: ChatEvent | undefined): void {
    if (event.type === "reasoning" || event.type === "reasoning_signature") addThought(carried, event);
    if (event.type !== "logprobs" && !held.isEmpty) {
      held.goOn();
      writeHeld();
    }
    if (isCallOpen()) held.add(event);
    else writeEvent(event, before, next);
  }

  function writeEvent(event: ChatEvent, before: ChatEvent | undefined, next: ChatEvent | undefined): void {
    if (late.length > 0 && hasWords(event) && output.length < MOST_TURNS) endMessage("completed");
    switch (event.type) {
      case "text":
        // Log probabilities follow the text that they are of, and go out with it where they came with it.
        message().text(event.text, next?.type === "logprobs" ? next.content : NO_LOGPROBS);
        cited.tell(open);
        break;
      case "logprobs":
        if (open?.kind === "message" && !hasText(before)) open.logprobs(event.content);
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
    for (const [at, event] of events.entries()) writeEvent(event, events[at - 1], events[at + 1]);
  }

  return {
    add(events) {
      for (let at = 0; at < events.length; at++) {
        const event = events[at];
        if (event === undefined || isNothing(event)) continue;
        if (event.type === "tool_start") held.start(event);
        else if (event.type === "tool_arguments") addArguments(event);
        else if (event.type === "annotations") cited.add(event.content, open);
        else addWords(event, events[at - 1], events[at + 1]);
      }
    },
    close(reason) {
      isCut = isCutBy(reason);
      for (let item = held.take(); item !== null; item = held.take()) {
        writeItem(item);
        endPassed();
      }
      for (const start of held.takeBare()) {
        thoughts.set(start.call, carried.take());
        startCall(start);
      }
      if (!hasAnswer && !isCut) message();
      closeTurn(isCut ? "incomplete" : "completed");
    },
    output,
  };
}

function addThought(item: Pick<OpenReasoning, "text" | "signature">, event: Thought): void {
  if (event.type === "reasoning") item.text(event.text);
  else item.signature(event.signature);
}

function hasWords({ type }: ChatEvent): boolean {
  return type === "text" || type === "refusal" || type === "reasoning";
}

/** Words that say nothing end nothing either. */
function isNothing(event: ChatEvent): boolean {
  return event.type === "finish" || (event.type !== "tool_arguments" && "text" in event && event.text === "");
}

function hasText(event: ChatEvent | undefined): boolean {
  return event?.type === "text" && event.text !== "";
}
