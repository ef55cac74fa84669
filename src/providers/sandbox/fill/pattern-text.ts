import type { Random } from "../random.ts";
import { type PatternNode, parsePattern } from "./pattern-node.ts";

/** Nodes visited for one text; nested repeats of nothing would otherwise never end. */
const MAX_STEPS = 500;

/**
 * A text that the pattern matches, built from the pattern: a client's expression is never run, since one
 * of the wrong shape would hold the process for ever. Undefined where none of the right length was found.
 */
export function textOfPattern(
  pattern: string,
  length: { readonly min: number; readonly max: number },
  random: Random,
): string | undefined {
  const node = parsePattern(pattern);
  if (node === undefined) return undefined;
  const shortest = build(node, 0, random);
  if (shortest === undefined || shortest.length > length.max) return undefined;
  const missing = length.min - shortest.length;
  if (missing <= 0) return shortest;
  // One open-ended repeat takes all that is missing; two or three share it.
  for (const share of [1, 2, 3]) {
    const text = build(node, Math.ceil(missing / share), random);
    if (text !== undefined && text.length >= length.min && text.length <= length.max) return text;
  }
  return undefined;
}

/** `extra` is added to every repeat that allows it. */
function build(node: PatternNode, extra: number, random: Random): string | undefined {
  let stepsLeft = MAX_STEPS;
  function visit(part: PatternNode): string {
    if (--stepsLeft < 0) return "";
    if (part.kind === "text") return part.text;
    if (part.kind === "set") return part.characters[Math.floor(random() * part.characters.length)] ?? "";
    if (part.kind === "sequence") return part.items.map(visit).join("");
    let text = "";
    const times = Math.min(part.low + extra, part.high);
    for (let count = 0; count < times && stepsLeft >= 0; count++) text += visit(part.item);
    return text;
  }
  const text = visit(node);
  return stepsLeft < 0 ? undefined : text;
}
