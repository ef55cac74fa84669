import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** For each event, its name and the names of its fields, once. */
function shapesOf(stream: string): Set<string> {
  const shapes = stream.split("\n\n").flatMap((block) => {
    const data = /^data: (\{.*\})$/m.exec(block)?.[1];
    if (data === undefined) return [];
    const name = /^event: (.*)$/m.exec(block)?.[1] ?? "";
    return `${name} ${Object.keys(JSON.parse(data)).toSorted()}`;
  });
  return new Set(shapes);
}

const messages = [{ role: "user", content: "hello" }];

test.each([
  ["/functions/v1/api-v1-chat", { messages }],
  ["/v1/chat/completions", { messages }],
  ["/v1/responses", { input: "hello" }],
])(
  "%s streams every event shape of the reference's example, which names models and no aliases",
  async (path, body) => {
    const { key } = await gateway.found({ credits: 100 });
    const response = await fetch(`${gateway.origin}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", stream: true, ...body }),
    });
    const seen = shapesOf(await response.text());
    const document = await (await fetch(`${gateway.origin}/openapi.json`)).json();
    const { example } = document.paths[path].post.responses["200"].content["text/event-stream"];
    const shown = shapesOf(example);
    expect(shown.size).toBeGreaterThan(0);
    for (const shape of shown) expect(seen).toContain(shape);
    // A caller who asks by an alias is told which model answered.
    const named = [...example.matchAll(/"model":"([^"]+)"/g)].map(([, name]) => name);
    for (const name of named) expect(gateway.services.catalog.aliases.has(name)).toBe(false);
  },
);
