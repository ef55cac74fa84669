import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let gateway: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  gateway = await startTestGateway();
  organization = await gateway.found();
});
afterAll(() => gateway.close());

function chat(
  body: unknown,
  headers: Record<string, string> = {},
  key = organization.key,
): Promise<Response> {
  return fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function say(content: string, more: object = {}) {
  return { model: "sandbox-chat", messages: [{ role: "user", content }], ...more };
}

async function balance(of: TestOrganization): Promise<{ total: number; held: number }> {
  const response = await fetch(`${gateway.origin}/functions/v1/api-v1-usage?view=balance`, {
    headers: { authorization: `Bearer ${of.key}` },
  });
  const view = (await response.json()) as { balance: { total_credits: number; held_credits: number } };
  return { total: view.balance.total_credits, held: view.balance.held_credits };
}

describe("200", () => {
  test("a reply reports its cost and the remaining balance, and the balance view agrees", async () => {
    const own = await gateway.found({ credits: 50 });
    const response = await chat(say("What is 6 times 7?"), {}, own.key);
    const reply = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(200);
    expect(reply["request_id"]).toBe(response.headers.get("x-request-id"));
    expect(reply).toMatchObject({
      model: "sandbox-chat",
      message: { role: "assistant", content: expect.stringContaining("42") },
      finish_reason: "stop",
      credits_charged: 1,
      balance: { subscription: 0, anytime: 49 },
    });
    expect(await balance(own)).toEqual({ total: 49, held: 0 });
  });

  test("spending is attributed to the member in X-Member-User-Id", async () => {
    const own = await gateway.found();
    const userId = await own.addMember("ada@example.com");
    await chat(say("hello"), { "x-member-user-id": userId }, own.key);
    const usage = await fetch(`${gateway.origin}/functions/v1/api-v1-usage`, {
      headers: { authorization: `Bearer ${own.key}` },
    });
    const view = (await usage.json()) as { by_member: { member_user_id: string; email: string }[] };
    expect(view.by_member).toMatchObject([
      { member_user_id: userId, email: "ada@example.com", credits_charged: 1 },
    ]);
  });

  test("an alias is answered by the model it stands for", async () => {
    const reply = (await (await chat({ ...say("hello"), model: "svc-code" })).json()) as { model: string };
    expect(reply.model).toBe("sandbox-chat");
  });

  test("a model's refusal is charged and delivered as content, also to a repeat", async () => {
    const headers = { "idempotency-key": "declined" };
    const first = await chat(say("[sandbox:refusal] hello"), headers);
    const reply = (await first.json()) as Record<string, unknown>;
    expect(reply).toMatchObject({
      message: { role: "assistant", content: expect.stringContaining("declines to answer") },
      finish_reason: "stop",
      credits_charged: 1,
    });
    const again = await chat(say("[sandbox:refusal] hello"), headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(reply);
  });
});

describe("402", () => {
  test("the error reports how many credits are needed, available and held", async () => {
    const poor = await gateway.found({ credits: 0 });
    const response = await chat(say("hello"), {}, poor.key);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(response.status).toBe(402);
    expect(error).toMatchObject({
      code: "insufficient_credits",
      message: expect.stringMatching(
        /1 needed, 0 available, 0 held.* Add credits at http\S+\/console\/billing\?organization=\S+&credits=1&needed=1$/,
      ),
    });
  });

  test("of many concurrent calls, exactly as many succeed as the credits cover", async () => {
    const own = await gateway.found({ credits: 7 });
    const answers = await Promise.all(Array.from({ length: 25 }, () => chat(say("hello"), {}, own.key)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(7);
    expect(answers.filter((answer) => answer.status === 402)).toHaveLength(18);
    expect(await balance(own)).toEqual({ total: 0, held: 0 });
  });
});

describe("429", () => {
  test("the plan's rate limit is exact, and Retry-After is positive", async () => {
    await gateway.database.freezeClock();
    const own = await gateway.found({ plan: "free" });
    const answers = [];
    for (let i = 0; i < 61; i++) answers.push(await chat(say("hello"), {}, own.key));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(60);
    expect(answers.at(-1)?.status).toBe(429);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("a call beyond the plan's concurrency limit is refused", async () => {
    const own = await gateway.found({ plan: "free" });
    const slow = Array.from({ length: 6 }, () => chat(say("[sandbox:first-byte=90ms] hello"), {}, own.key));
    const statuses = (await Promise.all(slow)).map((answer) => answer.status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe("providers that fail", () => {
  const cases: [string, number, string][] = [
    ["[sandbox:error=400]", 400, "validation_error"],
    ["[sandbox:error=401]", 502, "internal_error"],
    ["[sandbox:error=429]", 503, "internal_error"],
    ["[sandbox:error=500]", 502, "internal_error"],
    ["[sandbox:cut=after:3]", 502, "internal_error"],
  ];
  for (const [directive, status, code] of cases) {
    test(`${directive} becomes ${status}, counts against the rate limit, and charges and holds nothing`, async () => {
      const own = await gateway.found({ credits: 10 });
      const response = await chat(say(directive), {}, own.key);
      const { error } = (await response.json()) as { error: { code: string } };
      expect([response.status, error.code]).toEqual([status, code]);
      // A failed call counts against the rate limit, and the headers say so.
      const { headers } = response;
      expect(Number(headers.get("ratelimit-remaining"))).toBe(Number(headers.get("ratelimit-limit")) - 1);
      expect(Number(headers.get("ratelimit-reset"))).toBeGreaterThan(0);
      expect(await balance(own)).toEqual({ total: 10, held: 0 });
    });
  }
});

describe("Idempotency-Key", () => {
  test("a hundred concurrent copies are charged once, and a later one gets the same reply", async () => {
    const own = await gateway.found({ credits: 10 });
    const headers = { "idempotency-key": "order-66" };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => chat(say("hello"), headers, own.key)),
    );
    const first = answers.find(
      (answer) => answer.headers.get("idempotent-replayed") === null && answer.status === 200,
    );
    expect(answers.every((answer) => answer.status === 200 || answer.status === 409)).toBe(true);
    const reply = await first?.text();
    const repeat = await chat(say("hello"), headers, own.key);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(await repeat.text()).toBe(reply ?? "");
    expect(await balance(own)).toEqual({ total: 9, held: 0 });
  });

  test("a different body under the same key is a conflict", async () => {
    const headers = { "idempotency-key": "order-67" };
    await chat(say("hello"), headers);
    const response = await chat(say("goodbye"), headers);
    expect(response.status).toBe(409);
  });

  test.each([
    ["its organization's rate", undefined, 6_000],
    ["a rate of its own", 7, 7],
  ])(
    "repeats and conflicts of an API key with %s report its rate limit and do not count against it",
    async (_, rate, limit) => {
      const own = await (await gateway.found({ credits: 10 })).mint({ requestsPerMinute: rate });
      const headers = { "idempotency-key": "order-69" };
      const standing = (response: Response) =>
        ["limit", "remaining", "reset"].map((name) => response.headers.get(`ratelimit-${name}`));
      expect(standing(await chat(say("hello"), headers, own.key))[0]).toBe(String(limit));
      for (const [text, status] of [
        ["hello", 200],
        ["goodbye", 409],
        ["hello", 200],
      ] as const) {
        const response = await chat(say(text), headers, own.key);
        expect(response.status).toBe(status);
        const [of, left, reset] = standing(response);
        // If a new minute has begun, none is used yet.
        expect([of, limit - Number(left) <= 1]).toEqual([String(limit), true]);
        expect(Number(reset)).toBeGreaterThan(0);
      }
    },
  );

  test("a failed call frees its key: a repeat is tried again", async () => {
    const headers = { "idempotency-key": "order-68" };
    const body = say("[sandbox:error=500]");
    const [first, again] = [await chat(body, headers), await chat(body, headers)];
    expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([502, 502, null]);
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  });
});

test("a caller that disconnects is charged for the answer, and a repeat with its key gets it", async () => {
  const own = await gateway.found({ credits: 10 });
  const headers = { "idempotency-key": "left" };
  const body = say("[sandbox:first-byte=100ms] hello");
  const controller = new AbortController();
  const leaving = fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: controller.signal,
  });
  while (gateway.services.running.count === 0) await Bun.sleep(1);
  controller.abort();
  await expect(leaving).rejects.toThrow();
  await gateway.services.running.idle();
  const repeat = await chat(body, headers, own.key);
  expect([repeat.status, repeat.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect(await balance(own)).toEqual({ total: 9, held: 0 });
});
