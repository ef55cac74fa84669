import { expect } from "bun:test";
import type { ApiRoute } from "../gateway/src/http/index.ts";
import { accepts } from "./schema-judge.ts";

type Content = { readonly headers?: object; readonly content: Record<string, { readonly schema: object }> };
type Operation = {
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
};

/** Ordinary HTTP headers, which the OpenAPI document need not mention. */
const PLAIN_HEADERS = new Set([
  ...["content-type", "content-length", "cache-control", "connection", "date", "x-content-type-options"],
  ...["vary", "content-encoding", "transfer-encoding"],
]);

/**
 * The OpenAPI document that a gateway publishes, as an independent validator reads it. For tests that real requests and
 * replies conform to it.
 */
export type PublishedDocument = {
  /** Checks a JSON reply and its headers against the documented response of its status. */
  expectReply(route: Pick<ApiRoute, "method" | "path">, response: Response, body: unknown): void;
  acceptsRequest(route: Pick<ApiRoute, "method" | "path">, body: unknown): boolean;
};

export async function readPublishedDocument(origin: string): Promise<PublishedDocument> {
  const { paths, components } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: object;
  };
  const operationOf = (route: Pick<ApiRoute, "method" | "path">) =>
    paths[route.path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}")]?.[route.method.toLowerCase()];
  const isAccepted = (said: Content | undefined, body: unknown) =>
    accepts({ ...said?.content["application/json"]?.schema, components }, body);
  return {
    expectReply(route, { status, headers }, body) {
      const said = operationOf(route)?.responses[String(status)];
      expect([route.path, status, said]).toEqual([route.path, status, expect.anything()]);
      expect([route.path, isAccepted(said, body), body]).toEqual([route.path, true, body]);
      const named = new Set(Object.keys(said?.headers ?? {}).map((name) => name.toLowerCase()));
      const unsaid = [...headers.keys()].filter((name) => !named.has(name) && !PLAIN_HEADERS.has(name));
      expect([route.path, status, unsaid]).toEqual([route.path, status, []]);
    },
    acceptsRequest: (route, body) => isAccepted(operationOf(route)?.requestBody, body),
  };
}
