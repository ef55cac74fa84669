import type { Action } from "./compaction.ts";
import { cutLines } from "./cut.ts";
import { foldLines } from "./fold-lines.ts";
import { chooseForm, chooseMarkedForm, type Draft, type Form, keepForm } from "./form.ts";
import { findGutters } from "./gutter.ts";
import { COMPACT, styleOf } from "./json-style.ts";
import { type JsonTape, scanJson } from "./json-tape.ts";
import { changeOutside, hasLanguageFence, markFences } from "./language-fences.ts";
import { escapeMarks, SAME, SIGN } from "./marks.ts";
import { writePage } from "./page-writer.ts";
import { readPage } from "./read-page.ts";
import type { References } from "./references.ts";
import type { Voice } from "./scan-fences.ts";
import { scratchPieces } from "./scratch.ts";
import { writeTables } from "./steps/json-tables.ts";
import { minifyJson } from "./steps/json-whitespace.ts";
import { stripProgress } from "./steps/progress-lines.ts";
import { stripControlSequences } from "./steps/terminal-codes.ts";
import type { ToolKind } from "./tool-kind.ts";

/** Results of these tools are output, not files: nobody edits them by exact match. */
const FOLDED: readonly ToolKind[] = ["shell", "listing", "search", "data"];

export type ToolText = {
  readonly text: string;
  readonly kind: ToolKind;
  /** What later texts call it. */
  readonly label: string;
  /** It names the call, by which the model finds it. */
  readonly isNamed: boolean;
};

/** How a tool's text is shown at the level `safe`: without what says nothing, and in no notation of ours. */
export function safeToolForm({ text, kind }: ToolText): Form {
  const actions = new Set<Action>();
  const clean = cleanOutput(text, kind, actions);
  const tape = kind === "data" ? scanJson(clean) : null;
  if (tape !== null) {
    const minified = minify(tape, actions);
    return chooseForm(text, [{ text: minified, replacements: [], actions }]);
  }
  const page = cutLines(scratchPieces(), clean);
  if (page !== null) markFences(page, "tool");
  if (page === null || (findGutters(page, voiceOf(kind)) === 0 && clean === text)) return keepForm(text);
  const written = writePage({ page, replacements: [], thinsGutters: false, actions });
  return chooseForm(text, [{ text: written, replacements: [], actions }]);
}

export type Desk = {
  /** Null where nothing may be referred to. */
  readonly references: References | null;
  /** Not in a fence, which a line without its number could close. */
  readonly thinsGutters: boolean;
};

/** How it is shown at the level `structural`: in notation, too, and with references to what was said before. */
export function structuralToolForm(tool: ToolText, { references, thinsGutters }: Desk): Form {
  const { text, kind, label, isNamed } = tool;
  const actions = new Set<Action>();
  const isMarked = text.includes(SIGN);
  const choose = isMarked ? chooseMarkedForm : chooseForm;
  const plain = cleanOutput(text, kind, actions);
  const clean = isMarked ? escapeMarks(plain, "tool") : plain;
  const whole = references?.wholeOf(clean) ?? null;
  if (whole !== null && !hasLanguageFence(clean, "tool")) {
    const draft: Draft = { text: SAME + whole, replacements: null, actions: ["duplicate_messages"] };
    return choose(text, [draft], "tool");
  }
  const tape = scanJson(clean);
  const base = tape !== null && kind === "data" ? minify(tape, actions) : clean;
  const drafts = tape === null ? [] : tableDrafts(tape, kind, actions);
  const voice = voiceOf(kind);
  const page = references === null ? readPage(scratchPieces(), base, voice) : references.open(base, voice);
  if (page === null) return choose(text, drafts, "tool");
  const found = references?.find(page) ?? [];
  if (found.length > 0) actions.add("block_references");
  const folds = tape === null && FOLDED.includes(kind);
  const replacements = folds ? foldLines(page, found, actions) : found;
  const written = writePage({ page, replacements, thinsGutters, actions });
  const form = choose(text, [...drafts, { text: written, replacements, actions }], "tool");
  const isWhole = isNamed && (found.length === 0 || form.text !== written);
  references?.close(page, { label, text: form.text, replacements: form.replacements, isWhole });
  return form;
}

/** What was found or asked for may have numbers of its own before its lines. */
function voiceOf(kind: ToolKind): Voice {
  if (kind === "data" || kind === "search") return "data";
  return kind === "file" || kind === "unknown" ? "reader" : "tool";
}

/** What a screen would not show goes, but not from what may be a file: an agent may edit it by exact match. */
function cleanOutput(text: string, kind: ToolKind, actions: Set<Action>): string {
  if (kind === "file" || kind === "listing" || kind === "unknown") return text;
  const plain = text.includes("\x1b") ? changeOutside(text, "tool", stripControlSequences) : text;
  if (plain !== text) actions.add("terminal_codes");
  if (kind !== "shell" || !plain.includes("\r")) return plain;
  const settled = changeOutside(plain, "tool", stripProgress);
  if (settled !== plain) actions.add("progress_lines");
  return settled;
}

function minify(tape: JsonTape, actions: Set<Action>): string {
  const minified = minifyJson(tape);
  if (minified !== tape.text) actions.add("json_whitespace");
  return minified;
}

/** Only what can be written again exactly becomes a table where white space must stay. */
function tableDrafts(tape: JsonTape, kind: ToolKind, actions: ReadonlySet<Action>): Draft[] {
  const style = kind === "data" ? COMPACT : styleOf(tape);
  const text = style === null ? null : writeTables(tape, style);
  return text === null ? [] : [{ text, replacements: null, actions: [...actions, "json_tables"] }];
}
