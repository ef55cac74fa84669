import { expect, test } from "bun:test";
import { ProviderFailure, type ProviderFailureKind } from "../../contract/index.ts";
import { createLog, createMetrics } from "../../telemetry/index.ts";
import { inspectConfig } from "../settings.ts";
import { reportTargetFailures } from "./target-failures.ts";

function setup() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog({
    level: "warn",
    keyPrefix: "svc_live_",
    sink: { write, flush() {}, async end() {} },
  });
  const metrics = createMetrics();
  const { config } = inspectConfig({ OPENAI_API_KEY: "sk-canary" }, "/nowhere");
  const clock = { timeMs: 0, nowMs: () => clock.timeMs, elapsedMs: () => clock.timeMs };
  const down: string[] = [];
  const told: string[] = [];
  const isDown = (target: string) => down.includes(target);
  const onDown = (target: string) => void told.push(target);
  const report = reportTargetFailures({ log, metrics, clock, config, isDown, onDown });
  return { lines, metrics, clock, down, told, report };
}

const failure = (kind: ProviderFailureKind, detail = {}) => new ProviderFailure(kind, "no", detail);

test("failures of a target are counted, and logged once a minute per kind", () => {
  const { lines, metrics, clock, report } = setup();
  const refused = failure("unauthorized", { status: 401, internal: "api.acme.test/v1/chat: 401" });
  for (let i = 0; i < 3; i++) report("acme/small", refused);
  report("acme/small", failure("rate_limited", { status: 429 }));
  report("acme/large", refused);
  expect(lines).toMatchObject([
    {
      level: "warn",
      event: "target_failed",
      target: "acme/small",
      kind: "unauthorized",
      status: 401,
      error: "api.acme.test/v1/chat: 401",
    },
    { target: "acme/small", kind: "rate_limited", status: 429 },
    { target: "acme/large", kind: "unauthorized" },
  ]);
  clock.timeMs += 60_000;
  report("acme/small", refused);
  expect(lines).toHaveLength(4);
  expect(metrics.render()).toContain(
    'bursar_target_failures_total{target="acme/small",kind="unauthorized"} 4',
  );
});

test("a target that is down, refuses our key or is not paid is told once a minute", () => {
  const { clock, down, told, report } = setup();
  report("acme/small", failure("timeout"));
  expect(told).toEqual([]);
  down.push("acme/small");
  for (let i = 0; i < 3; i++) report("acme/small", failure("timeout"));
  expect(told).toEqual(["acme/small"]);
  report("acme/large", failure("unauthorized"));
  report("acme/other", failure("rate_limited", { isUnpaid: true }));
  expect(told).toEqual(["acme/small", "acme/large", "acme/other"]);
  clock.timeMs += 60_000;
  report("acme/small", failure("timeout"));
  expect(told).toHaveLength(4);
});

test("an empty provider account is logged with advice, also right after a rate limit", () => {
  const { lines, report } = setup();
  const limit = failure("rate_limited", { status: 429, internal: "api.acme.test: 429 rate_limit_exceeded" });
  const empty = failure("rate_limited", {
    status: 429,
    internal: "api.acme.test: 429 insufficient_quota",
    isUnpaid: true,
  });
  for (const one of [limit, empty, limit, empty]) report("acme/small", one);
  expect(lines).toHaveLength(2);
  expect(lines[0]).not.toHaveProperty("advice");
  expect(lines[1]).toMatchObject({
    event: "target_failed",
    kind: "rate_limited",
    advice: expect.stringContaining("no credit left"),
  });
});

test("a refused key is logged with the name of its setting", () => {
  const { lines, report } = setup();
  const refused = failure("unauthorized", { status: 401, reason: "provider_refused_our_key" });
  for (let i = 0; i < 3; i++) report("openai/gpt-5", refused);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    target: "openai/gpt-5",
    advice: "Set OPENAI_API_KEY to a valid key, or ask the provider why this one is refused.",
  });
});

test("a rejected request or a failure of our own does not count as a target's failure", () => {
  const { lines, metrics, report } = setup();
  report("t", failure("rejected"));
  report("t", failure("context_overflow"));
  report("t", failure("unavailable", { targetHealth: "unknown" }));
  expect(lines).toEqual([]);
  expect(metrics.render()).not.toContain('target="t"');
});
