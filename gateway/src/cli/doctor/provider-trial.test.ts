import { describe, expect, test } from "bun:test";
import type { ProviderTrial } from "../../contract/index.ts";
import { checkTrial } from "./provider-trial.ts";

const SETTINGS = {
  name: "acme",
  kind: null,
  baseUrl: null,
  apiKey: "canary-key",
  settingNames: { apiKey: "ACME_API_KEY", baseUrl: "ACME_BASE_URL" },
};

const answered = (models: readonly string[] | null, provesKey = true): ProviderTrial => ({
  outcome: "answered",
  provesKey,
  models: models && new Set(models),
});

function look(trial: ProviderTrial, wanted: readonly string[] = [], apiKey: string | null = "canary-key") {
  const { state, finding, fix } = checkTrial({ ...SETTINGS, apiKey }, trial, wanted);
  expect(`${finding} ${fix}`).not.toContain("canary");
  return `${state}: ${finding}${fix === null ? "" : ` → ${fix}`}`;
}

describe("doctor: a tried provider", () => {
  test("with a service account is one with a key, whose file also has the address that was asked", () => {
    const serviceAccount = {
      email: "canary",
      privateKey: "canary",
      tokenUrl: "https://canary.example/token",
    };
    const settingNames = {
      apiKey: "providers.vertex.service_account_file",
      baseUrl: "providers.vertex.base_url",
    };
    const settings = { ...SETTINGS, name: "vertex", apiKey: null, serviceAccount, settingNames };
    const lookAt = (trial: ProviderTrial) => {
      const { state, finding, fix } = checkTrial(settings, trial, []);
      return `${state}: ${finding} → ${fix}`;
    };
    expect(lookAt(answered(null))).toStartWith("ok: vertex accepts its key");
    expect(lookAt({ outcome: "refused", status: 400 })).toStartWith(
      "broken: vertex refuses its key (400) → Set providers.vertex.service_account_file to a valid key",
    );
    const asked = "https://oauth.example/token";
    expect(lookAt({ outcome: "unexpected", status: 404, asked })).toBe(
      `warning: vertex answers 404 at ${asked} → Is token_uri in providers.vertex.service_account_file right?`,
    );
    expect(lookAt({ outcome: "unexpected", status: null, asked })).toBe(
      `warning: vertex did not return JSON at ${asked} → Is token_uri in providers.vertex.service_account_file right?`,
    );
    expect(lookAt({ outcome: "unreached", reason: "oauth.example: ENOTFOUND" })).toStartWith(
      "broken: vertex cannot be reached (oauth.example: ENOTFOUND) → Check token_uri in providers.vertex.service_account_file:",
    );
  });

  test("is ok only for what was tested", () => {
    expect(look(answered(null))).toBe("ok: acme accepts its key");
    expect(look(answered(null), [], null)).toBe("ok: acme answers, without a key");
    expect(look(answered(null, false))).toMatch(/^untried: acme answers; the key was not tested/);
    expect(look({ outcome: "untried" })).toMatch(/^untried: acme: key set; not tested/);
  });

  test("that refuses its key is broken, and the setting is named", () => {
    expect(look({ outcome: "refused", status: 401 })).toBe(
      "broken: acme refuses its key (401) → Set ACME_API_KEY to a valid key, or ask the provider why this one is refused.",
    );
    expect(look({ outcome: "refused", status: 403 }, [], null)).toStartWith(
      "broken: acme requires a key (403)",
    );
  });

  test("that cannot be reached is broken, with the advice to check its address", () => {
    expect(look({ outcome: "unreached", reason: "acme.example: ENOTFOUND" })).toStartWith(
      "broken: acme cannot be reached (acme.example: ENOTFOUND) → Check ACME_BASE_URL:",
    );
  });

  test("with an unexpected answer is a warning, with advice that depends on the status", () => {
    const asked = "https://acme.example/models";
    expect(look({ outcome: "unexpected", status: 404, asked })).toStartWith(
      `warning: acme answers 404 at ${asked} → Is ACME_BASE_URL right?`,
    );
    expect(look({ outcome: "unexpected", status: null, asked })).toContain("did not return a list of models");
    expect(look({ outcome: "unexpected", status: 402, asked })).toContain("Top up this key's account");
    expect(look({ outcome: "unexpected", status: 503, asked })).toStartWith("warning: acme answers 503 →");
  });

  test("that does not list wanted models is a warning; dated and tagged names count as the shorter ones", () => {
    const listed = answered(["claude-9-20301224", "llama3:latest", "mistral-tiny-2501", "exact"]);
    expect(look(listed, ["claude-9", "llama3", "mistral-tiny-latest", "exact"])).toBe(
      "ok: acme accepts its key",
    );
    expect(look(listed, ["exact", "gone", "claude-8"])).toStartWith(
      "warning: acme answers, but does not list gone, claude-8 →",
    );
    const many = Array.from({ length: 9 }, (_, at) => `gone-${at}`);
    expect(look(listed, many)).toContain("gone-4, … →");
  });
});
