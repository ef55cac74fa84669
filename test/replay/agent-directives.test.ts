import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type AgentWire, firstTurns, hasCaptures, withPrompt } from "./agent-captures.ts";
import { asJson, asList, asText, type Json } from "./ai-sdk-answer.ts";

let gateway: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  gateway = await startTestGateway();
  organization = await gateway.found();
});
afterAll(() => gateway.close());

async function post(wire: AgentWire, body: Json): Promise<Json> {
  const response = await fetch(`${gateway.origin}${wire.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, model: "svc-code" }),
  });
  const reply = asJson(await response.json());
  expect(reply["error"] ?? null).toBeNull();
  return reply;
}

/** The tools that a request offers, of every kind, by the plain name that a directive uses. */
function toolNames(body: Json): readonly string[] {
  return asList(body["tools"]).flatMap((tool) => {
    if (tool["type"] === "namespace") return asList(tool["tools"]).map(({ name }) => asText(name));
    const name = asText(tool["name"]) || asText(asJson(tool["function"])["name"]);
    return name !== "" && (tool["type"] === "function" || tool["type"] === "custom") ? [name] : [];
  });
}

describe.skipIf(!hasCaptures)("a directive in an agent's own request", () => {
  test.each(firstTurns().map((capture) => [capture.name, capture] as const))(
    "%s is followed: its tools are called, their results used, and its reasoning returned",
    async (_name, capture) => {
      const { wire } = capture;
      const names = toolNames(capture.body).slice(0, 16);
      const calls = names.map((name) => `[sandbox:call=${name} {"input": "a b", "cmd": "ls"}]`);
      const body = withPrompt(capture, `[sandbox:reasoning=signed] ${calls.join(" ")}`);
      const first = await post(wire, body);
      const made = wire.callsOf(first);
      expect(made.map(({ name }) => name.split("__").at(-1))).toEqual([...names]);
      expect(new Set(made.map(({ id }) => id)).size).toBe(names.length);

      const next = wire.nextOf(first, (id) => `result ${made.findIndex((call) => call.id === id)}`);
      const second = await post(wire, { ...body, [wire.field]: [...asList(body[wire.field]), ...next] });
      expect(wire.callsOf(second)).toEqual([]);
      const text = wire.textOf(second);
      for (const at of names.keys()) expect(text).toContain(`and got: result ${at}`);
      expect(text).toEndWith("Its signed reasoning came back.");
    },
  );
});
