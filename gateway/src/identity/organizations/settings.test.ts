import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert } from "../../kit/index.ts";
import { type Actor, OPERATOR } from "../index.ts";
import { createIdentityFixture, type IdentityFixture } from "../testing.ts";

let fixture: IdentityFixture;

beforeAll(async () => {
  fixture = await createIdentityFixture();
});

afterAll(() => fixture.close());

describe("changing settings", () => {
  test("concurrently from the same state succeeds once; the other gets a conflict with the saved value", async () => {
    const { id } = await fixture.createOrganization("First");
    const rename = (name: string) =>
      fixture.identity.organizations.changeSettings({
        organizationId: id,
        actor: OPERATOR,
        name,
        seen: { name: "First" },
      });
    const results = await Promise.all([rename("Second"), rename("Third")]);
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(["conflict", "ok"]);
    const name = (await fixture.identity.organizations.find(id))?.name;
    for (const result of results) {
      assert("organization" in result, result.outcome);
      expect(result.organization.name).toBe(name ?? "");
    }
  });

  test("conflicts only in fields that the caller has seen", async () => {
    const { id } = await fixture.createOrganization("Calm");
    const { changeSettings } = fixture.identity.organizations;
    const common = { organizationId: id, actor: OPERATOR };
    await changeSettings({ ...common, efficiency: "off", seen: {} });
    const renamed = await changeSettings({ ...common, name: "Calmer", seen: { name: "Calm" } });
    expect(renamed).toMatchObject({ outcome: "ok", organization: { name: "Calmer", efficiency: "off" } });
    const stale = await changeSettings({ ...common, efficiency: "safe", seen: { efficiency: "structural" } });
    expect(stale).toMatchObject({ outcome: "conflict", organization: { efficiency: "off" } });
  });

  test("refuses invalid values with their field", async () => {
    const { id } = await fixture.createOrganization("Strict");
    const { changeSettings } = fixture.identity.organizations;
    const common = { organizationId: id, actor: OPERATOR, seen: {} };
    expect(await changeSettings({ ...common, name: " " })).toMatchObject({
      outcome: "invalid",
      field: "name",
    });
    expect(await changeSettings({ ...common, efficiency: "wild" })).toMatchObject({ field: "efficiency" });
  });
});

describe("switching models", () => {
  test("keeps all of many concurrent switches", async () => {
    const { id } = await fixture.createOrganization("Busy");
    const models = Array.from({ length: 12 }, (_, at) => `model-${at}`);
    const turn = (modelId: string, isOn: boolean) =>
      fixture.identity.organizations.switchModel({ organizationId: id, actor: OPERATOR, modelId, isOn });
    await Promise.all(models.map((model) => turn(model, false)));
    await turn("model-0", true);
    await turn("model-1", false);
    const off = (await fixture.identity.organizations.find(id))?.disabledModels;
    expect([...(off ?? [])].sort()).toEqual(models.slice(1).sort());
  });

  test("is allowed for admins, forbidden for members, and not_found for others", async () => {
    const { id } = await fixture.createOrganization("Guarded");
    const turn = (actor: Actor) =>
      fixture.identity.organizations.switchModel({ organizationId: id, actor, modelId: "m", isOn: false });
    const member = await fixture.addMember(id, "member");
    const admin = await fixture.addMember(id, "admin");
    const elsewhere = await fixture.addMember((await fixture.createOrganization("Other")).id, "owner");
    expect((await turn({ kind: "person", userId: member.userId })).outcome).toBe("forbidden");
    expect((await turn({ kind: "person", userId: elsewhere.userId })).outcome).toBe("not_found");
    expect((await turn({ kind: "person", userId: admin.userId })).outcome).toBe("ok");
  });
});
