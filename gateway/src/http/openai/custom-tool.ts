import type { Tool } from "../../contract/index.ts";
import { parseForeignJson, wholeText } from "../../kit/index.ts";

/** A custom tool takes free text. Models that know only functions get a function with that text as its argument. */
const INPUT_FIELD = "input";

export function customToolAsFunction(tool: {
  readonly name: string;
  readonly description?: string | undefined;
  /** A grammar that the text must follow; models that know only functions get it as part of the description. */
  readonly grammar?: { readonly syntax: string; readonly definition: string } | undefined;
}): Tool {
  const { name, description, grammar } = tool;
  const rule =
    grammar === undefined
      ? null
      : `The input must match this grammar (${grammar.syntax}):\n${grammar.definition}`;
  const said = [description, rule].filter((text) => text != null && text !== "").join("\n\n");
  return { name, ...(said === "" ? {} : { description: said }), parameters: PARAMETERS };
}

const PARAMETERS = {
  type: "object",
  properties: { [INPUT_FIELD]: { type: "string", description: "The whole input, as plain text." } },
  required: [INPUT_FIELD],
  additionalProperties: false,
} as const;

export function wrapCustomInput(input: string): string {
  return JSON.stringify({ [INPUT_FIELD]: input });
}

/**
 * The text in a function call's arguments, or as much of it as there is if they were cut off. If the model wrote
 * anything else, it is returned unchanged.
 */
export function unwrapCustomInput(argumentsText: string): string {
  try {
    const value = parseForeignJson(argumentsText);
    if (typeof value === "object" && value !== null && INPUT_FIELD in value) {
      const { [INPUT_FIELD]: input } = value;
      // Broken characters in the arguments were repaired before, but not those that are escaped inside of their JSON.
      return wholeText(typeof input === "string" ? input : JSON.stringify(input));
    }
  } catch {
    // Not JSON, or none that can be written again: the model wrote the text itself, or the arguments were cut off.
  }
  return begunInput(argumentsText) ?? argumentsText;
}

const BEGINNING = /^\s*\{\s*"input"\s*:\s*"/;

/** As much of the text as there is in arguments that a limit cut off; null if they do not begin like such arguments. */
function begunInput(text: string): string | null {
  if (text.startsWith('{"') && '{"input":"'.startsWith(text)) return "";
  const [beginning] = BEGINNING.exec(text) ?? [];
  if (beginning === undefined) return null;
  const rest = text.slice(beginning.length);
  return stringIn(`"${rest}`) ?? stringIn(`"${withoutCutEscape(rest)}"`);
}

const CUT_CODE = /u[0-9a-fA-F]{0,3}$/;

/** Drops an incomplete escape sequence at the end. In a run of backslashes, one without a pair begins an escape. */
function withoutCutEscape(text: string): string {
  const [code = ""] = CUT_CODE.exec(text.slice(-4)) ?? [];
  const end = text.length - code.length;
  let start = end;
  while (text[start - 1] === "\\") start--;
  return (end - start) % 2 === 0 ? text : text.slice(0, end - 1);
}

function stringIn(json: string): string | null {
  try {
    return wholeText(String(parseForeignJson(json)));
  } catch {
    return null;
  }
}
