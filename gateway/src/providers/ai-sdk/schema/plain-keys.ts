import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { isObject } from "../../../kit/index.ts";
import { namesIn, pathOf, type SchemaObject } from "./local-refs.ts";
import { withSchemas } from "./schema.ts";

type FunctionTool = Extract<
  NonNullable<LanguageModelV4CallOptions["tools"]>[number],
  { readonly type: "function" }
>;
type Prompt = LanguageModelV4CallOptions["prompt"];
type Keys = ReadonlyMap<string, string>;
type KeyedCalls = {
  readonly options: LanguageModelV4CallOptions;
  /** A part of the answer with the client's own keys; nothing while it waits for the rest of a call. */
  givenParts(part: LanguageModelV4StreamPart): readonly LanguageModelV4StreamPart[];
};

/** "Property keys should match pattern": only for keys at the top of a tool's parameters. */
const TAKEN = /^[a-zA-Z0-9_.-]{1,64}$/;
const MOST_LETTERS = 64;
/** Reserved for a number that makes the name unique. */
const SUFFIX_LETTERS = 8;

/**
 * For a provider that refuses the whole request because of a parameter's name: such parameters are sent under another
 * name and renamed back in calls. Null if no tool has any.
 */
export function withPlainKeys(options: LanguageModelV4CallOptions): KeyedCalls | null {
  const keysOf = new Map<string, Keys>();
  for (const tool of options.tools ?? []) {
    const keys = tool.type === "function" ? refusedKeys(tool.inputSchema) : null;
    if (keys !== null) keysOf.set(tool.name, keys);
  }
  if (keysOf.size === 0) return null;
  const tools = options.tools?.map((tool) => {
    const keys = keysOf.get(tool.name);
    return tool.type === "function" && keys !== undefined ? renamedTool(tool, keys) : tool;
  });
  const prompt = withRenamedCalls(options.prompt, keysOf);
  return { options: { ...options, prompt, ...(tools && { tools }) }, givenParts: createGivenParts(keysOf) };
}

/** The client's names, mapped to those that are sent. */
function refusedKeys({ properties }: JSONSchema7): Keys | null {
  const names = Object.keys(properties ?? {});
  const refused = names.filter((name) => !TAKEN.test(name));
  if (refused.length === 0) return null;
  const taken = new Set(names);
  /** The next number per stem: thousands of names may collide, and none should start searching at the first number. */
  const numbers = new Map<string, number>();
  return new Map(
    refused.map((name) => {
      const plain = name.replaceAll(/[^\w.-]/g, "_").slice(0, MOST_LETTERS) || "_";
      const stem = plain.slice(0, MOST_LETTERS - SUFFIX_LETTERS);
      let number = numbers.get(stem) ?? 2;
      let sent = plain;
      for (; taken.has(sent); number++) sent = `${stem}_${number}`;
      numbers.set(stem, number);
      taken.add(sent);
      return [name, sent];
    }),
  );
}

function renamedTool(tool: FunctionTool, keys: Keys): FunctionTool {
  const withRefs = (schema: SchemaObject): SchemaObject =>
    Object.fromEntries(
      Object.entries(schema).map(([word, value]) => [
        word,
        word === "$ref" && typeof value === "string"
          ? renamedRef(value, keys)
          : withSchemas(word, value, withRefs),
      ]),
    );
  const schema = withRefs(tool.inputSchema as SchemaObject);
  const { properties, required } = schema;
  const inputSchema = {
    ...schema,
    properties: renamed(isObject(properties) ? properties : {}, keys),
    ...(required === undefined ? {} : { required: namesIn(required).map((name) => keys.get(name) ?? name) }),
  };
  return { ...tool, inputSchema: inputSchema as JSONSchema7 };
}

function renamedRef(ref: string, keys: Keys): string {
  const [word, name] = pathOf(ref) ?? [];
  const sent = word === "properties" && name !== undefined ? keys.get(name) : undefined;
  return sent === undefined ? ref : ref.split("/").with(2, sent).join("/");
}

function withRenamedCalls(prompt: Prompt, keysOf: ReadonlyMap<string, Keys>): Prompt {
  return prompt.map((message) => {
    if (message.role !== "assistant") return message;
    const content = message.content.map((part) => {
      const keys = part.type === "tool-call" ? keysOf.get(part.toolName) : undefined;
      if (keys === undefined || part.type !== "tool-call" || !isObject(part.input)) return part;
      return { ...part, input: renamed(part.input, keys) };
    });
    return { ...message, content };
  });
}

function renamed(given: Readonly<Record<string, unknown>>, keys: Keys): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [keys.get(name) ?? name, value]));
}

/** A key may arrive in pieces, so such a call is emitted when it is complete, or when the answer ends. */
function createGivenParts(keysOf: ReadonlyMap<string, Keys>): KeyedCalls["givenParts"] {
  const givenOf = new Map([...keysOf].map(([tool, keys]) => [tool, turned(keys)]));
  const waiting = new Map<string, { readonly given: Keys; readonly pieces: string[] }>();
  return (part) => {
    if (part.type === "tool-input-start") {
      const given = givenOf.get(part.toolName);
      if (given !== undefined) waiting.set(part.id, { given, pieces: [] });
    } else if (part.type === "tool-input-delta") {
      const call = waiting.get(part.id);
      call?.pieces.push(part.delta);
      if (call !== undefined) return [];
    } else if (part.type === "tool-call") {
      const given = givenOf.get(part.toolName);
      waiting.delete(part.toolCallId);
      if (given !== undefined) return [{ ...part, input: givenArguments(part.input, given) }];
    } else if (part.type === "finish") {
      const cut = [...waiting].map(([id, { given, pieces }]) => {
        const delta = givenArguments(pieces.join(""), given);
        return { type: "tool-input-delta", id, delta } as const;
      });
      return [...cut, part];
    }
    return [part];
  };
}

function turned(keys: Keys): Keys {
  return new Map([...keys].map(([given, sent]) => [sent, given]));
}

/** Edits the original text: everything else keeps its digits, and a text that was cut off still works. */
function givenArguments(text: string, given: Keys): string {
  if (!text.trimStart().startsWith("{")) return text;
  let written = "";
  let from = 0;
  let depth = 0;
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      const end = endOfString(text, at);
      const name = isKey ? given.get(text.slice(at + 1, end)) : undefined;
      if (name !== undefined && end < text.length) {
        written += text.slice(from, at) + JSON.stringify(name);
        from = end + 1;
      }
      isKey = false;
      at = end;
    } else if (letter === "{" || letter === "[") isKey = ++depth === 1;
    else if (letter === "}" || letter === "]") depth -= 1;
    else if (letter === ",") isKey = depth === 1;
  }
  return written + text.slice(from);
}

/** Index of the closing quote; the length of the text if it was cut off. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
