import type { Label } from "./calls/origin.ts";
import type { ToolKind } from "./calls/tool-kind.ts";
import type { Action } from "./compaction.ts";
import { escapeMarks, isKeptInPart, markFences } from "./fences/language-fences.ts";
import { chooseForm, chooseMarkedForm, type Draft, type Form, keepForm } from "./form.ts";
import { COMPACT, type FoundJson, findJson, minifyJson, oneLineStyleOf } from "./json/find-json.ts";
import { scanJson } from "./json/json-tape.ts";
import { writePage } from "./page-writer.ts";
import { LEAST_WHOLE, type References, readPage } from "./references/references.ts";
import { foldAlikeLines } from "./steps/alike-lines.ts";
import { writeTables } from "./steps/json-tables.ts";
import { dropColours } from "./steps/terminal-codes.ts";
import { cutLines } from "./text/cut.ts";
import { findGutters, mayHavePadding } from "./text/gutter.ts";
import { SAME } from "./text/marks.ts";
import { type Page, type Replacement, scratchPieces } from "./text/pieces.ts";
import type { TokenCount } from "./tokens/known-counts.ts";

/** What may be done to the results of a kind. */
type Rules = {
  /** May have line numbers that the tool added. */
  readonly hasGutters?: true;
  /** Nobody edits it by exact match: colours are dropped. */
  readonly isScreen?: true;
  /** Lines share how they begin: all of it, or the path that a search found. */
  readonly folds?: "starts" | "places";
  /** JSON becomes tables: where white space means nothing, or only where it can be restored exactly. */
  readonly tables?: "free" | "exact";
};

const RULES: Readonly<Record<ToolKind, Rules>> = {
  file: { hasGutters: true },
  listing: {},
  unknown: { hasGutters: true, tables: "exact" },
  shell: { isScreen: true, folds: "starts", tables: "exact" },
  search: { folds: "places" },
  data: { tables: "free" },
  terminal: { hasGutters: true, isScreen: true, tables: "exact" },
};

export type ToolText = {
  readonly text: string;
  readonly kind: ToolKind;
  /** How later texts refer to it. */
  readonly label: Label;
  /** True if the label names a tool call and the text is that call's whole result. */
  readonly isNamed: boolean;
  readonly count: TokenCount;
};

type Context = {
  /** Null if references are off. */
  readonly references: References | null;
  /** False in a fence: a line that lost its number could close it. */
  readonly thinsGutters: boolean;
  /** The steps that may be taken. */
  readonly may: (step: Action) => boolean;
};

/** The form of a tool's text at level `safe`: drops what carries no information, and adds no notation of ours. */
export function safeToolForm({ text, kind, count }: ToolText, { may }: Pick<Context, "may">): Form {
  const actions = new Set<Action>();
  const { plain, json } = plainOf(text, kind, { may, actions });
  const mayPad = json === null && RULES[kind].hasGutters && mayHavePadding(plain);
  const page = mayPad ? cutLines(scratchPieces(), plain) : null;
  if (page !== null) markFences(page);
  const isPadded = page !== null && findGutters(page) > 0 && may("gutter_padding");
  const shown = isPadded ? writePage({ page, replacements: [], thinsGutters: false, may, actions }) : plain;
  return chooseForm(keepForm(text, count), [{ text: shown, replacements: [], actions }], count);
}

/** The form at level `structural`: also uses our notation, and references to earlier text. */
export function structuralToolForm(tool: ToolText, { references, thinsGutters, may }: Context): Form {
  const { text, label, isNamed, count } = tool;
  const rules = RULES[tool.kind];
  const actions = new Set<Action>();
  const escaped = escapeMarks(text);
  const { plain: base, json } = plainOf(escaped, tool.kind, { may, actions });
  const original = keepForm(text, count);
  const choose = (drafts: readonly Draft[]) => chooseMarkedForm(original, escaped, { drafts, count });
  const whole = may("duplicate_messages") ? wholeReference(base, references) : null;
  if (whole !== null) return choose([whole]);
  const table = tableDraft(base, json, { rules, references, may, actions });
  const hasGutters = rules.hasGutters === true;
  const page = references?.open(base, hasGutters) ?? readPage(scratchPieces(), base, hasGutters);
  if (page === null) return choose(table === null ? [] : [table]);
  const blocks = may("block_references") ? findBlocks(page, references, rules.folds !== undefined) : [];
  if (blocks.length > 0) actions.add("block_references");
  const replacements = [...blocks];
  if (rules.folds !== undefined && json === null && may("alike_lines")) {
    const isFree = createFreeLines(page, blocks);
    replacements.push(...foldAlikeLines(page, { isFree, areFound: rules.folds === "places" }));
    if (replacements.length > blocks.length) actions.add("alike_lines");
    replacements.sort((a, b) => a.first - b.first);
  }
  const written = writePage({ page, replacements, thinsGutters, may, actions });
  // The common notation comes first: a table must be shorter to be chosen.
  const form = choose([{ text: written, replacements, actions }, ...(table === null ? [] : [table])]);
  if (references === null) return form;
  const isTable = table !== null && form.text === table.text;
  if (isTable) references.drop(page);
  const shown = isTable ? references.openTable(table.page) : page;
  if (shown !== null) {
    // If the text is shown unchanged, `base` may stand for it only if both are equal.
    const standsFor = isNamed && !form.text.includes(SAME) && (form.text !== text || base === text);
    const named = standsFor ? base : null;
    const isAsWritten = isTable || form.text === written;
    const { replacements: shownAs } = form;
    references.close(shown, { label, text: form.text, replacements: shownAs, whole: named, isAsWritten });
  }
  return form;
}

