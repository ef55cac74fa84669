import type { ChatRequest, Tool, ToolCall } from "../../../gateway/src/contract/index.ts";
import type { Script } from "../directives/directives.ts";
import { type Clues, readClues, readCluesOfResults } from "../fill/clues.ts";
import type { OptionBook } from "../fill/option-book.ts";
import { createEffort } from "../fill/schema/schema-reader.ts";
import { createRandom, type Random, seedOf } from "../random.ts";
import type { Turn } from "../turn.ts";
import { promptShares } from "./prompt-shares.ts";
import { isWrittenAsCode } from "./requested-actions.ts";
import { type CallMaking, toolArguments } from "./tool-arguments.ts";
import { MAX_TOOLS_READ, pickTools } from "./tool-pick.ts";
import { restateResults } from "./tool-result.ts";
import { knowTool, plainName } from "./tool-words.ts";

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
  readonly options: OptionBook;
};

type Deciding = Choosing & Pick<CallMaking, "toil">;

const MAX_NAMES_SHOWN = 10;
/** Names of tools that take the final answer. */
const ENDING = /answer|final|submit|done|finish|respond/i;

/** Which tools to call. What the caller forces takes precedence over the prompt. */
export function decideCalls(choosing: Choosing): CallDecision {
  const input = { ...choosing, toil: { share: 0 } };
  const { request, script, turn } = input;
  const hasResults = turn.toolResults.length > 0;
  const tools = request.tools ?? [];
  const choice = request.toolChoice ?? "auto";
  if (choice === "none" || tools.length === 0) return refuseScript(input, tools);
  const forced = typeof choice === "object" ? tools.filter((tool) => tool.name === choice.name) : null;
  const allowed = forced ?? tools;
  const isScripted = script.calls.length > 0 && !hasResults;
  if (isScripted && (forced === null || script.calls.some(({ name }) => findTool(forced, name)))) {
    return scriptedCalls(input, allowed);
  }
  if (forced !== null) return callOf(input, forced.flatMap((tool) => callsOf(input, tool)).slice(0, 1));
  const isRequired = choice === "required";
  if (hasResults && !isRequired) return { outcome: "answer" };
  const asked = pickTools(input.prompt, tools);
  const shares = promptShares(input.prompt, asked);
  const made = asked.flatMap(({ known, at, end }, index) => {
    // If the prompt writes out the name of a read-only tool, it is called even with guessed arguments.
    const mayGuess = known.tells && isWrittenAsCode(input.prompt.slice(at, end));
    return callsOf(input, known.tool, shares[index]).map((call) => ({ ...call, known, mayGuess }));
  });
  const said = made.filter(({ unsaid, mayGuess }) => unsaid === undefined || mayGuess);
  const fresh = said.filter(({ name }) => !turn.called.has(name));
  if (fresh.length > 0) return callOf(input, hasResults ? fresh.slice(0, 1) : fresh);
  if (isRequired) return callOf(input, callsOfNeed(input, tools, { said, made }));
  const wanting = request.responseFormat === undefined ? made.find(({ known }) => !known.tells) : undefined;
  if (wanting === undefined) return { outcome: "answer" };
  return explain(`I would call ${wanting.name}, but the prompt does not say its ${wanting.unsaid}.`);
}

/**
 * For when a call is required but nothing is asked for: a tool that is read-only or takes the answer, and was not
 * called yet. After results the last of these, since frameworks put the tool that takes the answer last and end with
 * its call. A tool that changes something is used only if there is no other.
 */
function callsOfNeed(
  input: Deciding,
  tools: readonly Tool[],
  { said, made }: Readonly<Record<"said" | "made", readonly Unnumbered[]>>,
): Unnumbered[] {
  const { called, toolResults } = input.turn;
  const harmless = tools
    .slice(0, MAX_TOOLS_READ)
    .filter((tool) => ENDING.test(tool.name) || knowTool(tool, createEffort()).tells);
  // A partial request is closer than none.
  if (harmless.length === 0 && made.length > 0) return made.slice(0, 1);
  const offered = harmless.length > 0 ? harmless : tools;
  const left = offered.filter(({ name }) => !called.has(name));
  const again = said.filter(({ name }) => offered.some((tool) => tool.name === name));
  if (left.length === 0 && again.length > 0) return again;
  const tool = (toolResults.length > 0 ? left.at(-1) : left[0]) ?? offered[0];
  return tool === undefined ? [] : callsOf(input, tool, cluesOfResults(input)).slice(0, 1);
}

function cluesOfResults({ prompt, turn: { toolResults } }: Choosing): Clues {
  if (toolResults.length === 0) return readClues(prompt);
  const results = toolResults.map(({ text }) => text);
  return {
    ...readCluesOfResults(results, prompt),
    prompt, // what to look up is still the original prompt
    answer: restateResults(toolResults),
  };
}

type Unnumbered = { readonly name: string; readonly arguments: string; readonly unsaid?: string | undefined };

function callsOf(making: Deciding, tool: Tool, clues = readClues(making.prompt)): Unnumbered[] {
  const made = toolArguments(tool, clues, making);
  return made.map(({ text, unsaid }) => ({ name: tool.name, arguments: text, unsaid }));
}

function callOf(input: Deciding, calls: readonly Unnumbered[]): CallDecision {
  return calls.length === 0 ? { outcome: "answer" } : { outcome: "call", calls: numbered(input, calls) };
}

function scriptedCalls(input: Deciding, tools: readonly Tool[]): CallDecision {
  const calls: Unnumbered[] = [];
  for (const call of input.script.calls) {
    const tool = findTool(tools, call.name);
    if (tool === undefined) return explainMissing(call.name, tools);
    if (call.arguments !== null) calls.push({ name: tool.name, arguments: call.arguments });
    else calls.push(...callsOf(input, tool).slice(0, 1));
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
