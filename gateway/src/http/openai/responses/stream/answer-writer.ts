import {
  type CarriedReasoning,
  type ChatEvent,
  createCarriedReasoning,
  type FinishReason,
  type ReasoningPart,
} from "../../../../contract/index.ts";
import { isCutBy } from "../cut-answer.ts";
import type { ItemMaker, ItemStatus } from "../output-item.ts";
import { type OpenCall, openCall } from "./call-writer.ts";
import type { EventWriter } from "./event-writer.ts";
import { HeldItems } from "./held-items.ts";
import { type OpenMessage, openMessage } from "./message-writer.ts";
import { type OpenReasoning, openReasoning } from "./reasoning-writer.ts";

/** Writes the neutral events of an answer as items of a response, each with all of its stream events. */
type AnswerWriter = {
  add(events: readonly ChatEvent[]): void;
  /** Ends the open item; `reason` tells whether it is complete. */
  close(reason: FinishReason): void;
  /** The JSON texts of the items that have ended so far. */
  readonly output: readonly string[];
};

type Thought = Extract<ChatEvent, { type: "reasoning" | "reasoning_signature" }>;
type CallStart = Extract<ChatEvent, { type: "tool_start" }>;
type CallArguments = Extract<ChatEvent, { type: "tool_arguments" }>;

const NO_LOGPROBS: readonly unknown[] = [];
/**
 * Limit of items per answer; no model alternates between reasoning and text nearly as often. Beyond it, all text goes
 * on in one message and all reasoning in one item after it: an item takes six events, and every chunk could begin one.
 */
const MOST_ITEMS = 1_000;

/**
 * Only one item is open at a time, since some agents add every delta to the item that began last. The item of a call
 * begins with its first arguments, and whatever comes before these are complete is held back, since some providers
 * write several calls in parallel. Arguments that are not a JSON object are complete only when the answer is, and so is
 * a call without arguments before a later one. What is held back is bounded by the size of the answer.
 */
export function createAnswerWriter(writer: EventWriter, maker: ItemMaker): AnswerWriter {
  const output: string[] = [];
  const held = new HeldItems();
  const carried: CarriedReasoning = createCarriedReasoning();
  /** Citations, held back until a text part is open. */
  let cited: unknown[] = [];
  /** For each call, the reasoning that came before its arguments. */
  const thoughts = new Map<number, readonly ReasoningPart[] | undefined>();
  let open: OpenMessage | OpenReasoning | OpenCall | null = null;
  let hasAnswer = false;
  let isCut = false;
  /** Held until the open message ends: signatures, as it may yet be cut off, and all reasoning after MOST_ITEMS. */
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

  function cite(): void {
    if (cited.length > 0 && open?.kind === "message" && open.annotations(cited)) cited = [];
  }

  function think(event: Thought): void {
    const isLate = event.type === "reasoning_signature" || output.length >= MOST_ITEMS;
    if (open?.kind === "message" && isLate) late.push(event);
    else addThought(reasoning(), event);
  }

  function endMessage(status: ItemStatus): void {
    closeOpen(status);
    for (const thought of late.splice(0)) addThought(reasoning(), thought);
  }

  function closeAll(status: ItemStatus): void {
    endMessage(status);
    closeOpen(status);
  }

  function startCall({ call, id, name, signature }: CallStart): void {
    closeAll("completed");
    hasAnswer = true;
    const sealed = signature === undefined ? {} : { signature };
    const start = { id, name, ...sealed, reasoning: thoughts.get(call) };
    open = openCall({ writer, maker, index: output.length, number: call, start });
  }

  function isCallOpen(): boolean {
    return open?.kind === "call" && !open.isWhole;
  }

  function writeHeld(): void {
    while (!held.isEmpty && !isCallOpen()) writeItem(held.take() ?? []);
  }

  function addArguments(event: CallArguments): void {
    if (open?.kind === "call" && open.number === event.call) open.arguments(event.text);
    // The reasoning before a call must be taken now: more may come before the call is written.
    else for (const call of held.arguments(event)) thoughts.set(call, carried.take());
    // Cheap for most calls, the last of their answer: nothing is held, so whether they are complete is not checked.
    writeHeld();
  }

  function addWords(event: ChatEvent, before: ChatEvent | undefined, next: ChatEvent | undefined): void {
    if (event.type === "reasoning" || event.type === "reasoning_signature") addThought(carried, event);
    if (isCallOpen()) held.add(event);
    else writeEvent(event, before, next);
  }

  function writeEvent(event: ChatEvent, before: ChatEvent | undefined, next: ChatEvent | undefined): void {
    if (late.length > 0 && hasWords(event) && output.length < MOST_ITEMS) endMessage("completed");
    switch (event.type) {
      case "text":
        // Log probabilities follow the text that they belong to, and are sent with it if they came with it.
        message().text(event.text, next?.type === "logprobs" ? next.content : NO_LOGPROBS);
        cite();
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
        else if (event.type === "annotations") {
          for (const annotation of event.content) cited.push(annotation);
          cite();
        } else addWords(event, events[at - 1], events[at + 1]);
      }
    },
    close(reason) {
      isCut = isCutBy(reason);
      for (const call of held.placeBare()) thoughts.set(call, carried.take());
      for (let item = held.take(); item !== null; item = held.take()) writeItem(item);
      if (!hasAnswer && !isCut) message();
      closeAll(isCut ? "incomplete" : "completed");
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

/** Empty text must not end the open item. */
function isNothing(event: ChatEvent): boolean {
  return event.type === "finish" || (event.type !== "tool_arguments" && "text" in event && event.text === "");
}

function hasText(event: ChatEvent | undefined): boolean {
  return event?.type === "text" && event.text !== "";
}
