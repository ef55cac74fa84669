import { isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";
import { withoutKept } from "./report-item.ts";

/** A call of a tool that only the original service offers and that the client runs, as an ordinary tool call. */
type TranslatedCall = { readonly kind: "call"; readonly name: string; readonly argumentsText: string };
type TranslatedResult = { readonly kind: "result"; readonly text: string };
export type TranslatedItem = TranslatedCall | TranslatedResult;

type ClientTool = {
  readonly name: string;
  /** The field of the call that says what to do. */
  readonly deed: string;
  /** The result as text; null if it has an unknown form. */
  resultText(item: JsonObject): string | null;
};

const CLIENT_TOOLS: ReadonlyMap<unknown, ClientTool> = new Map([
  ["local_shell_call", { name: "local_shell", deed: "action", resultText: plainText }],
  ["shell_call", { name: "shell", deed: "action", resultText: shellText }],
  ["apply_patch_call", { name: "apply_patch", deed: "operation", resultText: patchText }],
]);

/** Some agents return the result of such a call like that of a function. */
const ANY_RESULT: readonly unknown[] = ["function_call_output", "custom_tool_call_output"];

const NOTHING: ReadonlyMap<unknown, TranslatedItem> = new Map();

type OpenCall = { readonly item: JsonObject; readonly tool: ClientTool };

/**
 * The calls and results of such tools among these items, in the form of ordinary ones, by item. Providers refuse a call
 * without its result, and a result that does not follow its call: only complete pairs within one turn are included, and
 * the rest is left to upstreams of this wire. Pairs are not matched across turns, since some agents use the same ids in
 * each.
 */
export function clientRunCalls(items: readonly unknown[]): ReadonlyMap<unknown, TranslatedItem> {
  if (!items.some(isClientRun)) return NOTHING;
  const translated = new Map<unknown, TranslatedItem>();
  for (const turn of turnsOf(items)) translateTurn(turn, translated);
  return translated;
}

/** Checked first, since most conversations have none and need not be split into turns. */
function isClientRun(item: unknown): boolean {
  return isObject(item) && CLIENT_TOOLS.has(item["type"]);
}

/** Splits the items into turns: what the model said and called, then all the results. */
function turnsOf(items: readonly unknown[]): readonly (readonly JsonObject[])[] {
  const turns: JsonObject[][] = [];
  let turn: JsonObject[] = [];
  let isAnswered = false;
  for (const item of items) {
    if (!isObject(item)) continue;
    const answers = isResult(item);
    if (turn.length === 0 || (!answers && (isAnswered || isOthers(item)))) {
      turn = [];
      turns.push(turn);
    }
    turn.push(item);
    isAnswered = answers;
  }
  return turns;
}

function translateTurn(turn: readonly JsonObject[], translated: Map<unknown, TranslatedItem>): void {
  const uses = usesOfIds(turn);
  const open = new Map<unknown, OpenCall>();
  for (const item of turn) {
    const id = item[idFieldOf(item)];
    if (isResult(item)) {
      const call = open.get(id);
      const text = call && textOf(item, call);
      if (call === undefined || typeof text !== "string") continue;
      translated.set(call.item, translatedCall(call));
      translated.set(item, { kind: "result", text });
    } else {
      const tool = CLIENT_TOOLS.get(item["type"]);
      const isReadable = tool !== undefined && isObject(item[tool.deed]) && withoutKept(item) !== null;
      // Two uses are the call's and its result's. With more, it is unclear which belong together.
      if (isReadable && uses.get(id) === 2) open.set(id, { item, tool });
    }
  }
}

function usesOfIds(turn: readonly JsonObject[]): ReadonlyMap<unknown, number> {
  const uses = new Map<unknown, number>();
  for (const item of turn) {
    const id = item[idFieldOf(item)];
    if (typeof id === "string") uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return uses;
}

/**
 * The field with the call's id. The published schema of a local shell's result requires a `call_id` but does not define
 * it, so some have the call's id in `id`.
 */
export function idFieldOf({ type, call_id: id }: JsonObject): "call_id" | "id" {
  return type === "local_shell_call_output" && typeof id !== "string" ? "id" : "call_id";
}

function isResult({ type }: JsonObject): boolean {
  return typeof type === "string" && type.endsWith("_output");
}

/** Whatever does not come from the model ends its turn. */
function isOthers({ type, role }: JsonObject): boolean {
  return type === "agent_message" || (role !== undefined && role !== "assistant");
}

function translatedCall({ item, tool }: OpenCall): TranslatedCall {
  return { kind: "call", name: tool.name, argumentsText: JSON.stringify(item[tool.deed]) };
}

function textOf(result: JsonObject, { item, tool }: OpenCall): string | null {
  if (ANY_RESULT.includes(result["type"])) return plainText(result) ?? partsText(result);
  return result["type"] === `${item["type"]}_output` ? tool.resultText(result) : null;
}

function plainText({ output }: JsonObject): string | null {
  return typeof output === "string" ? output : null;
}

/** Joined by line breaks, like the parts of any function's result. */
function partsText({ output }: JsonObject): string | null {
  const texts = Array.isArray(output) ? output.map(partText) : [null];
  return isTexts(texts) ? texts.join("\n") : null;
}

function partText(part: unknown): unknown {
  return isObject(part) && part["type"] === "input_text" ? part["text"] : null;
}

function patchText({ output, status }: JsonObject): string | null {
  const texts = [status ?? "", output ?? ""];
  return isTexts(texts) ? linesOf(texts) : null;
}

/** The output has one part per command. */
function shellText({ output }: JsonObject): string | null {
  const texts = Array.isArray(output) ? output.map(commandText) : [null];
  return isTexts(texts) ? linesOf(texts) : null;
}

function commandText(part: unknown): string | null {
  if (!isObject(part)) return null;
  const texts = [part["stdout"] ?? "", part["stderr"] ?? "", outcomeText(part["outcome"] ?? null)];
  return isTexts(texts) ? linesOf(texts) : null;
}

function outcomeText(outcome: unknown): string | null {
  if (outcome === null) return "";
  if (!isObject(outcome)) return null;
  if (outcome["type"] === "timeout") return "Timed out";
  const { type, exit_code: code } = outcome;
  return type === "exit" && Number.isInteger(code) ? `Exit code: ${code}` : null;
}

function isTexts(values: readonly unknown[]): values is readonly string[] {
  return values.every((value) => typeof value === "string");
}

function linesOf(texts: readonly string[]): string {
  const lines = texts.filter((text) => text !== "");
  return lines
    .map((text, at) => (at < lines.length - 1 && !text.endsWith("\n") ? `${text}\n` : text))
    .join("");
}
