import type { ContentPart } from "../providers/index.ts";

/** Replaces the texts of a content. The very same content where none of them changed. */
export function mapTexts<Content extends string | readonly ContentPart[]>(
  content: Content,
  change: (text: string) => string,
): Content;
export function mapTexts(
  content: string | readonly ContentPart[],
  change: (text: string) => string,
): string | readonly ContentPart[] {
  if (typeof content === "string") return change(content);
  let isChanged = false;
  const parts = content.map((part) => {
    if (part.type !== "text") return part;
    const text = change(part.text);
    if (text === part.text) return part;
    isChanged = true;
    return { ...part, text };
  });
  return isChanged ? parts : content;
}

export function someText(content: string | readonly ContentPart[], isIt: (text: string) => boolean): boolean {
  if (typeof content === "string") return isIt(content);
  return content.some((part) => part.type === "text" && isIt(part.text));
}
