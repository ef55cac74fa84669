import type { ChatRequest, Tool, ToolCall } from "../../../gateway/src/contract/index.ts";
import { isObject } from "../../../gateway/src/kit/index.ts";
import type { Script } from "../directives/directives.ts";
import { makeValue } from "../fill/make-value.ts";
import { createEffort, createSchemaReader, type Effort } from "../fill/schema-reader.ts";
import { createRandom, type Random, seedOf } from "../random.ts";
import type { Turn } from "../turn.ts";
import { restateResults } from "./tool-result.ts";

/** Tools in a namespace are named `namespace__name`. */
function plainName(name: string): string {
  const at = name.lastIndexOf("__");
  return at < 0 ? name : name.slice(at + "__".length);
}

const MAX_NAME_CHARACTERS = 128;

/**
 * Where the prompt names the tool: as it is written, or in words. What `get_weather` gets is enough; a single word such
 * as `read` only after "use", "call" or the like, since it may be meant otherwise.
 */
function placeOfTool(name: string, prompt: string): number | undefined {
  const plain = plainName(name).slice(0, MAX_NAME_CHARACTERS);
  const words = plain
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  if (words.length === 0) return undefined;
  const got = /^get$/.test(words[0] ?? "")
    ? words.filter((word) => word !== "get" && word !== "current")
    : [];
  const isOneWord = words.length === 1;
  const spoken = [words, ...(got.length > 0 ? [got] : [])].map((each) => each.join("[ _-]?"));
  const before = isOneWord ? "(?<=\\b(?:use|using|call|run|invoke)(?: the)? [\"'`]?)" : "(?<![\\w-])";
  const at = prompt.search(new RegExp(`${before}(?:${spoken.join("|")})s?(?![\\w-])`, "i"));
  return at < 0 ? undefined : at;
}

type CallDecision =
  | { readonly outcome: "call"; readonly calls: readonly ToolCall[] }
  | { readonly outcome: "answer" }
  | { readonly outcome: "explain"; readonly text: string }; // why it calls nothing, though it was told to

type Choosing = {
  readonly request: ChatRequest;
  readonly prompt: string;
  readonly script: Script;
  /** With `auto`, an answer follows the results: calling again would never end. */
  readonly turn: Pick<Turn, "toolResults" | "called">;
  readonly random: Random;
};

const MAX_NAMES_SHOWN = 10;
/** How much of a request is searched for names. */
const MAX_TOOLS_READ = 1000;
const MAX_READ_CHARACTERS = 10_000;

/**
 * Which tool to call: what the caller forces, else what a directive dictates, else the first tool that the prompt
 * names, else any if one is required.
 */
export function decideCalls(input: Choosing): CallDecision {
  const { request, script, turn } = input;
  const hasResults = turn.toolResults.length > 0;
  const tools = request.tools ?? [];
  const choice = request.toolChoice ?? "auto";
  if (choice === "none" || tools.length === 0) return refuseScript(input, tools);
  const forced = typeof choice === "object" ? tools.filter((tool) => tool.name === choice.name) : null;
  const isScripted = script.calls.length > 0 && !hasResults;
  if (isScripted && (forced === null || script.calls.some(({ name }) => findTool(forced, name)))) {
    return scriptedCalls(input, forced ?? tools);
  }
  if (hasResults && forced === null && choice !== "required") return { outcome: "answer" };
  const called = forced?.[0] ?? toolNamed(input) ?? (choice === "required" ? toolNeeded(input) : undefined);
  return called === undefined
    ? { outcome: "answer" }
    : callOf(input, [madeCall(called, input, createEffort())]);
}

/** The first that the prompt names and that was not called yet. */
function toolNamed({ request: { tools = [] }, prompt, turn: { called } }: Choosing): Tool | undefined {
  const said = prompt.slice(0, MAX_READ_CHARACTERS);
  const places = tools.slice(0, MAX_TOOLS_READ).flatMap((tool) => {
    const at = called.has(tool.name) ? undefined : placeOfTool(tool.name, said);
    return at === undefined ? [] : [{ tool, at }];
  });
  return places.toSorted((one, other) => one.at - other.at)[0]?.tool;
}

/** One that was not called yet: the first, but after results the last, since that is where the one to end with stands. */
function toolNeeded({ request: { tools = [] }, turn: { called, toolResults } }: Choosing): Tool | undefined {
  const left = tools.filter(({ name }) => !called.has(name));
  return (toolResults.length > 0 ? left.at(-1) : left[0]) ?? tools[0];
}

type Unnumbered = { readonly name: string; readonly arguments: string };

/** The required arguments only, made from the tool's schema. A tool takes an object, never a bare value. */
function madeCall(
  { name, parameters }: Tool,
  { prompt, turn, random }: Choosing,
  effort: Effort,
): Unnumbered {
  const schema = { type: "object", ...(isObject(parameters) ? parameters : {}) };
  const reader = createSchemaReader(schema, effort);
  const said = turn.toolResults.length > 0 ? restateResults(turn.toolResults) : prompt;
  return { name, arguments: JSON.stringify(makeValue({ reader, random, isFull: false, said })) };
}

function callOf(input: Choosing, calls: readonly Unnumbered[]): CallDecision {
  return { outcome: "call", calls: numbered(input, calls) };
}

function scriptedCalls(input: Choosing, tools: readonly Tool[]): CallDecision {
  const calls: Unnumbered[] = [];
  const effort = createEffort();
  for (const call of input.script.calls) {
    const tool = findTool(tools, call.name);
    if (tool === undefined) return explainMissing(call.name, tools);
    if (call.arguments !== null) calls.push({ name: tool.name, arguments: call.arguments });
    else calls.push(madeCall(tool, input, effort));
  }
  return callOf(input, calls);
}

/** By its full name, or by its name within its namespace. */
function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => plainName(tool.name) === name);
}

function refuseScript(input: Choosing, tools: readonly Tool[]): CallDecision {
  const [first] = input.script.calls;
  if (first === undefined || input.turn.toolResults.length > 0) return { outcome: "answer" };
  if (tools.length === 0) return explainMissing(first.name, tools);
  return explain("I was told to call a tool, but tool_choice is none.");
}

function explainMissing(name: string, tools: readonly Tool[]): CallDecision {
  const names = tools.slice(0, MAX_NAMES_SHOWN).map((tool) => tool.name);
  const offer =
    names.length === 0 ? "The request offers no tools." : `The request offers ${names.join(", ")}.`;
  return explain(`I cannot call ${name}. ${offer}`);
}

function explain(why: string): CallDecision {
  return { outcome: "explain", text: `This is Bursar's sandbox. ${why}` };
}

/** Ids are repeatable, and differ between the turns of a conversation, in which they must be unique. */
function numbered(input: Choosing, calls: readonly Unnumbered[]): ToolCall[] {
  const { messages, wireFields } = input.request;
  const wanted = wireFields?.["parallel_tool_calls"] === false ? calls.slice(0, 1) : calls;
  return wanted.map(({ name, arguments: text }, at) => {
    const random = createRandom(seedOf(`${messages.length}/${at}/${name}/${text}`));
    const digits = Array.from({ length: 4 }, () =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    );
    return { id: `call_${digits.join("").slice(0, 24)}`, name, arguments: text };
  });
}
