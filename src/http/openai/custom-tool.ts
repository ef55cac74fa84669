import { parseForeignJson, wholeText } from "../../kit/index.ts";
import type { Tool } from "../../providers/index.ts";

/** A custom tool takes a free text. Models that know only functions get one with that text as its argument. */
const INPUT_FIELD = "input";

export function customToolAsFunction(tool: {
  readonly name: string;
  readonly description?: string | undefined;
  /** A grammar that the text must follow; models of other providers are told of it in words. */
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
 * The text in a function call's arguments, or the beginning of it where these were cut; what a model wrote otherwise is
 * taken as it stands.
 */
export function unwrapCustomInput(argumentsText: string): string {
  try {
    const value = parseForeignJson(argumentsText);
    if (typeof value === "object" && value !== null && INPUT_FIELD in value) {
      const { [INPUT_FIELD]: input } = value;
      // The arguments were whole as they came; what stands in them as JSON is seen here for the first time.
      return wholeText(typeof input === "string" ? input : JSON.stringify(input));
    }
  } catch {
    // No JSON, or none that could be written again: the model wrote the text itself, or not all of the arguments.
  }
  return begunInput(argumentsText) ?? argumentsText;
}

const BEGINNING = /^\s*\{\s*"input"\s*:\s*"/;

/** What there is of the text in arguments that a limit has cut; null where they are no such arguments. */
function begunInput(text: string): string | null {
  if (text.startsWith('{"') && '{"input":"'.startsWith(text)) return "";
  const [beginning] = BEGINNING.exec(text) ?? [];
  if (beginning === undefined) return null;
  const rest = text.slice(beginning.length);
  return stringIn(`"${rest}`) ?? stringIn(`"${withoutCutEscape(rest)}"`);
}

const CUT_CODE = /u[0-9a-fA-F]{0,3}$/;

/** Without an escape of which not all letters are there: of backslashes in a row, one that has no pair begins it. */
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
