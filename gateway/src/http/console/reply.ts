import { closesConnection } from "../closing-status.ts";
import { varyByEncoding } from "../compressed.ts";

/** Only our own scripts, styles and images; nothing from other hosts, and no one may frame our pages. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": CONTENT_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex, nofollow",
};

type ReplyOptions = {
  /** Any other type is given as a header. */
  readonly type: "html" | "json";
  readonly status?: number;
  readonly setCookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
};

const TYPES = { html: "text/html; charset=utf-8", json: "application/json" };

export function consoleReply(
  body: string | ReadableStream<Uint8Array> | null,
  { type, status = 200, setCookies = [], headers = {} }: ReplyOptions,
) {
  const all = new Headers({ ...HEADERS, "content-type": TYPES[type], ...headers });
  for (const line of setCookies) all.append("set-cookie", line);
  if (status === 401) all.set("www-authenticate", "Bearer");
  if (closesConnection(status)) all.set("connection", "close");
  varyByEncoding(all, body);
  return new Response(body, { status, headers: all });
}
