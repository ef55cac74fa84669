import { afterAll, beforeAll, expect, test } from "bun:test";
import { present } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { askJson, type ChatAsk, seeJson } from "./chat-client.ts";
import { expectQuiet } from "./ending.ts";
import { type NodeProcess, startNode } from "./node-process.ts";

const CALLS = 1_500;
const CREDITS = 100_000;
const ORGANIZATIONS = 5;
const TEST_LIMIT_MS = 60_000;

let gateway: TestGateway;
let node: NodeProcess;
beforeAll(async () => {
  gateway = await startTestGateway();
  node = await startNode(gateway.database.db.url);
});
afterAll(async () => {
  await node.remove();
  await gateway.close();
});

/** How a call ended; a refusal must be complete. */
async function outcomeOf(ask: ChatAsk): Promise<"served" | "refused"> {
  const response = await askJson(ask);
  const body = (await response.json()) as { error?: object; request_id?: string };
  if (response.status === 200) return "served";
  expect([response.status, Number(response.headers.get("retry-after")) >= 1]).toEqual([503, true]);
  const requestId = response.headers.get("x-request-id");
  expect(body.error).toMatchObject({ code: "internal_error", request_id: requestId });
  return "refused";
}

test(
  "too many concurrent calls are each served or refused, only served ones are charged, and service recovers",
  async () => {
    const { db } = gateway.database;
    const crowd = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, () => gateway.found({ credits: CREDITS })),
    );
    const content = "[sandbox:tokens=2000] Tell me a story.";
    const outcomes = await Promise.all(
      Array.from({ length: CALLS }, (_, at) => {
        const of = present(crowd[at % ORGANIZATIONS], "an organization");
        return outcomeOf({ origin: node.origin, of, content });
      }),
    );
    for (const [at, of] of crowd.entries()) {
      const own = outcomes.filter((_, call) => call % ORGANIZATIONS === at);
      const served = own.filter((outcome) => outcome === "served").length;
      expect(served).toBeGreaterThan(0);
      await expectQuiet(db, of.id, CREDITS - served);
    }
    const of = present(crowd[0], "an organization");
    for (let tries = 0; ; tries++) {
      if ((await seeJson({ origin: node.origin, of, content: "hello" })).status === 200) break;
      expect(tries, "it serves again").toBeLessThan(100);
      await Bun.sleep(50);
    }
  },
  TEST_LIMIT_MS,
);
