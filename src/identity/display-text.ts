import { type Invalid, refuse } from "./refusal.ts";

/** Line breaks and control characters would break logs, tables and headers; PostgreSQL refuses NUL. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** A name that people read: trimmed, one line, storable. Length is counted in UTF-16 units first, so a huge text costs nothing. */
export function parseDisplayText(input: {
  field: string;
  text: string;
  maxChars: number;
}): { outcome: "ok"; text: string } | Invalid {
  const { field, maxChars } = input;
  const accepts = `1 to ${maxChars} characters, on one line, without control characters`;
  if (input.text.length > maxChars * 4) return refuse(field, accepts);
  const text = input.text.trim();
  if (text === "" || !text.isWellFormed() || UNPRINTABLE.test(text)) return refuse(field, accepts);
  return [...text].length > maxChars ? refuse(field, accepts) : { outcome: "ok", text };
}
