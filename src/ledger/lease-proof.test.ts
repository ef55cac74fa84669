import { describe, expect, test } from "bun:test";
import { newId } from "../kit/index.ts";
import { isProvenByAny, proveLease } from "./lease-proof.ts";

describe("a proof of a lease", () => {
  const ours = newId();

  test("is right for its own process and challenge alone", () => {
    const proof = proveLease(ours, "c1");
    expect(isProvenByAny([newId(), ours], { challenge: "c1", proof })).toBe(true);
    expect(isProvenByAny([ours], { challenge: "c2", proof })).toBe(false);
    expect(isProvenByAny([newId()], { challenge: "c1", proof })).toBe(false);
    expect(isProvenByAny([], { challenge: "c1", proof })).toBe(false);
  });

  test("what is none is not taken for one", () => {
    for (const proof of ["", ".", "x", `${proveLease(ours, "c1").split(".")[0]}.`]) {
      expect(isProvenByAny([ours], { challenge: "c1", proof })).toBe(false);
    }
  });

  test("says nothing to a stranger: asked twice alike, a process answers twice differently", () => {
    expect(proveLease(ours, "c1")).not.toBe(proveLease(ours, "c1"));
    expect(proveLease(ours, "c1")).not.toContain(ours);
  });
});
