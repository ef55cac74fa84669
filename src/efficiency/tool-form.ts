import type { Label } from "./calls/origin.ts";
import type { ToolKind } from "./calls/tool-kind.ts";
import type { Action } from "./compaction.ts";
import { changeOutside, hasLanguageFence, markFences } from "./fences/language-fences.ts";
import type { Voice } from "./fences/scan-fences.ts";
import { foldLines } from "./fold-lines.ts";
import { chooseForm, chooseMarkedForm, type Draft, type Form, keepForm, readMarks } from "./form.ts";
import { type FoundJson, findJson, leadsOf } from "./json/find-json.ts";
import { scanJsonLines } from "./json/json-lines.ts";
import { COMPACT, oneLineStyleOf, styleOf } from "./json/json-style.ts";
import { scanJson } from "./json/json-tape.ts";
import { readPage } from "./references/read-page.ts";
import type { References } from "./references/references.ts";
import { isDrawnOver } from "./steps/drawn-over.ts";
import { writeTables } from "./steps/json-tables.ts";
import { minifyJson } from "./steps/json-whitespace.ts";
import { isOverwritten, stripProgress } from "./steps/progress-lines.ts";
import { isOfScreen, stripSearchColours } from "./steps/search-colours.ts";
import { stripControlSequences } from "./steps/terminal-codes.ts";
import { createMarker, findWordChanges } from "./steps/word-changes.ts";
import { cutLines } from "./text/cut.ts";
import { findGutters } from "./text/gutter.ts";
import { COLUMNS, escapeMarks, JSON_LINES, SAME } from "./text/marks.ts";
import { writePage } from "./text/page-writer.ts";
import { scratchPieces } from "./text/scratch.ts";
import type { TokenCount } from "./tokens/known-counts.ts";

/** Results of these tools are output, not files: nobody edits them by exact match. */
const FOLDED: readonly ToolKind[] = ["shell", "hits", "search", "matches", "data"];

/** Lines that were found may be code, and have numbers of their own before them. */
const FOUND: readonly ToolKind[] = ["search", "matches"];

/** The codes in these are the file's, but for the colours that the search has added. */
const SEARCHED: readonly ToolKind[] = [...FOUND, "hits"];

/** What was asked for or found has no white space of its own between its values, unless it may be all of a file. */
const MINIFIED: readonly ToolKind[] = ["search", "data"];

/** An agent may edit what these show, by exact match. */
const MAY_BE_FILES: readonly ToolKind[] = ["file", "listing", "numbered", "unknown"];

