import { expect, test } from "bun:test";
import { headerSecrets } from "./call-secrets.ts";

test.each([
  ["x-api-key", "short", ["short"]],
  ["X-Team-Token", "blue42", ["blue42"]],
  ["x-gateway", "Bearer blue-whale", ["Bearer blue-whale", "blue-whale"]],
  ["x-tenant", "7d1f-4c2a-99b0-aa", ["7d1f-4c2a-99b0-aa"]],
])("%s: %s is hidden", (name, value, secrets) => {
  expect([...new Set(headerSecrets({ [name]: value }))]).toEqual(secrets);
});

test.each([
  ["content-type", "application/json"],
  ["x-portkey-provider", "openai"],
  ["azureml-model-deployment", "llama-3-70b"],
  ["x-environment", "production"],
  ["x-team-token", "on"],
])("%s: %s may appear in errors", (name, value) => {
  expect(headerSecrets({ [name]: value })).toEqual([]);
});
