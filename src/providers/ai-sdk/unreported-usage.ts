import { isObject } from "../../kit/index.ts";
import { NO_NUMBER, readableCount, UNREPORTED } from "./odd-counts.ts";

type Fields = Readonly<Record<string, unknown>>;

const HAS_USAGE = /"message_(?:start|delta)"/;
/** Turns of an answer that the library knows; it takes no event with another. */
const TURNS: ReadonlySet<unknown> = new Set(["compaction", "message", "advisor_message", "fallback_message"]);

/**
 * An event of Anthropic's wire with the counts that the library asks for, and nothing else of its usage. Other servers of
 * that wire leave them out or write them in their own way, and an answer that is there is not lost for them.
 */
export function withAllCounts(data: string): string {
  if (!HAS_USAGE.test(data)) return data;
  try {
    const event: unknown = JSON.parse(data);
    if (!isObject(event)) return data;
    const { type, message, usage } = event;
    if (type === "message_start" && isObject(message)) {
      const counted = { ...message, usage: withCount("input_tokens", message["usage"]) };
      return JSON.stringify({ ...event, message: counted });
    }
    if (type !== "message_delta") return data;
    return JSON.stringify({ ...event, usage: withCount("output_tokens", usage) });
  } catch {
    return data;
  }
}

/** The counts of a report, whatever it is; `asked` is the one that must be there. */
function withCount(asked: "input_tokens" | "output_tokens", given: unknown): object {
  if (given === undefined || given === null) return { [asked]: UNREPORTED };
  if (!isObject(given)) return { [asked]: NO_NUMBER };
  const { output_tokens_details: details, iterations: turns } = given;
  const counts = countsIn(given);
  return {
    ...counts,
    [asked]: counts[asked] ?? UNREPORTED,
    ...(isObject(details)
      ? { output_tokens_details: { thinking_tokens: readableCount(details["thinking_tokens"]) } }
      : {}),
    ...(Array.isArray(turns) ? { iterations: turns.flatMap(turnOf) } : {}),
  };
}

function countsIn(given: Fields) {
  return {
    input_tokens: readableCount(given["input_tokens"]),
    output_tokens: readableCount(given["output_tokens"]),
    cache_read_input_tokens: readableCount(given["cache_read_input_tokens"]),
    cache_creation_input_tokens: readableCount(given["cache_creation_input_tokens"]),
  };
}

function turnOf(given: unknown): readonly object[] {
  if (!isObject(given) || !TURNS.has(given["type"])) return [];
  const counts = countsIn(given);
  const { input_tokens: read, output_tokens: wrote } = counts;
  const asked = { input_tokens: read ?? UNREPORTED, output_tokens: wrote ?? UNREPORTED };
  return [{ type: given["type"], ...counts, ...asked }];
}
