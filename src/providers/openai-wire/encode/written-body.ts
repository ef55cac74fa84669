import { writeExactly } from "../../../kit/index.ts";
import type { Exchange } from "../exchange.ts";
import { withShortMarks } from "./cache-marks.ts";

/** What their names begin with. An expression for both would be as fast as the first body lets it be, or ten times slower. */
const MARKS = ['"cache_control"', '"provider'];

/** What is sent: with the digits that the caller wrote, and marks of a cache for the time that is priced. */
export function writtenBody(exchange: Pick<Exchange, "body" | "exactNumbers">): string {
  const { body } = exchange;
  const text = write(exchange, body);
  // Found in the text much faster than by a walk through it, and few have any.
  if (!MARKS.some((mark) => text.includes(mark))) return text;
  const short = withShortMarks(body);
  return short === body ? text : write(exchange, short);
}

function write({ exactNumbers }: Pick<Exchange, "exactNumbers">, body: Exchange["body"]): string {
  return exactNumbers === undefined ? JSON.stringify(body) : writeExactly(body, exactNumbers);
}
