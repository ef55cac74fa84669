import type { Target } from "./target.ts";

export type Http1Request = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
};

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What may stand in a header: a line break in a key would be a header of its own. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** These are ours to say: they must be true of the connection and of the body. */
const OURS: ReadonlySet<string> = new Set(["connection", "content-length", "transfer-encoding"]);
/** What is said where the caller does not say it; some providers refuse who does not. */
const DEFAULTS: Readonly<Record<string, string>> = {
  accept: "*/*",
  "user-agent": "Bursar",
};

/** The whole request, ready to be sent in one write. */
export function requestBytes(target: Target, { method, headers, body }: Http1Request): Buffer {
  let head = `${method} ${target.path} HTTP/1.1\r\nconnection: keep-alive\r\n`;
  const missing: Record<string, string> = { host: target.host, ...DEFAULTS };
  for (const name in headers) {
    const value = headers[name] as string;
    const lower = name.toLowerCase();
    if (OURS.has(lower)) continue;
    if (!NAME.test(name) || !VALUE.test(value))
      throw new TypeError(`the header ${JSON.stringify(name)} cannot be sent`);
    delete missing[lower];
    head += `${lower}: ${value}\r\n`;
  }
  for (const name in missing) head += `${name}: ${missing[name]}\r\n`;
  if (body === undefined && method === "GET") return Buffer.from(`${head}\r\n`, "latin1");
  const sizeBytes = body === undefined ? 0 : Buffer.byteLength(body);
  head += `content-length: ${sizeBytes}\r\n\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + sizeBytes);
  bytes.write(head, "latin1");
  if (typeof body === "string") bytes.write(body, head.length, "utf8");
  else if (body !== undefined) bytes.set(body, head.length);
  return bytes;
}
