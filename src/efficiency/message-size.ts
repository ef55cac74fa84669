import type { ChatMessage } from "../providers/index.ts";
import { estimateTokens } from "./tokens/estimate.ts";
import type { TokenCount } from "./tokens/known-counts.ts";
import { leastParts, mostParts, tokensHeldFor, tokensOfRare } from "./tokens/rare-letters.ts";

/** How long all texts of the messages are: what no estimate can be argued out of. */
export function messageCharacters(messages: readonly ChatMessage[]): number {
  return sumOfTexts(messages, (text) => text.length);
}

/** What the messages have at the least, whatever their words are taken for. */
type LeastTokens = {
  /** To be held for, with the fifth that every hold has beyond its estimate. */
  readonly held: number;
  /** What their rare letters come to wherever they are counted; 0 for nearly everything that people write. */
  readonly ofRareLetters: number;
};

/** Where that is surely no more than `counted`, nobody wants to know it: then it is 0. */
export function leastTokens(messages: readonly ChatMessage[], counted: number): LeastTokens {
  const characters = messageCharacters(messages);
  const bytes = sumOfTexts(messages, Buffer.byteLength);
  if (tokensHeldFor(mostParts(characters, bytes)) <= counted) return { held: 0, ofRareLetters: 0 };
  const parts = bytes === characters ? mostParts(characters, bytes) : sumOfTexts(messages, leastParts);
  return { held: tokensHeldFor(parts), ofRareLetters: tokensOfRare(parts, characters) };
}

/** By the estimate, text by text: what one of them is shortened by, the message is. */
export function messageTokens(message: ChatMessage, count: TokenCount = estimateTokens): number {
  return sumOfMessage(message, count);
}

type Measure = (text: string) => number;

function sumOfTexts(messages: readonly ChatMessage[], measure: Measure): number {
  let sum = 0;
  for (const message of messages) sum += sumOfMessage(message, measure);
  return sum;
}

function sumOfMessage(message: ChatMessage, measure: Measure): number {
  const { content } = message;
  let sum = 0;
  if (typeof content === "string") sum += measure(content);
  else for (const part of content ?? []) if (part.type === "text") sum += measure(part.text);
  if (message.role !== "assistant") return sum;
  for (const call of message.toolCalls ?? []) sum += measure(call.name) + measure(call.arguments);
  for (const { text } of message.reasoning ?? []) sum += measure(text);
  return sum;
}
