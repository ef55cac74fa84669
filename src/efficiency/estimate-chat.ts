import { estimateTokens } from "./estimate.ts";

/**
 * As much of a message as costs tokens. Written here and not taken from the providers' contract, which
 * this folder does not know; a message of that contract fits.
 */
export type EstimableMessage = {
  readonly content: string | null | readonly { readonly type: string; readonly text?: string }[];
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly reasoning?: readonly { readonly text: string }[];
};

/** Role and separators around each message, and the opening of the answer. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REPLY = 3;

/** Text only: what an image or a file costs is the catalog's to say, model by model. */
export function estimateChatTokens(messages: readonly EstimableMessage[]): number {
  let tokens = TOKENS_PER_REPLY;
  for (const message of messages) tokens += TOKENS_PER_MESSAGE + estimateMessageText(message);
  return tokens;
}

function estimateMessageText(message: EstimableMessage): number {
  let tokens = 0;
  const { content } = message;
  if (typeof content === "string") tokens += estimateTokens(content);
  else for (const part of content ?? []) tokens += part.text === undefined ? 0 : estimateTokens(part.text);
  for (const call of message.toolCalls ?? [])
    tokens += estimateTokens(call.name) + estimateTokens(call.arguments);
  for (const part of message.reasoning ?? []) tokens += estimateTokens(part.text);
  return tokens;
}