const JSON_START = /^[[{]/;

export type ToolText = {
  readonly text: string;
  readonly kind: ToolKind;
  /** What later texts call it. */
  readonly label: Label;
  /** It names the call, by which the model finds it, and the text is all that came of that. */
  readonly isNamed: boolean;
  /** Where it stands inside another text, that is counted with it. */
  readonly count: TokenCount;
};

/** How a tool's text is shown at the level `safe`: without what says nothing, and in no notation of ours. */
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
  /** Null where nothing may be referred to. */
  readonly references: References | null;
  /** Not in a fence, which a line without its number could close. */
  readonly thinsGutters: boolean;
};

/** How it is shown at the level `structural`: in notation, too, and with references to what was said before. */
export function structuralToolForm(tool: ToolText, { references, thinsGutters }: StructuralContext): Form {
  const { text, label, isNamed, count } = tool;
  const kind = kindOf(tool);
  const actions = new Set<Action>();
  const marked = readMarks(text, "tool", count);
  const choose = (drafts: readonly Draft[]) => chooseMarkedForm(marked, drafts);
  const plain = cleanOutput(text, kind, actions);
  const clean = plain === text ? marked.escaped : escapeMarks(plain, "tool");
  const copy = copyDraft(clean, references);
  if (copy !== null) return choose([copy]);
  const json = jsonOf(clean, kind);
  const base = json !== null && MINIFIED.includes(kind) ? minify(json, actions) : clean;
  const minifiedCopy = base === clean ? null : copyDraft(base, references);
  if (minifiedCopy !== null) return choose([minifiedCopy]);
  // A fence, whose gutters are not thinned, shows what a user pasted, and is no file.
  const isEdited = thinsGutters && MAY_BE_FILES.includes(kind);
  const tables = tablesOf(json, { text: clean, kind, isEdited });
  const table = tables === null ? null : tableDraft(tables, { actions, references });
  const drafts = table === null ? [] : [table];
  const voice = voiceOf(kind);
  const page = references === null ? readPage(scratchPieces(), base, voice) : references.open(base, voice);
  if (page === null) return choose(drafts);
  const isFolded = FOLDED.includes(kind);
  const found = references?.find(page, isFolded) ?? [];
  if (found.length > 0) actions.add("block_references");
  const folding = {
    taken: found,
    hasForms: !FOUND.includes(kind),
    areFound: SEARCHED.includes(kind),
    actions,
  };
  const replacements = isFolded && json === null ? foldLines(page, folding) : found;
  const written = writePage({ page, replacements, thinsGutters, actions });
  // What is known to everybody comes first: a table must be shorter.
  const form = choose([{ text: written, replacements, actions }, ...drafts]);
  if (references === null) return form;
  const isTable = form.text === table?.text;
  if (isTable) references.drop(page);
  const shown = isTable ? references.openTable(table.page) : page;
  const refers = form.replacements.some((replacement) => replacement.kind === "reference");
  if (shown !== null) {
    // A text that stayed as it came is meant to the letter.
    const isShown = form.text !== text || base === text;
    const named = isNamed && !refers && isShown ? base : null;
    references.close(shown, { label, text: form.text, replacements: form.replacements, whole: named });
  }
  return form;
}

/**
 * A note that is edited is prose; what is JSON as a whole is what a service says of it. What a shell found is output like
 * any other where a terminal put more around it.
 */
function kindOf({ text, kind }: ToolText): ToolKind {
  if (kind === "hits") return isOfScreen(text) ? "shell" : kind;
  if (kind !== "note") return kind;
  return scanJson(text) === null ? "file" : "data";
}

/** All of it was there before. */
function copyDraft(text: string, references: References | null): Draft | null {
  const whole = references?.wholeOf(text) ?? null;
  if (whole === null || hasLanguageFence(text, "tool")) return null;
  return { text: SAME + whole(), replacements: [], actions: ["duplicate_messages"] };
}

/** What was found or asked for may have numbers of its own before its lines, and so may a file that is shown as it is. */
function voiceOf(kind: ToolKind): Voice {
  if (kind === "data" || kind === "listing" || FOUND.includes(kind)) return "data";
  if (kind === "file") return "file";
  return kind === "unknown" ? "reader" : "tool";
}

/** What a screen would not show goes, but not from what may be a file: an agent may edit it by exact match. */
function cleanOutput(text: string, kind: ToolKind, actions: Set<Action>): string {
  if (MAY_BE_FILES.includes(kind)) return text;
  const strip = SEARCHED.includes(kind) ? withoutSearchColours : withoutCodes;
  const plain = text.includes("\x1b") ? strip(text) : text;
  if (plain !== text) actions.add("terminal_codes");
  if (kind !== "shell" || !isOverwritten(plain)) return plain;
  const settled = changeOutside(plain, "tool", stripProgress);
  if (settled !== plain) actions.add("progress_lines");
  return settled;
}

/** What only colours say is said in signs first; where no signs would be clear, the colours stay. */
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

/** In what may be a file, the whole text or nothing. */
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

/** Only what can be written again exactly becomes a table where white space must stay, and no file with its own lines. */
function tablesOf(json: FoundJson | null, { text, kind, isEdited }: TableText): string | null {
  if (json === null) return isEdited ? null : linesTable(text);
  const { lead, tape } = json;
  const isData = MINIFIED.includes(kind);
  const exactStyle = isEdited ? oneLineStyleOf : styleOf;
  const style = isData ? COMPACT : exactStyle(tape);
  const tables = style === null ? null : writeTables(tape, style);
  if (style === null || tables === null) return null;
  return lead + style.mark + tables + (isData ? "" : tape.text.slice(tape.ends[0]));
}

type TableText = {
  readonly text: string;
  readonly kind: ToolKind;
  /** It may be a file, whose lines an agent has to know to edit them by exact match. */
  readonly isEdited: boolean;
};

/** Lines of JSON as one table, behind a line or two that are none, or nothing. */
function linesTable(text: string): string | null {
  const [lead = ""] = leadsOf(text).filter((lead) => !JSON_START.test(lead));
  const lines = scanJsonLines(text.slice(lead.length));
  const table = lines === null ? null : writeTables(lines.tape, lines.style);
  return lines !== null && table?.startsWith(`{"${COLUMNS}"`) ? lead + JSON_LINES + table + lines.rest : null;
}

type TableDraft = Draft & {
  /** The tables without references in them. */
  readonly page: string;
};

type TableContext = { readonly actions: ReadonlySet<Action>; readonly references: References | null };

function tableDraft(table: string, { actions, references }: TableContext): TableDraft {
  const steps = new Set(actions).add("json_tables");
  const page = references?.openTable(table) ?? null;
  const replacements = page === null ? [] : (references?.find(page, false) ?? []);
  if (replacements.length > 0) steps.add("block_references");
  const text = page === null ? table : writePage({ page, replacements, thinsGutters: false, actions: steps });
  if (page !== null) references?.drop(page);
  return { text, replacements, actions: steps, page: table };
}
