/** Conversations for fitting and measuring. They stay where they are: none of them is kept in the project. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { messageOf } from "../gateway/src/kit/index.ts";
import { refuse } from "../scripts/command-options.ts";

type CorpusCall = {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
};

/** In the format of chat completions. */
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
  /** Conversations of one group share text: what is fitted on one must not be measured on another. */
  readonly group: string;
  readonly messages: readonly CorpusMessage[];
};

/** The conversations of files or folders named by `--corpus`: one per line, plain or gzipped. */
export function readCorpus(named: string | readonly string[] | undefined): readonly Conversation[] {
  const paths = [named ?? []].flat();
  if (paths.length === 0)
    return refuse("Say where the conversations are: --corpus PATH (JSON lines, plain or gzipped).");
  return paths.flatMap(filesOf).flatMap(readFile);
}

function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return refuse(`There is no corpus at ${path}.`);
  if (!found.isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => /\.jsonl(\.gz)?$/.test(name));
  return files.length > 0
    ? files.sort().map((name) => join(path, name))
    : refuse(`There is no corpus in the folder ${path}.`);
}

function readFile(path: string): readonly Conversation[] {
  const conversations = textOf(path)
    .split("\n")
    .flatMap((line, at) =>
      line.trim() === ""
        ? []
        : [conversationOf(line) ?? refuse(`Line ${at + 1} of ${path} is no conversation.`)],
    );
  return conversations.length > 0 ? conversations : refuse(`There is no conversation in ${path}.`);
}

function textOf(path: string): string {
  try {
    const bytes = readFileSync(path);
    return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
  } catch (error) {
    return refuse(`${path} cannot be read: ${messageOf(error)}`);
  }
}

/** Null if it is not one. The messages themselves are not checked here. */
function conversationOf(line: string): Conversation | null {
  try {
    const value = JSON.parse(line) as Partial<Conversation> | null;
    return Array.isArray(value?.messages) ? (value as Conversation) : null;
  } catch {
    return null;
  }
}

/** Every text of a message that a model reads, piece by piece. */
export function textsOf(message: CorpusMessage): readonly string[] {
  const { content } = message;
  const said = typeof content === "string" ? [content] : (content ?? []).map(({ text }) => text ?? "");
  const calls = (message.tool_calls ?? []).flatMap((call) => [call.function.name, call.function.arguments]);
  return [...said, ...calls].filter((text) => text !== "");
}
