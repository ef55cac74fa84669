import type { WireDelta } from "../wire-chunk.ts";
import { fieldsOf, textOf } from "../wire-fields.ts";
import { fragmentsIn } from "./call-fragments.ts";
import { mayReason, readParts, readReasoning, THOUGHT_FIELDS } from "./decode-reasoning.ts";
import { writtenInCall } from "./written-in-whole.ts";

/**
 * What deltas have told of one answer. Some servers end a stream with a message that says all of it again, or all but
 * what they have not told yet. The first words of a kind are enough to know it by: a message that begins with others
 * is a piece of its own.
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

  /** What a message without a delta says beyond them. */
  untoldIn(message: WireDelta): WireDelta {
    const said = wordsOf(message);
    const isTextTold = begins(said.text, this.#text);
    const areThoughtsTold = begins(said.thoughts, this.#thoughts);
    // From here on pieces come in messages.
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

/** Some servers say one of nothing beside a text. */
function saysCall(fragment: unknown): boolean {
  const { function: work, custom } = fieldsOf(fragment);
  return writtenInCall(work ?? custom) !== "";
}
