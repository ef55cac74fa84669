import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readResponseStream } from "../conformance/response-events.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { capturedRequests, hasCaptures } from "./captured-requests.ts";

let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  gateway = await startTestGateway();
  own = await gateway.found({ credits: 1_000 });
});
afterAll(() => gateway.close());

type Json = Readonly<Record<string, unknown>>;

async function ask(body: Json): Promise<readonly Json[]> {
  const response = await fetch(`${gateway.origin}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, model: "svc-code" }),
  });
  const { faults, response: last } = readResponseStream(await response.text());
  expect(faults).toEqual([]);
  return last["output"] as readonly Json[];
}

/** The agent's own first request, with another prompt in place of its user's. */
function firstTurn(capture: string, prompt: string): Json & { readonly input: readonly Json[] } {
  const body = capturedRequests().find(({ name }) => name.startsWith(`agents/${capture}.`))?.body ?? {};
  const input = body["input"] as readonly Json[];
  const last = input.findLastIndex(({ role }) => role === "user");
  const asked = { ...input[last], content: [{ type: "input_text", text: prompt }] };
  return { ...body, input: input.with(last, asked) };
}

describe.if(hasCaptures)("a coding agent", () => {
  test.each([
    ["codex.01", 'exec_command {"cmd":"ls"}', { type: "function_call", name: "exec_command" }],
    [
      "codex.01",
      'close_agent {"target":"a"}',
      { type: "function_call", name: "close_agent", namespace: "multi_agent_v1" },
    ],
    [
      "codex-custom-tool.01",
      'apply_patch {"input":"*** Begin Patch"}',
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" },
    ],
    ["opencode-responses.02", 'bash {"command":"ls"}', { type: "function_call", name: "bash" }],
    ["pi-gwr.01", 'bash {"command":"ls"}', { type: "function_call", name: "bash" }],
  ])("%s is asked to run %s, and gets an answer with the result", async (capture, directive, expected) => {
    const body = firstTurn(capture, `[sandbox:call=${directive}]`);
    const said = await ask(body);
    const call = said.at(-1) ?? {};
    expect(call).toMatchObject(expected);
    const output = { type: `${expected.type}_output`, call_id: call["call_id"], output: "RESULT 7" };
    const answer = await ask({ ...body, input: [...body.input, ...said, output] });
    expect(JSON.stringify(answer)).toContain("RESULT 7");
    expect(answer.at(-1)).toMatchObject({ type: "message" });
  });
});
