/** Endings that are neither a plain answer nor an error: our own cut, implausible usage, retries. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { creditsOf, expectQuiet } from "../faults/ending.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { ANSWER_TEXT } from "../upstream/chat-wire.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { type Answer, CLIENTS } from "./clients/index.ts";
import { type Cell, cellsOf, type FaultRow, faultSettings } from "./fault-models.ts";

const CREDITS = 1_000_000;
const MAX_OUTPUT_TOKENS = 32;
const ODD_USAGE = ["missing", "null", "negative", "string", "huge", "contradictory"].map(
  (kind): FaultRow => ({ behaviour: `usage:${kind}` }),
);
const ENDLESS: FaultRow = { behaviour: "endless" };
const HEAVY = ["long-line", "gzip-bomb", "endless-json"].map((behaviour): FaultRow => ({ behaviour }));
const REFUSED: FaultRow = { behaviour: "401" };
const HEAVY_LIMIT_MS = 30_000;

let upstream: MisbehavingUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  const rows = [...ODD_USAGE, ENDLESS, ...HEAVY, REFUSED];
  const options = { clients: CLIENTS, maxOutputTokens: MAX_OUTPUT_TOKENS };
  settings = writeSettings(faultSettings(upstream, rows, options));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

/** The answers to these calls, made at once, and their total cost. */
async function answersTo(cells: readonly Cell[]): Promise<{ answers: readonly Answer[]; spent: number }> {
  const own = await gateway.found({ credits: CREDITS });
  const access = { origin: gateway.origin, key: own.key, maxRetries: 0 };
  const answers = await Promise.all(
    cells.map(({ client, form, model }) => client[form](access, { model, prompt: "Hello" })),
  );
  await gateway.services.running.idle();
  const { available } = await creditsOf(gateway.database.db, own.id);
  await expectQuiet(gateway.database.db, own.id, available);
  return { answers, spent: CREDITS - available };
}

function tokensOf(answers: readonly Answer[]): number {
  return answers.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}

describe("missing or implausible usage", () => {
  test.each(ODD_USAGE.map((row) => [row.behaviour, row] as const))(
    "%s: every client sees the tokens it was charged for instead",
    async (_name, row) => {
      const { answers, spent } = await answersTo(cellsOf(row, CLIENTS));
      expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([ANSWER_TEXT]));
      expect(tokensOf(answers)).toBe(spent);
    },
  );
});

test("an endless stream is cut at its limit, and every client sees the tokens it was charged for", async () => {
  const cells = cellsOf(ENDLESS, CLIENTS).filter(
    // This client throws on any incomplete response, whoever cut it.
    ({ client, form }) => form === "stream" && client.name !== "@openai/agents responses",
  );
  const { answers, spent } = await answersTo(cells);
  expect(answers.filter(({ text }) => text.startsWith("more more "))).toHaveLength(cells.length);
  expect(spent).toBeGreaterThan(0);
  expect(tokensOf(answers)).toBe(spent);
});

test.each(HEAVY.map((row) => [row.behaviour, row] as const))(
  "%s is a 502 on both wires and costs nothing",
  async (_name, row) => {
    const own = await gateway.found({ credits: CREDITS });
    const access = { origin: gateway.origin, key: own.key };
    const cells = cellsOf(row, CLIENTS).filter(({ client }) => client.name.endsWith("helpers"));
    const seen = cells.map(async ({ client, form, model }) => {
      try {
        return (await client[form](access, { model, prompt: "Hello" })).text.slice(0, 100);
      } catch (error) {
        return client.refusalOf(error).status;
      }
    });
    expect(await Promise.all(seen)).toEqual([502, 502, 502, 502]);
    await expectQuiet(gateway.database.db, own.id, CREDITS);
  },
  HEAVY_LIMIT_MS,
);

test("a client that ignores x-should-retry retries exactly as often as configured, without a charge", async () => {
  const own = await gateway.found({ credits: CREDITS });
  const access = { origin: gateway.origin, key: own.key, maxRetries: 1 };
  const cells = cellsOf(REFUSED, CLIENTS).filter(({ client }) => !client.readsShouldRetry);
  const statuses = await Promise.all(
    cells.map(async ({ client, form, model }) =>
      client[form](access, { model, prompt: "Hello" }).then(
        () => null,
        (error: unknown) => client.refusalOf(error).status,
      ),
    ),
  );
  expect(statuses).toEqual(cells.map(() => 502));
  const view = await gateway.services.usage.usageView(
    { id: own.id, plan: "enterprise" },
    { days: 2, limit: 100 },
  );
  expect(view.requests).toHaveLength(2 * cells.length);
  await expectQuiet(gateway.database.db, own.id, CREDITS);
});
