import { afterAll, expect, test } from "bun:test";
import { startTestGateway } from "../harness.ts";

const gateway = await startTestGateway({}, { runsVideoJobs: false });
const poor = await gateway.found({ credits: 0 });
const other = await gateway.found({ credits: 1_000 });
afterAll(() => gateway.close());

const call = (key: string, body: string) =>
  fetch(`${gateway.origin}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-efficiency": "structural",
    },
    body,
  });

/** Tool results, which compaction examines most closely. */
function expensiveBody(rows: number): string {
  const said = Array.from(
    { length: rows },
    (_, at) => `{"a": ${at}, "b": "xyz", "path": "/src/${at % 50}.ts"}`,
  );
  const tool = { id: "c", type: "function", function: { name: "get", arguments: "{}" } };
  const messages = [
    { role: "user", content: "x" },
    { role: "assistant", content: null, tool_calls: [tool] },
    { role: "tool", tool_call_id: "c", content: `[${said.join(",\n")}]` },
  ];
  return JSON.stringify({ model: "sandbox-chat", messages });
}

test("concurrent expensive calls of an organization without credits do not delay other organizations", async () => {
  const small = JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "hi" }] });
  const expensive = expensiveBody(800);
  expect((await call(other.key, small)).status).toBe(200);
  expect((await call(poor.key, expensive)).status).toBe(402);
  let answered = 0;
  const flood = Array.from({ length: 12 }, async () => {
    const { status } = await call(poor.key, expensive);
    answered++;
    return status;
  });
  // Once the first is answered, the others have arrived.
  await Promise.race(flood);
  expect((await call(other.key, small)).status).toBe(200);
  expect(answered).toBeLessThan(5);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([402]));
}, 60_000);
