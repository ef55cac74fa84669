import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OPERATOR } from "../../gateway/src/identity/index.ts";
import { scriptedSettings } from "../conformance/scripted-settings.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../upstream/scripted-upstream.ts";
import {
  chatMessages,
  fencedMessages,
  INSTRUCTIONS,
  responseItems,
  turnsOf,
} from "./efficiency-conversation.ts";

type Json = Readonly<Record<string, unknown>>;
type Level = "off" | "safe" | "structural";

/** An endpoint that takes a conversation, how a body is made for it, and what reaches the upstream. */
type Door = {
  readonly name: string;
  readonly path: string;
  readonly entries: () => Json[];
  bodyOf(entries: readonly Json[]): Json;
  /** The conversation that arrived at the upstream. */
  sentOf(received: Json): readonly Json[];
  /** Levels at which something is saved. */
  readonly saves: readonly Level[];
};

const TOOLS = ["Read", "search_flights"].map((name) => ({
  name,
  description: `  ${name}  {\n  "a": 1 }`,
  parameters: { type: "object", properties: { path: { type: "string" } } },
}));

const DOORS: readonly Door[] = [
  {
    name: "the main interface",
    path: "/functions/v1/api-v1-chat",
    entries: fencedMessages,
    bodyOf: (messages) => ({ model: "scripted", messages }),
    sentOf: ({ messages }) => messages as Json[],
    saves: ["structural"],
  },
  {
    name: "chat completions",
    path: "/v1/chat/completions",
    entries: chatMessages,
    bodyOf: (messages) => ({
      model: "scripted",
      messages,
      tools: TOOLS.map((tool) => ({ type: "function", function: tool })),
    }),
    sentOf: ({ messages }) => messages as Json[],
    saves: ["safe", "structural"],
  },
  {
    name: "responses",
    path: "/v1/responses",
    entries: responseItems,
    bodyOf: (input) => ({
      model: "scripted-both",
      instructions: INSTRUCTIONS,
      input,
      tools: TOOLS.map((tool) => ({ type: "function", strict: false, ...tool })),
    }),
    sentOf: ({ input }) => input as Json[],
    saves: ["safe", "structural"],
  },
];

