import { sha256Hex } from "../../../kit/index.ts";
import type { AiSdkQuirks } from "../quirks.ts";

/**
 * Names that every object inherits. A library that looks tools up in a plain object finds the inherited value instead
 * and drops the name from the call, so such a tool is sent under a name that no client would choose.
 */
const SENT: ReadonlyMap<string, string> = new Map(
  Object.getOwnPropertyNames(Object.prototype).map((name) => [
    name,
    `${name}_${sha256Hex(name).slice(0, 8)}`,
  ]),
);
const GIVEN: ReadonlyMap<string, string> = new Map([...SENT].map(([given, sent]) => [sent, given]));

/** The name under which a tool is sent. */
export function sentToolName(given: string, { losesInheritedNames }: AiSdkQuirks): string {
  return losesInheritedNames ? (SENT.get(given) ?? given) : given;
}

/** The client's own name of a tool that the model calls. */
export function givenToolName(sent: string): string {
  return GIVEN.get(sent) ?? sent;
}
