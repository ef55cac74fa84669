import { describe, expect, test } from "bun:test";
import { newId } from "../../kit/index.ts";
import { isProvenByAny, proveLease } from "./lease-proof.ts";

describe("a lease proof", () => {
  const ours = newId();

  test("is valid only for its own process and challenge", () => {
    const proof = proveLease(ours, "c1");
    expect(isProvenByAny([newId(), ours], { challenge: "c1", proof })).toBe(true);
    expect(isProvenByAny([ours], { challenge: "c2", proof })).toBe(false);
    expect(isProvenByAny([newId()], { challenge: "c1", proof })).toBe(false);
    expect(isProvenByAny([], { challenge: "c1", proof })).toBe(false);
  });

  test("is rejected when it is malformed", () => {
    for (const proof of ["", ".", "x", `${proveLease(ours, "c1").split(".")[0]}.`]) {
      expect(isProvenByAny([ours], { challenge: "c1", proof })).toBe(false);
    }
  });

  test("differs each time and does not contain the process id", () => {
    expect(proveLease(ours, "c1")).not.toBe(proveLease(ours, "c1"));
    expect(proveLease(ours, "c1")).not.toContain(ours);
  });
});
