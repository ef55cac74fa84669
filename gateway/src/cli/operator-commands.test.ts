import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { payForPack } from "../../../test/paid-pack.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

let cli: CliHarness;
let org: { id: string; slug: string };
let made = 0;

beforeAll(async () => {
  cli = await createCliHarness();
});

afterAll(() => cli.drop());

beforeEach(async () => {
  org = (await cli.json("org", "create", "--name", `Acme ${++made}`)) as typeof org;
});

afterEach(() => {
  expect(cli.openServices).toBe(0);
});

async function balance(): Promise<{ subscription: number; anytime: number }> {
  const account = await cli.ledger.account(org.id);
  return { subscription: account.subscriptionAvailable, anytime: account.anytimeAvailable };
}

describe("bursar org", () => {
  test("create returns id and slug; without a plan it is free and has no credits", async () => {
    expect(await cli.json("org", "create", "--name", "Globex Ltd")).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: "globex-ltd",
      name: "Globex Ltd",
      plan: "free",
      active: true,
      efficiency: "safe",
      created_at: expect.any(String),
      granted_credits: 0,
      credits_expire_at: null,
    });
  });

  test("create with a plan grants its monthly credits", async () => {
    const created = await cli.json("org", "create", "--name", "Initech", "--plan", "pro");
    org = created as typeof org;
    expect(created).toMatchObject({ plan: "pro", granted_credits: 50_000 });
    expect(await balance()).toEqual({ subscription: 50_000, anytime: 0 });
  });

  test("update grants a plan's credits once and changes the state; --org takes id or slug", async () => {
    const updated = await cli.json("org", "update", "--org", org.slug, "--plan", "pro");
    expect(updated).toMatchObject({ id: org.id, plan: "pro", granted_credits: 50_000 });
    expect(
      await cli.json("org", "update", "--org", org.id, "--plan", "pro", "--active", "false"),
    ).toMatchObject({
      active: false,
      granted_credits: 0,
    });
    const { organizations } = await cli.json("org", "list");
    expect(organizations).toContainEqual(expect.objectContaining({ id: org.id, active: false }));
  });

  test("update changes how chat input is compacted, and nothing else", async () => {
    const updated = await cli.json("org", "update", "--org", org.slug, "--efficiency", "structural");
    expect(updated).toMatchObject({
      plan: "free",
      active: true,
      efficiency: "structural",
      granted_credits: 0,
    });
    const { out } = await cli.run("org", "update", "--org", org.slug, "--efficiency", "off");
    expect(out).toMatch(/\n {2}efficiency {2}off\n/);
  });

  test("create refuses an unknown plan with the known ones, and creates nothing", async () => {
    const before = await cli.json("org", "list");
    const { code, err } = await cli.run("org", "create", "--name", "Nope", "--plan", "gold");
    expect(code).toBe(2);
    expect(err).toContain('--plan takes one of free, pro, enterprise, not "gold".');
    expect(await cli.json("org", "list")).toEqual(before);
  });

  test("create prints a sentence and list an aligned table", async () => {
    const { out } = await cli.run("org", "create", "--name", "Hooli", "--plan", "pro");
    expect(out).toStartWith("Hooli was created.\n\n  id      ");
    expect(out).toContain("Its plan brought 50,000 credits, valid until ");
    expect(out).toContain("\n\nNext: bin/bursar key create --org hooli");
    const { out: list } = await cli.run("org", "list");
    expect(list).toMatch(/^SLUG +NAME +PLAN +STATE +ID\n/);
  });
});

