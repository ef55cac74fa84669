import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../gateway/src/kit/index.ts";
import { type ConsoleClient, signInToConsole } from "../console-client.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

const CHAT = "/console/play/api-v1-chat";
const HELLO = { model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] };
const POLL_MS = 20;

let gateway: TestGateway;
let organization: TestOrganization;
let owner: ConsoleClient;
let member: ConsoleClient;
let memberId: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  organization = await gateway.found();
  await organization.addMember("owner@example.com", "owner");
  memberId = await organization.addMember("member@example.com");
  owner = await signInToConsole(gateway, "owner@example.com");
  member = await signInToConsole(gateway, "member@example.com");
});

afterAll(() => gateway.close());

async function available(orgId = organization.id): Promise<number> {
  return (await gateway.services.ledger.account(orgId)).anytimeAvailable;
}

async function jsonOf<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

async function codeOf(response: Response): Promise<[number, string | undefined]> {
  const { error, problem } = await jsonOf<{ error?: { code: string }; problem?: { code: string } }>(response);
  return [response.status, error?.code ?? problem?.code];
}

describe("a call from the playground", () => {
  test("is charged and recorded for the signed-in member, under the key name Console", async () => {
    const before = await available();
    const response = await member.post(CHAT, HELLO);
    expect(response.status).toBe(200);
    const reply = await jsonOf<{ request_id: string; credits_charged: number; balance: { anytime: number } }>(
      response,
    );
    expect(response.headers.get("x-request-id")).toBe(reply.request_id);
    expect(reply.balance.anytime).toBe(before - reply.credits_charged);
    const receipt = await owner.query("request.get", { requestId: reply.request_id });
    expect(receipt).toMatchObject({ keyName: "Console", credits: reply.credits_charged });
    const found = await gateway.services.usage.receipt(organization.id, reply.request_id);
    expect(found?.memberId).toBe(memberId);
    expect(await owner.query("key.list")).toMatchObject({ keys: [{ name: "test" }] });
  });

  test("streams", async () => {
    const response = await member.post(CHAT, { ...HELLO, stream: true });
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    const text = await response.text();
    const events = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    expect([events[0], events.at(-1)]).toEqual(["connection_established", "done"]);
  });

  test("that is aborted midway is recorded as cancelled and charged for what was delivered", async () => {
    const abort = new AbortController();
    const content = "[sandbox:delay=60s] Tell me a long story about a harbour.";
    const body = { ...HELLO, messages: [{ role: "user", content }], stream: true };
    const response = await member.post(CHAT, body, {}, abort.signal);
    const requestId = response.headers.get("x-request-id") ?? "";
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; !text.includes("event: content"); text += (await reader?.read())?.value);
    abort.abort();
    for (;;) {
      const receipt = await gateway.services.usage.receipt(organization.id, requestId);
      if (receipt?.settledAt) {
        expect([receipt.status, receipt.credits]).toEqual(["cancelled", 1]);
        return;
      }
      await Bun.sleep(POLL_MS);
    }
  });

  test("is charged to the signed-in member, whatever key or member its headers name", async () => {
    const elsewhere = await gateway.found();
    const before = await available(elsewhere.id);
    const response = await member.post(CHAT, HELLO, {
      authorization: `Bearer ${elsewhere.key}`,
      "x-member-user-id": newId(),
    });
    const { request_id } = await jsonOf<{ request_id: string }>(response);
    expect((await gateway.services.usage.receipt(organization.id, request_id))?.memberId).toBe(memberId);
    expect(await available(elsewhere.id)).toBe(before);
  });

  test("that is repeated with its Idempotency-Key is answered again and charged once", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await jsonOf<{ request_id: string }>(await member.post(CHAT, HELLO, headers));
    const before = await available();
    const again = await member.post(CHAT, HELLO, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await jsonOf<{ request_id: string }>(again)).request_id).toBe(first.request_id);
    expect(await available()).toBe(before);
  });

  test("is refused with the same error codes as the API", async () => {
    expect(await codeOf(await member.post(CHAT, { model: "sandbox-chat" }))).toEqual([
      400,
      "validation_error",
    ]);
    const unknown = await codeOf(await member.post(CHAT, { ...HELLO, model: "no-such-model" }));
    expect(unknown).toEqual([403, "model_not_allowed"]);
    const poor = await gateway.found({ credits: 0, plan: "free" });
    await poor.addMember("poor@example.com", "owner");
    const client = await signInToConsole(gateway, "poor@example.com");
    expect(await codeOf(await client.post(CHAT, HELLO))).toEqual([402, "insufficient_credits"]);
    await gateway.services.identity.organizations.update({
      organizationId: poor.id,
      active: false,
      actor: { kind: "operator" },
    });
    expect(await codeOf(await client.post(CHAT, HELLO))).toEqual([403, "org_inactive"]);
  });
});

