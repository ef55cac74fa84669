import { parseForeignJson } from "../../../kit/index.ts";
import { unreadable } from "./decode-chunk.ts";

/**
 * For a chat completion, which repeats nothing of its request. Keys of log probabilities do not count, and an answer is
 * read and written several times on its way.
 */
export const MOST_CHAT_KEYS = 50_000;

/** Parses what a server sent. `what` names it for the log. */
export function parseAnswer(text: string, what: string, mostKeys?: number): unknown {
  try {
    return parseForeignJson(text, mostKeys);
  } catch (error) {
    throw unreadable(`${what} that is no JSON`, error);
  }
}
