import { expect, test } from "bun:test";
import { assert } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { inspectCatalog } from "../services.ts";
import { inspectConfig } from "../settings.ts";
import { warnOfNoModel } from "./no-model.ts";

function warningsWith(env: Record<string, string>): unknown[] {
  const { loaded } = inspectCatalog(inspectConfig(env, "/nowhere").config);
  assert(loaded.outcome === "ok", "a catalog");
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (...line: unknown[]) => void warnings.push(line) };
  warnOfNoModel({ catalog: loaded.catalog, log });
  return warnings;
}

test("a gateway without a callable model logs a warning with what would help", () => {
  expect(warningsWith({ BURSAR_SANDBOX: "false" })).toEqual([
    ["no_model", { error: expect.stringMatching(/OPENAI_API_KEY.*BURSAR_SANDBOX=true/) }],
  ]);
});

test("the sandbox or one provider's key is enough to log no warning", () => {
  expect(warningsWith({})).toEqual([]);
  expect(warningsWith({ BURSAR_SANDBOX: "false", ANTHROPIC_API_KEY: "key" })).toEqual([]);
});
