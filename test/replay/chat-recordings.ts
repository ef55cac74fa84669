import { type FixtureFile, fixtureFiles } from "./fixtures-folder.ts";
import type { Found, Recording, Skipped } from "./recording.ts";

type Exchange = {
  readonly request: { readonly url: string; readonly json?: unknown };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly json?: unknown;
    readonly text?: string;
  };
};

/** How exchanges of one wire are recognized. */
type RecordedWire = {
  readonly url: RegExp;
  isReply(reply: Readonly<Record<string, unknown>>): boolean;
  isEvent(first: Readonly<Record<string, unknown>>): boolean;
  readonly last: string;
};

const CHAT: RecordedWire = {
  url: /\/chat\/completions(?:[?#].*)?$/,
  isReply: (reply) => reply["object"] === "chat.completion",
  isEvent: (first) => Array.isArray(first["choices"]) && isRecord(first["choices"][0]?.["delta"]),
  last: "data: [DONE]\n\n",
};

const RESPONSES: RecordedWire = {
  url: /\/responses(?:[?#].*)?$/,
  isReply: (reply) => reply["object"] === "response",
  isEvent: (first) => String(first["type"]).startsWith("response."),
  last: "",
};

/** Every recorded exchange of the chat-completions wire, and why the others do not belong to this suite. */
export function chatRecordings(): Found {
  return recordingsOn(CHAT);
}

/** Like `chatRecordings`, for the responses wire. */
export function responseRecordings(): Found {
  return recordingsOn(RESPONSES);
}

function recordingsOn(wire: RecordedWire): Found {
  const recordings: Recording[] = [];
  const skipped: Skipped[] = [];
  for (const file of fixtureFiles()) {
    for (const found of recordingsOf(file, wire)) {
      if ("reason" in found) skipped.push(found);
      else recordings.push(found);
    }
  }
  return { recordings, skipped };
}

function recordingsOf(file: FixtureFile, wire: RecordedWire): readonly (Recording | Skipped)[] {
  const text = file.read();
  if (!file.path.endsWith(".json")) return [streamOf(file.path, text, wire)];
  const value: unknown = JSON.parse(text);
  if (isRecord(value) && Array.isArray(value["exchanges"])) {
    return value["exchanges"].map((exchange: Exchange, at) =>
      exchangeOf(`${file.path}#${at}`, exchange, wire),
    );
  }
  if (!isRecord(value) || !wire.isReply(value)) {
    return [{ name: file.path, reason: `not this wire: ${kindOf(value)}` }];
  }
  return [bare(file.path, { contentType: "application/json", body: encode(text) })];
}

function streamOf(path: string, text: string, wire: RecordedWire): Recording | Skipped {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^data:/, "").trim())
    .filter((line) => line !== "");
  const first = parse(lines[0] ?? "");
  if (!isRecord(first) || !wire.isEvent(first))
    return { name: path, reason: `not this wire: ${kindOf(first)}` };
  const body = lines.map((line) => `data: ${line}\n\n`).join("");
  return bare(path, { contentType: "text/event-stream", body: encode(`${body}${wire.last}`) });
}

function exchangeOf(name: string, exchange: Exchange, wire: RecordedWire): Recording | Skipped {
  const { request, response } = exchange;
  if (!wire.url.test(request.url)) return { name, reason: `not this wire: ${apiOf(request.url)}` };
  const body =
    response.json === undefined ? recordedText(response.text ?? "") : JSON.stringify(response.json);
  if (body === null) return { name, reason: "the recorded body was cut off" };
  const headers = new Headers(response.headers);
  return {
    name,
    provider: name.split("/")[0] ?? "",
    url: request.url,
    request: request.json,
    status: response.status,
    contentType: headers.get("content-type") ?? "application/json",
    body: encode(body),
  };
}

/** The text as it is, or decoded from base64; null if its end was truncated. */
function recordedText(text: string): string | null {
  if (/\.\.\.TRIMMED_\d+\s*$/.test(text)) return null;
  return /^[A-Za-z0-9+/\s]+=*\s*$/.test(text) ? Buffer.from(text, "base64").toString("utf8") : text;
}

function bare(name: string, reply: Pick<Recording, "contentType" | "body">): Recording {
  return { name, provider: name.split("/")[0] ?? "", url: "", request: null, status: 200, ...reply };
}

/** Why an exchange is not of this wire, by a pattern in its URL or reply. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/batch/i, "batches"],
  [/count.?tokens|input_tokens/i, "token counting"],
  [/responses|conversations|^response|^session/i, "the responses API"],
  [/embed|rerank/i, "embeddings and ranking"],
  [/image|imgen|sdxl|stability/i, "pictures"],
  [/audio|speech|tts|stt|listen|speak|transcri|voice|async/i, "sound"],
  [/video|vidgen/i, "video"],
  [/moderation/i, "moderation"],
  [/file|vector_stores|collections|document|\/resources|skill/i, "files and skills"],
  [/messages|message|converse|generatecontent|interaction|\/chat$|invoke/i, "chat on another wire"],
  [/predictions|trainings|versions/i, "predictions"],
  [/models/i, "lists of models"],
  [/token|oauth/i, "signing in"],
  [/text_completion|\/completions/i, "completions without chat"],
];

function apiOf(words: string): string {
  return OTHERS.find(([pattern]) => pattern.test(words))?.[1] ?? "something else";
}

function kindOf(value: unknown): string {
  if (!isRecord(value)) return "something else";
  const kind = value["object"] ?? value["type"];
  return typeof kind === "string" ? apiOf(kind) : apiOf(Object.keys(value).join(" "));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
