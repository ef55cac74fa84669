import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Catalog } from "./catalog.ts";
import { MODEL_TYPES } from "./model.ts";
import { listModels, resolveModel, type Viewer, visibleAliases, visibleModels } from "./resolve.ts";
import { catalogWith, TEXT_ENTRY } from "./testing.ts";

function viewer(change: Partial<Viewer> = {}): Viewer {
  return { id: "org-1", slug: "first", plan: "free", disabledModels: new Set(), ...change };
}

function served(catalog: Catalog, id: string, organization: Viewer = viewer()): string | null {
  return resolveModel({ catalog, organization, id, type: "text" })?.id ?? null;
}

const acme = (id: string, change: Record<string, unknown> = {}) => ({ ...TEXT_ENTRY, id, ...change });

describe("a model", () => {
  const catalog = catalogWith({
    models: [
      acme("open"),
      acme("paid", { visibility: { plans: ["pro", "enterprise"] } }),
      acme("chosen", { visibility: { organizations: ["org-1", "second"] } }),
      acme("both", { visibility: { plans: ["pro"], organizations: ["org-1"] } }),
      acme("nobody", { visibility: {} }),
      acme("unreachable", { targets: [{ provider: "other", model: "m" }] }),
    ],
  });

  test.each([
    ["open", "resolves for any organization", viewer(), true],
    [
      "open",
      "does not resolve for an organization that disabled it",
      viewer({ disabledModels: new Set(["open"]) }),
      false,
    ],
    ["open", "resolves for an organization on a removed plan", viewer({ plan: "gone" }), true],
    ["paid", "does not resolve for an organization on another plan", viewer(), false],
    ["paid", "resolves for an organization on its plan", viewer({ plan: "pro" }), true],
    ["paid", "does not resolve for an organization on a removed plan", viewer({ plan: "gone" }), false],
    ["chosen", "resolves for an organization named by id", viewer(), true],
    ["chosen", "resolves for an organization named by slug", viewer({ id: "org-2", slug: "second" }), true],
    [
      "chosen",
      "does not resolve for another organization",
      viewer({ id: "org-3", slug: "third", plan: "enterprise" }),
      false,
    ],
    ["both", "resolves for its organization on another plan", viewer(), true],
    ["both", "resolves for another organization on its plan", viewer({ id: "org-2", plan: "pro" }), true],
    ["both", "does not resolve for another organization on another plan", viewer({ id: "org-2" }), false],
    [
      "nobody",
      "does not resolve even for an organization on the highest plan",
      viewer({ plan: "enterprise" }),
      false,
    ],
    ["unreachable", "does not resolve for any organization", viewer(), false],
    ["sandbox-chat", "resolves for any organization", viewer(), true],
  ])("%s %s", (id, _who, organization, visible) => {
    expect(served(catalog, id, organization)).toBe(visible ? id : null);
  });

  test.each([
    "OPEN",
    "Open",
    " open",
    "open ",
    "open\n",
    "open\0",
    "acme/open",
    "acme:open",
    "оpen",
    "",
    "m",
    "__proto__",
    "constructor",
  ])("does not resolve by the similar id %j", (id) => {
    expect(served(catalog, id)).toBeNull();
  });

  test("does not resolve as another type", () => {
    for (const type of ["image", "video", "audio"] as const) {
      expect(resolveModel({ catalog, organization: viewer(), id: "open", type })).toBeNull();
    }
  });

  test("of the sandbox does not resolve if the sandbox is disabled", () => {
    const without = catalogWith({}, { sandboxEnabled: false });
    expect(served(without, "sandbox-chat")).toBeNull();
    expect(served(without, "svc-code")).toBeNull();
    expect(visibleModels({ catalog: without, organization: viewer() })).toEqual([]);
  });

  test("keeps only its configured targets", () => {
    const targets = ["other", "acme"].map((provider) => ({ provider, model: `${provider}-model` }));
    const model = catalogWith({ models: [acme("two", { targets })] }).models.get("two");
    expect(model?.targets).toEqual([{ provider: "acme", model: "acme-model" }]);
    expect(model?.provider).toBe("acme");
  });
});

