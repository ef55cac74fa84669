import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { planForm, sectionOf } from "./form.ts";

const plan = fc.record({
  durationMs: fc.integer({ min: 1000, max: 120_000 }),
  bpm: fc.integer({ min: 45, max: 190 }),
  beatsPerBar: fc.constantFrom(3, 4),
  ringSeconds: fc.double({ min: 1.5, max: 4, noNaN: true }),
});

describe("a form", () => {
  test("leaves the last chord time to ring, but not too much", () => {
    fc.assert(
      fc.property(plan, (wish) => {
        const form = planForm(wish);
        const ringSeconds = wish.durationMs / 1000 - (form.totalBeats * 60) / form.bpm;
        expect(ringSeconds).toBeGreaterThan(0.1);
        expect(ringSeconds).toBeLessThan(wish.ringSeconds + 0.01);
      }),
    );
  });

  test("changes the tempo only as far as the bars need", () => {
    fc.assert(
      fc.property(plan, (wish) => {
        const form = planForm(wish);
        if (form.bars < 2) return;
        const bend = Math.abs(form.bpm / wish.bpm - 1);
        // The worst cases: one and a half bars become two, three and a half become four.
        expect(bend).toBeLessThanOrEqual(form.bars < 4 ? 0.3334 : 0.1429);
      }),
    );
  });

  test("is divided into sections without a gap", () => {
    fc.assert(
      fc.property(plan, (wish) => {
        const form = planForm(wish);
        expect(form.sections.reduce((sum, { bars }) => sum + bars, 0)).toBe(form.bars);
        for (const section of form.sections) expect(sectionOf(form, section.fromBar)).toBe(section);
      }),
    );
  });
});
