import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { makeSuiteKeys, type SuiteKeys } from "../route-suite-keys.ts";

/** An endpoint that takes a prompt. The same key and credits must lead to the same decision on each. */
type Door = { readonly path: string; body(model: string, limit: number | null, stream: boolean): object };

const SAY = "hello";
const limited = (name: string, limit: number | null) => (limit === null ? {} : { [name]: limit });
const DOORS: readonly Door[] = [
  {
    path: "/functions/v1/api-v1-chat",
    body: (model, limit, stream) => ({
      model,
      stream,
      messages: [{ role: "user", content: SAY }],
      ...limited("max_tokens", limit),
    }),
  },
  {
    path: "/v1/chat/completions",
    body: (model, limit, stream) => ({
      model,
      stream,
      messages: [{ role: "user", content: SAY }],
      ...limited("max_completion_tokens", limit),
    }),
  },
  {
    path: "/v1/responses",
    body: (model, limit, stream) => ({ model, stream, input: SAY, ...limited("max_output_tokens", limit) }),
  },
];

type Ask = {
  readonly authorization: string;
  readonly model?: string;
  readonly limit?: number | null;
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
};

const PRICED = {
  name: "Priced",
  type: "text",
  targets: [{ provider: "sandbox", model: "sandbox-chat" }],
  test: true,
  credits_per_request: 1,
  price: { input_per_million: 1_000, output_per_million: 100_000 },
  limits: { context_tokens: 8_000, max_output_tokens: 1_000 },
};
const settings = writeSettings({
  models: [
    { ...PRICED, id: "priced" },
    { ...PRICED, id: "for-pro", visibility: { plans: ["pro"] } },
  ],
  aliases: { "svc-hidden": ["for-pro"] },
});

let gateway: TestGateway;
let keys: SuiteKeys;
beforeAll(async () => {
  gateway = await startTestGateway(settings.environment);
  keys = await makeSuiteKeys(gateway, await gateway.found());
});
afterAll(async () => {
  await gateway.close();
  settings.remove();
});

/** The decision, independent of the wire. */
async function decision(door: Door, ask: Ask): Promise<string> {
  const { model = "sandbox-chat", limit = null, stream = false, headers = {} } = ask;
  const response = await fetch(gateway.origin + door.path, {
    method: "POST",
    headers: { authorization: ask.authorization, "content-type": "application/json", ...headers },
    body: JSON.stringify(door.body(model, limit, stream)),
  });
  const text = await response.text();
  if (response.status === 200) return "served";
  const { code, message } = (JSON.parse(text) as { error: { code: string; message: string } }).error;
  // Differences between the wires that are intended: a missing model, and where to add credits.
  const said = code === "model_not_found" ? "403 model_not_allowed" : `${response.status} ${code}`;
  return code === "insufficient_credits" ? `${said} ${message.split(" Add credits")[0]}` : said;
}

async function expectSame(ask: (door: Door) => Promise<Ask>, wanted?: RegExp): Promise<void> {
  const decisions: string[] = [];
  for (const door of DOORS) decisions.push(await decision(door, await ask(door)));
  expect(new Set(decisions).size, decisions.join(" | ")).toBe(1);
  if (wanted) expect(decisions[0]).toMatch(wanted);
}

const bearer = (key: string) => `Bearer ${key}`;
const asOf = async (organization: TestOrganization, ask: Omit<Ask, "authorization"> = {}): Promise<Ask> => ({
  authorization: bearer(organization.key),
  ...ask,
});

describe("all prompt endpoints decide the same", () => {
  test("for every bad key, and for every scope", async () => {
    for (const bad of keys.bad) {
      const { authorization = "", ...headers } = bad.headers;
      if (authorization === "") continue;
      await expectSame(async () => ({ authorization, headers }), new RegExp(`^${bad.status} ${bad.code}`));
    }
    for (const [scope, key] of keys.ofScope) {
      const wanted = scope === "chat" ? /^served/ : /^403 scope_denied/;
      await expectSame(async () => ({ authorization: bearer(key) }), wanted);
    }
  });

  test("for every X-Member-User-Id", async () => {
    const authorization = bearer(keys.good);
    for (const id of [keys.member, keys.member.toUpperCase()]) {
      await expectSame(async () => ({ authorization, headers: { "x-member-user-id": id } }), /^served/);
    }
    for (const id of keys.notMembers) {
      await expectSame(
        async () => ({ authorization, headers: { "x-member-user-id": id } }),
        /^400 validation_error/,
      );
    }
  });

  test.each([
    ["sandbox-chat", /^served/],
    ["svc-fast", /^served/],
    ["priced", /^served/],
    ["for-pro", /^403 model_not_allowed/],
    ["svc-hidden", /^403 model_not_allowed/],
    ["unknown", /^403 model_not_allowed/],
    ["SANDBOX-CHAT", /^403 model_not_allowed/],
    ["sandbox-chat ", /^403 model_not_allowed/],
    ["sandbox/sandbox-chat", /^403 model_not_allowed/],
    ["__proto__", /^403 model_not_allowed/],
    ["", /^400 validation_error/],
  ])("for the model %j", async (model, wanted) => {
    const organization = await gateway.found({ plan: "enterprise" });
    for (const stream of [false, true]) await expectSame(() => asOf(organization, { model, stream }), wanted);
  });

  test("for every output limit up to the model's, and for invalid ones", async () => {
    const organization = await gateway.found();
    for (const limit of [1, 999, 1_000]) {
      await expectSame(() => asOf(organization, { model: "priced", limit }), /^served/);
    }
    for (const limit of [0, -1, 1.5, 2 ** 53]) {
      await expectSame(() => asOf(organization, { model: "priced", limit }), /^400 validation_error/);
    }
  });

  test("for every balance and limit, with the same numbers in the 402", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 120 }),
        fc.option(fc.integer({ min: 1, max: 1_000 })),
        fc.boolean(),
        async (balance, limit, stream) => {
          await expectSame(async () =>
            asOf(await gateway.found({ credits: balance }), { model: "priced", limit, stream }),
          );
        },
      ),
      { numRuns: 15 },
    );
  });

  test("for rates: they share one key's rate limit", async () => {
    const organization = await gateway.found();
    const { key } = await organization.mint({ requestsPerMinute: 4 });
    const decisions: string[] = [];
    for (let call = 0; call < 6; call++) {
      decisions.push(await decision(DOORS[call % DOORS.length] as Door, { authorization: bearer(key) }));
    }
    expect(decisions.map((said) => said.split(" ")[0])).toEqual([
      ...Array.from({ length: 4 }, () => "served"),
      "429",
      "429",
    ]);
    await expectSame(async () => ({ authorization: bearer(key) }), /^429 rate_limit_exceeded/);
  });

  test("for credits: of concurrent calls, exactly as many are served as the credits cover", async () => {
    const organization = await gateway.found({ credits: 7 });
    const asks = Array.from({ length: 30 }, (_, call) => DOORS[call % DOORS.length] as Door);
    const ask = await asOf(organization);
    const decisions = await Promise.all(asks.map((door) => decision(door, ask)));
    expect(decisions.filter((said) => said === "served")).toHaveLength(7);
    expect(decisions.filter((said) => said.startsWith("402 insufficient_credits"))).toHaveLength(23);
    const { anytimeAvailable, anytimeHeld } = await gateway.services.ledger.account(organization.id);
    expect([anytimeAvailable, anytimeHeld] as number[]).toEqual([0, 0]);
  });
});
