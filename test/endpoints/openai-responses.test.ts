import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { responseReplySchema } from "../../gateway/src/http/openai/responses/responses-schema.ts";
import { readResponseStream } from "../conformance/response-events.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type Json = Record<string, unknown>;

function send(of: TestOrganization, body: Json, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.origin}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${of.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "sandbox-chat", ...body }),
  });
}

/** The reply in one piece and, from another call, streamed; both are validated. */
async function bothForms(of: TestOrganization, body: Json) {
  const whole = await (await send(of, body)).json();
  const response = await send(of, { ...body, stream: true });
  const streamed = readResponseStream(await response.text());
  expect(streamed.faults).toEqual([]);
  for (const reply of [whole, streamed.response]) {
    expect(responseReplySchema.safeParse(reply).error?.issues ?? []).toEqual([]);
  }
  return [whole, streamed.response].map((reply) => reply as Json & { output: Json[] });
}

async function balanceOf({ id }: TestOrganization): Promise<{ total: number; held: number }> {
  const { anytimeAvailable, anytimeHeld } = await gateway.services.ledger.account(id);
  return { total: anytimeAvailable, held: anytimeHeld };
}

const textIn = (reply: { output: Json[] } | undefined) =>
  (reply?.output ?? [])
    .flatMap(({ content }) => (content as { text?: string }[] | undefined) ?? [])
    .map(({ text }) => text ?? "")
    .join("");

const WEATHER = {
  type: "function",
  name: "weather",
  description: "Tells the weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  strict: false,
};