type Doing = { readonly may: Context["may"]; readonly actions: Set<Action> };

/** Without what a screen would not show, or what means nothing in a service's JSON; and the JSON that it is. */
function plainOf(
  text: string,
  kind: ToolKind,
  { may, actions }: Doing,
): { plain: string; json: FoundJson | null } {
  const { isScreen, tables } = RULES[kind];
  const plain = isScreen && may("terminal_codes") ? dropColours(text) : text;
  if (plain !== text) actions.add("terminal_codes");
  if (tables === undefined) return { plain, json: null };
  if (tables === "exact") {
    const tape = scanJson(plain);
    return { plain, json: tape === null ? null : { lead: "", tape } };
  }
  const json = findJson(plain);
  if (json === null || !may("json_whitespace")) return { plain, json };
  const minified = json.lead + minifyJson(json.tape);
  if (minified !== plain) actions.add("json_whitespace");
  return { plain: minified, json };
}

/** A reference to an earlier, identical text. */
function wholeReference(text: string, references: References | null): Draft | null {
  const whole = references?.wholeOf(text) ?? null;
  if (whole === null || isKeptInPart(text)) return null;
  return { text: SAME + whole(), replacements: [], actions: ["duplicate_messages"] };
}

/** References to blocks, unless they are all that would be left of a short result. */
function findBlocks(page: Page, references: References | null, seesFolded: boolean): readonly Replacement[] {
  const found = references?.find(page, seesFolded) ?? [];
  if (found.length === 0 || page.text.length >= LEAST_WHOLE) return found;
  const ends = [0, ...found.map(({ to }) => to)];
  const isAll = ends.every((end, at) => page.text.slice(end, found[at]?.from).trim() === "");
  return isAll ? [] : found;
}

function createFreeLines(page: Page, taken: readonly Replacement[]): (piece: number) => boolean {
  const isTaken = new Uint8Array(page.end - page.first);
  for (const { first, count } of taken) isTaken.fill(1, first - page.first, first - page.first + count);
  return (piece) => isTaken[piece - page.first] === 0;
}

type TableDraft = Draft & {
  /** The text with tables, before references. */
  readonly page: string;
};

type TableContext = Doing & { readonly rules: Rules; readonly references: References | null };

/** JSON with tables. Where white space must stay, only JSON on one line that can be written exactly the same. */
function tableDraft(
  base: string,
  json: FoundJson | null,
  { rules, references, may, actions }: TableContext,
): TableDraft | null {
  if (json === null || !may("json_tables")) return null;
  const { lead, tape } = json;
  const isFree = rules.tables === "free";
  const style = isFree ? COMPACT : oneLineStyleOf(tape);
  const tables = style === null ? null : writeTables(tape, style);
  if (tables === null) return null;
  const steps = new Set(actions).add("json_tables");
  const table = lead + tables + (isFree ? "" : base.slice(lead.length + (tape.ends[0] as number)));
  const page = may("block_references") ? (references?.openTable(table) ?? null) : null;
  if (page === null) return { text: table, replacements: [], actions: steps, page: table };
  const replacements = findBlocks(page, references, false);
  if (replacements.length > 0) steps.add("block_references");
  const text = writePage({ page, replacements, thinsGutters: false, may, actions: steps });
  references?.drop(page);
  return { text, replacements, actions: steps, page: table };
}
