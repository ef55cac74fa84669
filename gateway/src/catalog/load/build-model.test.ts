import { expect, test } from "bun:test";
import { buildModel } from "./build-model.ts";

type Capability = "tools" | "reasoning" | "context_management";
type Habits = Parameters<typeof buildModel>[1];

/** A text model with these targets; the provider "absent" is not served. `habits` says what the others do. */
function modelOf(
  providers: readonly string[],
  capabilities: Capability[],
  habits: Partial<Pick<Habits, "dropsMessages" | "thinksBeyondLimit">>,
) {
  const model = buildModel(
    {
      id: "acme-text",
      name: "Acme Text",
      type: "text",
      targets: providers.map((provider) => ({ provider, model: "m" })),
      test: false,
      credits_per_request: 1,
      capabilities,
      limits: { context_tokens: 1_000, max_output_tokens: 100 },
    },
    {
      isServed: (provider) => provider !== "absent",
      dropsMessages: () => false,
      thinksBeyondLimit: () => false,
      ...habits,
    },
  );
  if (model.type !== "text") throw new Error("a text model");
  return model;
}

const notAcme = (provider: string) => provider !== "acme";

test("a model gets the capability context_management if one of its served targets drops messages", () => {
  const capabilitiesOf = (providers: readonly string[], capabilities: Capability[]) =>
    modelOf(providers, capabilities, { dropsMessages: notAcme }).capabilities;
  expect(capabilitiesOf(["acme", "absent"], ["tools"])).toEqual(["tools"]);
  expect(capabilitiesOf(["acme", "other"], ["tools"])).toEqual(["tools", "context_management"]);
  expect(capabilitiesOf(["other"], ["context_management"])).toEqual(["context_management"]);
});

test("a model has thought tokens only if it reasons and a served target reasons beyond the limit", () => {
  const thoughtsOf = (providers: readonly string[], capabilities: Capability[]) =>
    modelOf(providers, capabilities, { thinksBeyondLimit: notAcme }).limits.maxThoughtTokens;
  expect(thoughtsOf(["acme", "other"], ["reasoning"])).toBe(100);
  expect(thoughtsOf(["acme", "absent"], ["reasoning"])).toBe(0);
  expect(thoughtsOf(["other"], ["tools"])).toBe(0);
});
