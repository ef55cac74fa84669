import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeJob, encodeJob } from "./job-id.ts";

const job = (prompt: string) => ({
  model: "sandbox-video",
  key: "one",
  operation: { readyAtMs: 0 },
  request: { prompt },
});

test("a job comes back from its id, whatever is asked for", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: "grapheme" }), (prompt) => {
      const id = encodeJob(job(prompt)) ?? "";
      expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{0,2000}$/);
      expect(decodeJob(id)).toEqual(job(prompt));
    }),
  );
});

test("there is no id for a job that is too long for a URL", () => {
  const noise = Array.from({ length: 200 }, () => crypto.randomUUID()).join("");
  expect(encodeJob(job(noise))).toBeNull();
});

test("what is no id is no job, and a small one never becomes large", () => {
  const bomb = encodeJob(job("x".repeat(1_000_000))) ?? "";
  expect(bomb.length).toBeGreaterThan(1);
  const made = encodeJob(job("a boat")) ?? "";
  const others = ["", "j", "jAAAA", "764cabcf-b745", made.slice(1), made.slice(0, -4), bomb];
  expect(others.map(decodeJob).filter((each) => each !== null)).toEqual([]);
});
