import { isObject } from "../../kit/index.ts";

/** Stands for a count that was not reported where the library takes no event without it: no server reports it. */
const UNREPORTED = Number.MIN_SAFE_INTEGER;

const HAS_USAGE = /"message_(?:start|delta)"/;

/**
 * An event of Anthropic's wire with the counts that the library asks for. Other servers of that wire leave them out, and an
 * answer that is there is not lost for them.
 */
export function withAllCounts(data: string): string {
  if (!HAS_USAGE.test(data)) return data;
  try {
    const event: unknown = JSON.parse(data);
    if (!isObject(event)) return data;
    const { type, message, usage } = event;
    if (type === "message_start" && isObject(message) && lacks(message["usage"], "input_tokens")) {
      const counted = { ...message["usage"], input_tokens: UNREPORTED };
      return JSON.stringify({ ...event, message: { ...message, usage: counted } });
    }
    if (type === "message_delta" && lacks(usage, "output_tokens")) {
      return JSON.stringify({ ...event, usage: { ...usage, output_tokens: UNREPORTED } });
    }
    return data;
  } catch {
    return data;
  }
}

/** Whether a sum has a count in it that was never reported. */
export function isUnreported(tokens: number | undefined): boolean {
  return tokens !== undefined && tokens < UNREPORTED / 2;
}

function lacks(usage: unknown, count: string): usage is Readonly<Record<string, unknown>> {
  return isObject(usage) && typeof usage[count] !== "number";
}
