import { describe, expect, test } from "bun:test";
import type { ChatOutcome } from "../../../generation/index.ts";
import { COMPLETED, CREATED, paidFor } from "../chat/chat-testing.ts";
import { formsFor } from "./testing.ts";

function endedWith(changes: Partial<ChatOutcome>): Record<string, unknown> {
  const { object } = formsFor();
  return JSON.parse(object.ended("[]", paidFor([], changes)).text);
}

describe("a response in one piece", () => {
  test.each([null, { output: [], completed_at: 5, created_at: 4 }])(
    "has our times of creation and completion, even if an upstream has its own: %j",
    (wire) => {
      expect(endedWith({ wire })).toMatchObject({ created_at: CREATED, completed_at: COMPLETED });
    },
  );

  test.each([null, { output: [], status: "incomplete", completed_at: 5 }])(
    "has no completion time if it was cut: %j",
    (wire) => {
      expect(endedWith({ wire, finishReason: "length" })).toMatchObject({
        status: "incomplete",
        completed_at: null,
      });
    },
  );

  test("does not pass on an upstream's fields that have the names of ours", () => {
    const theirs = { checkout_url: "https://pay.example", request_id: "r", credits_estimate: 9 };
    const purse = { credits_charged: 999, balance: { anytime: 999 }, efficiency: { saved: 999 } };
    const said = endedWith({ wire: { output: [], ...theirs, ...purse, service_tier: "flex" } });
    for (const name of Object.keys(theirs)) expect(said).not.toHaveProperty(name);
    expect(said).toMatchObject({ service_tier: "flex" });
    expect(JSON.stringify(said)).not.toContain("999");
  });

  test.each([undefined, null])(
    "says of each function whether it is strict, if an upstream says %p",
    (strict) => {
      const tool = { type: "function", name: "f", ...(strict === undefined ? {} : { strict }) };
      const filled = { ...tool, description: null, parameters: null, strict: false };
      const other = { type: "custom", name: "g" };
      const said = endedWith({ wire: { output: [], tools: [tool, { ...filled, strict: true }, other] } });
      expect(said["tools"]).toEqual([filled, { ...filled, strict: true }, other]);
    },
  );

  test("has error null, even if an upstream sends an empty error", () => {
    expect(endedWith({ wire: { output: [], error: {} } })["error"]).toBeNull();
  });

  test("is never completed before it was created, even if the clock went back", () => {
    expect(endedWith({ completedAtMs: 0 })["completed_at"]).toBe(CREATED);
  });
});