describe("an alias", () => {
  const ids = ["unreachable", "paid", "open", "sandbox-chat"];
  const models = [
    acme("unreachable", { targets: [{ provider: "other", model: "m" }] }),
    acme("paid", { visibility: { plans: ["pro"] } }),
    acme("open"),
  ];
  const catalog = catalogWith({ models, aliases: { "svc-code": ids } });

  test("serves the first model that is configured and visible", () => {
    expect(served(catalog, "svc-code", viewer({ plan: "pro" }))).toBe("paid");
    expect(served(catalog, "svc-code")).toBe("open");
  });

  test("never falls back to the sandbox while a provider of its list is configured", () => {
    expect(served(catalog, "svc-code", viewer({ disabledModels: new Set(["open"]) }))).toBeNull();
    const hidden = catalogWith({
      models: [acme("paid", { visibility: { plans: ["pro"] } })],
      aliases: { "svc-code": ["paid", "sandbox-chat"] },
    });
    expect(served(hidden, "svc-code")).toBeNull();
  });

  test("serves the sandbox if no provider of its list is configured", () => {
    const alone = catalogWith({ models, aliases: { "svc-code": ids } }, { configuredProviders: new Set() });
    expect(served(alone, "svc-code")).toBe("sandbox-chat");
  });

  test("is listed with the model that it stands for, per organization", () => {
    const aliasesOf = (organization: Viewer) =>
      Object.fromEntries(
        listModels({ catalog, organization, type: "text" }).map((model) => [model.id, model.aliases]),
      );
    expect(aliasesOf(viewer())).toEqual({ "sandbox-chat": ["svc-fast"], open: ["svc-code"] });
    expect(aliasesOf(viewer({ plan: "pro" }))).toEqual({
      "sandbox-chat": ["svc-fast"],
      paid: ["svc-code"],
      open: [],
    });
  });
});

test("exactly the listed models and aliases resolve, for any visibility and configuration", () => {
  const plans = fc.constantFrom("free", "pro", "enterprise");
  const organizations = fc.constantFrom("org-1", "org-2", "first");
  const visibility = fc.option(
    fc.record({ plans: fc.uniqueArray(plans), organizations: fc.uniqueArray(organizations) }),
    { nil: undefined },
  );
  const ids = ["a", "b", "c", "d"];
  const entries = fc.tuple(
    ...ids.map((id) =>
      fc.record({ visibility, provider: fc.constantFrom("acme", "other", "sandbox") }).map((made) =>
        acme(id, {
          targets: [{ provider: made.provider, model: "m" }],
          test: made.provider === "sandbox",
          ...(made.visibility ? { visibility: made.visibility } : {}),
        }),
      ),
    ),
  );
  const alias = fc.shuffledSubarray(ids, { minLength: 1 });
  const someone = fc.record({
    id: fc.constantFrom("org-1", "org-2"),
    slug: fc.constantFrom("first", "second"),
    plan: fc.constantFrom("free", "pro", "gone"),
    disabledModels: fc.subarray([...ids, "sandbox-chat"]).map((off) => new Set(off)),
  });
  fc.assert(
    fc.property(entries, alias, someone, fc.boolean(), (models, list, organization, sandboxEnabled) => {
      const catalog = catalogWith({ models, aliases: { alias: list } }, { sandboxEnabled });
      const names = [...catalog.models.keys(), ...catalog.aliases.keys()];
      const resolved = names.filter((id) =>
        MODEL_TYPES.some((type) => resolveModel({ catalog, organization, id, type }) !== null),
      );
      const listed = visibleModels({ catalog, organization }).map((model) => model.id);
      const aliases = [...visibleAliases({ catalog, organization }).keys()];
      expect(resolved).toEqual([...listed, ...aliases]);

      const real = list.some((id) => catalog.models.get(id)?.provider === "acme");
      const model = resolveModel({ catalog, organization, id: "alias", type: "text" });
      if (real && model) expect(model.provider).not.toBe("sandbox");
    }),
  );
});