describe("200", () => {
  test("a reply reports its cost in body and headers, and the balance falls by it", async () => {
    const own = await gateway.found({ credits: 10 });
    const response = await send(own, { input: "What is 6 times 7?", instructions: "Be brief." });
    const reply = responseReplySchema.parse(await response.json());
    expect(reply).toMatchObject({
      id: `resp_${response.headers.get("x-request-id")}`,
      status: "completed",
      model: "sandbox-chat",
      instructions: "Be brief.",
      credits_charged: 1,
      balance: { subscription: 0, anytime: 9 },
    });
    expect(textIn(reply)).toContain("42");
    const names = ["x-credits-charged", "x-credits-balance", "x-ratelimit-limit-requests"];
    expect(names.map((name) => response.headers.get(name))).toEqual(["1", "9", "6000"]);
    expect(await balanceOf(own)).toEqual({ total: 9, held: 0 });
  });

  test("a stream ends with a response that has its cost and the remaining balance", async () => {
    const own = await gateway.found({ credits: 10 });
    const response = await send(own, { input: "What is 6 times 7?", stream: true });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const { response: last, faults } = readResponseStream(await response.text());
    expect(faults).toEqual([]);
    expect(last).toMatchObject({ credits_charged: 1, balance: { anytime: 9 } });
    expect(textIn(last as { output: Json[] })).toContain("42");
    expect(await balanceOf(own)).toEqual({ total: 9, held: 0 });
  });

  test("a call is recorded under the endpoint v1-responses", async () => {
    const own = await gateway.found();
    await send(own, { input: "hi" });
    const view = await gateway.services.usage.usageView(
      { id: own.id, plan: "enterprise" },
      { days: 2, limit: 1 },
    );
    expect(view.requests[0]).toMatchObject({
      endpoint: "v1-responses",
      status: "succeeded",
      credits_charged: 1,
    });
  });

  test("a function is called, and its result is used in the next turn", async () => {
    const own = await gateway.found();
    const asked = { role: "user", content: '[sandbox:call=weather {"city":"Oslo"}]' };
    for (const reply of await bothForms(own, { input: [asked], tools: [WEATHER] })) {
      const [call] = reply.output;
      expect(call).toMatchObject({ type: "function_call", name: "weather", arguments: '{"city":"Oslo"}' });
      const output = { type: "function_call_output", call_id: call?.["call_id"], output: "12 degrees" };
      const input = [asked, ...reply.output, output];
      for (const next of await bothForms(own, { input, tools: [WEATHER] })) {
        expect(textIn(next)).toContain("12 degrees");
      }
    }
  });

  test("two parallel function calls come in order, with different call ids", async () => {
    const own = await gateway.found();
    const input = '[sandbox:call=weather {"city":"Oslo"}] [sandbox:call=weather {"city":"Rome"}]';
    for (const { output } of await bothForms(own, { input, tools: [WEATHER] })) {
      expect(output).toMatchObject([{ arguments: '{"city":"Oslo"}' }, { arguments: '{"city":"Rome"}' }]);
      expect(new Set(output.map(({ call_id }) => call_id)).size).toBe(2);
    }
  });

  test("a custom tool gets its plain text, and its result is used", async () => {
    const own = await gateway.found();
    const format = { type: "grammar", syntax: "lark", definition: 'start: "*** Begin Patch"' };
    const tools = [{ type: "custom", name: "apply_patch", description: "Edits files.", format }];
    const asked = { role: "user", content: '[sandbox:call=apply_patch {"input":"*** Begin Patch\\n+a"}]' };
    for (const reply of await bothForms(own, { input: [asked], tools })) {
      const [call] = reply.output;
      expect(call).toMatchObject({
        type: "custom_tool_call",
        name: "apply_patch",
        input: "*** Begin Patch\n+a",
      });
      const output = { type: "custom_tool_call_output", call_id: call?.["call_id"], output: "Patched." };
      const [next] = await bothForms(own, { input: [asked, ...reply.output, output], tools });
      expect(textIn(next)).toContain("Patched.");
    }
  });

  test("a namespaced tool is called by its own name and namespace", async () => {
    const own = await gateway.found();
    const tools = [{ type: "namespace", name: "sky", description: "The sky.", tools: [WEATHER] }];
    const input = '[sandbox:call=sky__weather {"city":"Oslo"}]';
    for (const reply of await bothForms(own, { input, tools })) {
      expect(reply.output).toMatchObject([{ type: "function_call", name: "weather", namespace: "sky" }]);
      expect(reply["tools"]).toEqual(tools);
    }
  });

  test("tool_search is left to the client, and the tools it finds can be called", async () => {
    const own = await gateway.found();
    const parameters = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
    const tools = [{ type: "tool_search", execution: "client", description: "Finds tools.", parameters }];
    const asked = { role: "user", content: '[sandbox:call=tool_search {"query":"weather"}]' };
    for (const reply of await bothForms(own, { input: [asked], tools })) {
      const [call] = reply.output;
      expect(call).toMatchObject({ type: "tool_search_call", arguments: { query: "weather" } });
      const sky = [{ type: "namespace", name: "sky", description: "The sky.", tools: [WEATHER] }];
      const output = {
        type: "tool_search_output",
        call_id: call?.["call_id"],
        execution: "client",
        tools: sky,
      };
      const next = { role: "user", content: '[sandbox:call=sky__weather {"city":"Oslo"}]' };
      const [last] = await bothForms(own, { input: [asked, ...reply.output, output, next], tools });
      expect(last?.output).toMatchObject([{ type: "function_call", name: "weather", namespace: "sky" }]);
    }
  });

  test("unsupported hosted tools are accepted, and the call completes", async () => {
    const own = await gateway.found();
    const tools = [{ type: "web_search" }, { type: "tool_search" }, { type: "local_shell" }];
    const [reply] = await bothForms(own, { input: "hi", tools, tool_choice: "auto" });
    expect(reply?.["status"]).toBe("completed");
  });

  test("a json_schema format gives JSON of that schema", async () => {
    const own = await gateway.found();
    const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
    const format = { type: "json_schema", name: "s", schema, strict: true };
    for (const reply of await bothForms(own, { input: "x", text: { format } })) {
      expect(JSON.parse(textIn(reply))).toEqual({ ok: expect.any(Boolean) });
      expect(reply["text"]).toMatchObject({ format });
    }
  });

  test("reasoning is returned encrypted if requested, and accepted in the next turn", async () => {
    const own = await gateway.found();
    const body = { include: ["reasoning.encrypted_content"], reasoning: { effort: "low" }, store: true };
    for (const reply of await bothForms(own, { ...body, input: "hi" })) {
      const [thought] = reply.output;
      expect([thought?.["type"], typeof thought?.["encrypted_content"]]).toEqual(["reasoning", "string"]);
      expect(reply["store"]).toBe(false);
      const input = [{ role: "user", content: "hi" }, ...reply.output, { role: "user", content: "and now?" }];
      expect((await send(own, { ...body, input })).status).toBe(200);
    }
  });

  test("images and files are accepted", async () => {
    const own = await gateway.found();
    const content = [
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
    ];
    await bothForms(own, { input: [{ role: "user", content }] });
  });

  test("a limit makes the response incomplete, and one above the model's is lowered", async () => {
    const own = await gateway.found();
    for (const reply of await bothForms(own, { input: "[sandbox:tokens=500]", max_output_tokens: 20 })) {
      expect(reply).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ status: "incomplete" }],
      });
    }
    const [reply] = await bothForms(own, { input: "hi", max_output_tokens: 2_000_000 });
    expect(Number(reply?.["max_output_tokens"])).toBeLessThan(2_000_000);
  });
});

describe("a repeat with its Idempotency-Key", () => {
  test("gets the same reply for free", async () => {
    const own = await gateway.found({ credits: 10 });
    const headers = { "idempotency-key": "r-1" };
    const body = { input: '[sandbox:call=weather {"city":"Oslo"}]', tools: [WEATHER] };
    const first = await send(own, body, headers);
    const repeat = await send(own, body, headers);
    expect([first.headers.get("idempotent-replayed"), repeat.headers.get("idempotent-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(await repeat.text()).toBe(await first.text());
    expect(await balanceOf(own)).toEqual({ total: 9, held: 0 });
  });

  test.each([
    ["of reasoning and a text", { input: "What is 6 times 7?" }],
    [
      "of two calls",
      {
        input: '[sandbox:call=weather {"city":"Oslo"}] [sandbox:call=weather {"city":"Rome"}]',
        tools: [WEATHER],
      },
    ],
  ])("gets the whole event sequence, with the same final response, for free: %s", async (_name, asked) => {
    const own = await gateway.found({ credits: 10 });
    const headers = { "idempotency-key": "r-2" };
    const body = { ...asked, reasoning: { effort: "low" }, stream: true };
    const first = readResponseStream(await (await send(own, body, headers)).text());
    const repeat = await send(own, body, headers);
    const again = readResponseStream(await repeat.text());
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(again.faults).toEqual([]);
    expect(again.response).toEqual(first.response);
    expect(await balanceOf(own)).toEqual({ total: 9, held: 0 });
  });
});
