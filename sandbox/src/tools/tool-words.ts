/** Words for a tool, from its name and its description, and groups of synonymous verbs. */

import type { Tool } from "../../../gateway/src/contract/index.ts";
import { identifierWords, stem } from "../fill/identifier.ts";
import { namedIn } from "../fill/schema/schema-node.ts";
import { createSchemaReader, type Effort } from "../fill/schema/schema-reader.ts";

/** An action in words: `delete_user` is to delete a user. */
export type Phrase = { readonly verb: string; readonly objects: readonly string[] };

/** A tool as a prompt may refer to it. */
export type KnownTool = {
  readonly tool: Tool;
  /** The actions by its name and by the beginning of its description. */
  readonly named: Phrase;
  readonly described: Phrase | undefined;
  /** The words of its name that say what it is about. */
  readonly subject: readonly string[];
  /** What its description says it reports, each as one word or several. */
  readonly topics: readonly (readonly string[])[];
  /** Read-only: it reports something and changes nothing. */
  readonly tells: boolean;
  /** Its name is a plural: `list_orders`. */
  readonly isMany: boolean;
  /** It takes a text that is sent or stored as it is. */
  readonly passesText: boolean;
  /** Words in the names of its arguments. */
  readonly takes: ReadonlySet<string>;
};

/** Arguments that are passed on verbatim. */
export const TEXTS = ["body", "message", "content", "text", "note", "code", "sql", "query"];

const MAX_DESCRIPTION_CHARACTERS = 80;

const words = (line: string) => line.split(" ");
const stems = (line: string) => words(line).map(verbStem);

