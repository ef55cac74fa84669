import { z } from "zod";
import type { Compaction } from "../efficiency/index.ts";

export type PreviewMessage = Compaction["messages"][number];

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

/** What a message says, in any of the compatible wires. */
export const contentShape = z.union([z.string(), z.array(part), z.null()]).optional();
type Content = z.infer<typeof contentShape>;

export function contentOf(content: Content) {
  return typeof content === "string" ? content : (content ?? []).map(decodePart);
}

/** Its texts alone. */
export function wordsOf(content: Content): string {
  return typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("");
}

function decodePart({ type, text }: z.infer<typeof part>) {
  return text === undefined ? ({ type: "other", name: type } as const) : ({ type: "text", text } as const);
}
