import { sha256Hex } from "../../kit/index.ts";
import type { AiSdkQuirks } from "./quirks.ts";

/**
 * Names that every object has. A library that looks a tool up by its name in an object finds something else there, and
 * leaves the name out of the call; so such a tool goes under another one, which no client has given to a tool of its own.
 */
const SENT: ReadonlyMap<string, string> = new Map(
  Object.getOwnPropertyNames(Object.prototype).map((name) => [
    name,
    `${name}_${sha256Hex(name).slice(0, 8)}`,
  ]),
);
const GIVEN: ReadonlyMap<string, string> = new Map([...SENT].map(([given, sent]) => [sent, given]));

/** The name under which a tool is told of. */
export function sentToolName(given: string, { losesInheritedNames }: AiSdkQuirks): string {
  return losesInheritedNames ? (SENT.get(given) ?? given) : given;
}

/** The client's own name of a tool that a model calls. */
export function givenToolName(sent: string): string {
  return GIVEN.get(sent) ?? sent;
}
