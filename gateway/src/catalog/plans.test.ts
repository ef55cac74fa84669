import { expect, test } from "bun:test";
import { planOf } from "./plans.ts";
import { catalogWith } from "./testing.ts";

test("a plan that is no longer in the catalog is treated as the free plan", () => {
  const { plans } = catalogWith({});
  expect(planOf(plans, "pro").name).toBe("pro");
  expect(planOf(plans, "gone").name).toBe("free");
});
