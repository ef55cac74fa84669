import type { Target } from "./target.ts";

/** What is written one after the other. */
export type Pieces = (string | Uint8Array<ArrayBuffer>)[];

export type Http1Request = {
  readonly method: string;
  /** Must never change: the encoded lines are cached per object, so reusing one object costs nothing. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | Pieces | undefined;
  /** Use a fresh connection: a pooled one may turn out to be dead, and the request would be sent again. */
  readonly isSentOnce?: boolean | undefined;
};

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Characters allowed in a header value: a line break in a key would start another header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Other characters are one byte in a header, but two in a UTF-8 string. */
const ASCII = /^[\t\r\n\x20-\x7e]*$/;
/** Set by us alone: they must match the connection and the body. */
const OURS: ReadonlySet<string> = new Set(["connection", "content-length", "transfer-encoding"]);
/** Sent unless the caller sets them; some providers refuse requests without them. */
const DEFAULTS = [
  ["accept", "*/*"],
  // Compression saves little bandwidth; it costs time to first byte and CPU, and risks a decompression bomb.
  ["accept-encoding", "identity"],
  ["user-agent", "Bursar"],
] as const;

type HeaderLines = { readonly text: string; readonly hasHost: boolean; readonly isAscii: boolean };

/** Providers send the same headers with every call. */
const linesOf = new WeakMap<Http1Request["headers"], HeaderLines>();

/** The whole request: in one text if possible, which the runtime sends without a copy, and no bytes copied. */
export function requestPieces(target: Target, { method, headers, body = [] }: Http1Request): Pieces {
  const lines = linesOf.get(headers) ?? writeLines(headers);
  const host = lines.hasHost ? "" : `host: ${target.host}\r\n`;
  const given = Array.isArray(body) ? body : [body];
  let sizeBytes = 0;
  for (const piece of given) sizeBytes += Buffer.byteLength(piece);
  const length = given.length === 0 && method === "GET" ? "" : `content-length: ${sizeBytes}\r\n`;
  const head = `${method} ${target.path} HTTP/1.1\r\n${host}${lines.text}${length}\r\n`;
  if (!lines.isAscii) return [Buffer.from(head, "latin1"), ...given];
  const [first = "", ...rest] = given;
  return typeof first === "string" ? [head + first, ...rest] : [head, ...given];
}

function writeLines(headers: Http1Request["headers"]): HeaderLines {
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || !VALUE.test(value))
      throw new TypeError(`the header ${JSON.stringify(name)} cannot be sent`);
    if (!OURS.has(name.toLowerCase())) given.set(name.toLowerCase(), value);
  }
  for (const [name, value] of DEFAULTS) if (!given.has(name)) given.set(name, value);
  const text = [...given].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const lines = {
    text: `connection: keep-alive\r\n${text}`,
    hasHost: given.has("host"),
    isAscii: ASCII.test(text),
  };
  linesOf.set(headers, lines);
  return lines;
}
