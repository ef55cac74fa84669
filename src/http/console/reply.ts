import { type Html, renderHtml } from "./html.ts";

export type Reply = {
  readonly status: number;
  readonly body: Html | null;
  readonly headers?: Readonly<Record<string, string>>;
};

export function pageReply(body: Html, status = 200): Reply {
  return { status, body };
}

/** To a path of ours, which the browser then asks for with GET. A path from a request never comes here. */
export function redirectReply(path: `/console${string}`): Reply {
  return { status: 303, body: null, headers: { location: path } };
}

export function retryLater(reply: Reply, seconds: number): Reply {
  return { ...reply, headers: { ...reply.headers, "retry-after": String(seconds) } };
}

/** No script, nothing from elsewhere, forms to us only, and nobody may frame a page of ours. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": CONTENT_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  // Nothing for others. Not `no-referrer`: browsers would then send our own forms with `Origin: null`.
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex, nofollow",
};

/** What the server did not read to its end cannot be followed by another request. */
const CLOSING_STATUSES = new Set([408, 413]);

export function toResponse(reply: Reply, setCookies: readonly string[]): Response {
  const headers = new Headers({ ...HEADERS, ...reply.headers });
  for (const line of setCookies) headers.append("set-cookie", line);
  if (CLOSING_STATUSES.has(reply.status)) headers.set("connection", "close");
  return new Response(reply.body && renderHtml(reply.body), { status: reply.status, headers });
}
