import { isObject } from "../../kit/index.ts";

/** Fields that refer to positions in a text, or to each of its tokens. */
const COUNTING = ["annotations", "citations", "logprobs"];

/** Whether a message or a part has such data about its text: replacing the text would make the data wrong. */
export function hasTextPositions(given: unknown): boolean {
  return isObject(given) && COUNTING.some((field) => isFilled(given[field]));
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
