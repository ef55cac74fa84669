import { parseForeignJson } from "../../kit/index.ts";

/** All texts in a call's arguments, in their order; none where these are no JSON. */
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
    return parseForeignJson(json);
  } catch {
    // Models write arguments that are cut short; such a call is no source.
    return null;
  }
}