describe("bursar key", () => {
  test("create shows a key with all scopes once; list shows everything but the secret", async () => {
    const minted = await cli.json("key", "create", "--org", org.slug, "--name", "First");
    const { key, ...visible } = minted;
    expect(minted).toMatchObject({
      org_id: org.id,
      name: "First",
      key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{43}$/),
      scopes: ["chat", "images", "video", "audio", "usage", "assets"],
      expires_at: null,
    });
    const { keys } = await cli.json("key", "list", "--org", org.slug);
    expect(keys).toEqual([visible]);
    expect((await cli.run("key", "list", "--org", org.slug)).out).not.toContain(String(key));
    const { out } = await cli.run("key", "create", "--org", org.slug, "--name", "Second");
    expect(out.match(/svc_live_[0-9A-Za-z]{43}/g)).toHaveLength(1);
  });

  test("create accepts scopes and an expiry, as a duration or a time", async () => {
    const base = ["key", "create", "--org", org.slug, "--name", "Short"];
    const byTime = await cli.json(...base, "--scopes", "chat, usage", "--expires-in", "30d");
    expect(byTime["scopes"]).toEqual(["chat", "usage"]);
    const leftMs = Date.parse(String(byTime["expires_at"])) - Date.now();
    expect(Math.abs(leftMs - 30 * 86_400_000)).toBeLessThan(60_000);
    const moment = new Date(Date.now() + 86_400_000).toISOString();
    const byMoment = await cli.json(...base, "--expires-at", moment);
    expect(byMoment["expires_at"]).toBe(moment);
  });

  test("create says that calls are refused while the organization is inactive", async () => {
    const base = ["key", "create", "--org", org.slug, "--name", "Early"];
    expect((await cli.run(...base)).out).not.toContain("inactive");
    await cli.json("org", "update", "--org", org.slug, "--active", "false");
    expect((await cli.run(...base)).out).toMatch(
      /\nAcme \d+ is inactive, so every call is refused: `.* org update .* --active true` makes/,
    );
  });

  test("create accepts limits for the key, and list shows them", async () => {
    const base = ["key", "create", "--org", org.slug, "--name", "Slow"];
    const limits = ["--requests-per-minute", "60", "--in-flight", "2"];
    expect(await cli.json(...base, ...limits)).toMatchObject({ requests_per_minute: 60, in_flight: 2 });
    expect(await cli.json(...base)).toMatchObject({ requests_per_minute: null, in_flight: null });
    const { out } = await cli.run("key", "list", "--org", org.slug);
    expect(out).toMatch(/^NAME +ENDS IN +SCOPES +REQ\/MIN +IN FLIGHT +EXPIRES/m);
    expect(out).toMatch(/^Slow +\w{4} +all +60 +2 +never/m);
    expect(out).toMatch(/^Slow +\w{4} +all +plan's +plan's +never/m);
    const none = await cli.run(...base, "--in-flight", "0");
    expect([none.code, none.err]).toEqual([
      2,
      'bursar: --in-flight takes a whole number from 1 to 1000000, not "0".\n',
    ]);
  });

  test("create refuses wrong scopes and an expiry in the past", async () => {
    const base = ["key", "create", "--org", org.slug, "--name", "Short"];
    const scopes = await cli.run(...base, "--scopes", "chat,fly");
    expect([scopes.code, scopes.err]).toEqual([
      2,
      expect.stringContaining("--scopes takes one or more of chat"),
    ]);
    const past = await cli.run(...base, "--expires-at", "2020-01-01");
    expect([past.code, past.err]).toEqual([
      2,
      expect.stringContaining("--expires-at takes a moment in the future"),
    ]);
  });

  test("rotate keeps the id and changes the secret; revoke ends the key; both accept the id without a flag", async () => {
    const minted = await cli.json("key", "create", "--org", org.slug, "--name", "First");
    const id = String(minted["id"]);
    const rotated = await cli.json("key", "rotate", "--key", id, "--grace", "0");
    expect(rotated["id"]).toBe(id);
    expect(rotated["key"]).not.toBe(minted["key"]);
    const revoked = await cli.json("key", "revoke", id);
    expect(revoked).toMatchObject({ id, revoked_at: expect.any(String) });
    expect(revoked).not.toHaveProperty("key");
    const again = await cli.run("key", "rotate", id);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("This key is revoked, so")]);
  });

  test("revoke does not find a key of another organization than --org", async () => {
    const { id } = await cli.json("key", "create", "--org", org.slug, "--name", "First");
    const other = await cli.json("org", "create", "--name", "Other");
    const { code, err } = await cli.run("key", "revoke", String(id), "--org", String(other["slug"]));
    expect([code, err]).toEqual([1, expect.stringContaining("There is no such key")]);
  });
});

