import { isObject } from "../../../kit/index.ts";
import { NO_NUMBER, readableCount, UNREPORTED } from "./odd-counts.ts";
import { ReportedSoFar } from "./reported-so-far.ts";

type Fields = Readonly<Record<string, unknown>>;

const HAS_USAGE = /"message_(?:start|delta)"/;
const WRITES = '"content_block_delta"';
/** Iteration types that the library knows; it rejects an event with any other. */
const TURNS: ReadonlySet<unknown> = new Set(["compaction", "message", "advisor_message", "fallback_message"]);
/**
 * Types whose tokens are never part of the counts beside the iterations, or for which the library reads only those
 * counts.
 */
const APART: ReadonlySet<unknown> = new Set(["compaction", "fallback_message"]);

/**
 * For one answer: rewrites its events of Anthropic's wire to have the counts that the library requires, and no other
 * usage. Other servers of that wire omit them or write them differently, and an answer must not be lost because of
 * that.
 */
export function createCountedEvents(): (data: string) => string {
  const soFar = new ReportedSoFar();
  return (data) => {
    if (!HAS_USAGE.test(data)) {
      if (data.includes(WRITES)) soFar.wroteOn();
      return data;
    }
    try {
      const event: unknown = JSON.parse(data);
      return isObject(event) ? counted(event, soFar, data) : data;
    } catch {
      return data;
    }
  };
}

function counted(event: Fields, soFar: ReportedSoFar, data: string): string {
  const { type, message, delta, usage } = event;
  if (type === "message_start" && isObject(message)) {
    const started = { ...message, usage: countsOfStart(message["usage"], soFar) };
    return JSON.stringify({ ...event, message: started });
  }
  if (type !== "message_delta") return data;
  const ended = isObject(delta) ? { ...delta, stop_reason: soFar.reason(delta["stop_reason"]) } : delta;
  return JSON.stringify({ ...event, delta: ended, usage: countsOfDelta(usage, soFar) });
}

/** Its output count only covers the first token. */
function countsOfStart(given: unknown, soFar: ReportedSoFar): object {
  if (given === undefined || given === null) return { input_tokens: UNREPORTED };
  if (!isObject(given)) return { input_tokens: NO_NUMBER };
  const input = soFar.input(inputIn(given));
  return { ...input, ...outputIn(given), input_tokens: input.input_tokens ?? UNREPORTED };
}

function countsOfDelta(given: unknown, soFar: ReportedSoFar): object {
  if (given === undefined || given === null) return { output_tokens: soFar.output(given) };
  if (!isObject(given)) return { output_tokens: NO_NUMBER };
  const input = soFar.input(inputIn(given));
  const { output_tokens: reported } = outputIn(given);
  const wrote = soFar.output(reported);
  const counts = { ...input, output_tokens: wrote };
  // If the output count is not believed, neither is its breakdown.
  if (wrote !== reported) return counts;
  const { output_tokens_details: details, iterations: turns } = given;
  return {
    ...counts,
    ...(isObject(details)
      ? { output_tokens_details: { thinking_tokens: readableCount(details["thinking_tokens"]) } }
      : {}),
    ...(Array.isArray(turns) ? { iterations: turnsOf(turns, counts) } : {}),
  };
}

function inputIn(given: Fields) {
  return {
    input_tokens: readableCount(given["input_tokens"]),
    cache_read_input_tokens: readableCount(given["cache_read_input_tokens"]),
    cache_creation_input_tokens: readableCount(given["cache_creation_input_tokens"]),
  };
}

function outputIn(given: Fields) {
  return { output_tokens: readableCount(given["output_tokens"]) };
}

type Turn = { readonly type: unknown; readonly input_tokens: number; readonly output_tokens: number };
type Counts = { readonly input_tokens?: number | null | undefined; readonly output_tokens: number };

/**
 * The library sums the iterations up. If one has an unknown type, the sum would lack it: then the counts beside them,
 * which include it, stand for all, unless the known iterations come to more.
 */
function turnsOf(given: readonly unknown[], beside: Counts): readonly Turn[] {
  const turns = given.map(turnOf);
  const known = turns.filter((turn) => turn !== null);
  if (known.length === turns.length) return known;
  const apart = known.filter(({ type }) => APART.has(type));
  const plain = known.filter(({ type }) => type === "message");
  const all: Turn = {
    type: "message",
    input_tokens: Math.max(beside.input_tokens ?? UNREPORTED, sumOf(plain, "input_tokens")),
    output_tokens: Math.max(beside.output_tokens, sumOf(plain, "output_tokens")),
  };
  return [...apart, all];
}

function turnOf(given: unknown): Turn | null {
  if (!isObject(given) || !TURNS.has(given["type"])) return null;
  const { input_tokens: read } = inputIn(given);
  const { output_tokens: wrote } = outputIn(given);
  return { type: given["type"], input_tokens: read ?? UNREPORTED, output_tokens: wrote ?? UNREPORTED };
}

function sumOf(turns: readonly Turn[], name: "input_tokens" | "output_tokens"): number {
  return turns.reduce((sum, turn) => sum + turn[name], 0);
}
