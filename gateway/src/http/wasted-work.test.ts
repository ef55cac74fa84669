import { expect, test } from "bun:test";
import { AppError } from "../kit/index.ts";
import { answered, CHAT_BODY, createEdge, type Edge, sendChat } from "./testing.ts";

const LONG = "The committee met again. ".repeat(3_000_000 / 25);
/** Reading it takes some milliseconds, in which nobody else is served. */
const EXPENSIVE = JSON.stringify({ ...CHAT_BODY, messages: [{ role: "user", content: LONG }] });
const LARGE = JSON.stringify({ ...CHAT_BODY, messages: [{ role: "user", content: LONG.slice(0, 70_000) }] });
/** How many bodies may wait for their turn if most calls of their organization are refused. */
const MAY_WAIT = 32;
/** Refused calls after which that limit applies. */
const ENOUGH = 5;

const RATE = { limit: 600, remaining: 1, resetSeconds: 1 };
const NOBODY = "0190e3c2-0000-7000-8000-00000000dead";

const sizeOf = (body: string) => ({ "content-length": String(Buffer.byteLength(body)) });
const sized = (edge: Edge, body: string) => sendChat(edge, body, { headers: sizeOf(body) });

async function refusedOf(edge: Edge, count: number): Promise<number> {
  const replies = await Promise.all(Array.from({ length: count }, () => sized(edge, LARGE)));
  return replies.filter(({ status }) => status === 503).length;
}

async function statusesOf(edge: Edge, bodies: readonly string[]): Promise<number[]> {
  const replies = await Promise.all(bodies.map((body) => sized(edge, body)));
  return replies.map(({ status }) => status);
}

test.each<[string, string, number]>([
  ["JSON that does not end", EXPENSIVE.slice(0, -1), 400],
  ["a field that is wrong", EXPENSIVE.replace("{", '{"max_tokens":"many",'), 400],
  ["a model that nobody has", EXPENSIVE.replace("acme-chat", "no-such-chat"), 403],
])(
  "an organization that keeps sending large bodies with %s may have only some bodies wait",
  async (_, body, status) => {
    const edge = createEdge();
    for (let sent = 0; sent < ENOUGH; sent++) expect((await sized(edge, body)).status).toBe(status);
    expect(await refusedOf(edge, MAY_WAIT + 8)).toBe(8);
  },
);

test("an organization with refused calls may have few bodies wait; one that is served may have more", async () => {
  const refusing = createEdge({
    generation: { chat: () => Promise.reject(new AppError("validation_error", "no")) },
  });
  for (let sent = 0; sent < ENOUGH; sent++) expect((await sized(refusing, EXPENSIVE)).status).toBe(400);
  // The first call after that still measures how long it took.
  await sized(refusing, EXPENSIVE);
  expect(await refusedOf(refusing, MAY_WAIT + 8)).toBe(8);
  const serving = createEdge();
  expect((await sized(serving, EXPENSIVE)).status).toBe(200);
  expect(await refusedOf(serving, MAY_WAIT + 8)).toBe(0);
});

test("one refused call among an organization's good calls does not make any of them fail", async () => {
  const edge = createEdge();
  const wrong = LARGE.replace("acme-chat", "no-such-chat");
  expect(await statusesOf(edge, [wrong])).toEqual([403]);
  const statuses = await statusesOf(edge, [wrong, ...Array.from({ length: 119 }, () => LARGE)]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(119);
});

test("the time of checking a member id does not count as work for the caller, whatever the result", async () => {
  const edge = createEdge({ members: { isMember: () => Bun.sleep(90).then(() => false) } });
  const headers = { ...sizeOf(LARGE), "x-member-user-id": NOBODY };
  const forNobody = () => sendChat(edge, LARGE, { headers });
  expect((await sized(edge, LARGE)).status).toBe(200);
  expect((await forNobody()).status).toBe(400);
  for (let good = 0; good < 4 * MAY_WAIT; good += MAY_WAIT) expect(await refusedOf(edge, MAY_WAIT)).toBe(0);
  const wrong = await Promise.all(Array.from({ length: ENOUGH }, forNobody));
  expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 400));
  expect(await refusedOf(edge, MAY_WAIT + 8)).toBe(0);
});

test("an organization that was rate limited is treated like others after Retry-After", async () => {
  let isNextWindow = false;
  const edge = createEdge({
    generation: {
      async chat(call) {
        if (isNextWindow) return answered(call);
        throw new AppError("rate_limit_exceeded", "no", { retryAfterSeconds: 0.09, rate: RATE });
      },
    },
  });
  const statuses = await statusesOf(
    edge,
    Array.from({ length: 2 * MAY_WAIT }, () => LARGE),
  );
  expect(new Set(statuses)).toEqual(new Set([429]));
  isNextWindow = true;
  await Bun.sleep(90);
  expect(await refusedOf(edge, MAY_WAIT + 8)).toBe(0);
});

test("refusals of admitted calls by the provider do not count against the caller", async () => {
  const edge = createEdge({
    generation: { chat: () => Promise.reject(new AppError("validation_error", "no", { rate: RATE })) },
  });
  for (let sent = 0; sent < 2 * ENOUGH; sent++) await sized(edge, EXPENSIVE);
  expect(await refusedOf(edge, MAY_WAIT + 8)).toBe(0);
});
