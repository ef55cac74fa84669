import type { Label } from "./calls/origin.ts";
import type { ToolKind } from "./calls/tool-kind.ts";
import type { Action } from "./compaction.ts";
import { escapeMarks } from "./fences/escape-marks.ts";
import { changeOutside, isKeptInPart, markFences } from "./fences/language-fences.ts";
import { foldLines } from "./fold-lines.ts";
import { chooseForm, chooseMarkedForm, type Draft, type Form, keepForm, readMarks } from "./form.ts";
import { type FoundJson, findJson, leadsOf } from "./json/find-json.ts";
import { scanJsonLines } from "./json/json-lines.ts";
import { COMPACT, oneLineStyleOf, styleOf } from "./json/json-style.ts";
import { scanJson } from "./json/json-tape.ts";
import { writePage } from "./page-writer.ts";
import { readPage } from "./references/read-page.ts";
import { LEAST_WHOLE, type References } from "./references/references.ts";
import { isDrawnOver } from "./steps/drawn-over.ts";
import { writeTables } from "./steps/json-tables.ts";
import { minifyJson } from "./steps/json-whitespace.ts";
import { isOfScreen, stripSearchColours } from "./steps/search-colours.ts";
import { stripControlSequences } from "./steps/terminal-codes.ts";
import { createMarker, findWordChanges } from "./steps/word-changes.ts";
import { cutLines } from "./text/cut.ts";
import { findGutters } from "./text/gutter.ts";
import { COLUMNS, JSON_LINES, SAME } from "./text/marks.ts";
import type { Page, Voice } from "./text/pieces.ts";
import type { Replacement } from "./text/replacement.ts";
import { scratchPieces } from "./text/scratch.ts";
import type { TokenCount } from "./tokens/known-counts.ts";

/** Results of these kinds are output, not files: nobody edits them by exact match. */
const FOLDED: readonly ToolKind[] = ["shell", "hits", "search", "matches", "data"];

/** Search results may be code, with line numbers of their own. */
const FOUND: readonly ToolKind[] = ["search", "matches"];

/** Terminal codes in these belong to the file, except for the colours that the search added. */
const SEARCHED: readonly ToolKind[] = [...FOUND, "hits"];

/** JSON whose white space means nothing, unless it may be a whole file. */
const MINIFIED: readonly ToolKind[] = ["search", "data"];

/** Kinds whose content an agent may edit by exact match. */
const MAY_BE_FILES: readonly ToolKind[] = ["file", "listing", "numbered", "unknown"];

