import type { ChatEvent, FinishReason } from "../contract.ts";
import { type CallDecoder, createCallDecoder } from "./decode-calls.ts";
import { decodeFinishReason, fittingReason } from "./decode-finish.ts";
import { proofOf } from "./encode-reasoning.ts";
import { encodeSeal } from "./seal.ts";
import type { WireChoice, WireDelta } from "./wire-chunk.ts";

/** One of the `n` answers on its way in, by pieces or whole: a whole message is one large piece. */
export type AnswerDecoder = {
  push(choice: WireChoice, delta: WireDelta, out: ChatEvent[]): void;
  /** Null while the provider has not said that the answer ended. */
  reason(): FinishReason | null;
  end(out: ChatEvent[]): void;
};

export function createAnswerDecoder(input: {
  readonly index: number;
  readonly namespace: string;
  readonly namedTool: boolean;
}): AnswerDecoder {
  const { index, namespace, namedTool } = input;
  let calls: CallDecoder | null = null;
  let word: string | null = null;

  function pushText(type: "text" | "reasoning" | "refusal", text: unknown, out: ChatEvent[]): void {
    if (typeof text !== "string" || text === "") return;
    out.push(index === 0 ? { type, text } : { type, text, index });
  }

  function pushReasoning(delta: WireDelta, out: ChatEvent[]): void {
    const { reasoning_content: content, reasoning } = delta;
    const text = typeof content === "string" && content !== "" ? content : reasoning;
    pushText("reasoning", text, out);
    if (!Array.isArray(delta.reasoning_details)) return;
    const isTold = typeof text === "string" && text !== "";
    for (const detail of delta.reasoning_details) {
      if (typeof detail !== "object" || detail === null) continue;
      if (!isTold) pushText("reasoning", detail.text ?? detail.summary, out);
      const proof = proofOf(detail);
      if (proof === null) continue;
      const signature = encodeSeal(namespace, proof);
      out.push({ type: "reasoning_signature", signature, ...(index === 0 ? {} : { index }) });
    }
  }

  /** A list of parts, some of which are thoughts. */
  function pushParts(parts: readonly unknown[], out: ChatEvent[]): void {
    for (const part of parts) {
      if (typeof part !== "object" || part === null) continue;
      const { type, text, thinking } = part as Readonly<Record<string, unknown>>;
      if (type === "text") pushText("text", text, out);
      else if (type === "thinking") pushThinking(thinking, out);
    }
  }

  function pushThinking(thinking: unknown, out: ChatEvent[]): void {
    if (!Array.isArray(thinking)) pushText("reasoning", thinking, out);
    else for (const part of thinking) pushText("reasoning", part?.text, out);
  }

  function pushCalls(delta: WireDelta, out: ChatEvent[]): void {
    const { tool_calls: fragments, function_call: single } = delta;
    if (Array.isArray(fragments)) {
      for (const fragment of fragments) {
        calls ??= createCallDecoder(index, namespace);
        calls.push(fragment, out);
      }
    } else if (typeof single === "object" && single !== null) {
      calls ??= createCallDecoder(index, namespace);
      calls.push({ index: 0, function: single }, out);
    }
  }

  return {
    push(choice, delta, out) {
      const { content, refusal } = delta;
      if (delta.reasoning_content || delta.reasoning || delta.reasoning_details) pushReasoning(delta, out);
      if (typeof content === "string") pushText("text", content, out);
      else if (Array.isArray(content)) pushParts(content, out);
      if (refusal) pushText("refusal", refusal, out);
      if (delta.tool_calls || delta.function_call) pushCalls(delta, out);
      const probabilities = choice.logprobs?.content;
      if (Array.isArray(probabilities) && probabilities.length > 0) {
        out.push({ type: "logprobs", content: probabilities, ...(index === 0 ? {} : { index }) });
      }
      if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
        word = choice.finish_reason;
      }
    },
    reason() {
      if (word === null) return null;
      return fittingReason(decodeFinishReason(word), { hasCalls: (calls?.count ?? 0) > 0, namedTool });
    },
    end(out) {
      calls?.end(out);
    },
  };
}
