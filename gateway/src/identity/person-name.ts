import { parseDisplayText } from "./display-text.ts";

const MAX_NAME_CHARS = 100;

export function parsePersonName(text: string): ReturnType<typeof parseDisplayText> {
  return parseDisplayText({ field: "name", text, maxChars: MAX_NAME_CHARS });
}
