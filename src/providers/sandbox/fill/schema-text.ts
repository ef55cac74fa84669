import { pickOne, type Random } from "../random.ts";
import { textOfPattern } from "./pattern-text.ts";
import { fitsFormat } from "./schema-format.ts";
import { numberOf, type SchemaNode } from "./schema-node.ts";

/** Fixed moments and addresses: the sandbox has no clock, and reserved names reach nobody. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-15",
  "date-time": "2026-01-15T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "sandbox@example.com",
  hostname: "sandbox.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/sandbox",
  url: "https://example.com/sandbox",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const WORDS: readonly [string, ...string[]] = [
  "amber",
  "birch",
  "cobalt",
  "delta",
  "ember",
  "fjord",
  "grove",
  "harbour",
];
/** Nobody means a longer text than this by a minimum length. */
const MAX_MADE_CHARACTERS = 10_000;

type Length = { readonly min: number; readonly max: number };

function lengthOf(node: SchemaNode): Length {
  const min = Math.max(0, numberOf(node, "minLength") ?? 0);
  return { min, max: Math.max(min, numberOf(node, "maxLength") ?? Number.POSITIVE_INFINITY) };
}

/** Whether a text from the prompt may stand here. A pattern is never tried on it (see `textOfPattern`). */
export function fitsText(node: SchemaNode, text: string): boolean {
  const { pattern, format } = node;
  if (typeof pattern === "string" || (typeof format === "string" && !fitsFormat(format, text))) return false;
  const { min, max } = lengthOf(node);
  const length = [...text].length;
  return length >= min && length <= max;
}

/** Text that keeps pattern or format, and length. Where they contradict each other, no text could. */
export function makeText(node: SchemaNode, random: Random): string {
  const length = lengthOf(node);
  const { pattern, format } = node;
  const matching = typeof pattern === "string" ? textOfPattern(pattern, length, random) : undefined;
  if (matching !== undefined) return matching;
  const formatted = typeof format === "string" ? FORMATS[format] : undefined;
  return formatted ?? withLength(`sandbox ${pickOne(random, WORDS)}`, length);
}

function withLength(text: string, length: Length): string {
  if (text.length > length.max) return text.slice(0, length.max);
  return text.padEnd(Math.min(length.min, MAX_MADE_CHARACTERS), ".");
}
