import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Access, type Ask, CLIENTS, type Client, type Refusal } from "./clients/index.ts";
import { type ScriptedGateway, startScriptedGateway } from "./scripted-gateway.ts";

let scripted: ScriptedGateway;
beforeAll(async () => {
  scripted = await startScriptedGateway();
});
afterAll(() => scripted.close());

const PICTURE = "data:image/png;base64,iVBORw0KGgo=";
const FORMS = ["ask", "stream"] as const;

/** How many requests the gateway has answered, or only those with this status. */
function answered(status?: number): number {
  const counts = scripted.gateway.services.metrics
    .render()
    .matchAll(/^bursar_http_requests_total\{(.*)\} (\d+)$/gm);
  return [...counts].reduce(
    (sum, [, of = "", count]) =>
      sum + (status === undefined || of.includes(`status="${status}"`) ? Number(count) : 0),
    0,
  );
}

/** What a client shows of a call that must be refused, and how many requests it made. */
async function refused(
  client: Client,
  form: (typeof FORMS)[number],
  { access, ask }: { readonly access: Partial<Access>; readonly ask: Partial<Ask> },
): Promise<Refusal & { readonly requests: number }> {
  const before = answered();
  const key = access.key ?? (await scripted.gateway.found()).key;
  try {
    await client[form](
      { origin: scripted.gateway.origin, key },
      { model: "svc-code", prompt: "Hello", ...ask },
    );
  } catch (error) {
    return { ...client.refusalOf(error), requests: answered() - before };
  }
  throw new Error("it was not refused");
}

for (const client of CLIENTS) {
  for (const form of FORMS) {
    describe(`${client.name}, ${form === "ask" ? "in one piece" : "streamed"}, with its own retries`, () => {
      test("shows a wrong key as 401, without a retry", async () => {
        const access = { key: `svc_live_${"x".repeat(43)}` };
        const refusal = await refused(client, form, { access, ask: {} });
        expect(refusal).toMatchObject({ status: 401, code: "invalid_key", requests: 1 });
      });

      test("shows an unknown model as 404 model_not_found, without a retry", async () => {
        const refusal = await refused(client, form, { access: {}, ask: { model: "no-such-model" } });
        expect(refusal).toMatchObject({ status: 404, code: "model_not_found", requests: 1 });
      });

      test("shows an image for a model without images as 400 of its field, without a retry", async () => {
        const ask = { model: "scripted-blind", imageUrl: PICTURE };
        const refusal = await refused(client, form, { access: {}, ask });
        const param = client.wire === "chat" ? "messages" : "input";
        expect(refusal).toMatchObject({ status: 400, code: "validation_error", param, requests: 1 });
      });

      test("shows missing credits as 402 with the checkout link, without a retry", async () => {
        const { key } = await scripted.gateway.found({ credits: 0, plan: "free" });
        const refusal = await refused(client, form, { access: { key }, ask: {} });
        expect(refusal).toMatchObject({ status: 402, code: "insufficient_credits", requests: 1 });
        expect(refusal.checkoutUrl).toMatch(
          /^http.*\/console\/billing\?organization=[0-9a-f-]{36}&credits=1&needed=\d+$/,
        );
      });
    });
  }
}

describe("a rate limit", () => {
  const WINDOW_MS = 60_000;
  /** Retry-After is in whole seconds: what is left of the minute must round up to one. */
  const LEFT_MS = 500;
  const TEST_LIMIT_MS = 60_000;

  test(
    "makes every client wait and retry once, and its call succeeds",
    async () => {
      const { gateway } = scripted;
      const organization = await gateway.found();
      // The clock is frozen, so no client can be late: the next minute begins once a client was refused, while it
      // waits.
      await gateway.database.freezeClock(new Date("2031-01-01T00:00:00Z"));
      await gateway.database.advanceClock(WINDOW_MS - LEFT_MS);
      const before = answered(429);
      const waiting: Promise<{ readonly text: string }>[] = [];
      for (const client of CLIENTS) {
        for (const form of FORMS) {
          const { key } = await organization.mint({ requestsPerMinute: 1 });
          const ask = () =>
            client[form](
              { origin: gateway.origin, key },
              { model: "svc-code", prompt: "What is 6 times 7?" },
            );
          await ask();
          waiting.push(ask());
          while (answered(429) - before < waiting.length) await Bun.sleep(2);
          await gateway.database.advanceClock(WINDOW_MS);
        }
      }
      const answers = await Promise.all(waiting);
      expect(answers.filter(({ text }) => text.includes("42"))).toHaveLength(waiting.length);
      expect(answered(429) - before).toBe(waiting.length);
    },
    TEST_LIMIT_MS,
  );
});
