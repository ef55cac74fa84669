import { writeExactly } from "../../../kit/index.ts";
import type { Exchange } from "../exchange.ts";
import { withShortMarks } from "./cache-marks.ts";

/**
 * How the names of cache marks and provider options begin. Not one regular expression for both: depending on the first
 * body it sees, it can be ten times slower.
 */
const MARKS = ['"cache_control"', '"provider'];

/** The body as it is sent: with the digits that the caller wrote, and cache marks for the lifetime that is priced. */
export function writtenBody(exchange: Pick<Exchange, "body" | "exactNumbers">): string {
  const { body } = exchange;
  const text = write(exchange, body);
  // Searching the text is much faster than walking the body, and few bodies have any.
  if (!MARKS.some((mark) => text.includes(mark))) return text;
  const short = withShortMarks(body);
  return short === body ? text : write(exchange, short);
}

function write({ exactNumbers }: Pick<Exchange, "exactNumbers">, body: Exchange["body"]): string {
  return exactNumbers === undefined ? JSON.stringify(body) : writeExactly(body, exactNumbers);
}
