import { parseForeignJson } from "../kit/index.ts";

/** So many texts of a call, and no deeper: a call writes a file or two. */
const MOST_TEXTS = 16;
const MOST_DEPTH = 4;

/** The texts in a call's arguments that are at least so long, in their order; none where these are no JSON. */
export function longArguments(json: string, leastLength: number): string[] {
  const texts: string[] = [];
  collect(parse(json), 0);
  return texts;

  function collect(value: unknown, depth: number): void {
    if (typeof value === "string") {
      if (value.length >= leastLength && texts.length < MOST_TEXTS) texts.push(value);
    } else if (typeof value === "object" && value !== null && depth < MOST_DEPTH) {
      for (const member of Object.values(value)) collect(member, depth + 1);
    }
  }
}

function parse(json: string): unknown {
  try {
    return parseForeignJson(json);
  } catch {
    // Models write arguments that are cut short; such a call is no source.
    return null;
  }
}
