import type { ChatMessage } from "./message.ts";
import type { Steps } from "./steps.ts";
import { estimateTokens } from "./tokens/estimate.ts";
import type { TokenCount } from "./tokens/known-counts.ts";
import { leastParts, mostParts, tokensHeldFor, tokensOfRare } from "./tokens/rare-letters.ts";
import { LONGEST_PIECE, piecesOf } from "./tokens/text-pieces.ts";

/** The length of all texts: unlike the token estimate, it cannot be gamed. */
export function messageCharacters(messages: readonly ChatMessage[]): number {
  return sumOfTexts(messages, (text) => text.length);
}

/** The fewest tokens to assume for the messages, whatever the estimate says. */
type LeastTokens = {
  /** To be held for; the hold adds a fifth to it, as to every estimate. */
  readonly held: number;
  /** What their rare characters cost with any tokenizer; 0 for nearly everything that people write. */
  readonly ofRareLetters: number;
};

/** Both are 0 if they surely do not exceed `counted`: then nobody needs them. */
export function leastTokens(messages: readonly ChatMessage[], counted: number): LeastTokens {
  const characters = messageCharacters(messages);
  const bytes = sumOfTexts(messages, Buffer.byteLength);
  if (tokensHeldFor(mostParts(characters, bytes)) <= counted) return { held: 0, ofRareLetters: 0 };
  const parts = bytes === characters ? mostParts(characters, bytes) : sumOfTexts(messages, leastParts);
  return { held: tokensHeldFor(parts), ofRareLetters: tokensOfRare(parts, characters) };
}

/** Estimated text by text: if one text gets shorter, the message gets shorter by as much. */
export function messageTokens(message: ChatMessage, count: TokenCount = estimateTokens): number {
  return sumOfMessage(message, count);
}

/** The same for all messages, in steps of one message or, if it is long, of one piece of a text. */
export function* allTokenSteps(messages: readonly ChatMessage[], count?: TokenCount): Steps<number> {
  let tokens = 0;
  for (const message of messages) {
    // Nearly every message is short, and nearly every call comes by here.
    if (charactersOf(message) <= LONGEST_PIECE) tokens += messageTokens(message, count);
    else tokens += yield* messageTokenSteps(message, count);
    yield;
  }
  return tokens;
}

export function* messageTokenSteps(message: ChatMessage, count: TokenCount = estimateTokens): Steps<number> {
  const texts: string[] = [];
  sumOfMessage(message, (text) => texts.push(text));
  let tokens = 0;
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      tokens += count(piece);
      yield;
    }
  }
  return tokens;
}

type Measure = (text: string) => number;

/** The length of a message's texts. */
export function charactersOf(message: ChatMessage): number {
  return sumOfMessage(message, (text) => text.length);
}

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
