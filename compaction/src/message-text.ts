import type { ContentPart } from "./message.ts";

type Content = string | readonly ContentPart[];

/** The Unicode object replacement character: stands for a part that is not text. */
const OBJECT = "\ufffc";

/** Replaces the texts of a content. Returns the same object if none of them changed. */
export function mapTexts<Given extends Content>(content: Given, change: (text: string) => string): Given;
export function mapTexts(content: Content, change: (text: string) => string): Content {
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

export function someText(content: Content, isIt: (text: string) => boolean): boolean {
  if (typeof content === "string") return isIt(content);
  return content.some((part) => part.type === "text" && isIt(part.text));
}

/** True if there are several text parts. A reader may see them as one text, without knowing where they meet. */
export function hasSeveralTexts(content: Content): boolean {
  return typeof content !== "string" && content.filter((part) => part.type === "text").length > 1;
}

/** True if the content is a single text. */
export function isTextAlone(content: Content): boolean {
  return typeof content === "string" || (content.length === 1 && content[0]?.type === "text");
}

/** The content as one text, as most providers get it. */
export function wholeText(content: Content): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : OBJECT)).join("\n");
}
