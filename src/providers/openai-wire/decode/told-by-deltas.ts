import type { WireDelta } from "../wire-chunk.ts";
import { fieldsOf, textOf } from "../wire-fields.ts";
import { fragmentsIn } from "./call-fragments.ts";
import { mayReason, readParts, readReasoning, THOUGHT_FIELDS } from "./decode-reasoning.ts";
import { writtenInCall } from "./written-in-whole.ts";

/**
 * What the deltas of one answer have said. Some servers end a stream with a message that repeats all of it, or adds
 * what the deltas left out. The first text of a kind is enough to recognize a repetition: a message that begins
 * differently is a new piece.
 */
export class ToldByDeltas {
  #text = "";
  #thoughts = "";
  #hasRefusal = false;
  #hasCalls = false;

  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  note(delta: WireDelta): void {
    const { content, refusal, tool_calls: calls, function_call: single } = delta;
    const isNewText = this.#text === "" && Boolean(content);
    const isNewThought = this.#thoughts === "" && (mayReason(delta) || Array.isArray(content));
    if (isNewText || isNewThought) {
      const { text, thoughts } = wordsOf(delta);
      this.#text ||= text.trim();
      this.#thoughts ||= thoughts.trim();
    }
    if (refusal) this.#hasRefusal = true;
    if (!this.#hasCalls && (calls || single)) this.#hasCalls = fragmentsIn(delta).some(saysCall);
  }

  /** What a message without a delta says beyond the deltas. */
  untoldIn(message: WireDelta): WireDelta {
    const said = wordsOf(message);
    const isTextTold = begins(said.text, this.#text);
    const areThoughtsTold = begins(said.thoughts, this.#thoughts);
    // From here on, pieces come as messages.
    if (said.text !== "" && !isTextTold) this.#text = "";
    if (said.thoughts !== "" && !areThoughtsTold) this.#thoughts = "";
    const rest: Record<string, unknown> = { ...message };
    if (isTextTold) delete rest["content"];
    else if (areThoughtsTold && Array.isArray(message.content)) rest["content"] = said.text;
    if (areThoughtsTold) for (const name of THOUGHT_FIELDS) delete rest[name];
    if (this.#hasRefusal) delete rest["refusal"];
    if (this.#hasCalls) {
      delete rest["tool_calls"];
      delete rest["function_call"];
    }
    return rest;
  }
}

function wordsOf(delta: WireDelta): { readonly text: string; readonly thoughts: string } {
  let text = textOf(delta.content);
  let thoughts = "";
  const think = (thought: string) => {
    thoughts += thought;
  };
  if (mayReason(delta)) readReasoning(delta, "", { text: think, signature() {} });
  if (Array.isArray(delta.content)) {
    readParts(delta.content, {
      text(piece) {
        text += piece;
      },
      thought: think,
    });
  }
  return { text, thoughts };
}

function begins(said: string, told: string): boolean {
  return told !== "" && said.trimStart().startsWith(told);
}

/** False for the empty call that some servers send beside text. */
function saysCall(fragment: unknown): boolean {
  const { function: work, custom } = fieldsOf(fragment);
  return writtenInCall(work ?? custom) !== "";
}
