import type { ChatRequest } from "../../src/providers/index.ts";
import type { Json } from "./ai-sdk-answer.ts";

/** How one provider's recorded requests are read: into our words, and into lines that can be compared. */
export type RequestReader = {
  /** Null where the request holds something that no client of ours can say. */
  decode(body: Json): ChatRequest | null;
  /** One line for each thing that the model is told, in the order in which it is told. */
  lines(body: Json): readonly string[];
};

/** Long bytes as a short line. */
export function digest(data: unknown): string {
  const text = String(data);
  return `${text.length}:${text.slice(0, 12)}`;
}

export function said(who: string, text: string): string[] {
  return text.trim() === "" ? [] : [`${who} says ${text.trim()}`];
}
