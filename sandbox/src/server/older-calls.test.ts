import { afterAll, beforeAll, expect, test } from "bun:test";
import { KEY, startTestServer, type TestServer } from "./testing.ts";

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.close());

const functions = [{ name: "get_time", parameters: { type: "object", properties: {} } }];
const question = { role: "user", content: '[sandbox:call=get_time {"zone":"CET"}]' };

async function asked(body: object): Promise<Response> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: "sandbox-chat", messages: [question], ...body }),
  });
  expect(response.status).toBe(200);
  return response;
}

test("functions are called in the form that they were offered in, and their results are read", async () => {
  const { choices } = (await (await asked({ functions })).json()) as {
    choices: [{ message: object; finish_reason: string }];
  };
  const call = { name: "get_time", arguments: '{"zone":"CET"}' };
  expect(choices[0]).toMatchObject({ message: { content: null, function_call: call } });
  expect(choices[0].finish_reason).toBe("function_call");
  expect(choices[0].message).not.toHaveProperty("tool_calls");
  const messages = [question, choices[0].message, { role: "function", name: "get_time", content: "noon" }];
  const next = await (await asked({ functions, messages })).text();
  expect(next).toContain("noon");
});

test("in a stream, too", async () => {
  const text = await (await asked({ functions, stream: true })).text();
  expect(text).toContain('"function_call":{"name":"get_time","arguments":""}');
  expect(text).toContain('"finish_reason":"function_call"');
  expect(text).not.toContain("tool_calls");
});
