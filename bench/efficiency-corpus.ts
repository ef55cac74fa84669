/** Conversations to fit and measure with. They stay where they are: nothing of them is kept in the project. */
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { refuse } from "../scripts/command-options.ts";

export type CorpusCall = {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
};

/** In the form of chat completions. */
export type CorpusMessage = {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content: string | null | readonly { readonly type: string; readonly text?: string }[];
  readonly tool_calls?: readonly CorpusCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
};

export type Conversation = {
  readonly id: string;
  readonly source: string;
  /** Conversations of one group have text in common: what is fitted on one may not be measured on another. */
  readonly group: string;
  readonly messages: readonly CorpusMessage[];
};

/** One conversation a line, plain or gzipped. */
export async function* readCorpus(path: string): AsyncIterable<Conversation> {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== "") yield JSON.parse(line) as Conversation;
  }
}

/** The corpus that `--corpus` names. */
export function corpusPath(given: string | undefined): string {
  if (given === undefined)
    return refuse("Say where the conversations are: --corpus PATH (JSON lines, plain or gzipped).");
  return existsSync(given) ? given : refuse(`There is no corpus at ${given}.`);
}

/** Every text of a message that a model reads, piece by piece. */
export function textsOf(message: CorpusMessage): readonly string[] {
  const { content } = message;
  const said = typeof content === "string" ? [content] : (content ?? []).map(({ text }) => text ?? "");
  const calls = (message.tool_calls ?? []).flatMap((call) => [call.function.name, call.function.arguments]);
  return [...said, ...calls].filter((text) => text !== "");
}
