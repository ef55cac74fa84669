import { assert } from "../kit/index.ts";
import { bodyOf, shareBody } from "./body.ts";
import { streamOf } from "./body-source.ts";
import type { OutboundFetch, OutboundInit, OutboundResponse } from "./outbound-call.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
/** Statuses for which the Response constructor refuses a body. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);
/** No longer true of a body that is passed on decoded and in different pieces. */
const HOP_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/** The same call as a standard `fetch`, for libraries that build their own request and read a standard Response. */
export function asFetch(outbound: OutboundFetch): typeof fetch {
  const call = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    assert(!(input instanceof Request), "libraries call us with an address and an init");
    return standardResponse(await outbound(String(input), outboundInit(init)));
  };
  return Object.assign(call, { preconnect: () => {} });
}

function outboundInit(init: RequestInit): OutboundInit {
  const method = METHODS.find((known) => known === (init.method ?? "GET").toUpperCase());
  assert(method !== undefined, `nobody calls a provider with ${init.method}`);
  return {
    method,
    headers: Object.fromEntries(new Headers(init.headers).entries()),
    body: outboundBody(init.body),
    signal: init.signal ?? new AbortController().signal,
  };
}

function outboundBody(body: RequestInit["body"]): OutboundInit["body"] {
  if (body === undefined || body === null) return undefined;
  const isTaken =
    typeof body === "string" ||
    body instanceof Uint8Array ||
    body instanceof Blob ||
    body instanceof FormData;
  assert(isTaken, "a request body is whole before it is sent");
  return body as OutboundInit["body"];
}

function standardResponse(response: OutboundResponse): Response {
  const headers = new Headers([...response.headers]);
  for (const name of HOP_HEADERS) headers.delete(name);
  const body = bodyOf(response);
  const stream = BODILESS.has(response.status) ? null : streamOf(body);
  if (stream === null) body.cancel();
  const standard = new Response(stream, { status: response.status, headers });
  shareBody(response, standard);
  return standard;
}
