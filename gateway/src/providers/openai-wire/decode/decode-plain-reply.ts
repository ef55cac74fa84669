import type { ChatEvent } from "../../../contract/index.ts";
import type { WireChoice, WireChunk, WireDelta } from "../wire-chunk.ts";
import { hasAnnotations } from "./decode-answer.ts";
import type { ReadingContext } from "./decode-chunk.ts";
import { decodeFinishReason, fittingReason, saysItFailed } from "./decode-finish.ts";
import { mayReason } from "./decode-reasoning.ts";
import { decodeUsage, type UsageHabits } from "./decode-usage.ts";

/**
 * Fast path for one answer of text and nothing else, which most replies are. Null if the reply contains anything more:
 * then the full decoders read it.
 */
export function decodePlainReply(
  reply: WireChunk,
  context: Pick<ReadingContext, "n" | "namedTool" | keyof UsageHabits>,
): ChatEvent[] | null {
  const { choices } = reply;
  const { n, namedTool } = context;
  if (n !== 1 || reply.error || reply.object === "error" || reply.x_groq) return null;
  if (!Array.isArray(choices) || choices.length !== 1) return null;
  const choice = choices[0] as WireChoice | null;
  if (typeof choice !== "object" || choice === null || !isPlainChoice(choice)) return null;
  const { message, finish_reason: word } = choice;
  if (typeof word !== "string" || word === "" || saysItFailed(word)) return null;
  if (typeof message !== "object" || message === null || !isPlainMessage(message)) return null;
  const { content: text } = message;
  if (typeof text !== "string" || text === "") return null;
  const reason = fittingReason(decodeFinishReason(word), { hasCalls: false, namedTool });
  const usage = reply.usage ? decodeUsage(reply.usage, context) : null;
  return [
    { type: "text", text },
    { type: "finish", reason, usage },
  ];
}

function isPlainChoice({ index, error, usage, logprobs }: WireChoice): boolean {
  return (index === undefined || index === null || index === 0) && !error && !usage && !logprobs;
}

function isPlainMessage(message: WireDelta): boolean {
  const hasMore = message.refusal || message.tool_calls || message.function_call || hasAnnotations(message);
  return !(hasMore || mayReason(message));
}