let upstream: ScriptedUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startScriptedUpstream();
  settings = writeSettings(scriptedSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 10_000_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

type Sent = { readonly efficiency: Efficiency; readonly requestId: string; readonly received: Json };
type Efficiency = {
  readonly original_estimated_tokens: number;
  readonly compacted_estimated_tokens: number;
  readonly tokens_saved: number;
  readonly actions: readonly string[];
};

function post(door: Door, body: Json, headers: Record<string, string>): Promise<Response> {
  return fetch(gateway.origin + door.path, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** The efficiency report of a stream or reply: it appears once, whatever the wire. */
function efficiencyIn(text: string): Efficiency {
  const [found = ""] = text.match(/\{"original_estimated_tokens":[^}]*\}/) ?? [];
  return JSON.parse(found) as Efficiency;
}

async function send(door: Door, body: Json, headers: Record<string, string>): Promise<Sent> {
  const response = await post(door, body, headers);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return {
    efficiency: efficiencyIn(text),
    requestId: response.headers.get("x-request-id") ?? "",
    received: upstream.received.at(-1)?.body ?? {},
  };
}

/** An entry without what compaction may change: the text of a tool or of the assistant. */
function untouchable(entry: Json): Json {
  const isSaid = entry["role"] === "tool" || entry["role"] === "assistant" || "output" in entry;
  return isSaid ? { ...entry, content: null, output: null } : entry;
}

function sizeOf(entry: unknown): number {
  return JSON.stringify(entry).length;
}

async function rowOf(requestId: string): Promise<unknown> {
  const view = await gateway.services.usage.usageView(
    { id: own.id, plan: "enterprise" },
    { days: 2, limit: 200 },
  );
  return view.requests.find((request) => request.request_id === requestId)?.tokens_saved;
}

describe.each(DOORS.map((door) => [door.name, door] as const))("at %s", (_, door) => {
  const body = () => door.bodyOf(door.entries());

  test.each([false, true])(
    "with efficiency off, the conversation arrives as it was sent (stream: %p)",
    async (stream) => {
      const { received, efficiency } = await send(door, { ...body(), stream }, { "x-efficiency": "off" });
      const plain = door.sentOf(received);
      expect(plain.map((entry) => JSON.stringify(entry))).toEqual(
        door.entries().map((entry) => JSON.stringify(entry)),
      );
      expect(efficiency).toMatchObject({ tokens_saved: 0, actions: [] });
      expect(efficiency.original_estimated_tokens).toBe(efficiency.compacted_estimated_tokens);
    },
  );

  test.each(["safe", "structural"] as const)(
    "with level %s, the texts of tools and assistant get shorter where the level saves, nothing else changes",
    async (level) => {
      for (const stream of [false, true]) {
        const { received, efficiency } = await send(door, { ...body(), stream }, { "x-efficiency": level });
        const sent = door.sentOf(received);
        const given = door.entries();
        const saves = door.saves.includes(level);
        expect(efficiency.tokens_saved > 0).toBe(saves);
        expect(efficiency.actions.length > 0).toBe(saves);
        expect(sizeOf(sent) < sizeOf(given)).toBe(saves);
        if (door.path.startsWith("/v1")) {
          expect(sent.map(untouchable)).toEqual(given.map(untouchable));
          expect(received["tools"]).toEqual(body()["tools"] as Json[]);
        }
        expect(sent.every((entry, at) => sizeOf(entry) <= sizeOf(given[at]))).toBe(true);
      }
    },
  );

  test("each turn sends the previous turn's compacted conversation as an unchanged prefix", async () => {
    for (const level of ["safe", "structural"]) {
      let before: readonly Json[] = [];
      for (const turn of [...turnsOf(door.entries()), door.entries()]) {
        const { received } = await send(door, door.bodyOf(turn), { "x-efficiency": level });
        const sent = door.sentOf(received);
        const beginning = sent.slice(0, before.length).map((entry) => JSON.stringify(entry));
        expect(beginning).toEqual(before.map((entry) => JSON.stringify(entry)));
        before = sent;
      }
    }
  });

  test("the reply, the request's row and the usage summary report the same tokens_saved", async () => {
    const usage = () =>
      gateway.services.usage.usageView({ id: own.id, plan: "enterprise" }, { days: 2, limit: 1 });
    for (const level of ["off", "safe", "structural"]) {
      for (const stream of [false, true]) {
        const before = (await usage()).summary.tokens_saved;
        const { efficiency, requestId } = await send(door, { ...body(), stream }, { "x-efficiency": level });
        const { original_estimated_tokens: original, compacted_estimated_tokens: compacted } = efficiency;
        expect(efficiency.tokens_saved).toBe(original - compacted);
        expect(await rowOf(requestId)).toBe(efficiency.tokens_saved);
        expect((await usage()).summary.tokens_saved - before).toBe(efficiency.tokens_saved);
      }
    }
  });

  test("a repeat reports the same efficiency and calls nobody; another X-Efficiency is a conflict", async () => {
    const headers = { "x-efficiency": "structural", "idempotency-key": `efficiency-${door.path}` };
    const first = await (await post(door, body(), headers)).text();
    const asked = upstream.received.length;
    const repeat = await post(door, body(), headers);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(efficiencyIn(await repeat.text())).toEqual(efficiencyIn(first));
    expect(upstream.received.length).toBe(asked);
    const other = await post(door, body(), { ...headers, "x-efficiency": "off" });
    expect(other.status).toBe(409);
  });

  test("the organization's setting applies unless the call sets X-Efficiency", async () => {
    const { identity } = gateway.services;
    const organization = await gateway.found({ credits: 1_000_000 });
    const set = await identity.organizations.update({
      organizationId: organization.id,
      efficiency: "structural",
      actor: OPERATOR,
    });
    expect(set.outcome).toBe("ok");
    const key = { authorization: `Bearer ${organization.key}` };
    const byDefault = await send(door, body(), key);
    const asked = await send(door, body(), { "x-efficiency": "structural" });
    expect(byDefault.efficiency).toEqual(asked.efficiency);
    expect(byDefault.received).toEqual(asked.received);
    const off = await send(door, body(), { ...key, "x-efficiency": "off" });
    expect(off.efficiency.tokens_saved).toBe(0);
  });

  test("tokens that compaction saves need no credits held", async () => {
    const { efficiency } = await send(door, body(), { "x-efficiency": "structural" });
    // One credit per token, a fifth more for the input, and the overhead of each message.
    const room = door.entries().length * 16 + 400;
    const organization = await gateway.found({
      credits: Math.ceil(efficiency.compacted_estimated_tokens * 1.2) + room,
    });
    const limit = door.path.endsWith("responses") ? { max_output_tokens: 50 } : { max_tokens: 50 };
    const key = { authorization: `Bearer ${organization.key}` };
    const dear = await post(door, { ...body(), ...limit }, { ...key, "x-efficiency": "off" });
    expect(dear.status).toBe(402);
    const cheap = await post(door, { ...body(), ...limit }, { ...key, "x-efficiency": "structural" });
    expect(cheap.status).toBe(200);
  });
});

describe("compaction writes no references if the request has the conversation shortened elsewhere", () => {
  const chat = DOORS[1] as Door;
  const responses = DOORS[2] as Door;
  test.each<[string, Door, Json]>([
    ["truncation", responses, { truncation: "auto" }],
    ["context_management", responses, { context_management: [{ type: "compaction" }] }],
    ["context_management", chat, { context_management: { edits: [] } }],
    ["transforms", chat, { transforms: ["middle-out"] }],
  ])("by %s", async (_, door, fields) => {
    const body = door.bodyOf(door.entries());
    const headers = { "x-efficiency": "structural" };
    const usual = await send(door, body, headers);
    expect(usual.efficiency.actions).toContain("block_references");
    const managed = await send(door, { ...body, ...fields }, headers);
    expect(managed.efficiency.actions).not.toContain("block_references");
    expect(managed.efficiency.actions).not.toContain("duplicate_messages");
    expect(JSON.stringify(managed.received)).not.toContain("§same as");
    expect(managed.efficiency.tokens_saved).toBeGreaterThan(0);
  });
});
