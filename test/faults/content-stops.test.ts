import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { eventsIn } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor } from "./upstream-models.ts";

const CREDITS = 100_000;
/** Forty words, then a stop because of the content, as vendors say it. */
const STOPS = [
  "refused:data_inspection_failed",
  "refused:OutputTextSensitiveContentDetected.Violence",
  "refused:content_filter",
  "ends-as:error",
  "ends-as:error,PROHIBITED_CONTENT",
];
/** The same words, then a fault of the provider. */
const FAULTS = [
  "late-error",
  "refused:server_error",
  "ends-as:network_error",
  "ends-as:error,MALFORMED_FUNCTION_CALL",
];
const AT_ONCE = "refused:data_inspection_failed:0";
const DISABLED = "selfhosted/ends-as:error";

let upstream: MisbehavingUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  const file = settingsFor(upstream.baseUrl, [...STOPS, ...FAULTS, AT_ONCE]) as {
    providers: Record<string, object>;
    models: Record<string, unknown>[];
  };
  file.providers["selfhosted"] = { kind: "vllm", base_url: upstream.baseUrl, on_disconnect: "stop" };
  const targets = [{ provider: "selfhosted", model: "ends-as:error" }];
  file.models.push({ ...file.models[0], id: DISABLED, targets });
  settings = writeSettings(file);
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

const WIRES = {
  chat: ["/functions/v1/api-v1-chat", "messages"],
  completions: ["/v1/chat/completions", "messages"],
  responses: ["/v1/responses", "input"],
} as const;
type Wire = keyof typeof WIRES;
const EACH = Object.keys(WIRES) as Wire[];

async function send(wire: Wire, model: string, headers: object = {}, stream = true): Promise<Response> {
  const [path, field] = WIRES[wire];
  const body = { model: modelOf(model), stream, [field]: [{ role: "user", content: "hello there" }] };
  return fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function endedAs(response: Response, charged?: number, errorCode = "validation_error") {
  const requestId = response.headers.get("x-request-id") ?? "";
  const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
  return expectEnding(gateway.database.db, call, {
    status: "failed",
    errorCode,
    ...(charged === undefined ? {} : { charged }),
  });
}

/** The last event that tells of an error, and what it says of the charge. */
function lastOf(wire: Wire, text: string): Record<string, unknown> {
  if (wire === "chat") return eventsIn(text).at(-1)?.data ?? {};
  const data = text.split("\n").filter((line) => line.startsWith("data: {"));
  const last = JSON.parse(data.at(-1)?.slice("data: ".length) ?? "{}");
  return last.response ?? last;
}

describe("an answer that its provider stops because of the content", () => {
  for (const wire of EACH) {
    test.each(STOPS)(`costs what was delivered, and the error says so: ${wire}, %s`, async (model) => {
      own = await gateway.found({ credits: CREDITS });
      const response = await send(wire, model);
      const last = lastOf(wire, await response.text());
      const row = await endedAs(response);
      expect(row.output_tokens).toBeWithin(40, 200);
      expect(row.charged).toBe(row.input_tokens + row.output_tokens);
      expect(last).toMatchObject({
        error: { message: expect.stringContaining("because of its content") },
        credits_charged: row.charged,
        balance: { subscription: 0, anytime: CREDITS - row.charged },
      });
    });

    test(`costs nothing before any of it: ${wire}`, async () => {
      own = await gateway.found({ credits: CREDITS });
      const response = await send(wire, AT_ONCE);
      expect(lastOf(wire, await response.text())["credits_charged"]).toBeUndefined();
      await endedAs(response, 0);
    });
  }

  test("costs nothing where the whole reply was awaited, since nothing of it was delivered", async () => {
    own = await gateway.found({ credits: CREDITS });
    const response = await send("chat", "refused:data_inspection_failed", {}, false);
    expect(response.status).toBe(400);
    await endedAs(response, 0);
  });

  test("is not made again for the same Idempotency-Key", async () => {
    own = await gateway.found({ credits: CREDITS });
    const first = await send("chat", "refused:data_inspection_failed", { "idempotency-key": "k" });
    await first.text();
    expect((await send("chat", "refused:data_inspection_failed", { "idempotency-key": "k" })).status).toBe(
      409,
    );
    expect((await endedAs(first)).charged).toBeGreaterThan(40);
  });
});

test.each([...FAULTS, DISABLED])(
  "a provider's own fault after some words costs nothing: %s",
  async (model) => {
    own = await gateway.found({ credits: CREDITS });
    const response = await send("chat", model);
    expect(eventsIn(await response.text()).at(-1)).toMatchObject({ event: "error" });
    await endedAs(response, 0, "internal_error");
  },
);
