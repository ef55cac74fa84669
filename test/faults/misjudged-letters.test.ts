/**
 * Letters that our estimate takes for words, but that a provider counts by the byte: whoever sends them pays for them,
 * on both interfaces and with both endings, and nobody else's charges or holds change because of it.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { exactTokens } from "../../bench/exact-tokens.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { expectEnding, requestRow } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor } from "./upstream-models.ts";

const CREDITS = 10_000_000;
const MODEL = "counts-bytes";
const PATHS = ["/functions/v1/api-v1-chat", "/v1/chat/completions"] as const;
const RARE = Array.from({ length: 100 }, (_, word) =>
  Array.from({ length: 60 }, (_, at) => String.fromCharCode(0x250 + ((word * 37 + at * 29) % 94))).join(""),
).join(" ");
const PLAIN = "The quick brown fox jumps over the lazy dog and runs into the forest. ".repeat(300);

let reported = 0;
const encoder = new TextEncoder();
const frame = (delta: object) =>
  encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
/** Sends one word of a stream, and then nothing until the client disconnects. */
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    const { stream } = (await request.json()) as { stream?: boolean };
    if (stream !== true)
      return Response.json({
        choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
        usage: { prompt_tokens: reported, completion_tokens: 1, total_tokens: reported + 1 },
      });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(frame({ role: "assistant" }));
        controller.enqueue(frame({ content: "hello" }));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, [MODEL]));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

type Ask = { readonly path: string; readonly content: string; readonly stream?: boolean };

function send(
  of: TestOrganization,
  { path, content, stream = false }: Ask,
  signal: AbortSignal | null = null,
) {
  return fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${of.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: modelOf(MODEL),
      max_tokens: 10,
      stream,
      messages: [{ role: "user", content }],
    }),
    signal,
  });
}

async function finish(of: TestOrganization, ask: Ask): Promise<string> {
  const response = await send(of, ask);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("hello")]);
  return response.headers.get("x-request-id") ?? "";
}

/** Disconnects at the first word. */
async function leave(of: TestOrganization, ask: Ask): Promise<string> {
  const controller = new AbortController();
  const response = await send(of, { ...ask, stream: true }, controller.signal);
  const decoder = new TextDecoder();
  let seen = "";
  for await (const piece of response.body as ReadableStream<Uint8Array>) {
    seen += decoder.decode(piece, { stream: true });
    if (seen.includes("hello")) break;
  }
  controller.abort();
  await gateway.services.running.idle();
  return response.headers.get("x-request-id") ?? "";
}

describe.each(PATHS)("rare characters sent to %s", (path) => {
  const exact = exactTokens(RARE) + 7;

  test("are charged in full if the call ends, because the hold covers them", async () => {
    reported = exact;
    const own = await gateway.found({ credits: CREDITS });
    const requestId = await finish(own, { path, content: RARE });
    const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
    const row = await expectEnding(gateway.database.db, call, { status: "succeeded", charged: exact + 1 });
    expect(row.written_off).toBe(0);
    expect(row.held).toBeGreaterThanOrEqual(exact);
  });

  test("are charged at half to all of the provider's count if the client disconnects", async () => {
    const own = await gateway.found({ credits: CREDITS });
    const requestId = await leave(own, { path, content: RARE });
    const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
    const row = await expectEnding(gateway.database.db, call, { status: "cancelled" });
    expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    expect(row.input_tokens).toBeWithin(Math.floor(exact * 0.5), exact);
  });

  test.each([2.4, 0.45])(
    "do not change other organizations' holds and charges, reported as %d times our count",
    async (times) => {
      const [evil, other] = [
        await gateway.found({ credits: CREDITS }),
        await gateway.found({ credits: CREDITS }),
      ];
      const told = async () => {
        const ids = [
          await leave(other, { path, content: PLAIN }),
          await finish(other, { path, content: "hi" }),
        ];
        const rows = await Promise.all(ids.map((id) => requestRow(gateway.database.db, id)));
        return rows.map((row) => [row?.held, row?.input_tokens, row?.charged]);
      };
      reported = 8;
      const before = await told();
      const mixed = `${RARE} ${PLAIN}`;
      const counted = before[0]?.[1] ?? 0;
      for (let call = 0; call < 25; call++) {
        reported = Math.round((counted + RARE.length * 0.28) * times);
        await finish(evil, { path, content: mixed });
      }
      reported = 8;
      expect(await told()).toEqual(before);
    },
  );
});
