import {
  type CarriedReasoning,
  type ChatEvent,
  createCarriedReasoning,
  type FinishReason,
} from "../../../contract/index.ts";
import { unreachable } from "../../../kit/index.ts";
import { finishReasonOf } from "../call-style.ts";
import { unwrapCustomInput } from "../custom-tool.ts";
import type { ChoiceForm } from "./chat-choice.ts";
import type { ChunkFrame } from "./chunk-frame.ts";

type AnswerEvent = Exclude<ChatEvent, { type: "finish" | "wire" | "input" }>;

/** Encodes one answer (choice) of a call as stream chunks. */
export type AnswerChunks = {
  /** Appends the chunks for this event to `out`; `logprobs` belong to the event's text. */
  add(event: AnswerEvent, out: string[], logprobs?: readonly unknown[]): void;
  /** Appends what was held back until the end, and returns the JSON members of the closing chunk. */
  close(reason: FinishReason, out: string[]): string;
};

export function createAnswerChunks(input: {
  readonly frame: ChunkFrame;
  readonly index: number;
  readonly form: ChoiceForm;
}): AnswerChunks {
  const { frame, index } = input;
  const { style, callSeal } = input.form;
  const choiceHead = `"choices":[{"index":${index},"delta":{`;
  const choiceTail = `},"logprobs":null,"finish_reason":null}]`;
  const head = frame.head + choiceHead;
  const tail = choiceTail + frame.tail;
  /** Pieces of custom calls' arguments: the input is inside of JSON that can be read only once it is complete. */
  const customInputs = new Map<number, string[]>();
  let thought: CarriedReasoning | null = null;
  let isOpen = false;
  let hasCalls = false;

  /** The first delta carries the role; content is null if the answer does not begin with text. */
  function open(content: '""' | "null", out: string[]): void {
    if (isOpen) return;
    isOpen = true;
    out.push(`${head}"role":"assistant","content":${content},"refusal":null${tail}`);
  }

  function startCall({
    call,
    id,
    name,
    signature,
  }: Extract<AnswerEvent, { type: "tool_start" }>): string | null {
    hasCalls = true;
    const sealedId = JSON.stringify(callSeal.seal(id, signature, thought?.take()));
    const quoted = JSON.stringify(name);
    if (style.isFunctionCall) return call === 0 ? `"function_call":{"name":${quoted},"arguments":""}` : null;
    if (!style.customTools.has(name)) {
      return `"tool_calls":[{"index":${call},"id":${sealedId},"type":"function","function":{"name":${quoted},"arguments":""}}]`;
    }
    customInputs.set(call, []);
    return `"tool_calls":[{"index":${call},"id":${sealedId},"type":"custom","custom":{"name":${quoted},"input":""}}]`;
  }

  function addArguments(call: number, text: string): string | null {
    if (text === "") return null;
    const custom = customInputs.get(call);
    if (custom !== undefined) {
      custom.push(text);
      return null;
    }
    const quoted = JSON.stringify(text);
    if (style.isFunctionCall) return call === 0 ? `"function_call":{"arguments":${quoted}}` : null;
    return `"tool_calls":[{"index":${call},"function":{"arguments":${quoted}}}]`;
  }

  /** The JSON members of the delta; null if the event has nothing to send, or not yet. */
  function deltaOf(event: Exclude<AnswerEvent, { type: "text" | "logprobs" }>): string | null {
    switch (event.type) {
      case "refusal":
        return `"refusal":${JSON.stringify(event.text)}`;
      case "reasoning":
        thought ??= createCarriedReasoning();
        thought.text(event.text);
        return event.text === "" ? null : `"reasoning_content":${JSON.stringify(event.text)}`;
      case "reasoning_signature":
        thought ??= createCarriedReasoning();
        thought.signature(event.signature);
        return null;
      case "annotations":
        return `"annotations":${JSON.stringify(event.content)}`;
      case "tool_start":
        return startCall(event);
      case "tool_arguments":
        return addArguments(event.call, event.text);
      default:
        return unreachable(event);
    }
  }

  return {
    add(event, out, logprobs) {
      if (event.type === "text") {
        if (!isOpen) open('""', out);
        if (logprobs === undefined) out.push(`${head}"content":${JSON.stringify(event.text)}${tail}`);
        else out.push(withLogprobs(`"content":${JSON.stringify(event.text)}`, logprobs));
        return;
      }
      if (event.type === "logprobs") {
        open('""', out);
        out.push(withLogprobs("", event.content));
        return;
      }
      const delta = deltaOf(event);
      if (delta === null) return;
      open("null", out);
      out.push(head + delta + tail);
    },
    close(reason, out) {
      open('""', out);
      for (const [call, pieces] of customInputs) {
        const text = JSON.stringify(unwrapCustomInput(pieces.join("")));
        out.push(`${head}"tool_calls":[{"index":${call},"custom":{"input":${text}}}]${tail}`);
      }
      return closingMembers(index, finishReasonOf(reason, hasCalls, style));
    },
  };

  function withLogprobs(delta: string, content: readonly unknown[]): string {
    const logprobs = JSON.stringify({ content, refusal: null });
    return frame.wrap(`${choiceHead}${delta}},"logprobs":${logprobs},"finish_reason":null}]`);
  }
}

/** The JSON members of the chunk that ends an answer. */
export function closingMembers(index: number, reason: string): string {
  return `"choices":[{"index":${index},"delta":{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}]`;
}
