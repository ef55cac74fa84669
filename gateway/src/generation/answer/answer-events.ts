import type { ChatEvent, ReasoningPart, ToolCall } from "../../contract/index.ts";
import { present } from "../../kit/index.ts";
import type { AnswerBlock, CallBeginning, WholeAnswer } from "../outcome.ts";
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
  const { content, refusal, reasoning, toolCalls, logprobCounts } = answer;
  const blocks = blocksOf(answer);
  const events: ChatEvent[] = [];
  const logprobs = [...answer.logprobs];
  const counts = [...(logprobCounts ?? lastOnes(blocks, logprobs.length))];
  const calls = new CallEvents(toolCalls, answer.begun);
  const thinking = new ReasoningEvents(calls);
  let thoughts = 0;
  let characters = 0;
  let refused = 0;
  let cited: readonly ChatEvent[] =
    answer.annotations === undefined ? [] : [{ type: "annotations", content: answer.annotations }];
  const lastText = blocks.findLastIndex((block) => typeof block === "number");
  const takeLogprobs = (count = 0) => logprobEvents(logprobs.splice(0, count));
  for (const [at, block] of blocks.entries()) {
    if (block === "thought") thinking.add(reasoning[thoughts++], events);
    else if (typeof block === "number") {
      events.push(...takeLogprobs(counts.shift()));
      events.push({ type: "text", text: content.slice(characters, characters + block) });
      characters += block;
      events.push(...takeLogprobs(counts.shift()));
      if (at === lastText) {
        events.push(...cited);
        cited = [];
      }
    } else if ("refusal" in block) {
      events.push({ type: "refusal", text: refusal.slice(refused, refused + block.refusal) });
      refused += block.refusal;
    } else events.push(...calls.upTo(block.call));
  }
  // What came after the bound on blocks was reached, and log probabilities that belong to no text.
  for (const part of reasoning.slice(thoughts)) thinking.add(part, events);
  if (characters < content.length) events.push({ type: "text", text: content.slice(characters) });
  if (refused < refusal.length) events.push({ type: "refusal", text: refusal.slice(refused) });
  events.push(...takeLogprobs(logprobs.length));
  for (const call of toolCalls.keys()) events.push(...calls.upTo(call));
  events.push(...cited);
  return events;
}

function lastOnes(blocks: readonly AnswerBlock[], count: number): readonly number[] {
  const texts = blocks.filter((block) => typeof block === "number").length;
  return texts === 0 ? [] : [...Array(texts * 2 - 1).fill(0), count];
}

function logprobEvents(content: readonly unknown[]): readonly ChatEvent[] {
  return content.length === 0 ? [] : [{ type: "logprobs", content }];
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
