import { isObject } from "../kit/index.ts";

/** A chat message or a response item for display: who says it, and its text. */
type ShownItem = { readonly who: string; readonly text: string };

/** Handles every item that our APIs accept; of others it shows only the type. */
export function shownItem(item: unknown): ShownItem {
  if (typeof item === "string") return { who: "user", text: item };
  if (!isObject(item)) return { who: "unknown", text: "" };
  const { role, type, content, output, name, arguments: given, input } = item;
  const who = String(role ?? type ?? "reference");
  if (output !== undefined) return { who, text: textOf(output) };
  return {
    who,
    text: content == null ? `${textOf(name)} ${textOf(given ?? input)}`.trim() : textOf(content),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  return Array.isArray(content) ? content.map(textOfPart).join("\n") : JSON.stringify(content);
}

function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isObject(part)) return "";
  const { type, text, refusal } = part;
  const said = text ?? refusal;
  return typeof said === "string" ? said : `(${type})`;
}
