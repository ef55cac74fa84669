import { isObject } from "../../kit/index.ts";

/** What says of a text where in it something stands, or what each piece of it was worth. */
const COUNTING = ["annotations", "citations", "logprobs"];

/** Whether a message or one of its parts counts the letters of its text: another text would make that untrue. */
export function countsLetters(given: unknown): boolean {
  return isObject(given) && COUNTING.some((field) => isFilled(given[field]));
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