describe("the playground refuses calls", () => {
  test("from another origin, without the page's token, or with another user's token or cookie", async () => {
    const before = await available();
    const forgeries: Record<string, string | null>[] = [
      { origin: "https://evil.example" },
      { origin: null },
      { "sec-fetch-site": "cross-site" },
      { "x-console-token": null },
      { "x-console-token": owner.token },
      { cookie: owner.cookie },
    ];
    for (const headers of forgeries) {
      expect(await codeOf(await member.post(CHAT, HELLO, headers))).toEqual([403, "forbidden"]);
    }
    expect((await codeOf(await member.get(CHAT)))[0]).toBe(404);
    expect(await available()).toBe(before);
  });

  test("of a page that shows another organization than the one chosen since in another window", async () => {
    const [shown, chosen] = [await gateway.found(), await gateway.found()];
    for (const one of [shown, chosen]) await one.addMember("both@example.com", "owner");
    const client = await signInToConsole(gateway, "both@example.com");
    const choose = (id: string) => client.post("/console/api/choose-organization", { id });
    expect((await choose(shown.id)).status).toBe(200);
    const page = { "x-console-token": ((await client.query("session")) as { token: string }).token };
    expect((await choose(chosen.id)).status).toBe(200);
    const before = await Promise.all([available(shown.id), available(chosen.id)]);
    expect(await codeOf(await client.post(CHAT, HELLO, page))).toEqual([403, "elsewhere"]);
    expect(await Promise.all([available(shown.id), available(chosen.id)])).toEqual(before);
    expect((await choose(shown.id)).status).toBe(200);
    expect((await client.post(CHAT, HELLO, page)).status).toBe(200);
    expect(await available(chosen.id)).toBe(before[1] ?? 0);
  });

  test("of members who were removed or have signed out", async () => {
    const leaver = await organization.addMember("leaver@example.com");
    const client = await signInToConsole(gateway, "leaver@example.com");
    await gateway.services.identity.members.remove({
      organizationId: organization.id,
      userId: leaver,
      actor: { kind: "operator" },
    });
    expect(await codeOf(await client.post(CHAT, HELLO))).toEqual([403, "forbidden"]);
    expect((await client.post("/console/api/sign-out", {})).status).toBe(200);
    expect((await codeOf(await client.post(CHAT, HELLO)))[0]).toBeOneOf([401, 403]);
  });

  test("to paths other than those of the generation endpoints", async () => {
    const names = ["api-v1-assets", "api-v1-usage", "api-v1-models", "", "api-v1-chat/", "chat/completions"];
    for (const name of names) {
      const posted = await owner.post(`/console/play/${name}`, HELLO);
      const got = await owner.get(`/console/play/${name}`);
      expect([name, posted.status, got.status]).toEqual([name, 404, 404]);
    }
  });
});

describe("media made in the playground", () => {
  const kinds = [
    ["api-v1-images", { model: "sandbox-image", prompt: "a boat" }, "image_url", "image"],
    ["api-v1-audio", { model: "sandbox-voice", prompt: "Hello." }, "audio_url", "audio"],
    [
      "api-v1-audio",
      { model: "sandbox-music", audio_kind: "music", prompt: "calm", duration_seconds: 1 },
      "audio_url",
      "audio",
    ],
  ] as const;

  test.each(kinds)(
    "by %s %p is in the library of the member who made it",
    async (name, body, field, type) => {
      const response = await member.post(`/console/play/${name}`, body);
      expect(response.status).toBe(200);
      const reply = await jsonOf<Record<string, string>>(response);
      expect((await fetch(reply[field] ?? "")).status).toBe(200);
      const receipt = await member.query("request.get", { requestId: reply["request_id"] });
      expect(receipt).toMatchObject({ assets: [{ type, url: reply[field], mayDelete: true }] });
      expect(await member.query("asset.list", { limit: 1 })).toMatchObject({ rows: [{ url: reply[field] }] });
    },
  );

  test("a video can be polled until complete by its maker and by the owner, and by nobody else", async () => {
    const body = { model: "sandbox-video", prompt: "waves", duration: 1, video_draft: true };
    const taken = await member.post("/console/play/api-v1-video", body);
    expect(taken.status).toBe(200);
    const { request_id } = await jsonOf<{ request_id: string }>(taken);
    const path = `/console/play/api-v1-video?request_id=${request_id}`;
    await organization.addMember("curious@example.com");
    const curious = await signInToConsole(gateway, "curious@example.com");
    const elsewhere = await gateway.found();
    await elsewhere.addMember("elsewhere@example.com", "owner");
    const stranger = await signInToConsole(gateway, "elsewhere@example.com");
    for (const other of [curious, stranger]) expect((await other.get(path)).status).toBe(404);
    expect((await owner.get(path)).status).toBe(200);
    for (;;) {
      const seen = await jsonOf<{ status: string; video_url?: string }>(await member.get(path));
      if (seen.status === "complete") {
        expect((await fetch(seen.video_url ?? "")).status).toBe(200);
        return;
      }
      expect(seen.status).toBe("processing");
      await Bun.sleep(POLL_MS);
    }
  }, 30_000);
});
