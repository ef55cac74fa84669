import { describe, expect, test } from "bun:test";
import { createEdge } from "../testing.ts";

const edge = createEdge();
/** Routes whose example names a model, or the gateway's own alias that it is for. */
const asking = edge.app.routes.flatMap(({ path, docs: { body } }) =>
  body !== undefined && ("model" in body.example || body.alias !== undefined)
    ? [{ path, example: body.example }]
    : [],
);

/** The status and the whole text, without the request's id. */
async function told(response: Response): Promise<string> {
  const requestId = response.headers.get("x-request-id") ?? "";
  return `${response.status} ${(await response.text()).replaceAll(requestId, "")}`;
}

describe("an unknown model name of any length is answered as an unknown model", () => {
  test("the routes that take a model are exactly these", () => {
    expect(asking.map(({ path }) => path).sort()).toEqual([
      "/functions/v1/api-v1-audio",
      "/functions/v1/api-v1-chat",
      "/functions/v1/api-v1-images",
      "/functions/v1/api-v1-video",
      "/v1/chat/completions",
      "/v1/images/generations",
      "/v1/responses",
    ]);
  });

  test.each(asking)("$path", async ({ path, example }) => {
    const withName = async (length: number) => {
      const body = JSON.stringify({ ...example, model: "m".repeat(length) });
      return told(await edge.send(path, { body }));
    };
    const unknown = await withName(200);
    expect(unknown).toContain(path.startsWith("/v1/") ? '"model_not_found"' : '"model_not_allowed"');
    expect([await withName(201), await withName(100_000)]).toEqual([unknown, unknown]);
    expect(await withName(0)).toMatch(/^400 .*model: must be the id or alias of a model/);
    expect(JSON.stringify(edge.logged)).not.toContain("mmmm");
  });

  test("GET /v1/models/{model}", async () => {
    const withName = async (length: number) => told(await edge.send(`/v1/models/${"m".repeat(length)}`));
    const unknown = await withName(200);
    expect(unknown).toContain('"model_not_found"');
    expect([await withName(201), await withName(8_000)]).toEqual([unknown, unknown]);
  });
});
