import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { responseReplySchema } from "../../gateway/src/http/openai/responses/responses-schema.ts";
import { readResponseStream } from "../conformance/response-events.ts";
import { scriptedSettings } from "../conformance/scripted-settings.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../upstream/scripted-upstream.ts";

let upstream: ScriptedUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startScriptedUpstream();
  settings = writeSettings(scriptedSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

const WEATHER = {
  type: "function",
  name: "weather",
  description: null,
  parameters: { type: "object", properties: { city: { type: "string" } } },
  strict: false,
};
const BODY = { input: 'Look: <<weather {"city":"Oslo"}>>', tools: [WEATHER], reasoning: { effort: "low" } };

function send(model: string, body: Readonly<Record<string, unknown>>, key?: string): Promise<Response> {
  return fetch(`${gateway.origin}/v1/responses`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${own.key}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify({ model, ...body }),
  });
}

describe.each([
  ["that speaks this wire", "scripted-both"],
  ["that speaks chat completions", "scripted"],
])("an upstream %s", (_, model) => {
  test("gets replies and streams translated to exactly our schema, under our id and model name", async () => {
    const response = await send(model, BODY);
    const reply = responseReplySchema.parse(await response.json());
    expect(reply).toMatchObject({ id: `resp_${response.headers.get("x-request-id")}`, model, store: false });
    const streamed = readResponseStream(await (await send(model, { ...BODY, stream: true })).text());
    expect(streamed.faults).toEqual([]);
    expect(responseReplySchema.parse(streamed.response).output.at(-1)).toMatchObject({
      type: "function_call",
      name: "weather",
      arguments: '{"city":"Oslo"}',
    });
  });

  test("has its stored stream repeated as a valid sequence with the same final response", async () => {
    const body = { ...BODY, stream: true };
    const first = readResponseStream(await (await send(model, body, `k-${model}`)).text());
    const repeat = await send(model, body, `k-${model}`);
    const again = readResponseStream(await repeat.text());
    expect([repeat.headers.get("idempotent-replayed"), again.faults]).toEqual(["true", []]);
    expect(again.response).toEqual(first.response);
  });
});
