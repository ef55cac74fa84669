import { expect } from "bun:test";
import type { ApiRoute } from "../gateway/src/http/index.ts";
import { ERROR_CODES, type ErrorCode, parseUuid, STATUSES_OF_CODE } from "../gateway/src/kit/index.ts";

/** The key of a route in the table of cases. */
export function routeName(route: ApiRoute): string {
  return `${route.method} ${route.path}`;
}

type SuiteRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
};

/** Sends requests as a client would, each from a different client address, so that no per-address throttle applies. */
export function createSender(origin: string): (request: SuiteRequest) => Promise<Response> {
  let clients = 0;
  return ({ method, path, headers, body }) => {
    const client = ++clients;
    const address = `198.18.${(client >> 8) & 255}.${client & 255}`;
    return fetch(`${origin}${path}`, {
      method,
      headers: { "x-forwarded-for": address, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  };
}

export type Expected = { readonly status: number; readonly code?: string; readonly says?: string };

/**
 * Checks an error reply against the contract: status, the envelope of its wire, ids, and no leaks. Returns its body.
 */
export async function expectRefusal(
  response: Response,
  route: ApiRoute,
  expected: Expected,
): Promise<unknown> {
  const text = await response.text();
  expect([response.status, text]).toEqual([expected.status, text]);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-api-version")).toBe("1.0.0");
  expect(parseUuid(response.headers.get("x-request-id") ?? "")).toBeDefined();
  for (const leak of ["svc_live_", "postgres", "/src/", "node_modules", "    at "])
    expect(text).not.toContain(leak);
  const { error } = JSON.parse(text) as { error: Record<string, unknown> };
  if (route.wire === "native") expectNativeEnvelope(error, response);
  else expectOpenaiEnvelope(error, response.status);
  if (expected.code !== undefined) expect(error["code"]).toBe(expected.code);
  if (expected.says !== undefined) expect(String(error["message"])).toStartWith(expected.says);
  return JSON.parse(text);
}

function expectNativeEnvelope(error: Record<string, unknown>, response: Response): void {
  expect(Object.keys(error)).toEqual(["code", "message", "request_id"]);
  expect(error["request_id"]).toBe(response.headers.get("x-request-id"));
  expect(ERROR_CODES).toContain(error["code"] as ErrorCode);
  expect(STATUSES_OF_CODE[error["code"] as ErrorCode]).toContain(response.status);
}

function expectOpenaiEnvelope(error: Record<string, unknown>, status: number): void {
  expect(Object.keys(error).slice(0, 4)).toEqual(["message", "type", "param", "code"]);
  expect(error["type"] === "server_error").toBe(status >= 500);
}
