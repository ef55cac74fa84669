import { describe, expect, test } from "bun:test";
import { admissionOf } from "../../../../test/paid-items.ts";
import type { AdmissionCall } from "../../admission/index.ts";
import type { DraftAsset } from "../../assets/index.ts";
import { credits } from "../../kit/index.ts";
import { noopSpan } from "../../telemetry/index.ts";
import { failedSettlement, producedSettlement } from "./call-settlement.ts";
import type { PaidCall } from "./paid-call-input.ts";
import type { Produced } from "./produced.ts";

const KEPT = 1024 * 1024;
const keyed = { idempotency: { key: "k", fingerprint: new Uint8Array(32) } };

function callOf(changes: Partial<AdmissionCall> = {}): PaidCall {
  return {
    admission: admissionOf("organization", 10, changes),
    priceRuleId: "rule",
    timeoutMs: 1_000,
    span: noopSpan,
  };
}

function made(outcome: unknown, more: Partial<Produced<unknown>> = {}): Produced<unknown> {
  return {
    outcome,
    cost: credits(4),
    measured: '{"n":2}',
    inputTokens: 11,
    outputTokens: 7,
    tokensSaved: 3,
    target: "t",
    ...more,
  };
}

const settled = (
  call: PaidCall,
  produced: Produced<unknown>,
  status: "succeeded" | "cancelled" = "succeeded",
) => producedSettlement({ call, produced, latencyMs: 12.6, status });

test("a result is settled with its cost, tokens, latency, price rule and target", () => {
  const call = callOf();
  expect(settled(call, made("x"))).toEqual({
    ...call.admission,
    cost: credits(4),
    measured: '{"n":2}',
    status: "succeeded",
    inputTokens: 11,
    outputTokens: 7,
    tokensSaved: 3,
    latencyMs: 13,
    errorCode: null,
    reason: null,
    priceRuleId: "rule",
    target: "t",
    reply: null,
  });
});

test("an answer that we cut, and one whose client left, say so", () => {
  const reasonOf = (status: "succeeded" | "cancelled") =>
    settled(callOf(), made("x", { isCut: true }), status).reason;
  expect([reasonOf("succeeded"), reasonOf("cancelled")]).toEqual(["cut_by_limit", "client_left"]);
});

test("an unrepeatable reply is not stored", () => {
  expect(settled(callOf(keyed), made("x")).reply).toBe('"x"');
  expect(settled(callOf(keyed), made("x", { isUnrepeatable: true })).reply).toBeNull();
});

test("a failure is settled at cost 0 with its error code", () => {
  const call = callOf(keyed);
  expect(failedSettlement(call, { code: "internal_error", reason: "database" }, 11.6)).toEqual({
    ...call.admission,
    cost: credits(0),
    measured: null,
    status: "failed",
    inputTokens: 0,
    outputTokens: 0,
    tokensSaved: 0,
    latencyMs: 12,
    errorCode: "internal_error",
    reason: "database",
    priceRuleId: "rule",
    target: null,
    reply: null,
  });
});

test("the settlement contains assets only if there are some", () => {
  const assets = [{ id: "a" } as unknown as DraftAsset];
  expect(settled(callOf(), made("x", { assets })).assets).toBe(assets);
  expect("assets" in settled(callOf(), made("x"))).toBe(false);
});

describe("the reply", () => {
  test("is stored only if the call has an idempotency key and succeeded", () => {
    expect(settled(callOf(keyed), made({ text: "hi" })).reply).toBe('{"text":"hi"}');
    expect(settled(callOf(keyed), made({ text: "hi" }), "cancelled").reply).toBeNull();
    expect(settled(callOf(), made({ text: "hi" })).reply).toBeNull();
  });

  test.each([
    ["one byte", "x", 1],
    ["two bytes", "é", 2],
    ["three bytes", "語", 3],
    ["four bytes, as two UTF-16 units", "🙂", 4],
  ])("of one mebibyte is stored, and one byte more is not, in characters of %s", (_, character, size) => {
    const inQuotes = KEPT - 2;
    const whole = character.repeat(Math.floor(inQuotes / size)) + "x".repeat(inQuotes % size);
    expect(Buffer.byteLength(settled(callOf(keyed), made(whole)).reply ?? "")).toBe(KEPT);
    expect(settled(callOf(keyed), made(`${whole}x`)).reply).toBeNull();
  });
});
