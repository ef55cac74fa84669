import type { ChatRequest, Tool, ToolCall } from "../../contract.ts";
import type { Script } from "../directives/directives.ts";
import { type Clues, readClues, readCluesOfResults } from "../fill/clues.ts";
import type { OptionBook } from "../fill/option-book.ts";
import { createRandom, type Random, seedOf } from "../random.ts";
import type { Turn } from "../turn.ts";
import { promptShares } from "./prompt-shares.ts";
import type { Picked } from "./spoken-deed.ts";
import { type CallMaking, toolArguments } from "./tool-arguments.ts";
import { pickTools } from "./tool-pick.ts";
import { restateResults } from "./tool-result.ts";
import { plainName } from "./tool-words.ts";

export type CallDecision =
  | { readonly outcome: "call"; readonly calls: readonly ToolCall[] }
  | { readonly outcome: "answer" }
  | { readonly outcome: "explain"; readonly text: string }; // the script asked for what the request does not offer

type Choosing = {
  readonly request: ChatRequest;
  readonly prompt: string;
  readonly script: Script;
  /** After results come back an `auto` choice answers: one that calls again would never end. */
  readonly turn: Pick<Turn, "toolResults" | "called">;
  readonly random: Random;
  readonly options: OptionBook;
};

const MAX_NAMES_SHOWN = 10;

/** Which tools to call. What the caller forces goes before what the prompt says. */
export function decideCalls(input: Choosing): CallDecision {
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
  if (hasResults && choice === "required") {
    const next = nextCall(input, tools);
    if (next !== undefined) return { outcome: "call", calls: numbered(input, [next]) };
  }
  const isOpen = forced === null && (!hasResults || choice === "required");
  const picked = isOpen ? pickTools(input.prompt, tools) : [];
  const wanted =
    forced ?? (picked.length === 0 && choice === "required" ? tools.slice(0, 1) : picked.map(toolOf));
  if (wanted.length === 0) return { outcome: "answer" };
  const shares = promptShares(input.prompt, picked);
  const making = makingOf(input);
  const calls = wanted.flatMap((tool, at) => callsOf(tool, shares[at] ?? readClues(input.prompt), making));
  return { outcome: "call", calls: numbered(input, forced === null ? calls : calls.slice(0, 1)) };
}

/**
 * Where every turn must call: what the prompt asks for and was not called yet, then the tool that stands last of those
 * left, since frameworks put the one that takes the answer behind the others and end with its call.
 */
function nextCall(input: Choosing, tools: readonly Tool[]): Unnumbered | undefined {
  const { called, toolResults } = input.turn;
  const asked = pickTools(input.prompt, tools);
  const at = asked.findIndex(({ known }) => !called.has(known.tool.name));
  const tool = asked[at]?.known.tool ?? tools.findLast(({ name }) => !called.has(name));
  if (tool === undefined) return undefined;
  const results = toolResults.map(({ text }) => text);
  const clues = promptShares(input.prompt, asked)[at] ?? {
    ...readCluesOfResults(results, input.prompt),
    prompt: input.prompt, // what is to be looked up is still what was asked
    answer: restateResults(toolResults),
  };
  return callsOf(tool, clues, makingOf(input))[0];
}

function toolOf({ known }: Picked): Tool {
  return known.tool;
}

type Unnumbered = { readonly name: string; readonly arguments: string };

function makingOf({ random, options }: Choosing): CallMaking {
  return { random, options, toil: { share: 0 } };
}

function callsOf(tool: Tool, clues: Clues, making: CallMaking): Unnumbered[] {
  return toolArguments(tool, clues, making).map((text) => ({ name: tool.name, arguments: text }));
}

function scriptedCalls(input: Choosing, tools: readonly Tool[]): CallDecision {
  const calls: Unnumbered[] = [];
  const making = makingOf(input);
  for (const call of input.script.calls) {
    const tool = findTool(tools, call.name);
    if (tool === undefined) return explainMissing(call.name, tools);
    if (call.arguments !== null) calls.push({ name: tool.name, arguments: call.arguments });
    else calls.push(...callsOf(tool, readClues(input.prompt), making).slice(0, 1));
  }
  return { outcome: "call", calls: numbered(input, calls) };
}

/** By its whole name, or by the one it has within its namespace. */
function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => plainName(tool.name) === name);
}

function refuseScript(input: Choosing, tools: readonly Tool[]): CallDecision {
  const [first] = input.script.calls;
  if (first === undefined || input.turn.toolResults.length > 0) return { outcome: "answer" };
  if (tools.length === 0) return explainMissing(first.name, tools);
  return {
    outcome: "explain",
    text: "This is Bursar's sandbox. I was told to call a tool, but tool_choice is none.",
  };
}

function explainMissing(name: string, tools: readonly Tool[]): CallDecision {
  const names = tools.slice(0, MAX_NAMES_SHOWN).map((tool) => tool.name);
  const offer =
    names.length === 0 ? "The request offers no tools." : `The request offers ${names.join(", ")}.`;
  return { outcome: "explain", text: `This is Bursar's sandbox. I cannot call ${name}. ${offer}` };
}

/** Ids are repeatable, and differ from turn to turn of one conversation, where each must name one call. */
function numbered(input: Choosing, calls: readonly Unnumbered[]): ToolCall[] {
  const { messages, wireFields } = input.request;
  const wanted = wireFields?.["parallel_tool_calls"] === false ? calls.slice(0, 1) : calls;
  return wanted.map((call, at) => {
    const random = createRandom(seedOf(`${messages.length}/${at}/${call.name}/${call.arguments}`));
    const digits = Array.from({ length: 4 }, () =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    );
    return { id: `call_${digits.join("").slice(0, 24)}`, ...call };
  });
}
