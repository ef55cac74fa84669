import { readFileSync } from "node:fs";
import { COMPACTION_LEVELS, type Compaction, compact, estimateTokens } from "../efficiency/index.ts";
import { failed } from "./cli-error.ts";
import { alignFields } from "./columns.ts";
import type { Command } from "./command.ts";
import { decodeMessages, encodeMessage, textOf } from "./efficiency-messages.ts";
import type { PreviewMessage } from "./efficiency-parts.ts";
import { parseChoice } from "./flag-values.ts";
import { type DiffLine, diffLines, shortenDiff } from "./line-diff.ts";
import type { Paint, Style } from "./terminal.ts";
import { countText } from "./wording.ts";

const STYLES: Readonly<Record<DiffLine["sign"], Style>> = { " ": "dim", "-": "red", "+": "green" };
/** How much of an unchanged message is shown, to know it again. */
const GLIMPSE = 72;

const previewCommand: Command = {
  path: ["efficiency", "preview"],
  about: "Show what compaction would make of a conversation.",
  notes:
    "FILE is JSON: an array of messages, or the body of a chat call or a response. Nothing is sent anywhere.",
  flags: [
    { name: "file", value: "FILE", about: "the conversation", required: true, positional: true },
    { name: "level", value: "LEVEL", about: `one of ${COMPACTION_LEVELS.join(", ")} (default: safe)` },
    { name: "fences", value: null, about: "tool results are in fences, as on the main interface" },
    { name: "no-references", value: null, about: "as for a provider that clears its context" },
  ],
  async run({ flags, paint }) {
    const file = flags.required("file");
    const level = parseChoice("--level", flags.text("level") ?? "safe", COMPACTION_LEVELS);
    const messages = decodeMessages(read(file), file);
    const options = { level, references: !flags.has("no-references"), fences: flags.has("fences") };
    const compaction = compact(messages, options);
    return {
      json: {
        level,
        original_estimated_tokens: compaction.originalTokens,
        compacted_estimated_tokens: compaction.compactedTokens,
        tokens_saved: compaction.tokensSaved,
        actions: compaction.actions,
        changed: compaction.changed,
        messages: compaction.messages.map(encodeMessage),
      },
      text: `${renderMessages(messages, compaction, paint)}\n\n${renderNumbers(compaction)}`,
    };
  },
};

export const efficiencyCommands: readonly Command[] = [previewCommand];

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw failed(`${path} cannot be read.`);
  }
}

function renderMessages(messages: readonly PreviewMessage[], compaction: Compaction, paint: Paint): string {
  return compaction.messages
    .map((message, at) => {
      const before = textOf(messages[at] ?? message);
      const after = textOf(message);
      const title = paint("bold", `#${at + 1} ${message.role}`);
      if (!compaction.changed.includes(at)) return `${title}  ${paint("dim", glimpse(after))}`;
      const tokens = `${estimateTokens(before)} → ${countText(estimateTokens(after), "token")}`;
      const diff = shortenDiff(diffLines(before, after));
      return `${title}  ${tokens}\n${diff.map(({ sign, text }) => paint(STYLES[sign], `  ${sign} ${text}`)).join("\n")}`;
    })
    .join("\n");
}

function glimpse(text: string): string {
  const line = text
    .slice(0, GLIMPSE * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > GLIMPSE || text.length > GLIMPSE * 2 ? `${line.slice(0, GLIMPSE)}…` : line;
}

function renderNumbers({ originalTokens, compactedTokens, tokensSaved, actions }: Compaction): string {
  const percent = originalTokens === 0 ? 0 : (100 * tokensSaved) / originalTokens;
  return alignFields([
    ["before", countText(originalTokens, "token")],
    ["after", countText(compactedTokens, "token")],
    ["saved", `${countText(tokensSaved, "token")} (${percent.toFixed(1)} %)`],
    ["by", actions.length === 0 ? "nothing" : actions.join(", ")],
  ]);
}