const JSON_START = /^[[{]/;

export type ToolText = {
  readonly text: string;
  readonly kind: ToolKind;
  /** How later texts refer to it. */
  readonly label: Label;
  /** True if the label names a tool call and the text is that call's whole result. */
  readonly isNamed: boolean;
  /** For a text inside another one, counts both together. */
  readonly count: TokenCount;
};

/** The form of a tool's text at level `safe`: drops what carries no information, and adds no notation of ours. */
export function safeToolForm(tool: ToolText): Form {
  const { text, count } = tool;
  const kind = kindOf(tool);
  const actions = new Set<Action>();
  const clean = cleanOutput(text, kind, actions);
  const found = MINIFIED.includes(kind) ? findJson(clean) : null;
  if (found !== null) {
    const minified = minify(found, actions);
    return chooseForm(text, [{ text: minified, replacements: [], actions }], count);
  }
  const page = cutLines(scratchPieces(), clean);
  if (page !== null) markFences(page, "tool");
  if (page === null || (findGutters(page, voiceOf(kind)) === 0 && clean === text))
    return keepForm(text, count);
  const written = writePage({ page, replacements: [], thinsGutters: false, actions });
  return chooseForm(text, [{ text: written, replacements: [], actions }], count);
}

type StructuralContext = {
  /** Null if references are off. */
  readonly references: References | null;
  /** False in a fence: a line that lost its number could close it. */
  readonly thinsGutters: boolean;
};

/** The form at level `structural`: also uses our notation, and references to earlier text. */
export function structuralToolForm(tool: ToolText, { references, thinsGutters }: StructuralContext): Form {
  const { text, label, isNamed, count } = tool;
  const kind = kindOf(tool);
  const actions = new Set<Action>();
  const marked = readMarks(text, count);
  const choose = (drafts: readonly Draft[]) => chooseMarkedForm(marked, drafts);
  const plain = cleanOutput(text, kind, actions);
  const clean = plain === text ? marked.escaped : escapeMarks(plain);
  const copy = copyDraft(clean, references);
  if (copy !== null) return choose([copy]);
  const json = jsonOf(clean, kind);
  const base = json !== null && MINIFIED.includes(kind) ? minify(json, actions) : clean;
  const minifiedCopy = base === clean ? null : copyDraft(base, references);
  if (minifiedCopy !== null) return choose([minifiedCopy]);
  // Gutters are not thinned in a user's fence, which is pasted output and no file.
  const isEdited = thinsGutters && MAY_BE_FILES.includes(kind);
  const rewritten = rewrittenOf(json, { text: clean, kind, isEdited });
  const table = rewritten === null ? null : tableDraft(rewritten, { actions, references });
  const drafts = table === null ? [] : [table];
  const voice = voiceOf(kind);
  const page = references === null ? readPage(scratchPieces(), base, voice) : references.open(base, voice);
  if (page === null) return choose(drafts);
  const isFolded = FOLDED.includes(kind);
  const found = findBlocks(page, references, isFolded);
  if (found.length > 0) actions.add("block_references");
  const folding = {
    taken: found,
    hasForms: !FOUND.includes(kind),
    areFound: SEARCHED.includes(kind),
    actions,
  };
  const replacements = isFolded && json === null ? foldLines(page, folding) : found;
  const written = writePage({ page, replacements, thinsGutters, actions });
  // The common notation comes first: a table must be shorter to be chosen.
  const form = choose([{ text: written, replacements, actions }, ...drafts]);
  if (references === null) return form;
  const isTable = form.text === table?.text;
  if (isTable) references.drop(page);
  const shown = isTable ? references.openTable(table.page) : page;
  const refers = form.replacements.some((replacement) => replacement.kind === "reference");
  if (shown !== null) {
    // If the text is shown unchanged, `base` may stand for it only if both are equal.
    const isShown = form.text !== text || base === text;
    const named = isNamed && !refers && isShown ? base : null;
    references.close(shown, { label, text: form.text, replacements: form.replacements, whole: named });
  }
  return form;
}

/**
 * A note that somebody edits is prose; one that is JSON as a whole is a record of a service. What a shell search
 * printed counts as ordinary output if a terminal added more codes.
 */
function kindOf({ text, kind }: ToolText): ToolKind {
  if (kind === "hits") return isOfScreen(text) ? "shell" : kind;
  if (kind !== "note") return kind;
  return scanJson(text) === null ? "file" : "data";
}

/** References to blocks, unless they are all that would be left of a short result. */
function findBlocks(page: Page, references: References | null, seesFolded: boolean): readonly Replacement[] {
  const found = references?.find(page, seesFolded) ?? [];
  if (found.length === 0 || page.text.length >= LEAST_WHOLE) return found;
  const ends = [0, ...found.map(({ to }) => to)];
  const isAll = ends.every((end, at) => page.text.slice(end, found[at]?.from).trim() === "");
  return isAll ? [] : found;
}

/** A reference to an earlier, identical text. */
function copyDraft(text: string, references: References | null): Draft | null {
  const whole = references?.wholeOf(text) ?? null;
  if (whole === null || isKeptInPart(text, "tool")) return null;
  return { text: SAME + whole(), replacements: [], actions: ["duplicate_messages"] };
}

/**
 * Data and search results may have numbers of their own before their lines, and so may a file that is shown as it is.
 */
function voiceOf(kind: ToolKind): Voice {
  if (kind === "data" || kind === "listing" || FOUND.includes(kind)) return "data";
  if (kind === "file") return "file";
  return kind === "unknown" ? "reader" : "tool";
}

/** Drops what a screen would not show; but not from what may be a file, which an agent may edit by exact match. */
function cleanOutput(text: string, kind: ToolKind, actions: Set<Action>): string {
  if (MAY_BE_FILES.includes(kind)) return text;
  const strip = SEARCHED.includes(kind) ? withoutSearchColours : withoutCodes;
  const plain = text.includes("\x1b") ? strip(text) : text;
  if (plain !== text) actions.add("terminal_codes");
  return plain;
}

/** Changes that only colours show are marked with signs first; if no signs would be unambiguous, the colours stay. */
function withoutCodes(text: string): string {
  const changes = findWordChanges(text);
  if (changes === null) return text;
  const mark = createMarker(changes);
  const isScreen = isDrawnOver(text);
  return changeOutside(text, "tool", (part, start) => stripControlSequences(mark(part, start), isScreen));
}

function withoutSearchColours(text: string): string {
  return changeOutside(text, "tool", stripSearchColours);
}

/** In what may be a file, only the whole text counts as JSON. */
function jsonOf(text: string, kind: ToolKind): FoundJson | null {
  if (!MAY_BE_FILES.includes(kind)) return findJson(text);
  const tape = scanJson(text);
  return tape === null ? null : { lead: "", tape };
}

function minify({ lead, tape }: FoundJson, actions: Set<Action>): string {
  const minified = minifyJson(tape);
  if (minified !== tape.text) actions.add("json_whitespace");
  return lead + minified;
}

type Rewritten = { readonly text: string; readonly step: Action };

/**
 * JSON with tables; of a shell, otherwise on a single line below a mark that says how it was indented. Where white
 * space must stay, only JSON that can be reproduced exactly is rewritten; a file on several lines never is.
 */
function rewrittenOf(json: FoundJson | null, { text, kind, isEdited }: TableText): Rewritten | null {
  if (json === null) {
    const table = isEdited ? null : linesTable(text);
    return table === null ? null : { text: table, step: "json_tables" };
  }
  const { lead, tape } = json;
  const isData = MINIFIED.includes(kind);
  const exactStyle = isEdited ? oneLineStyleOf : styleOf;
  const style = isData ? COMPACT : exactStyle(tape);
  if (style === null) return null;
  const tables = writeTables(tape, style);
  if (tables === null && (kind !== "shell" || style.mark === "")) return null;
  const rest = isData ? "" : tape.text.slice(tape.ends[0]);
  const step = tables === null ? "json_whitespace" : "json_tables";
  return { text: lead + style.mark + (tables ?? minifyJson(tape)) + rest, step };
}

type TableText = {
  readonly text: string;
  readonly kind: ToolKind;
  /** True if it may be a file, whose lines an agent must know to edit them by exact match. */
  readonly isEdited: boolean;
};

/** JSON Lines as one table, perhaps after an introduction (see `leadsOf`); else null. */
function linesTable(text: string): string | null {
  const [lead = ""] = leadsOf(text).filter((lead) => !JSON_START.test(lead));
  const lines = scanJsonLines(text.slice(lead.length));
  const table = lines === null ? null : writeTables(lines.tape, lines.style);
  return lines !== null && table?.startsWith(`{"${COLUMNS}"`) ? lead + JSON_LINES + table + lines.rest : null;
}

type TableDraft = Draft & {
  /** The text with tables, before references. */
  readonly page: string;
};

type TableContext = { readonly actions: ReadonlySet<Action>; readonly references: References | null };

function tableDraft({ text: table, step }: Rewritten, { actions, references }: TableContext): TableDraft {
  const steps = new Set(actions).add(step);
  const page = references?.openTable(table) ?? null;
  const replacements = page === null ? [] : findBlocks(page, references, false);
  if (replacements.length > 0) steps.add("block_references");
  const text = page === null ? table : writePage({ page, replacements, thinsGutters: false, actions: steps });
  if (page !== null) references?.drop(page);
  return { text, replacements, actions: steps, page: table };
}
