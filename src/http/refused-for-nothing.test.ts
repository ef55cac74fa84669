import { expect, test } from "bun:test";
import { AppError } from "../kit/index.ts";
import { CHAT_BODY, createEdge, type Edge, sendChat } from "./testing.ts";

const LONG = "The committee met again. ".repeat(3_000_000 / 25);
/** Reading it takes some milliseconds, in which nobody else is served. */
const DEAR = JSON.stringify({ ...CHAT_BODY, messages: [{ role: "user", content: LONG }] });
const LARGE = JSON.stringify({ ...CHAT_BODY, messages: [{ role: "user", content: LONG.slice(0, 70_000) }] });
/** As many of somebody's who was refused may wait for their turn. */
const MAY_WAIT = 32;

const sized = (edge: Edge, body: string) =>
  sendChat(edge, body, { headers: { "content-length": String(Buffer.byteLength(body)) } });

async function refusedOf(edge: Edge, count: number): Promise<number> {
  const replies = await Promise.all(Array.from({ length: count }, () => sized(edge, LARGE)));
  return replies.filter(({ status }) => status === 503).length;
}

test.each<[string, string, number]>([
  ["JSON that does not end", DEAR.slice(0, -1), 400],
  ["a field that is wrong", DEAR.replace("{", '{"max_tokens":"many",'), 400],
  ["a model that nobody has", DEAR.replace("acme-chat", "no-such-chat"), 403],
])("who sends large bodies with %s pauses as who has no credits does", async (_, body, status) => {
  const edge = createEdge();
  expect((await sized(edge, body)).status).toBe(status);
  expect(await refusedOf(edge, MAY_WAIT + 8)).toBe(8);
});

test("who is refused by the call itself pauses too, and who is served does not", async () => {
  const refusing = createEdge({
    generation: { chat: () => Promise.reject(new AppError("validation_error", "no")) },
  });
  expect((await sized(refusing, DEAR)).status).toBe(400);
  // The first of them still tells how long it took.
  await sized(refusing, DEAR);
  expect(await refusedOf(refusing, MAY_WAIT + 8)).toBe(8);
  const serving = createEdge();
  expect((await sized(serving, DEAR)).status).toBe(200);
  expect(await refusedOf(serving, MAY_WAIT + 8)).toBe(0);
});
