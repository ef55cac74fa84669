import { createSseParser, isObject } from "../../kit/index.ts";
import { readsAsEvents } from "../begins-as-events.ts";

/** A provider's error in one form, whatever shape it came in. */
export type ErrorBody = {
  /** As the provider wrote it, after the location if that is given separately; empty if there is none. */
  readonly message: string;
  /** The title, if the error is an HTML page; only we read it. */
  readonly title: string;
  /** Codes, types and statuses from every nesting level, in lower case. */
  readonly codes: ReadonlySet<string>;
  /** An HTTP status that the body itself mentions. */
  readonly status: number | null;
  /** How long to wait according to the body, unparsed: for example `30s`. */
  readonly retryDelay: string | null;
  /** The request field that the error is about, by the provider's name for it. */
  readonly param: string | null;
  /** The error lists what was flagged in the prompt, as a router's moderation does. */
  readonly isOfFlaggedPrompt: boolean;
};

/** Nesting levels that are read: a router wraps its provider's error, which may wrap another. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 8;
const CODE_FIELDS = ["code", "type", "status", "error_type", "reason", "error_code"] as const;
const MESSAGE_FIELDS = [
  "message",
  "error",
  "detail",
  "msg",
  "errors",
  "error_description",
  "description",
  "title",
] as const;
/** Fields that contain another error, or details of this one. */
const NESTED_FIELDS = [
  "error",
  "errors",
  "detail",
  "details",
  "metadata",
  "raw",
  "response",
  "ErrorInfo",
] as const;

/** How servers, in whatever language they are written, say that no field is meant. */
const NO_PARAM: ReadonlySet<string> = new Set(["", "None", "null", "undefined"]);

export function parseErrorBody(text: string): ErrorBody {
  const trimmed = text.trim();
  if (trimmed.startsWith("<")) return { ...readErrorBody(""), title: titleOf(trimmed) };
  const said = dataOf(trimmed) ?? trimmed;
  try {
    return readErrorBody(JSON.parse(said));
  } catch {
    return readErrorBody(said);
  }
}

/** The title is near the beginning; not every page has one. */
function titleOf(page: string): string {
  return /<title(?:\s[^>]{0,200})?>([^<]{0,200})/i.exec(page.slice(0, 4_000))?.[1]?.trim() ?? "";
}

/** No error needs more, and the SSE parser processes every line. */
const MAX_STREAM_CHARACTERS = 64 << 10;

/** Servers that were asked for a stream may send the error as its first event, whatever the status. */
function dataOf(text: string): string | null {
  if (!readsAsEvents(text)) return null;
  const parser = createSseParser();
  const bytes = new TextEncoder().encode(text.slice(0, MAX_STREAM_CHARACTERS));
  const [first] = [...parser.push(bytes), ...parser.end()];
  return first?.data ?? null;
}

export function readErrorBody(value: unknown): ErrorBody {
  const codes = new Set<string>();
  const found: Collected["found"] = { status: null, retryDelay: null, param: null, isOfFlaggedPrompt: false };
  collect(value, { codes, found }, 0);
  return { message: messageOf(value, 0), title: "", codes, ...found };
}

type Collected = {
  readonly codes: Set<string>;
  readonly found: {
    -readonly [Name in Exclude<keyof ErrorBody, "message" | "title" | "codes">]: ErrorBody[Name];
  };
};

function collect(value: unknown, into: Collected, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_ITEMS)) collect(item, into, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  for (const field of CODE_FIELDS) takeCode(value[field], into);
  // A token service's error, as OAuth has it.
  if ("error_description" in value) takeCode(value["error"], into);
  const { retryDelay, param, reasons } = value;
  if (typeof retryDelay === "string") into.found.retryDelay ??= retryDelay;
  if (typeof param === "string" && !NO_PARAM.has(param)) into.found.param ??= param;
  if (Array.isArray(reasons) && "flagged_input" in value) into.found.isOfFlaggedPrompt = true;
  for (const field of NESTED_FIELDS) collect(unwrapped(value[field]), into, depth + 1);
}

function takeCode(code: unknown, { codes, found }: Collected): void {
  if (typeof code === "string") codes.add(code.slice(0, 100).toLowerCase());
  const status = Number(code);
  const isStatus = (typeof code === "number" || typeof code === "string") && Number.isInteger(status);
  if (isStatus && status >= 400 && status < 600) found.status ??= status;
}

/** The innermost message: a wrapper's "Provider returned error" helps nobody. */
function messageOf(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (depth > MAX_DEPTH) return "";
  if (Array.isArray(value)) {
    return value
      .slice(0, MAX_ITEMS)
      .map((item) => messageOf(item, depth + 1))
      .filter((message) => message !== "")
      .slice(0, 3)
      .join("; ");
  }
  if (!isObject(value)) return "";
  const { metadata } = value;
  const raw = unwrapped(isObject(metadata) ? metadata["raw"] : undefined);
  if (raw !== undefined && raw !== null && raw !== "") return messageOf(raw, depth + 1);
  for (const field of MESSAGE_FIELDS) {
    const message = messageOf(unwrapped(value[field]), depth + 1);
    if (message !== "") return withPlace(message, value["loc"]);
  }
  return "";
}

/** Some servers' validators give the location (`loc`) separately from the message. */
function withPlace(message: string, place: unknown): string {
  if (!Array.isArray(place)) return message;
  const path = place.filter((part) => part !== "body" && ["string", "number"].includes(typeof part));
  return path.length > 0 ? `${path.join(".")}: ${message}` : message;
}

/** Some servers embed another server's error as a string of JSON. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
