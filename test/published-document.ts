import { expect } from "bun:test";
import type { ApiRoute } from "../src/http/index.ts";
import { accepts } from "./schema-judge.ts";

type Reply = { readonly content: Record<string, { readonly schema: object }> };

type Document = {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Reply> }>>;
  readonly components: object;
};

/** Holds JSON replies to the document that a gateway publishes, by a validator that is not ours. */
export type DocumentJudge = (route: ApiRoute, response: Response, body: unknown) => void;

export async function readPublishedDocument(origin: string): Promise<DocumentJudge> {
  const { paths, components } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
  return (route, { status }, body) => {
    const path = route.path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}");
    const reply = paths[path]?.[route.method.toLowerCase()]?.responses[String(status)];
    const schema = reply?.content["application/json"]?.schema;
    expect([path, status, schema]).toEqual([path, status, expect.anything()]);
    const isAccepted = accepts({ ...schema, components }, body);
    expect([path, isAccepted, body]).toEqual([path, true, body]);
  };
}
