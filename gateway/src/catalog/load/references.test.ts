import { expect, test } from "bun:test";
import { inspectCatalog, TEXT_ENTRY } from "../testing.ts";

const IMAGE_ENTRY = {
  ...TEXT_ENTRY,
  id: "acme-image",
  type: "image",
  price: { units: { "1k": 1 } },
  limits: { aspect_ratios: ["1:1"] },
};

function problemsOf(sections: Record<string, unknown>): readonly string[] {
  const loaded = inspectCatalog(sections);
  return loaded.outcome === "refused" ? loaded.problems : [];
}

test("an alias that names models of different types is refused", () => {
  expect(
    problemsOf({ models: [TEXT_ENTRY, IMAGE_ENTRY], aliases: { both: ["acme-chat", "acme-image"] } }),
  ).toEqual(["aliases.both: must name models of one type"]);
});

test("a model with the name of a default alias is refused under its own id, not under the alias", () => {
  expect(problemsOf({ models: [{ ...TEXT_ENTRY, id: "svc-fast" }] })).toEqual([
    "models[0].id: is the name of a default alias",
  ]);
});

test("an alias prefix that turns a default alias into the id of a model is refused by its own name", () => {
  const loaded = inspectCatalog({}, { aliasPrefix: "sandbox-" });
  expect(loaded.outcome === "refused" ? loaded.problems : []).toContain(
    "BURSAR_ALIAS_PREFIX: makes the alias sandbox-image, which is the id of a model",
  );
});

test("an overlay that changes the type of a default alias's model is refused under that model's type", () => {
  expect(problemsOf({ models: [TEXT_ENTRY, { ...IMAGE_ENTRY, id: "sandbox-chat" }] })).toEqual([
    "models[1].type: must be that of the other models of the default alias svc-code",
    "models[1].type: must be that of the other models of the default alias svc-fast",
  ]);
});