/** Words that say how a tool works, not what it is about: "write" in a prompt rarely means the tool `write`. */
export const COMMON = new Set(
  words(
    "a all an and any as at by call can create current delete do edit execute fetch file files find for from get given in is it list look lookup make new of on or read run search send set show task text that the this to tool tools up update use user using with write you your function return returns",
  ),
);
/** Groups of synonymous verbs. */
const ALIKE = [
  "get fetch read look lookup show find retrieve view open check cat tell give display return",
  "search find look lookup google query grep",
  "delete remove erase",
  "make create add",
  "write create save put",
  "set turn switch enable disable change adjust update",
  "edit modify change update replace",
  "run execute",
  "calculate compute evaluate solve",
  "book reserve",
  "buy purchase",
].map(stems);
/** Verbs of read-only tools. All other verbs change something, and merely mentioning such a tool is no request. */
const TELLING = new Set(
  stems(
    "get fetch read look lookup show find retrieve view open check cat return list search grep google query browse visit navigate count calculate compute evaluate solve convert translate multiply divide subtract sum compare measure track describe",
  ),
);
/** Nobody does these by talking: the verb alone asks for the tool of that name. */
const DEEDS = new Set(
  stems(
    "search fetch grep google navigate convert calculate compute evaluate translate multiply divide subtract",
  ),
);
export const VERBS = new Set([
  ...TELLING,
  ...ALIKE.flat(),
  ...stems(
    "activate append apply approve archive ask assign ban block buy cancel charge clear click clone close commit copy deactivate deploy destroy download draw drop empty execute export forward format generate grant import insert install invite kill launch lock log mark merge move mute order pause pay place plan play post press publish pull purge push reboot refund register reject release rename rent reply reserve reset restart restore revoke roll run save schedule scroll sell send share shutdown sign spawn start stop submit subscribe suspend tag take terminate transfer trash trigger truncate turn type uninstall unlock unsubscribe upload wipe withdraw write add edit create delete set",
  ),
]);
/** Nobody knows these without looking them up, so a single word is enough. */
const UNKNOWN = new Set(words("weather time date day news"));
/** Arguments with code to run, which may do anything. */
const RUNNING = ["command", "cmd", "script", "sql"];
/** In a description, the object of the verb ends before these. */
const OBJECT_ENDS = /[.,;:(]|\b(?:of|for|to|in|from|with|by|and|or|on|at|between|into|that|which|using)\b/;
const UNTELLING = new Set(
  words("a an any browser current given latest new the this two your information data details info content"),
);

export function verbStem(word: string): string {
  return stem(word.toLowerCase().replace(/(?<=ch|sh|ss|x)es$/, ""));
}

/** Also true for a synonymous verb; but "search the web" needs a tool for the web. */
export function isDeedOfNobody(verb: string, { named, subject }: KnownTool, behind: string): boolean {
  const isElsewhere = /^[^.?!\n]{0,20}\b(?:web|internet|online)\b/i.test(behind) && named.verb !== verb;
  return DEEDS.has(verb) && DEEDS.has(named.verb) && (!isElsewhere || subject.includes("web"));
}

/** Whether the verb alone says what to do: "translate", but not "read". */
export function isSayingVerb(verb: string): boolean {
  return VERBS.has(verb) && !COMMON.has(verb);
}

export function knowTool(tool: Tool, effort: Effort): KnownTool {
  const { parameters, name } = tool;
  const node = createSchemaReader(parameters, effort).resolve(parameters);
  const taken = Object.keys(namedIn(node, "properties")).slice(0, 64);
  const takes = new Set(taken.flatMap(identifierWords));
  const named = phraseOf(identifierWords(plainName(name)));
  const told = (tool.description ?? "").slice(0, MAX_DESCRIPTION_CHARACTERS).toLowerCase();
  const [first = "", ...others] = wordsIn(told.split(OBJECT_ENDS)[0] ?? "");
  const isVerb = VERBS.has(verbStem(first));
  const runs = taken.some((each) => RUNNING.includes(each)) || meansVerb(verbStem(first), "run");
  const described = listsFiles(named)
    ? { verb: "list", objects: ["file"] }
    : isVerb
      ? { verb: verbStem(first), objects: saying(others) }
      : undefined;
  const tells = !runs && (TELLING.has(named.verb) || !VERBS.has(named.verb));
  const isReading = described === undefined ? tells : !runs && meansVerb(described.verb, "get");
  const object = (described?.objects ?? []).filter((word) => !COMMON.has(word));
  const unknown = wordsIn(told).filter((word) => UNKNOWN.has(word));
  return {
    tool,
    named,
    described,
    subject: subjectOf(tool),
    topics: isReading ? [object, ...unknown.map((word) => [word])].filter(({ length }) => length > 0) : [],
    tells,
    isMany: /[^s]s$/.test(name),
    passesText: TEXTS.some((word) => takes.has(word)),
    takes,
  };
}

function wordsIn(line: string): string[] {
  return line.match(/[a-z]+/g) ?? [];
}

function listsFiles({ verb, objects }: Phrase): boolean {
  return verb === "list" && /^(?:directory|dir|folder)$/.test(objects.join(" "));
}

/** The first verb in the name, and the words after it, or before it: `web_search`. */
function phraseOf(name: readonly string[]): Phrase {
  const at = Math.max(
    0,
    name.findIndex((word) => VERBS.has(verbStem(word))),
  );
  const behind = name.slice(at + 1);
  return { verb: verbStem(name[at] ?? ""), objects: saying(behind.length > 0 ? behind : name.slice(0, at)) };
}

function saying(objects: readonly string[]): string[] {
  return objects.filter((word) => !UNTELLING.has(word)).map(stem);
}

function subjectOf({ name }: Tool): string[] {
  // A conversation is handed over by the name of the agent that takes it.
  const handed = /^(?:transfer|hand_?off|delegate)_to_(.+?)(?:_agent)?$/.exec(name)?.[1];
  return identifierWords(handed ?? plainName(name))
    .filter((word) => !COMMON.has(stem(word)) && word.length > 2)
    .map(stem);
}

/** Tools in a namespace are named `namespace__name`. */
export function plainName(name: string): string {
  const at = name.lastIndexOf("__");
  return at < 0 ? name : name.slice(at + "__".length);
}

/** Whether a verb in a prompt may stand for a tool's verb: the same, or a synonym. */
export function meansVerb(said: string, verb: string): boolean {
  if (verb === "list" && said !== "list") return meansVerb(said, "get"); // "show me all orders", but nobody lists one
  return said === verb || ALIKE.some((group) => group.includes(said) && group.includes(verb));
}

/** All verbs that `meansVerb` accepts for this one. */
function saidFor(verb: string): readonly string[] {
  const own = verb === "list" ? "get" : verb;
  return [verb, own, ...ALIKE.filter((group) => group.includes(own)).flat()];
}

/** Shortest root that a name may be derived from. */
const ROOT_LETTERS = 5;

/** Whether a word may be the verb of any tool: a constant-time lookup, however many words and tools there are. */
export function verbsOfAny(tools: readonly KnownTool[]): (said: string) => boolean {
  const verbs = new Set<string>();
  const names = new Map<string, Set<string>>();
  for (const { named, described } of tools) {
    for (const verb of new Set([named.verb, described?.verb ?? named.verb])) {
      if (!verbs.has(verb)) for (const said of saidFor(verb)) verbs.add(said);
    }
    if (named.verb === "send" && named.objects.length === 1) verbs.add(named.objects[0] ?? "");
    for (const name of [named.verb, ...named.objects]) {
      const root = name.slice(0, ROOT_LETTERS);
      names.set(root, (names.get(root) ?? new Set()).add(name));
    }
  }
  return (said) => {
    if (verbs.has(said)) return true;
    const alike = names.get(said.slice(0, ROOT_LETTERS));
    return alike !== undefined && isAnyMadeOf(alike, said);
  };
}

/** "Remind me" for a reminder, "calculate" for a calculator. */
export function isAnyMadeOf(names: Iterable<string>, said: string): boolean {
  const root = said.replace(/e$/, "");
  if (root.length < ROOT_LETTERS) return false;
  for (const name of names) if (name !== said && name.startsWith(root)) return true;
  return false;
}
