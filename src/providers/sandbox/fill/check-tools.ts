import type { JsonValue } from "./json-value.ts";

/** What the checks of single keywords share. */
export type Check = {
  fits(schema: unknown, value: JsonValue): boolean;
  matches(pattern: string, text: string): boolean;
  /** False where the answer has taken all its steps: what is not checked passes. */
  step(count: number): boolean;
};
