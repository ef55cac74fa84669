import { expect, test } from "bun:test";
import { createEdge } from "../../gateway/src/http/testing.ts";
import { SANDBOX_DIRECTIVES } from "../../sandbox/src/reply.ts";

test("the API reference says of the sandbox's directives what the sandbox says itself, and nothing else", async () => {
  const { info } = (await (await createEdge().send("/openapi.json", { key: null })).json()) as {
    info: { description: string };
  };
  const rows = info.description.split("\n").filter((line) => line.startsWith("| `[sandbox:"));
  expect(rows).toEqual(SANDBOX_DIRECTIVES.map(({ directive, effect }) => `| \`${directive}\` | ${effect} |`));
});
