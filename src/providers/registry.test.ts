import { describe, expect, test } from "bun:test";
import type { TextProvider } from "./contract.ts";
import { createRegistry } from "./registry.ts";

const text: TextProvider = { async *chat() {}, onDisconnect: "stop" };

describe("registry", () => {
  test("finds a text provider by its name and lists what is configured", () => {
    const registry = createRegistry([{ name: "acme", text }, { name: "mute" }]);
    expect(registry.text("acme")).toBe(text);
    expect([...registry.names]).toEqual(["acme", "mute"]);
  });

  test("refuses two providers of one name", () => {
    expect(() => createRegistry([{ name: "acme" }, { name: "acme" }])).toThrow(
      "two providers are named acme",
    );
  });

  test("a name that nobody registered, or that serves no text, is a bug of ours", () => {
    const registry = createRegistry([{ name: "mute" }]);
    expect(() => registry.text("mute")).toThrow("no text provider");
    expect(() => registry.text("__proto__")).toThrow("no text provider");
  });
});
