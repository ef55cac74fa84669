import type { Target } from "./target.ts";

export type Http1Request = {
  readonly method: string;
  /** The same object call after call costs nothing the second time; it must never change. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** On a connection that has carried nothing yet: no other can prove dead and want it sent again. */
  readonly isSentOnce?: boolean | undefined;
};

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What may stand in a header: a line break in a key would be a header of its own. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The others are one byte in a header and two in a text. */
const ASCII = /^[\t\r\n\x20-\x7e]*$/;
/** These are ours to say: they must be true of the connection and of the body. */
const OURS: ReadonlySet<string> = new Set(["connection", "content-length", "transfer-encoding"]);
/** What is said where the caller does not say it; some providers refuse who does not. */
const DEFAULTS = [
  ["accept", "*/*"],
  // A compressed answer saves the network a little and costs us time to first byte, CPU and a bomb's risk.
  ["accept-encoding", "identity"],
  ["user-agent", "Bursar"],
] as const;

type HeaderLines = { readonly text: string; readonly hasHost: boolean; readonly isAscii: boolean };

/** Providers send the same headers with every call. */
const linesOf = new WeakMap<Http1Request["headers"], HeaderLines>();

/** The whole request, ready to be sent in one write; as text where it can be, which the runtime sends without a copy. */
export function requestBytes(target: Target, { method, headers, body }: Http1Request): string | Buffer {
  const lines = linesOf.get(headers) ?? writeLines(headers);
  const host = lines.hasHost ? "" : `host: ${target.host}\r\n`;
  const sizeBytes = body === undefined ? 0 : Buffer.byteLength(body);
  const length = body === undefined && method === "GET" ? "" : `content-length: ${sizeBytes}\r\n`;
  const head = `${method} ${target.path} HTTP/1.1\r\n${host}${lines.text}${length}\r\n`;
  if (lines.isAscii && (body === undefined || typeof body === "string")) return head + (body ?? "");
  const bytes = Buffer.allocUnsafe(head.length + sizeBytes);
  bytes.write(head, "latin1");
  if (typeof body === "string") bytes.write(body, head.length, "utf8");
  else if (body !== undefined) bytes.set(body, head.length);
  return bytes;
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
