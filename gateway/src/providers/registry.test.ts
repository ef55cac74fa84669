import { describe, expect, test } from "bun:test";
import type { TextProvider } from "../contract/index.ts";
import { createProviders, createRegistry } from "./registry.ts";
import type { ProviderSettings } from "./settings.ts";
import { VENDORS } from "./vendors.ts";
import { WIRE_VENDORS } from "./wire-vendors-testing.ts";

const KINDS = Object.keys(VENDORS);
const text: TextProvider = { async *chat() {}, onDisconnect: "stop" };

describe("registry", () => {
  test("finds a text provider by its name and lists what is configured", () => {
    const registry = createRegistry([{ name: "acme", text }, { name: "mute" }]);
    expect(registry.text("acme")).toBe(text);
    expect([...registry.names]).toEqual(["acme", "mute"]);
  });

  test("knows what each provider serves", () => {
    const registry = createRegistry([{ name: "acme", text }, { name: "mute" }]);
    expect(registry.serves("acme", "text")).toBe(true);
    expect(registry.serves("acme", "image")).toBe(false);
    expect(registry.serves("mute", "text")).toBe(false);
    expect(registry.serves("nobody", "text")).toBe(false);
  });

  test("knows which providers drop messages when there are too many", () => {
    const registry = createRegistry([
      { name: "acme", text: { ...text, dropsMessages: true } },
      { name: "other", text },
    ]);
    expect(["acme", "other", "nobody"].filter(registry.dropsMessages)).toEqual(["acme"]);
  });

  test("knows which providers' models think beyond the output limit", () => {
    const registry = createRegistry([
      { name: "acme", text: { ...text, thinksBeyondLimit: true } },
      { name: "other", text },
    ]);
    expect(["acme", "other", "nobody"].filter(registry.thinksBeyondLimit)).toEqual(["acme"]);
  });

  test("refuses two providers with the same name", () => {
    expect(() => createRegistry([{ name: "acme" }, { name: "acme" }])).toThrow(
      "two providers are named acme",
    );
  });

  test("throws for a text provider that is unknown or serves no text", () => {
    const registry = createRegistry([{ name: "mute" }]);
    expect(() => registry.text("mute")).toThrow("text provider is missing");
    expect(() => registry.text("__proto__")).toThrow("text provider is missing");
  });
});

describe("providers by kind", () => {
  const timeouts = { connectMs: 100, firstByteMs: 100, idleMs: 100 };
  const settingsOf = (name: string, more: Partial<ProviderSettings> = {}): ProviderSettings => ({
    name,
    kind: null,
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: null,
    ...more,
  });
  const make = (...settings: ProviderSettings[]) =>
    createProviders(new Map(settings.map((each) => [each.name, each])), { timeouts });

  test("Ollama is the only kind that drops messages unasked", () => {
    const providers = make(...KINDS.map((kind) => settingsOf(kind, { apiKey: "k" })));
    expect(providers.filter(({ text }) => text?.dropsMessages).map(({ name }) => name)).toEqual(["ollama"]);
  });

  test("only Alibaba's models think beyond the output limit, unless the operator's setting says otherwise", () => {
    const beyond = (...settings: ProviderSettings[]) =>
      make(...settings)
        .filter(({ text }) => text?.thinksBeyondLimit)
        .map(({ name }) => name);
    expect(beyond(...KINDS.map((kind) => settingsOf(kind, { apiKey: "k" })))).toEqual(["alibaba"]);
    const flow = settingsOf("flow", { kind: "openai-wire", thinksBeyondLimit: true });
    expect(beyond(flow, settingsOf("alibaba", { thinksBeyondLimit: false }))).toEqual(["flow"]);
  });

  test("stream_usage is a field of the kinds with chat completions, on_disconnect of those that serve text", () => {
    const chatting = KINDS.filter((kind) => VENDORS[kind]?.makes === "chat");
    expect(chatting.toSorted()).toEqual(Object.keys(WIRE_VENDORS).toSorted());
    const providers = make(...KINDS.map((kind) => settingsOf(kind, { apiKey: "k" })));
    const texts = providers.filter(({ text }) => text !== undefined).map(({ name }) => name);
    expect(KINDS.filter((kind) => VENDORS[kind]?.makes !== "media")).toEqual(texts);
  });

  const named = KINDS.filter((kind) => !VENDORS[kind]?.needsEntry);
  const byName = () => make(...named.map((name) => settingsOf(name, { baseUrl: null, apiKey: "k" })));

  test("every provider known by name serves text or media without further settings", () => {
    const providers = byName();
    expect(providers.map(({ name }) => name)).toEqual(named);
    for (const { text, image, speech } of providers) {
      if (text === undefined) expect(image ?? speech).toBeDefined();
      else expect(text.onDisconnect).toMatch(/^(stop|drain)$/);
    }
  });

  test("each vendor of media serves the media that it makes", () => {
    const serving = [...byName(), ...make(settingsOf("sandbox"))].map(
      ({ name, text: _text, freeQuestion: _free, ...media }) => [name, Object.keys(media).toSorted()],
    );
    expect(Object.fromEntries(serving)).toMatchObject({
      google: ["image", "music", "speech", "video"],
      xai: ["image", "speech", "video"],
      fal: ["image", "music", "speech", "video"],
      replicate: ["image", "music", "video"],
      elevenlabs: ["music", "speech"],
      sandbox: ["image", "music", "speech", "video"],
      anthropic: [],
    });
  });

  test("a configured provider keeps its own name and gets the adapter of its kind", () => {
    const providers = make(
      settingsOf("mine", { kind: "openai-wire" }),
      settingsOf("theirs", { kind: "ollama" }),
      settingsOf("openai", { kind: "mistral" }),
    );
    expect(providers.map(({ name }) => name)).toEqual(["mine", "theirs", "openai"]);
    expect(providers.map(({ text }) => text?.onDisconnect)).toEqual(["stop", "stop", "drain"]);
    expect(providers.map(({ text }) => text?.dropsMessages ?? false)).toEqual([false, true, false]);
  });

  test("the operator's onDisconnect setting applies to every kind that serves text", () => {
    for (const onDisconnect of ["stop", "drain"] as const) {
      const providers = KINDS.map((kind) => make(settingsOf(kind, { kind, onDisconnect }))[0]);
      const texts = providers.flatMap((each) => (each?.text ? [each] : []));
      expect(texts.length).toBeGreaterThan(Object.keys(WIRE_VENDORS).length);
      expect(texts.filter(({ text }) => text?.onDisconnect !== onDisconnect)).toEqual([]);
    }
  });

  test("an unknown kind throws", () => {
    expect(() => make(settingsOf("mine", { kind: "telepathy" }))).toThrow("no adapter is of kind telepathy");
  });

  test("only openai-wire and azure have no default base URL", () => {
    const without = Object.entries(WIRE_VENDORS).filter(([, vendor]) => vendor.baseUrl === null);
    expect(without.map(([name]) => name)).toEqual(["openai-wire", "azure"]);
  });
});
