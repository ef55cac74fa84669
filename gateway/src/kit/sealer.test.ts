import { expect, test } from "bun:test";
import { createSealer } from "./sealer.ts";

const sealer = createSealer("a secret of the test", "addresses");

test("a sealed text opens with the same secret, purpose and place, and with no other", () => {
  const sealed = sealer.seal("https://hooks.example/ü", "endpoint 1");
  expect(sealed).not.toContain("hooks");
  expect(sealer.open(sealed, "endpoint 1")).toBe("https://hooks.example/ü");
  expect(sealer.open(sealed, "endpoint 2")).toBeNull();
  expect(createSealer("another secret", "addresses").open(sealed, "endpoint 1")).toBeNull();
  expect(createSealer("a secret of the test", "keys").open(sealed, "endpoint 1")).toBeNull();
});

test("a text sealed twice looks different, and a changed or cut seal opens as nothing", () => {
  const sealed = sealer.seal("text", "place");
  expect(sealer.seal("text", "place")).not.toBe(sealed);
  const bytes = Buffer.from(sealed, "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(sealer.open(changed.toString("base64url"), "place")).toBeNull();
    expect(sealer.open(bytes.subarray(0, at).toString("base64url"), "place")).toBeNull();
  }
});
