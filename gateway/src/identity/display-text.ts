import { type Invalid, refuse } from "./refusal.ts";

/** Line breaks and control characters would break logs, tables and headers; PostgreSQL refuses NUL. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/**
 * Invisible characters that keyboards insert and that do not change the name: break opportunities, a joiner at the end
 * of a word, direction marks around the whole name.
 */
const EMPTY = /[\u200b\u00ad]|\u200c+(?=\s|$)|^[\s\u200e\u200f]+|[\s\u200e\u200f]+$/gu;
/** Letters that were written with a joiner before Unicode gave them their own code point; both forms look the same. */
const ONCE_SPELLED = /([കണനരലള])\u0d4d\u200d|ত\u09cd\u200d/gu;
const CHILLUS: Readonly<Record<string, string>> = { ണ: "ൺ", ന: "ൻ", ര: "ർ", ല: "ൽ", ള: "ൾ", ക: "ൿ" };
const KHANDA_TA = "ৎ";
/**
 * Characters that are invisible or reorder others: a name must not look like another one. The two joiners are part of
 * words and emoji, so they are allowed between letters; flags of regions are spelled with invisible characters.
 */
const HIDING = /(?<![^\s\p{Cf}])[\u200c\u200d]|[\u200c\u200d](?![^\s\p{Cf}])|(?![\u200c\u200d])\p{Cf}/u;
const REGION_FLAG = /\u{1f3f4}[\u{e0030}-\u{e007a}]{2,6}\u{e007f}/gu;
/** A visible character: marks, fillers and the empty braille pattern show nothing by themselves. */
const SEEN = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A name for display: trimmed, one line, storable, without invisible characters. Its length in UTF-16 units is checked
 * first, so that a huge text costs nothing.
 */
export function parseDisplayText(input: {
  field: string;
  text: string;
  maxChars: number;
}): { outcome: "ok"; text: string } | Invalid {
  const { field, maxChars } = input;
  const accepts = `1 to ${maxChars} characters, on one line, without control or hidden characters`;
  if (input.text.length > maxChars * 4) return refuse(field, accepts);
  const text = input.text
    .replace(EMPTY, "")
    .replace(ONCE_SPELLED, (_, letter: string | undefined) => CHILLUS[letter ?? ""] ?? KHANDA_TA)
    .trim();
  if (!SEEN.test(text) || !text.isWellFormed() || UNPRINTABLE.test(text)) return refuse(field, accepts);
  if (HIDING.test(text.replace(REGION_FLAG, "\u{1f3f4}"))) return refuse(field, accepts);
  return [...text].length > maxChars ? refuse(field, accepts) : { outcome: "ok", text };
}
