import { expect, test } from "bun:test";
import { buildModel } from "./build-model.ts";

test("a model manages its context where one of its targets drops messages", () => {
  const capabilitiesOf = (providers: readonly string[], capabilities: ("tools" | "context_management")[]) =>
    buildModel(
      {
        id: "acme-text",
        name: "Acme Text",
        type: "text",
        targets: providers.map((provider) => ({ provider, model: "m" })),
        credits_per_request: 1,
        capabilities,
        limits: { context_tokens: 1_000, max_output_tokens: 100 },
      },
      { isServed: (provider) => provider !== "absent", dropsMessages: (provider) => provider !== "acme" },
    ).capabilities;
  expect(capabilitiesOf(["acme", "absent"], ["tools"])).toEqual(["tools"]);
  expect(capabilitiesOf(["acme", "other"], ["tools"])).toEqual(["tools", "context_management"]);
  expect(capabilitiesOf(["other"], ["context_management"])).toEqual(["context_management"]);
});
