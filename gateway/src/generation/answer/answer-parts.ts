import type { ChatEvent, FinishReason, ReasoningPart, ToolCall } from "../../contract/index.ts";
import { ObjectText } from "../../kit/index.ts";
import type { CallBeginning, WholeAnswer } from "../outcome.ts";
import { beginningsIn } from "./answer-events.ts";
import { AnswerOrder } from "./answer-order.ts";
import { GrowingText } from "./growing-text.ts";

/** Events that belong to one answer. */
type AnswerEvent = Exclude<ChatEvent, { type: "finish" | "wire" | "input" }>;

type OpenCall = {
  readonly made: Omit<ToolCall, "arguments">;
  /** Index among the calls, in the order in which they started. */
  readonly number: number;
  readonly begun: CallBeginning;
  readonly text: GrowingText;
  /** True until arguments arrive; leading whitespace does not count. */
  isBare: boolean;
  /** Parses `text`; created only when somebody needs to know whether the arguments are complete. */
  object: ObjectText | null;
};
type OpenReasoning = { readonly text: GrowingText; signature?: string };

const NONE: readonly never[] = [];

/** The pieces of one answer, joined at its end. State that most answers do not need is created lazily. */
export class AnswerParts {
  readonly #text = new GrowingText();
  readonly #order = new AnswerOrder();
  #refusal: GrowingText | null = null;
  #reasoning: OpenReasoning[] | null = null;
  #calls: Map<number, OpenCall> | null = null;
  /** How many calls, from the first, have a place in the order. */
  #placed = 0;
  #logprobs: unknown[] | null = null;
  #annotations: unknown[] | null = null;
  #thought: CallBeginning = { characters: 0, signatures: 0 };

  add(event: AnswerEvent): void {
    switch (event.type) {
      case "text":
        this.#text.add(event.text);
        this.#order.text(event.text);
        break;
      case "refusal":
        this.#refusal ??= new GrowingText();
        this.#refusal.add(event.text);
        this.#order.refusal(event.text);
        break;
      case "reasoning":
        if (event.text === "") break;
        this.#openReasoning(this.#order.isThinking).text.add(event.text);
        this.#thinks(event.text.length, 0);
        break;
      case "reasoning_signature":
        // Belongs to the reasoning before it, even if text or calls came in between.
        this.#openReasoning(true).signature = event.signature;
        this.#thinks(0, 1);
        break;
      case "tool_start": {
        const { id, name, signature } = event;
        this.#calls ??= new Map();
        // A second start is the same call; its arguments stay where it first started.
        if (this.#calls.has(event.call)) break;
        this.#calls.set(event.call, {
          made: { id, name, ...(signature === undefined ? {} : { signature }) },
          number: this.#calls.size,
          begun: this.#thought,
          text: new GrowingText(),
          isBare: true,
          object: null,
        });
        break;
      }
      case "tool_arguments":
        this.#addArguments(event.call, event.text);
        break;
      case "logprobs":
        this.#logprobs ??= [];
        // One by one: as arguments of a single call, a million of them overflow the stack.
        for (const logprob of event.content) this.#logprobs.push(logprob);
        break;
      case "annotations":
        this.#annotations ??= [];
        for (const annotation of event.content) this.#annotations.push(annotation);
        break;
    }
  }

  whole(finishReason: FinishReason): WholeAnswer {
    const toolCalls = this.#calls === null ? NONE : this.#wholeCalls([...this.#calls.values()]);
    const answer = {
      content: this.#text.whole(),
      refusal: this.#refusal?.whole() ?? "",
      reasoning: this.#reasoning?.map(wholeReasoning) ?? NONE,
      toolCalls,
      logprobs: this.#logprobs ?? NONE,
      ...(this.#annotations === null ? {} : { annotations: this.#annotations }),
      ...this.#order.whole(),
      finishReason,
    };
    const begun = this.#beginnings(answer);
    return begun === null ? answer : { ...answer, begun };
  }

  #thinks(characters: number, signatures: number): void {
    const before = this.#thought;
    this.#thought = {
      characters: before.characters + characters,
      signatures: before.signatures + signatures,
    };
  }

  /** Null if the answer itself already implies where each call starts. */
  #beginnings(answer: WholeAnswer): readonly CallBeginning[] | null {
    if (this.#calls === null || this.#reasoning === null) return null;
    const usual = beginningsIn(answer);
    const begun = [...this.#calls.values()].map((call) => call.begun);
    const isUsual = begun.every(
      ({ characters, signatures }, at) =>
        usual[at]?.characters === characters && usual[at]?.signatures === signatures,
    );
    return isUsual ? null : begun;
  }

  #addArguments(number: number, text: string): void {
    const call = this.#calls?.get(number);
    if (call === undefined || (call.isBare && text.trim() === "")) return;
    const isPlaced = call.number < this.#placed;
    if (isPlaced && this.#isOver(call)) return;
    call.isBare = false;
    call.text.add(text);
    call.object?.push(text);
    if (!isPlaced) this.#placeUpTo(call.number);
  }

  /**
   * A call is placed where its arguments start, after all calls that started before it. A call without arguments goes
   * to the end: they may arrive as long as the answer goes on.
   */
  #placeUpTo(last: number): void {
    for (; this.#placed <= last; this.#placed++) this.#order.mark({ call: this.#placed });
  }

  #wholeCalls(calls: readonly OpenCall[]): readonly ToolCall[] {
    this.#placeUpTo(calls.length - 1);
    return calls.map(({ made, text }) => ({ ...made, arguments: text.whole() }));
  }

  /**
   * True if its arguments are complete and something follows it: providers that stream item by item have closed it by
   * then.
   */
  #isOver(call: OpenCall): boolean {
    if (this.#order.endsWith(call.number)) return false;
    if (call.object === null) {
      call.object = new ObjectText();
      call.object.push(call.text.whole());
    }
    return call.object.isWhole;
  }

  /** A signature closes the reasoning part before it, and so does any other content; what follows is a new part. */
  #openReasoning(goesOn: boolean): OpenReasoning {
    this.#reasoning ??= [];
    const last = this.#reasoning.at(-1);
    if (last && last.signature === undefined && goesOn) return last;
    this.#order.mark("thought");
    const next: OpenReasoning = { text: new GrowingText() };
    this.#reasoning.push(next);
    return next;
  }
}

function wholeReasoning({ text, signature }: OpenReasoning): ReasoningPart {
  return { text: text.whole(), ...(signature === undefined ? {} : { signature }) };
}
