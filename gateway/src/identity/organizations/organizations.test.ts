import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert, newId } from "../../kit/index.ts";
import { OPERATOR } from "../index.ts";
import { createIdentityFixture, type IdentityFixture } from "../testing.ts";

let fixture: IdentityFixture;

beforeAll(async () => {
  fixture = await createIdentityFixture();
});

afterAll(() => fixture.close());

describe("creating", () => {
  test("gives organizations of the same name different slugs, even concurrently", async () => {
    const created = await Promise.all(
      Array.from({ length: 30 }, () => fixture.createOrganization("Twin & Co")),
    );
    const slugs = new Set(created.map((organization) => organization.slug));
    expect(slugs.size).toBe(30);
    for (const slug of slugs) expect(slug).toMatch(/^twin-co(-[0-9a-f]+)?$/);
  });

  test("with an exact slug succeeds once", async () => {
    const create = () => fixture.identity.organizations.create({ name: "Demo", plan: "free", slug: "demo" });
    const outcomes = await Promise.all([create(), create(), create()]);
    expect(outcomes.map((one) => one.outcome).sort()).toEqual(["ok", "slug_taken", "slug_taken"]);
  });

  test.each([
    ["name", { name: "" }],
    ["name", { name: "a\0" }],
    ["plan", { plan: "" }],
    ["slug", { slug: "Not A Slug" }],
    ["slug", { slug: "0190a6e0-0000-7000-8000-000000000000" }],
  ])("refuses an invalid %s: %j", async (field, wrong) => {
    const result = await fixture.identity.organizations.create({ name: "Good", plan: "free", ...wrong });
    expect(result).toMatchObject({ outcome: "invalid", field });
  });
});

describe("finding", () => {
  test("accepts an id in any case or a slug; anything else finds nothing", async () => {
    const organization = await fixture.createOrganization("Findable");
    const { find } = fixture.identity.organizations;
    for (const text of [organization.id, organization.id.toUpperCase(), "findable"]) {
      expect(await find(text)).toMatchObject({ id: organization.id });
    }
    for (const text of ["", "FINDABLE", newId(), "' or 1=1", "a\0b", "x".repeat(1_000_000)]) {
      expect(await find(text)).toBeUndefined();
    }
  });

  test("lists page by page, each organization once", async () => {
    for (const name of ["Page A", "Page B", "Page C"]) await fixture.createOrganization(name);
    const all = await fixture.identity.organizations.list();
    const seen: string[] = [];
    let afterSlug = "";
    for (let page = 0; page < 100; page++) {
      const batch = await fixture.identity.organizations.list({ afterSlug, limit: 7 });
      seen.push(...batch.map((one) => one.slug));
      afterSlug = batch.at(-1)?.slug ?? "";
      if (batch.length < 7) break;
    }
    expect(seen).toEqual(all.map((one) => one.slug));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe("updating", () => {
  test("changes the given fields and leaves the rest", async () => {
    const { id } = await fixture.createOrganization("Before");
    const result = await fixture.identity.organizations.update({
      organizationId: id,
      name: "After",
      plan: "pro",
      active: false,
      efficiency: "structural",
      disabledModels: ["b", "a", "b"],
      actor: OPERATOR,
    });
    assert(result.outcome === "ok", result.outcome);
    expect(result.organization).toMatchObject({ name: "After", slug: "before", plan: "pro", active: false });
    const again = await fixture.identity.organizations.update({
      organizationId: id,
      active: true,
      actor: OPERATOR,
    });
    assert(again.outcome === "ok", again.outcome);
    expect(again.organization).toMatchObject({
      name: "After",
      plan: "pro",
      active: true,
      efficiency: "structural",
    });
    expect([...again.organization.disabledModels]).toEqual(["a", "b"]);
  });

  test.each([
    ["name", { name: " " }],
    ["plan", { plan: "a\nb" }],
    ["efficiency", { efficiency: "extreme" }],
    ["disabledModels", { disabledModels: ["\0"] }],
    ["disabledModels", { disabledModels: Array.from({ length: 1_001 }, (_, i) => `m${i}`) }],
  ])("refuses an invalid %s", async (field, wrong) => {
    const { id } = await fixture.createOrganization("Wrong");
    const result = await fixture.identity.organizations.update({
      organizationId: id,
      actor: OPERATOR,
      ...wrong,
    });
    expect(result).toMatchObject({ outcome: "invalid", field });
  });

  const changes = {
    name: { name: "New" },
    efficiency: { efficiency: "off" },
    models: { disabledModels: ["x"] },
    deactivate: { active: false },
    reactivate: { active: true },
    plan: { plan: "enterprise" },
  };
  test.each([
    ["owner", { name: "ok", efficiency: "ok", models: "ok", deactivate: "ok" }],
    ["admin", { name: "ok", efficiency: "ok", models: "ok" }],
    ["member", {}],
  ])(
    "as %s is limited to the role; nobody can set their own plan or lift a suspension",
    async (role, allowed) => {
      const { id } = await fixture.createOrganization("Roles");
      const { userId } = await fixture.addMember(id, role);
      for (const [name, change] of Object.entries(changes)) {
        const actor = { kind: "person", userId } as const;
        const result = await fixture.identity.organizations.update({ organizationId: id, actor, ...change });
        expect([name, result.outcome]).toEqual([name, name in allowed ? "ok" : "forbidden"]);
      }
    },
  );

  test("a foreign organization is answered like one that does not exist", async () => {
    const own = await fixture.createOrganization("Own");
    const foreign = await fixture.createOrganization("Foreign");
    const { userId } = await fixture.addMember(own.id, "owner");
    for (const organizationId of [foreign.id, newId(), "nonsense"]) {
      const actor = { kind: "person", userId } as const;
      const result = await fixture.identity.organizations.update({ organizationId, name: "Mine", actor });
      expect(result).toEqual({ outcome: "not_found" });
    }
  });
});

test("an organization cannot be deleted, not even in the database", async () => {
  const { id } = await fixture.createOrganization("Forever");
  const { pool } = fixture.db;
  await expect(pool.query("delete from organization where id = $1", [id])).rejects.toThrow("never deleted");
  await expect(pool.query("truncate organization cascade")).rejects.toThrow("never deleted");
});