describe("bursar member", () => {
  test("add returns an id and a one-time link; link makes a new one; list shows the member", async () => {
    const email = `ada-${made}@example.com`;
    const added = await cli.json("member", "add", "--org", org.slug, "--email", email, "--role", "owner");
    const { id, link } = added;
    expect(added).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      role: "owner",
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1/),
      link_expires_at: expect.any(String),
    });
    const linked = await cli.json("member", "link", "--email", email.toUpperCase());
    expect(linked).toMatchObject({ id, email });
    expect(linked["link"]).not.toBe(link);
    const { members } = await cli.json("member", "list", "--org", org.id);
    expect(members).toEqual([expect.objectContaining({ id, role: "owner" })]);
    const twice = await cli.run("member", "add", "--org", org.slug, "--email", email, "--role", "member");
    expect([twice.code, twice.err]).toEqual([1, expect.stringContaining("belongs to Acme")]);
  });

  test("add of an existing member says where roles are changed", async () => {
    const add = ["member", "add", "--org", org.slug, "--email", "twice@example.com", "--role"];
    await cli.json(...add, "member");
    expect(await cli.run(...add, "owner")).toMatchObject({
      code: 1,
      err: `bursar: twice@example.com already belongs to Acme ${made}: roles are changed in the console, under Members.\n`,
    });
  });

  test("add says what happened to the account that the address already had", async () => {
    const email = `known-${made}@example.com`;
    const elsewhere = await cli.json("org", "create", "--name", "Elsewhere", "--plan", "free");
    const first = ["member", "add", "--org", String(elsewhere["slug"]), "--email", email, "--role", "member"];
    expect(await cli.json(...first)).toMatchObject({ account: "made" });
    const again = await cli.run("member", "add", "--org", org.slug, "--email", email, "--role", "member");
    expect([again.code, again.out]).toEqual([0, expect.stringContaining("sessions no longer work")]);
  });

  test("link for an unknown address is refused", async () => {
    const { code, err } = await cli.run("member", "link", "--email", "nobody@example.com");
    expect([code, err]).toEqual([1, expect.stringContaining("Nobody has the address nobody@example.com")]);
  });
});

