import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ProviderFailureKind } from "../../gateway/src/contract/index.ts";
import { type Answer, asJson, asList, asText, type Json, type WireReader } from "./ai-sdk-answer.ts";
import { anthropicWire } from "./ai-sdk-anthropic-wire.ts";
import { bedrockWire } from "./ai-sdk-bedrock-wire.ts";
import { cohereWire } from "./ai-sdk-cohere-wire.ts";
import { googleWire } from "./ai-sdk-google-wire.ts";

const WIRES = {
  anthropic: anthropicWire,
  google: googleWire,
  "google-vertex": googleWire,
  "amazon-bedrock": bedrockWire,
  cohere: cohereWire,
} as const satisfies Record<string, WireReader>;
export type WireName = keyof typeof WIRES;

/** One recorded answer, and what its bytes say when read without the adapter. */
export type Recording = {
  readonly id: string;
  readonly wire: WireName;
  readonly model: string;
  readonly form: "stream" | "reply told as a stream" | "error";
  respond(): Response;
  readonly expected: Answer | null | { readonly kind: ProviderFailureKind };
};
type Skipped = { readonly id: string; readonly wire: WireName; readonly reason: string };
/** Not text, or not from this provider: covered by another suite. */
type OutOfScope = { readonly id: string; readonly reason: string };
export type Item =
  | ({ readonly is: "recording" } & Recording)
  | ({ readonly is: "skipped" } & Skipped)
  | ({ readonly is: "out of scope" } & OutOfScope);

const ADDRESSES: readonly (readonly [RegExp, WireName])[] = [
  [/api\.anthropic\.com\/v1\/messages$/, "anthropic"],
  [/generativelanguage\.googleapis\.com\/v1beta\/models\/[^/]+:(streamG|g)enerateContent$/, "google"],
  [/aiplatform\.googleapis\.com\/.*\/google\/models\/[^/]+:(streamG|g)enerateContent$/, "google-vertex"],
  [/bedrock-runtime\.[^/]+\/model\/[^/]+\/converse(-stream)?$/, "amazon-bedrock"],
  [/api\.cohere\.com\/v2\/chat$/, "cohere"],
];
/** Files without the surrounding exchange show by their path what they are. */
const OTHER_APIS =
  /\/(skills|interactions|speech-translation|reranking|image|video|embedding)|embedding|veo-/;

export function readRecordings(root: string): Item[] {
  return (Object.keys(WIRES) as WireName[]).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(json|chunks\.txt)$/.test(path))
      .toSorted()
      .flatMap((path) => readFile(root, folder, path)),
  );
}

function readFile(root: string, folder: WireName, path: string): Item[] {
  const id = `${folder}/${path}`;
  if (OTHER_APIS.test(id)) return [{ is: "out of scope", id, reason: "another API" }];
  const text = readFileSync(join(root, id), "utf8");
  if (path.endsWith(".chunks.txt"))
    return [streamItem({ id, wire: folder, model: "recorded" }, parseLines(text))];
  const file = asJson(JSON.parse(text));
  if (!("exchanges" in file)) return [bareItem({ id, wire: folder, model: "recorded" }, file)];
  return asList(file["exchanges"]).map((exchange, index) => exchangeItem(`${id}#${index}`, exchange));
}

function parseLines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

type Place = { readonly id: string; readonly wire: WireName; readonly model: string };

function bareItem(place: Place, file: Json): Item {
  const error = asJson(file["error"]);
  return "error" in file ? errorItem(place, Number(error["code"] ?? 500), file) : replyItem(place, file);
}

function exchangeItem(id: string, exchange: Json): Item {
  const request = asJson(exchange["request"]);
  const response = asJson(exchange["response"]);
  const address = asText(request["url"]).split("?")[0] ?? "";
  const wire = ADDRESSES.find(([pattern]) => pattern.test(address))?.[1];
  if (wire === undefined) return { is: "out of scope", id, reason: "another API" };
  const sent = asJson(request["json"]);
  const model = asText(sent["model"]) || (/models?\/([^/:]+)/.exec(address)?.[1] ?? "recorded");
  if (/tts|image/.test(model)) return { is: "out of scope", id, reason: "speech or image output" };
  const place = { id, wire, model };
  const status = Number(response["status"]);
  const reply = replyOf(response);
  if (status >= 400) return errorItem(place, status, asJson(reply));
  if (reply === null) return { is: "skipped", ...place, reason: "the recording was cut" };
  if (!Buffer.isBuffer(reply)) return replyItem(place, reply);
  return streamItem(place, WIRES[wire].parse(reply), reply, asJson(response["headers"]));
}

/** The JSON of a reply, the bytes of a stream, or null if neither was recorded completely. */
function replyOf(response: Json): Json | Buffer | null {
  const type = Object.entries(asJson(response["headers"]))
    .filter(([name]) => name.toLowerCase() === "content-type")
    .map(([, value]) => String(value))
    .join();
  if ("json" in response) return asJson(response["json"]);
  if ("base64" in response) return Buffer.from(asText(response["base64"]), "base64");
  const kept = asText(response["text"]);
  // Bytes that were not plain ASCII were recorded as base64, without a mark.
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(kept) ? Buffer.from(kept, "base64") : Buffer.from(kept);
  if (/event-?stream/.test(type)) return bytes;
  try {
    return asJson(JSON.parse(bytes.toString("utf8")));
  } catch {
    return null;
  }
}

function streamItem(place: Place, events: readonly unknown[], bytes?: Buffer, headers?: Json): Item {
  const wire = WIRES[place.wire];
  const type = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return {
    is: "recording",
    ...place,
    form: "stream",
    respond: () =>
      bytes === undefined
        ? wire.stream(events)
        : new Response(new Uint8Array(bytes), { headers: { "content-type": String(type) } }),
    expected: wire.read(events),
  };
}

function replyItem(place: Place, reply: Json): Item {
  const wire = WIRES[place.wire];
  const events = wire.eventsOf(reply);
  const read = wire.read(events);
  return {
    is: "recording",
    ...place,
    form: "reply told as a stream",
    respond: () => wire.stream(events),
    expected: read && { ...read, text: wire.textOf(reply) },
  };
}

function errorItem(place: Place, status: number, body: Json): Item {
  return {
    is: "recording",
    ...place,
    form: "error",
    respond: () => Response.json(body, { status }),
    expected: { kind: kindOf(basename(place.id), status, JSON.stringify(body)) },
  };
}

function kindOf(name: string, status: number, body: string): ProviderFailureKind {
  if (status === 429) return "rate_limited";
  if (/context_length_exceeded/.test(name)) return "context_overflow";
  if (/API key not valid|security token|invalid_api_key|invalid api token/i.test(body)) return "unauthorized";
  if (status === 401 || status === 403 || status === 404) return "unauthorized";
  return status < 500 ? "rejected" : "unavailable";
}
