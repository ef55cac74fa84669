import { type Invalid, refuse } from "./refusal.ts";

/** Line breaks and control characters would break logs, tables and headers; PostgreSQL refuses NUL. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/**
 * Where a line may break, a joiner at a word's end and a direction around the whole name: people's keyboards write them,
 * nobody sees them, and without them the name is the same.
 */
const EMPTY = /[\u200b\u00ad]|\u200c+(?=\s|$)|^[\s\u200e\u200f]+|[\s\u200e\u200f]+$/gu;
/** Letters that were spelled with a joiner before they had a place of their own, and look the same in either way. */
const ONCE_SPELLED = /([കണനരലള])\u0d4d\u200d|ত\u09cd\u200d/gu;
const CHILLUS: Readonly<Record<string, string>> = { ണ: "ൺ", ന: "ൻ", ര: "ർ", ല: "ൽ", ള: "ൾ", ക: "ൿ" };
const KHANDA_TA = "ৎ";
/**
 * Letters that hide, or turn the order of others round: a name must not read as another one. The two joiners are part
 * of words and emoji, so they may stand between letters; flags of regions are spelled in hidden letters.
 */
const HIDING = /(?<![^\s\p{Cf}])[\u200c\u200d]|[\u200c\u200d](?![^\s\p{Cf}])|(?![\u200c\u200d])\p{Cf}/u;
const REGION_FLAG = /\u{1f3f4}[\u{e0030}-\u{e007a}]{2,6}\u{e007f}/gu;
/** Marks and fillers show nothing by themselves, nor does the empty pattern of braille. */
const SEEN = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A name that people read: trimmed, one line, storable, without what shows nothing. Length is counted in UTF-16 units
 * first, so a huge text costs nothing.
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
