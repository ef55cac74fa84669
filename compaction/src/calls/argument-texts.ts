import { parseArguments } from "./parse-arguments.ts";

/** All strings in a call's arguments, in order; none if the arguments are not valid JSON. */
export function argumentTexts(json: string): string[] {
  const texts: string[] = [];
  collect(parse(json));
  return texts;

  function collect(value: unknown): void {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  }
}

function parse(json: string): unknown {
  try {
    return parseArguments(json);
  } catch {
    // Models sometimes write truncated arguments; such a call is no source.
    return null;
  }
}
