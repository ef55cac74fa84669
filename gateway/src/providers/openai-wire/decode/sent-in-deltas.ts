import { fieldsOf, textOf, writtenInCall } from "../../../wires/index.ts";
import type { WireDelta } from "../wire-chunk.ts";
import { fragmentsIn } from "./call-fragments.ts";
import { mayReason, REASONING_FIELDS, readParts, readReasoning } from "./decode-reasoning.ts";

/**
 * What the deltas of one answer have said. Some servers end a stream with a message that repeats all of it, or adds
 * what the deltas left out. The first text of a kind is enough to recognize a repetition: a message that begins
 * differently is a new piece.
 */
export class SentInDeltas {
  #text = "";
  #reasoning = "";
  #hasRefusal = false;
  #hasCalls = false;

  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  note(delta: WireDelta): void {
    const { content, refusal, tool_calls: calls, function_call: single } = delta;
    const isNewText = this.#text === "" && Boolean(content);
    const isNewReasoning = this.#reasoning === "" && (mayReason(delta) || Array.isArray(content));
    if (isNewText || isNewReasoning) {
      const { text, reasoning } = textsIn(delta);
      this.#text ||= text.trim();
      this.#reasoning ||= reasoning.trim();
    }
    if (refusal) this.#hasRefusal = true;
    if (!this.#hasCalls && (calls || single)) this.#hasCalls = fragmentsIn(delta).some(saysCall);
  }

  /** What a message without a delta says beyond the deltas. */
  unsentIn(message: WireDelta): WireDelta {
    const said = textsIn(message);
    const isTextSent = begins(said.text, this.#text);
    const isReasoningSent = begins(said.reasoning, this.#reasoning);
    // From here on, pieces come as messages.
    if (said.text !== "" && !isTextSent) this.#text = "";
    if (said.reasoning !== "" && !isReasoningSent) this.#reasoning = "";
    const rest: Record<string, unknown> = { ...message };
    if (isTextSent) delete rest["content"];
    else if (isReasoningSent && Array.isArray(message.content)) rest["content"] = said.text;
    if (isReasoningSent) for (const name of REASONING_FIELDS) delete rest[name];
    if (this.#hasRefusal) delete rest["refusal"];
    if (this.#hasCalls) {
      delete rest["tool_calls"];
      delete rest["function_call"];
    }
    return rest;
  }
}

function textsIn(delta: WireDelta): { readonly text: string; readonly reasoning: string } {
  let text = textOf(delta.content);
  let reasoning = "";
  const think = (thought: string) => {
    reasoning += thought;
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
  return { text, reasoning };
}

function begins(said: string, sent: string): boolean {
  return sent !== "" && said.trimStart().startsWith(sent);
}

/** False for the empty call that some servers send beside text. */
function saysCall(fragment: unknown): boolean {
  const { function: work, custom } = fieldsOf(fragment);
  return writtenInCall(work ?? custom) !== "";
}
