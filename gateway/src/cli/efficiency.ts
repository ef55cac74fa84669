import { readFileSync } from "node:fs";
import { COMPACTION_LEVELS, estimateTokens } from "../../../compaction/src/index.ts";
import { AppError, isObject } from "../kit/index.ts";
import type { BodyPreview } from "./body-preview.ts";
import { failed, misused } from "./cli-error.ts";
import { alignFields } from "./columns.ts";
import type { Command } from "./command.ts";
import { parseChoice } from "./flag-values.ts";
import { type DiffLine, diffLines, shortenDiff } from "./line-diff.ts";
import type { Paint, Style } from "./terminal.ts";
import { countText } from "./wording.ts";

/** A chat message or a response item for display: who says it, and its text. */
type ShownItem = { readonly who: string; readonly text: string };

/** Handles every item that our APIs accept; of others it shows only the type. */
function shownItem(item: unknown): ShownItem {
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

const STYLES: Readonly<Record<DiffLine["sign"], Style>> = { " ": "dim", "-": "red", "+": "green" };
/** How much of an unchanged message is shown, so that it can be recognised. */
const GLIMPSE = 72;

const previewCommand: Command = {
  path: ["efficiency", "preview"],
  about: "Show what compaction would make of a conversation.",
  notes:
    "FILE is JSON: an array of messages, or the body of a chat call or a response, read as the gateway reads it. Nothing is sent anywhere.",
  flags: [
    { name: "file", value: "FILE", about: "the conversation", required: true, positional: true },
    { name: "level", value: "LEVEL", about: `one of ${COMPACTION_LEVELS.join(", ")} (default: safe)` },
    { name: "fences", value: null, about: "a body of the main interface, with tool results in fences" },
    { name: "no-references", value: null, about: "as for a provider that clears its context" },
  ],
  async run({ flags, paint, host }) {
    const file = flags.required("file");
    const level = parseChoice("--level", flags.text("level") ?? "safe", COMPACTION_LEVELS);
    const isMain = flags.has("fences");
    const references = !flags.has("no-references");
    const preview = await host
      .previewBody(read(file), { level, isMain, references })
      .catch((error: unknown) => {
        throw error instanceof AppError ? misused(`${file} is refused. ${error.message}`) : error;
      });
    const changed = changedIn(preview);
    return {
      json: {
        level,
        original_estimated_tokens: preview.originalTokens,
        compacted_estimated_tokens: preview.compactedTokens,
        tokens_saved: preview.tokensSaved,
        actions: preview.actions,
        changed,
        [preview.field]: preview.after,
      },
      text: `${renderItems(preview, changed, paint)}\n\n${renderNumbers(preview)}`,
    };
  },
};

export const efficiencyCommands: readonly Command[] = [previewCommand];

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    throw failed(`${path} cannot be read.`);
  }
}

/** Indexes of changed items. Unchanged ones are the same objects. */
function changedIn({ before, after }: BodyPreview): readonly number[] {
  const was = itemsOf(before);
  return [...itemsOf(after).entries()].flatMap(([at, item]) => (item === was[at] ? [] : [at]));
}

function renderItems({ before, after }: BodyPreview, changed: readonly number[], paint: Paint): string {
  return itemsOf(after)
    .map((item, at) => {
      const { who, text } = shownItem(item);
      const title = paint("bold", `#${at + 1} ${who}`);
      if (!changed.includes(at)) return `${title}  ${paint("dim", glimpse(text))}`;
      const was = shownItem(itemsOf(before)[at]).text;
      const tokens = `${estimateTokens(was)} → ${countText(estimateTokens(text), "token")}`;
      const diff = shortenDiff(diffLines(was, text));
      return `${title}  ${tokens}\n${diff.map(({ sign, text: line }) => paint(STYLES[sign], `  ${sign} ${line}`)).join("\n")}`;
    })
    .join("\n");
}

function itemsOf(conversation: BodyPreview["before"]): readonly unknown[] {
  return typeof conversation === "string" ? [conversation] : conversation;
}

function glimpse(text: string): string {
  const line = text
    .slice(0, GLIMPSE * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > GLIMPSE || text.length > GLIMPSE * 2 ? `${line.slice(0, GLIMPSE)}…` : line;
}

function renderNumbers({ originalTokens, compactedTokens, tokensSaved, actions }: BodyPreview): string {
  const percent = originalTokens === 0 ? 0 : (100 * tokensSaved) / originalTokens;
  return alignFields([
    ["before", countText(originalTokens, "token")],
    ["after", countText(compactedTokens, "token")],
    ["saved", `${countText(tokensSaved, "token")} (${percent.toFixed(1)} %)`],
    ["by", actions.length === 0 ? "nothing" : actions.join(", ")],
  ]);
}
