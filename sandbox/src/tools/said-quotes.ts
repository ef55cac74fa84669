/** Quoted text directly after an argument's word: `titled "Crash on start"`, `with the body "It crashed"`. */

import { hasAny } from "../fill/identifier.ts";
import { typeOf } from "../fill/schema/schema-node.ts";
import type { Reader } from "./argument.ts";

const QUOTE = "(?:\"([^\"\\n]{1,500})\"|“([^“”\\n]{1,500})”|`([^`\\n]{1,500})`|'([^'\\n]{1,500})'(?!\\w))";
const NAMES = new Set(["title", "name", "subject"]);
const CALLED = new RegExp(`\\b(?:called|entitled|named|titled)\\s${QUOTE}`, "i");

export const saidQuote: Reader = ({ words, schema }, { quoted, look }) => {
  if (quoted.length === 0 || typeOf(schema) !== "string") return undefined;
  const called = hasAny(words, NAMES) ? look.first(CALLED) : null;
  const own = words.at(-1) ?? "";
  const isWord = /^[a-z]{3,}$/.test(own) && look.says(own);
  const found = called ?? (isWord ? look.first(`\\b${own}\\s(?:of |is )?${QUOTE}`) : null);
  return found?.slice(1).filter((value) => value !== undefined);
};
