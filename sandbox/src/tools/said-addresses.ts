/** Recipients of a message, and of a copy. */

import { hasAny, setOf } from "../fill/identifier.ts";
import { EMAIL_SHAPE } from "../fill/prompt-shapes.ts";
import type { Reader } from "./argument.ts";
import { type Found, joined } from "./look.ts";

const ADDRESSED = setOf("to recipient recipients email emails attendees participants guests invitees");
const RECEIVING = ["to", "recipient"];
const COPIES = new Set(["cc", "bcc"]);
const CHANNEL = /(?<![\w&#/])#[a-z][\w-]{0,60}/i;
/** "Send Bob a message". */
const SENT_TO =
  /\b(?:[Ss]end|[Gg]ive|[Ww]rite|[Ff]orward|[Ss]how)\s(\p{Lu}[\p{L}'-]{1,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,2})\s(?:an?|the|my|this)\s/u;
/** Directly before the first recipient of a copy. */
const COPIED = /\b(b?cc)(?:['’]?d|['’]?ing)?:?\s(?:to\s|it to\s)?$/i;
const MAX_COPIED_CHARACTERS = 16;

export const saidAddresses: Reader = ({ words }, { text, look }) => {
  if (words.includes("channel")) return look.first(CHANNEL)?.slice(0, 1);
  const copy = words.find((word) => COPIES.has(word));
  if (copy === undefined && !hasAny(words, ADDRESSED)) return undefined;
  const lists = listsOf(look.all(EMAIL_SHAPE), text);
  const own = lists.find(([first]) => copyBefore(first, text) === copy);
  if (own !== undefined || copy !== undefined) return own?.map(({ value }) => value);
  return RECEIVING.some((word) => words.includes(word)) ? look.first(SENT_TO)?.slice(1, 2) : undefined;
};

/** Groups addresses that "and" joins. */
function listsOf(found: readonly Found[], text: string): Found[][] {
  const lists: Found[][] = [];
  for (let rest = found; rest.length > 0; rest = found.slice(lists.flat().length)) {
    lists.push(joined(rest, text));
  }
  return lists;
}

function copyBefore(first: Found | undefined, text: string): string | undefined {
  const at = first?.at ?? 0;
  return COPIED.exec(text.slice(Math.max(0, at - MAX_COPIED_CHARACTERS), at))?.[1]?.toLowerCase();
}
