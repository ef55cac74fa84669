import type { ChatEvent, ReasoningPart, ToolCall } from "../../contract/index.ts";
import { present } from "../../kit/index.ts";
import type { CallBeginning, WholeAnswer } from "../outcome.ts";
import { blocksOf } from "./answer-order.ts";

/** Turns complete answers back into events, fewer and larger than the original ones; without `finish`. */
export function eventsOf(answers: readonly WholeAnswer[]): readonly ChatEvent[] {
  return answers.flatMap((answer, index) => answerEvents(answer).map((event) => ({ ...event, index })));
}

/** Where each tool call of an answer starts, according to its events. */
export function beginningsIn(answer: WholeAnswer): readonly CallBeginning[] {
  const begun: CallBeginning[] = [];
  let characters = 0;
  let signatures = 0;
  for (const event of answerEvents(answer)) {
    if (event.type === "reasoning") characters += event.text.length;
    else if (event.type === "reasoning_signature") signatures++;
    else if (event.type === "tool_start") begun.push({ characters, signatures });
  }
  return begun;
}

function answerEvents(answer: WholeAnswer): readonly ChatEvent[] {
  const { content, refusal, reasoning, toolCalls, logprobs, annotations = [] } = answer;
  const blocks = blocksOf(answer);
  const events: ChatEvent[] = [];
  const calls = new CallEvents(toolCalls, answer.begun);
  const thinking = new ReasoningEvents(calls);
  let thoughts = 0;
  let characters = 0;
  let refused = 0;
  /** What belongs to the text as a whole follows its last block. */
  let ofText: readonly ChatEvent[] = [
    { type: "logprobs" as const, content: logprobs },
    { type: "annotations" as const, content: annotations },
  ].filter((event) => event.content.length > 0);
  const lastText = blocks.findLastIndex((block) => typeof block === "number");
  for (const [at, block] of blocks.entries()) {
    if (block === "thought") thinking.add(reasoning[thoughts++], events);
    else if (typeof block === "number") {
      events.push({ type: "text", text: content.slice(characters, characters + block) });
      characters += block;
      if (at === lastText) {
        events.push(...ofText);
        ofText = [];
      }
    } else if ("refusal" in block) {
      events.push({ type: "refusal", text: refusal.slice(refused, refused + block.refusal) });
      refused += block.refusal;
    } else events.push(...calls.upTo(block.call));
  }
  // What came after the bound on blocks was reached.
  for (const part of reasoning.slice(thoughts)) thinking.add(part, events);
  if (characters < content.length) events.push({ type: "text", text: content.slice(characters) });
  if (refused < refusal.length) events.push({ type: "refusal", text: refusal.slice(refused) });
  events.push(...ofText);
  for (const call of toolCalls.keys()) events.push(...calls.upTo(call));
  return events;
}

/** Emits reasoning. A tool call that started in the middle of it, before any of its arguments, is emitted there. */
class ReasoningEvents {
  readonly #calls: CallEvents;
  #characters = 0;
  #signatures = 0;

  constructor(calls: CallEvents) {
    this.#calls = calls;
  }

  add(part: ReasoningPart | undefined, events: ChatEvent[]): void {
    const { text = "", signature } = part ?? {};
    const from = this.#characters;
    const end = from + text.length;
    for (let at = this.#nextBeginning(); at < end; at = this.#nextBeginning()) {
      this.#say(text.slice(this.#characters - from, at - from), events);
      events.push(this.#calls.begin());
    }
    this.#say(text.slice(this.#characters - from), events);
    if (signature === undefined) return;
    while (this.#nextBeginning() <= end) events.push(this.#calls.begin());
    events.push({ type: "reasoning_signature", signature });
    this.#signatures++;
  }

  #say(text: string, events: ChatEvent[]): void {
    if (text !== "") events.push({ type: "reasoning", text });
    this.#characters += text.length;
  }

  /** In characters of reasoning; infinite while no call is due to start. */
  #nextBeginning(): number {
    const { characters, signatures } = this.#calls.nextBeginning ?? NEVER;
    return signatures <= this.#signatures ? characters : NEVER.characters;
  }
}

const NEVER: CallBeginning = { characters: Infinity, signatures: 0 };

/** Emits tool calls: they start in order, whichever gets its arguments first. */
class CallEvents {
  readonly #calls: readonly ToolCall[];
  readonly #emitted = new Set<number>();
  readonly #begun: WholeAnswer["begun"];
  #started = 0;

  constructor(calls: readonly ToolCall[], begun: WholeAnswer["begun"]) {
    this.#calls = calls;
    this.#begun = begun;
  }

  /** Undefined if there is no next call, or its start is not recorded. */
  get nextBeginning(): CallBeginning | undefined {
    return this.#begun?.[this.#started];
  }

  begin(): ChatEvent {
    const call = this.#started++;
    const { arguments: _, ...start } = present(this.#calls[call], "a call that has begun");
    return { type: "tool_start", call, ...start };
  }

  upTo(call: number): readonly ChatEvent[] {
    const made = this.#calls[call];
    if (made === undefined || this.#emitted.has(call)) return [];
    this.#emitted.add(call);
    const events: ChatEvent[] = [];
    while (this.#started <= call) events.push(this.begin());
    return [...events, { type: "tool_arguments", call, text: made.arguments }];
  }
}