describe("bursar credits", () => {
  const grant = (...flags: string[]) => ["credits", "grant", "--org", org.slug, ...flags];
  const adjust = (...flags: string[]) => [
    "credits",
    "adjust",
    "--org",
    org.slug,
    "--reason",
    "a test",
    ...flags,
  ];

  test("a grant with a reference is applied once; the same reference for another grant is refused", async () => {
    const flags = grant("--pool", "anytime", "--amount", "500", "--reference", "invoice 7");
    const first = await cli.json(...flags);
    const { id } = first;
    expect(first).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      org_id: org.id,
      outcome: "granted",
      balance: { anytime_credits: 500, subscription_credits: 0, total_credits: 500, held_credits: 0 },
    });
    expect(await cli.json(...flags)).toMatchObject({ id, outcome: "repeat" });
    const other = await cli.run(...grant("--pool", "anytime", "--amount", "501", "--reference", "invoice 7"));
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringContaining('"invoice 7" belongs to another grant'),
    ]);
    expect(await balance()).toEqual({ subscription: 0, anytime: 500 });
  });

  test("the first subscription grant needs an end, later ones join its period, and another end is refused", async () => {
    const without = await cli.run(...grant("--pool", "subscription", "--amount", "10"));
    expect([without.code, without.err]).toEqual([1, expect.stringContaining("say when these credits")]);
    const opened = await cli.json(
      ...grant("--pool", "subscription", "--amount", "10", "--expires-in", "30d"),
    );
    const joined = await cli.json(...grant("--pool", "subscription", "--amount", "5"));
    expect(joined).toMatchObject({ balance: { subscription_credits: 15 } });
    const end = (opened["balance"] as Record<string, unknown>)["subscription_credits_expire_at"];
    expect((joined["balance"] as Record<string, unknown>)["subscription_credits_expire_at"]).toBe(end);
    const other = await cli.run(...grant("--pool", "subscription", "--amount", "5", "--expires-in", "60d"));
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("leave the end out to join it")]);
    const past = await cli.run(
      ...grant("--pool", "subscription", "--amount", "5", "--expires-at", "2020-01-01"),
    );
    expect(past.code).toBe(1);
    expect(await balance()).toEqual({ subscription: 15, anytime: 0 });
  });

  test("an adjustment can be positive or negative, but not take a balance below zero", async () => {
    await cli.json(...grant("--pool", "anytime", "--amount", "100"));
    expect(await cli.json(...adjust("--pool", "anytime", "--amount", "-40"))).toMatchObject({
      org_id: org.id,
      amount: -40,
      balance: { anytime_credits: 60 },
    });
    expect(await cli.json(...adjust("--pool", "anytime", "--amount", "+5"))).toMatchObject({ amount: 5 });
    const tooMuch = await cli.run(...adjust("--pool", "anytime", "--amount", "-66"));
    expect([tooMuch.code, tooMuch.err]).toEqual([1, expect.stringContaining("nothing was changed")]);
    const nowhere = await cli.run(...adjust("--pool", "subscription", "--amount", "5"));
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining("no open period")]);
    expect(await balance()).toEqual({ subscription: 0, anytime: 65 });
  });

  test("an adjustment says how much of it paid a debt", async () => {
    const { pool } = cli.database.db;
    const order = crypto.randomUUID();
    await cli.json(...grant("--pool", "anytime", "--amount", "25", "--reference", `order:${order}`));
    await cli.json(...adjust("--pool", "anytime", "--amount", "-25"));
    await payForPack(cli.database.db, { orgId: org.id, orderId: order, credits: 25, cents: 25 });
    await pool.query("insert into payment_reversals values ($1::text, $1::text, 'refund', 25)", [order]);
    await pool.query("select reverse_payment($1)", [order]);
    const first = await cli.run(...adjust("--pool", "anytime", "--amount", "10"));
    expect(first.out).toContain(
      "changed by 10 credits. Of these, 10 credits paid its debt of refunded credits: 15 credits are left.\n",
    );
    const second = await cli.json(...adjust("--pool", "anytime", "--amount", "20"));
    expect(second).toMatchObject({ amount: 20, debt_paid: 15, balance: { anytime_credits: 5 } });
    const third = await cli.json(...adjust("--pool", "anytime", "--amount", "-3"));
    const { rows } = await pool.query(
      "select type, amount::int from entries where org_id = $1 and seq = any($2) order by seq",
      [org.id, [second["id"], third["id"]]],
    );
    expect(rows).toEqual([
      { type: "adjust", amount: 20 },
      { type: "adjust", amount: -3 },
    ]);
    expect((await cli.run(...adjust("--pool", "anytime", "--amount", "1"))).out).not.toContain("debt");
  });

  test("a grant prints what it added and the new balance", async () => {
    const { out } = await cli.run(...grant("--pool", "anytime", "--amount", "1500"));
    expect(out).toBe(
      `Acme ${made} got 1,500 credits.\n\n  subscription  0 credits\n  anytime       1,500 credits\n`,
    );
  });
});

describe("bursar ledger verify", () => {
  test("exits with 0 for a sound ledger, and with 1 for a changed entry, which it names", async () => {
    await cli.json("credits", "grant", "--org", org.slug, "--pool", "anytime", "--amount", "100");
    expect(await cli.json("ledger", "verify", "--org", org.slug)).toEqual({
      ok: true,
      organizations: 1,
      entries: 1,
      faults: [],
      checkpoints_skipped: false,
    });
    await cli.database.db.transaction(async (client) => {
      await client.query("set local session_replication_role = replica");
      await client.query("update entries set description = 'forged' where org_id = $1", [org.id]);
    });
    const { code, out } = await cli.run("ledger", "verify", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      faults: [{ org_id: org.id, table: "entries", row: "seq 1", what: "the row does not match its hash" }],
    });
    const words = await cli.run("ledger", "verify", "--org", org.slug);
    expect([words.code, words.out]).toEqual([1, expect.stringContaining("entries seq 1")]);
    expect((await cli.run("ledger", "verify", "--org", org.slug, "--since-checkpoint")).code).toBe(0);
  });
});
