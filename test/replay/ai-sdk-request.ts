import type { ChatRequest } from "../../gateway/src/contract/index.ts";
import type { Json } from "./ai-sdk-answer.ts";

/** How one provider's recorded requests are read: into the neutral request, and into lines that can be compared. */
export type RequestReader = {
  /** Null if the request contains something that our interfaces cannot express. */
  decode(body: Json): ChatRequest | null;
  /** One line for each thing that the model is given, in order. */
  lines(body: Json): readonly string[];
};

/** Shortens long data to a comparable line. */
export function digest(data: unknown): string {
  const text = String(data);
  return `${text.length}:${text.slice(0, 12)}`;
}

export function said(who: string, text: string): string[] {
  return text.trim() === "" ? [] : [`${who} says ${text.trim()}`];
}
