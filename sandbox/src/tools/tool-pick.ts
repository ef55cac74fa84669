/** Which tools a prompt asks for: by name, else by action, subject or description. */

import type { Tool } from "../../../gateway/src/contract/index.ts";
import { stem } from "../fill/identifier.ts";
import { createEffort } from "../fill/schema/schema-reader.ts";
import { createRequestedActions, type RequestedActions } from "./requested-actions.ts";
import { isSaidOfMany, type Picked, spokenDeeds, type TextPlace } from "./spoken-deed.ts";
import { COMMON, type KnownTool, knowTool, plainName } from "./tool-words.ts";

const MAX_PICKED = 8;
export const MAX_TOOLS_READ = 256;
/** Per name or subject in a prompt, so that a prompt that repeats one stays cheap. */
const MAX_OCCURRENCES = 32;
const MAX_PROMPT_CHARACTERS = 8000;
const MAX_PHRASE_WORDS = 8;

const NO_TOOLS =
  /\b(?:not|never|without|avoid|\w+n['’]?t)\s(?:call|us|invok|run)\w{0,3}\s(?:(?:any|your|the)\s)?(?:tools|functions|(?<=any\s)(?:tool|function))\b/i;

/** The tools that the prompt names; else those whose action or information it asks for; none if neither. */
export function pickTools(prompt: string, tools: readonly Tool[]): Picked[] {
  const text = prompt.slice(0, MAX_PROMPT_CHARACTERS);
  if (NO_TOOLS.test(text)) return [];
  const effort = createEffort();
  const known = toolsRead(text, tools).map((tool) => knowTool(tool, effort));
  const requested = createRequestedActions(text);
  const named = known.flatMap((each) => pickedAt(each, placeOfName(each.tool, text, requested.isCalled)));
  const called = [...named, ...toolsCalledTools(text, known, requested)];
  if (called.length > 0) return distinct(called.sort((one, other) => one.at - other.at));
  const asked = toolsAsked({ text, open: known, requested }, spokenDeeds(text, known, requested));
  const picked = distinct([...asked, ...runners({ text, open: known, requested }, asked)]);
  return picked.sort((one, other) => known.indexOf(one.known) - known.indexOf(other.known));
}

/** If there are very many tools: those that the prompt names, wherever they are listed, then the first others. */
function toolsRead(text: string, tools: readonly Tool[]): readonly Tool[] {
  if (tools.length <= MAX_TOOLS_READ) return tools;
  const said = new Set(text.toLowerCase().match(/[\w-]+/g));
  const isSaid = (name: string) =>
    name
      .toLowerCase()
      .split(/[^\w-]+/)
      .every((word) => said.has(word));
  const named = new Set(
    tools.filter(({ name }) => isSaid(name) || isSaid(plainName(name))).slice(0, MAX_TOOLS_READ),
  );
  let free = MAX_TOOLS_READ - named.size;
  return tools.filter((tool) => named.has(tool) || free-- > 0);
}

function pickedAt(known: KnownTool, place: TextPlace | undefined): Picked[] {
  return place === undefined ? [] : [{ known, ...place, last: place }];
}

function distinct(picked: readonly Picked[]): Picked[] {
  const isFirst = ({ known }: Picked, at: number) =>
    picked.findIndex((other) => other.known === known) === at;
  return picked.filter(isFirst).slice(0, MAX_PICKED);
}

const RUN = /\b(?:run|execute|list(?=\s(?:(?:all|the|my)\s)*files\b))\b/gi;

/** "Run ls -la", and "list the files" if no other tool does that, is for the tool that takes commands. */
function runners({ text, open, requested }: Asking, picked: readonly Picked[]): Picked[] {
  const takesCommands = ({ takes }: KnownTool) => takes.has("command") || takes.has("cmd");
  const runner = open.find(takesCommands);
  if (runner === undefined || picked.some(({ known }) => takesCommands(known))) return [];
  const place = placesIn(text, RUN).find(
    ({ at }) =>
      requested.isDeed(at) &&
      !requested.isSparing(at, false) &&
      !picked.some((other) => other.at <= at && at <= other.last.end),
  );
  // The verb is not the tool's name but marks where the command begins, so it stays in the text that the tool may read.
  return place === undefined ? [] : pickedAt(runner, { at: place.at, end: place.at });
}

const TOOL =
  /\b(?:use|call|invoke|run|using|with)\s(?:the|your|this|that|a)\s((?:[\w-]{1,20}\s){0,3})tool\b/gi;

/** "Use the weather tool", and "use the tool" if there is only one. */
function toolsCalledTools(text: string, tools: readonly KnownTool[], requested: RequestedActions): Picked[] {
  return [...text.matchAll(TOOL).take(MAX_OCCURRENCES)].flatMap(({ 0: whole, 1: which = "", index }) => {
    const end = index + whole.length;
    if (!requested.isCalled(end - "tool".length - which.length, end)) return [];
    const words = which.toLowerCase().split(/\s+/).filter(Boolean).map(stem);
    const meant = tools.filter(
      ({ subject }) => words.length > 0 && words.every((word) => subject.includes(word)),
    );
    const only = meant.length > 0 ? meant : tools.length === 1 ? tools : [];
    return only.slice(0, 1).flatMap((known) => pickedAt(known, { at: index, end }));
  });
}

type Asking = {
  readonly text: string;
  readonly open: readonly KnownTool[];
  readonly requested: RequestedActions;
};

/** Where the tool's subject is mentioned, requested or not. */
export function placeOfThing({ subject }: KnownTool, text: string): TextPlace | undefined {
  return subject.length === 0 ? undefined : placesIn(text, new RegExp(phraseShape(subject), "gi"))[0];
}

/** Nobody says so many words in a row, and compiling an expression of fifty takes a millisecond. */
function phraseShape(subject: readonly string[]): string {
  if (subject.length > MAX_PHRASE_WORDS) return "(?!)";
  return `\\b${subject.join("s?\\s(?:\\w{1,12}\\s)?")}s?\\b`;
}

/** Patterns for what a tool is about: all words of its name, or only the last one in a question. */
function subjectShapes({ subject, tells }: KnownTool): string[] {
  if (subject.length === 0) return [];
  const head = `(?<=\\b(?:what|what['’]s|what is|what are|which) (?:the |my )?)${subject.at(-1)}s?\\b`;
  return [phraseShape(subject), ...(tells && subject.length > 1 ? [head] : [])];
}

/**
 * Adds what is asked for beyond actions: from the tool that is named for it (singular or plural as in the prompt), else
 * from the first whose description mentions it.
 */
function toolsAsked({ text, open, requested }: Asking, deeds: readonly Picked[]): Picked[] {
  const found = [...deeds];
  const agrees = (known: KnownTool, place: TextPlace) => known.isMany === isSaidOfMany(text, place);
  const alikeTo = Map.groupBy(open, ({ subject }) => subject.join());
  const add = (known: KnownTool, shapes: readonly string[], tells: boolean) => {
    const alike = alikeTo.get(known.subject.join()) ?? [];
    const isWanted = (place: TextPlace) =>
      requested.isAsked(place.at, place.end, tells) &&
      (tells || !requested.isSparing(place.at, known.passesText)) &&
      (agrees(known, place) || !alike.some((other) => agrees(other, place))) &&
      !found.some(({ at, last }) => at <= place.at && place.at <= last.end);
    const places = shapes.flatMap((shape) => placesIn(text, new RegExp(shape, "gi")));
    found.push(...pickedAt(known, places.find(isWanted)));
  };
  for (const known of open) add(known, subjectShapes(known), known.tells);
  for (const known of open) add(known, known.topics.map(phraseShape), true);
  return found;
}

function placesIn(text: string, shape: RegExp): TextPlace[] {
  return [...text.matchAll(shape).take(MAX_OCCURRENCES)].map(({ 0: found, index: at }) => ({
    at,
    end: at + found.length,
  }));
}

/** Where the name occurs as a whole word; a common verb needs "call" before it. */
function placeOfName(tool: Tool, text: string, counts: RequestedActions["isCalled"]): TextPlace | undefined {
  const lower = text.toLowerCase();
  for (const name of [tool.name, plainName(tool.name)]) {
    const wanted = name.toLowerCase();
    let at = wanted === "" ? -1 : lower.indexOf(wanted);
    for (let tries = 0; at >= 0 && tries < MAX_OCCURRENCES; tries++) {
      const end = at + wanted.length;
      const isWord = !isNameCharacter(lower[at - 1]) && !isNameCharacter(lower[end]);
      if (isWord && (!COMMON.has(wanted) || isToolNamed(lower, at)) && counts(at, end)) return { at, end };
      at = lower.indexOf(wanted, end);
    }
  }
  return undefined;
}

function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character);
}

function isToolNamed(text: string, at: number): boolean {
  return /\b(?:call|use|using|invoke)\s(?:the\s)?["'`]?$/.test(text.slice(Math.max(0, at - 16), at));
}
