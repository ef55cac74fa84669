import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OPERATOR, type Role, SCOPES } from "../../../identity/index.ts";
import { type Log, silentLog } from "../../../telemetry/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

const SCRIPT = `<img src=x onerror=alert(1)>"'&`;

let fixture: ConsoleFixture;
let organizationId: string;
let owner: TestBrowser;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  organizationId = (await fixture.createOrganization()).id;
  owner = await signInAs("owner");
});
afterAll(() => fixture.close());

async function signInAs(role: Role, organization = organizationId): Promise<TestBrowser> {
  return fixture.signIn((await fixture.addMember(organization, role)).email);
}

const mint = async (name = "Key") => okOf(await owner.command("key.create", { name, scopes: ["chat"] }));
const works = async (secret: string) => (await fixture.identity.authenticate(`Bearer ${secret}`)).outcome;

describe("a key", () => {
  test("is shown once, and is neither returned nor stored in plain text afterwards", async () => {
    const { id, key: secret } = await mint("Once");
    expect(await works(secret)).toBe("ok");
    const rotated = okOf(await owner.command("key.rotate", { id, grace: "24h" }));
    const answers = [
      await owner.query("key.list"),
      await owner.query("session"),
      await owner.query("member.list"),
    ];
    const seen = JSON.stringify(answers);
    for (const { key: known } of [{ key: secret }, rotated]) {
      expect(seen).not.toContain(known.slice(0, -4));
      const { rows } = await fixture.db.pool.query("select k::text as line from api_keys k");
      expect(JSON.stringify(rows)).not.toContain(known.slice(10, -4));
    }
  });

  test("is listed with scopes, limits, creator, expiry and spending, and is not rotated once expired", async () => {
    const input = {
      name: "Full",
      scopes: ["usage", "chat"],
      expiresIn: "30d",
      requestsPerMinute: 7,
      inFlight: 2,
    } as const;
    const { id, key: secret } = okOf(await owner.command("key.create", input));
    const row = okOf(await owner.query("key.list")).keys.find((key) => key.id === id);
    const me = okOf(await owner.query("session")).person?.name;
    expect(row).toMatchObject({
      name: "Full",
      lastFour: secret.slice(-4),
      scopes: ["chat", "usage"],
      state: "active",
      mintedBy: me,
      lastUsedAt: null,
      requestsPerMinute: 7,
      inFlight: 2,
      credits: 0,
      requests: 0,
      graceEndsAt: null,
    });
    const days = (Date.parse(row?.expiresAt ?? "") - Date.parse(row?.createdAt ?? "")) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await fixture.advanceClock(31 * 86_400_000);
    expect(okOf(await owner.query("key.list")).keys.find((key) => key.id === id)?.state).toBe("expired");
    expect((await owner.command("key.rotate", { id, grace: "0h" })).status).toBe(409);
    await fixture.advanceClock(-31 * 86_400_000);
  });

  test("is listed with its spending of the last 30 days, and when it was last used", async () => {
    const { id } = await mint("Spent");
    await fixture.db.pool.query(
      `insert into rollups
       select $1, (at at time zone 'UTC')::date - ago, $2, null, 'talker', 'api-v1-chat', 2, 0, 5, 0, 7, 3, 1,
         at - ago * interval '1 day'
       from unnest('{0,29,30}'::integer[]) ago, (select bursar_now() as at) clock`,
      [organizationId, id],
    );
    const row = okOf(await owner.query("key.list")).keys.find((key) => key.id === id);
    expect([row?.credits, row?.requests]).toEqual([10, 4]);
    expect(Math.abs(Date.parse(row?.lastUsedAt ?? "") - Date.now())).toBeLessThan(60_000);
  });

  test("gets a new secret when rotated, and the old one works for the requested grace period", async () => {
    const { id, key: secret } = await mint("Rotated");
    const second = okOf(await owner.command("key.rotate", { id, grace: "24h" }));
    await fixture.identity.refresh();
    expect([await works(secret), await works(second.key)]).toEqual(["ok", "ok"]);
    const row = okOf(await owner.query("key.list")).keys.find((key) => key.id === id);
    const hours = (Date.parse(row?.graceEndsAt ?? "") - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    const third = okOf(await owner.command("key.rotate", { id, grace: "0h" }));
    await fixture.identity.refresh();
    expect([await works(secret), await works(second.key), await works(third.key)]).toEqual([
      "invalid_key",
      "invalid_key",
      "ok",
    ]);
    expect(okOf(await owner.query("key.list")).keys.find((key) => key.id === id)?.graceEndsAt).toBeNull();
  });

  test("is revoked permanently", async () => {
    const { id, key: secret } = await mint("Revoked");
    okOf(await owner.command("key.revoke", { id }));
    okOf(await owner.command("key.revoke", { id }));
    await fixture.identity.refresh();
    expect(await works(secret)).toBe("invalid_key");
    expect(okOf(await owner.query("key.list")).keys.find((key) => key.id === id)?.state).toBe("revoked");
    expect((await owner.command("key.rotate", { id, grace: "0h" })).problem?.code).toBe("conflict");
  });

  test("may have any name, which is returned unchanged as JSON", async () => {
    const { name } = await mint(SCRIPT);
    expect(name).toBe(SCRIPT);
    const answer = await owner.query("key.list");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(okOf(answer).keys.some((key) => key.name === SCRIPT)).toBe(true);
  });

  test.each([
    ["name", { name: " " }],
    ["name", { name: "a\u0007b" }],
    ["name", { name: "gnp\u202eexe" }],
    ["name", { name: "x".repeat(101) }],
    ["scopes", { scopes: [] }],
    ["scopes.0", { scopes: ["everything"] }],
    ["scopes", { scopes: ["chat", "chat", "chat", "chat", "chat", "chat", "chat"] }],
    ["expiresIn", { expiresIn: "0d" }],
    ["expiresIn", { expiresIn: "100000d" }],
    ["expiresIn", { expiresIn: "1.5d" }],
    ["requestsPerMinute", { requestsPerMinute: -1 }],
    ["inFlight", { inFlight: 0 }],
  ])("with a wrong %s is refused with that field's name", async (field, wrong) => {
    const input = { name: "Key", scopes: ["chat"], ...wrong } as never;
    const { status, problem } = await owner.command("key.create", input);
    expect([status, problem?.field]).toEqual([400, field]);
  });
});

test("members cannot see or change keys; another organization's key is 404 like an unknown one", async () => {
  const { id } = await mint("Guarded");
  const member = await signInAs("member");
  expect((await member.query("key.list")).status).toBe(403);
  expect((await member.command("key.create", { name: "Mine", scopes: [...SCOPES] })).status).toBe(403);
  expect((await member.command("key.rotate", { id, grace: "0h" })).status).toBe(403);
  expect((await member.command("key.revoke", { id })).status).toBe(403);
  const stranger = await signInAs("owner", (await fixture.createOrganization("Other")).id);
  for (const [name, input] of [
    ["key.rotate", { grace: "0h" }],
    ["key.revoke", {}],
  ] as const) {
    const foreign = await stranger.command(name, { ...input, id } as never);
    const missing = await stranger.command(name, { ...input, id: crypto.randomUUID() } as never);
    expect([foreign.status, foreign.problem]).toEqual([404, missing.problem]);
  }
  expect(okOf(await owner.query("key.list")).keys.find((key) => key.id === id)?.state).toBe("active");
  expect((await fixture.openBrowser().query("key.list")).problem?.code).toBe("signed_out");
});

test("an admin who has lost the role is refused at the next command", async () => {
  const { userId, email } = await fixture.addMember(organizationId, "admin");
  const admin = await fixture.signIn(email);
  expect((await admin.query("key.list")).status).toBe(200);
  await fixture.identity.members.setRole({ organizationId, userId, role: "member", actor: OPERATOR });
  expect((await admin.command("key.create", { name: "Late", scopes: ["chat"] })).status).toBe(403);
});

test("the log names the key that was created, rotated or revoked", async () => {
  const lines: unknown[] = [];
  const log: Log = {
    ...silentLog,
    info: (event, fields) =>
      void lines.push([event, fields?.["operation"], fields?.["org_id"], fields?.["object_id"]]),
  };
  const browser = fixture.openBrowser({ console: fixture.openConsole({ log }) });
  const { token } = await fixture.addMember(organizationId, "owner");
  okOf(await browser.command("redeem-link", { token }));
  lines.length = 0;
  const { id } = okOf(await browser.command("key.create", { name: "Told", scopes: ["chat"] }));
  okOf(await browser.command("key.rotate", { id, grace: "0h" }));
  okOf(await browser.command("key.revoke", { id }));
  expect(lines).toEqual([
    ["operation_done", "key.create", organizationId, id],
    ["operation_done", "key.rotate", organizationId, id],
    ["operation_done", "key.revoke", organizationId, id],
  ]);
});
