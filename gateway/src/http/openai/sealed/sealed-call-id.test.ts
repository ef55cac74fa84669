import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { createCallSeal } from "./sealed-call-id.ts";

const SECRET = "a secret of at least thirty-two characters";
const seal = createCallSeal(SECRET);
const THOUGHT = [
  { text: "They want the weather.", signature: "anthropic/reasoning:EqQB" },
  { text: "So ask." },
];

describe("a tool call's id", () => {
  test("carries the call's signature and the signed reasoning before it; every node can open it", () => {
    const id = seal.seal("toolu_01A", "google/call:Ck", THOUGHT);
    expect(id).toMatch(/^toolu_01A--b1-[A-Za-z0-9_-]+$/);
    expect(createCallSeal(SECRET).open(id)).toEqual({
      id: "toolu_01A",
      signature: "google/call:Ck",
      reasoning: THOUGHT,
    });
    expect(seal.open(seal.seal("a", "s"))).toEqual({ id: "a", signature: "s" });
    expect(seal.open(seal.seal("a", undefined, THOUGHT))).toEqual({ id: "a", reasoning: THOUGHT });
    expect(seal.plainId(id)).toBe("toolu_01A");
  });

  test("is unchanged if nothing is signed", () => {
    expect(seal.seal("call:1 ?", undefined)).toBe("call:1 ?");
    expect(seal.seal("call_1", undefined, [{ text: "unsigned" }])).toBe("call_1");
    expect(seal.seal("call_1", undefined, [])).toBe("call_1");
  });

  test("has only characters that clients and providers accept, and is the same each time", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ minLength: 1 }), (id, signature) => {
        const sealed = seal.seal(id, signature);
        const opened = seal.open(sealed);
        expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(sealed).toBe(seal.seal(id, signature));
        expect(opened.signature).toBe(signature);
        expect(opened.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(opened.id).toBe(seal.plainId(sealed));
      }),
    );
  });

  test("keeps its signature if the reasoning is too long, and is unchanged if the signature is too long, too", () => {
    const long = [{ text: randomBytes(100_000).toString("hex"), signature: "s" }];
    expect(seal.open(seal.seal("call_1", "mine", long))).toEqual({ id: "call_1", signature: "mine" });
    expect(seal.seal("call_1", undefined, long)).toBe("call_1");
    expect(seal.seal("call_1", "s".repeat(70_000))).toBe("call_1");
  });

  test("opens without its reasoning once a request has carried too much, and with it in the next request", () => {
    const id = seal.seal("toolu_01A", undefined, [{ text: "think ".repeat(8_000), signature: "s" }]);
    const request = seal.forRequest();
    const opened = Array.from({ length: 200 }, () => request.open(id));
    expect(opened[0]).toHaveProperty("reasoning");
    expect(opened.at(-1)).toEqual({ id: "toolu_01A" });
    expect(request.plainId(id)).toBe("toolu_01A");
    expect(seal.forRequest().open(id)).toHaveProperty("reasoning");
  });

  test("is an ordinary id after any change, never an error", () => {
    const id = seal.seal("toolu_01A", "signature", THOUGHT);
    const other = createCallSeal("another secret of thirty-two characters!");
    fc.assert(
      fc.property(fc.integer({ min: "toolu_01A--b1-".length, max: id.length - 2 }), (at) => {
        const changed = `${id.slice(0, at)}${id[at] === "A" ? "B" : "A"}${id.slice(at + 1)}`;
        expect(seal.open(changed)).toEqual({ id: "toolu_01A" });
      }),
    );
    expect(seal.open(id.replace("01A", "01B"))).toEqual({ id: "toolu_01B" });
    expect(other.open(id)).toEqual({ id: "toolu_01A" });
    fc.assert(
      fc.property(fc.string(), (foreign) => {
        expect(seal.open(foreign)).toEqual({ id: foreign });
        expect(seal.plainId(foreign)).toBe(foreign);
      }),
    );
  });
});
