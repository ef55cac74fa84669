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

const mint = async (name = "Key") => okOf(await owner.command("mint-key", { name, scopes: ["chat"] }));
const works = async (secret: string) => (await fixture.identity.authenticate(`Bearer ${secret}`)).outcome;

describe("a key", () => {
  test("is shown once, and is neither returned nor stored in plain text afterwards", async () => {
    const { id, secret } = await mint("Once");
    expect(await works(secret)).toBe("ok");
    const rotated = okOf(await owner.command("rotate-key", { id, graceHours: 24 }));
    const answers = [await owner.query("keys"), await owner.query("session"), await owner.query("members")];
    const seen = JSON.stringify(answers);
    for (const { secret: known } of [{ secret }, rotated]) {
      expect(seen).not.toContain(known.slice(0, -4));
      const { rows } = await fixture.db.pool.query("select k::text as line from api_keys k");
      expect(JSON.stringify(rows)).not.toContain(known.slice(10, -4));
    }
  });

  test("is listed with scopes, limits, creator, expiry and spending, and is not rotated once expired", async () => {
    const input = {
      name: "Full",
      scopes: ["usage", "chat"],
      expiresInDays: 30,
      requestsPerMinute: 7,
      inFlight: 2,
    } as const;
    const { id, secret } = okOf(await owner.command("mint-key", input));
    const row = okOf(await owner.query("keys")).find((key) => key.id === id);
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
    expect(okOf(await owner.query("keys")).find((key) => key.id === id)?.state).toBe("expired");
    expect((await owner.command("rotate-key", { id, graceHours: 0 })).status).toBe(409);
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
    const row = okOf(await owner.query("keys")).find((key) => key.id === id);
    expect([row?.credits, row?.requests]).toEqual([10, 4]);
    expect(Math.abs(Date.parse(row?.lastUsedAt ?? "") - Date.now())).toBeLessThan(60_000);
  });

  test("gets a new secret when rotated, and the old one works for the requested grace period", async () => {
    const { id, secret } = await mint("Rotated");
    const second = okOf(await owner.command("rotate-key", { id, graceHours: 24 }));
    await fixture.identity.refresh();
    expect([await works(secret), await works(second.secret)]).toEqual(["ok", "ok"]);
    const row = okOf(await owner.query("keys")).find((key) => key.id === id);
    const hours = (Date.parse(row?.graceEndsAt ?? "") - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    const third = okOf(await owner.command("rotate-key", { id, graceHours: 0 }));
    await fixture.identity.refresh();
    expect([await works(secret), await works(second.secret), await works(third.secret)]).toEqual([
      "invalid_key",
      "invalid_key",
      "ok",
    ]);
    expect(okOf(await owner.query("keys")).find((key) => key.id === id)?.graceEndsAt).toBeNull();
  });

  test("is revoked permanently", async () => {
    const { id, secret } = await mint("Revoked");
    okOf(await owner.command("revoke-key", { id }));
    okOf(await owner.command("revoke-key", { id }));
    await fixture.identity.refresh();
    expect(await works(secret)).toBe("invalid_key");
    expect(okOf(await owner.query("keys")).find((key) => key.id === id)?.state).toBe("revoked");
    expect((await owner.command("rotate-key", { id, graceHours: 0 })).problem?.code).toBe("conflict");
  });

  test("may have any name, which is returned unchanged as JSON", async () => {
    const { name } = await mint(SCRIPT);
    expect(name).toBe(SCRIPT);
    const answer = await owner.query("keys");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(okOf(answer).some((key) => key.name === SCRIPT)).toBe(true);
  });

  test.each([
    ["name", { name: " " }],
    ["name", { name: "a\u0007b" }],
    ["name", { name: "gnp\u202eexe" }],
    ["name", { name: "x".repeat(101) }],
    ["scopes", { scopes: [] }],
    ["scopes.0", { scopes: ["everything"] }],
    ["scopes", { scopes: ["chat", "chat", "chat", "chat", "chat", "chat", "chat"] }],
    ["expiresInDays", { expiresInDays: 0 }],
    ["expiresInDays", { expiresInDays: 100_000 }],
    ["expiresInDays", { expiresInDays: 1.5 }],
    ["requestsPerMinute", { requestsPerMinute: -1 }],
    ["inFlight", { inFlight: 0 }],
  ])("with a wrong %s is refused with that field's name", async (field, wrong) => {
    const input = { name: "Key", scopes: ["chat"], ...wrong } as never;
    const { status, problem } = await owner.command("mint-key", input);
    expect([status, problem?.field]).toEqual([400, field]);
  });
});

test("members cannot see or change keys; another organization's key is 404 like an unknown one", async () => {
  const { id } = await mint("Guarded");
  const member = await signInAs("member");
  expect((await member.query("keys")).status).toBe(403);
  expect((await member.command("mint-key", { name: "Mine", scopes: [...SCOPES] })).status).toBe(403);
  expect((await member.command("rotate-key", { id, graceHours: 0 })).status).toBe(403);
  expect((await member.command("revoke-key", { id })).status).toBe(403);
  const stranger = await signInAs("owner", (await fixture.createOrganization("Other")).id);
  for (const [name, input] of [
    ["rotate-key", { graceHours: 0 }],
    ["revoke-key", {}],
  ] as const) {
    const foreign = await stranger.command(name, { ...input, id } as never);
    const missing = await stranger.command(name, { ...input, id: crypto.randomUUID() } as never);
    expect([foreign.status, foreign.problem]).toEqual([404, missing.problem]);
  }
  expect(okOf(await owner.query("keys")).find((key) => key.id === id)?.state).toBe("active");
  expect((await fixture.openBrowser().query("keys")).problem?.code).toBe("signed_out");
});

test("an admin who has lost the role is refused at the next command", async () => {
  const { userId, email } = await fixture.addMember(organizationId, "admin");
  const admin = await fixture.signIn(email);
  expect((await admin.query("keys")).status).toBe(200);
  await fixture.identity.members.setRole({ organizationId, userId, role: "member", actor: OPERATOR });
  expect((await admin.command("mint-key", { name: "Late", scopes: ["chat"] })).status).toBe(403);
});

test("the log names the key that was created, rotated or revoked", async () => {
  const lines: unknown[] = [];
  const log: Log = {
    ...silentLog,
    info: (event, fields) => void lines.push([event, fields?.["org_id"], fields?.["key_id"]]),
  };
  const browser = fixture.openBrowser({ console: fixture.openConsole({ log }) });
  const { token } = await fixture.addMember(organizationId, "owner");
  okOf(await browser.command("redeem-link", { token }));
  lines.length = 0;
  const { id } = okOf(await browser.command("mint-key", { name: "Told", scopes: ["chat"] }));
  okOf(await browser.command("rotate-key", { id, graceHours: 0 }));
  okOf(await browser.command("revoke-key", { id }));
  expect(lines).toEqual([
    ["console_key_minted", organizationId, id],
    ["console_key_rotated", organizationId, id],
    ["console_key_revoked", organizationId, id],
  ]);
});
