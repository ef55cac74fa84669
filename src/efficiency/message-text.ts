import type { ContentPart } from "../providers/index.ts";

/** Replaces the texts of a content, which are counted from 0. The very same content where none of them changed. */
export function mapTexts<Content extends string | readonly ContentPart[]>(
  content: Content,
  change: (text: string, index: number) => string,
): Content;
export function mapTexts(
  content: string | readonly ContentPart[],
  change: (text: string, index: number) => string,
): string | readonly ContentPart[] {
  if (typeof content === "string") return change(content, 0);
  let isChanged = false;
  let index = 0;
  const parts = content.map((part) => {
    if (part.type !== "text") return part;
    const text = change(part.text, index++);
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
