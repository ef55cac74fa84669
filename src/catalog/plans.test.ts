import { expect, test } from "bun:test";
import { planOf } from "./plans.ts";
import { catalogWith } from "./testing.ts";

test("an organization whose plan was taken out of the catalog gets the limits of the default plan", () => {
  const { plans } = catalogWith({});
  expect(planOf(plans, "pro").name).toBe("pro");
  expect(planOf(plans, "gone").name).toBe("free");
});
