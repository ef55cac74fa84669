import type { ToolResult } from "../turn.ts";
import { shortened } from "../words.ts";

const MAX_RESULT_CHARACTERS = 2000;
const MAX_RESULTS = 16;

/** Repeats the tools' results word for word, so that a round trip can be checked from outside. */
export function restateResults(results: readonly ToolResult[]): string {
  const lines = results.slice(0, MAX_RESULTS).map(({ name, text }) => {
    const shown = shortened(text.trim(), MAX_RESULT_CHARACTERS);
    return `The sandbox called ${name} and got: ${shown === "" ? "nothing" : shown}`;
  });
  return lines.join("\n");
}
