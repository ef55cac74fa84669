import { describe, expect, test } from "bun:test";
import { PROVIDER_KINDS, takesField, VENDORS } from "../config/providers.ts";
import type { TextProvider } from "./contract.ts";
import { WIRE_VENDORS } from "./openai-wire/index.ts";
import { createProviders, createRegistry, KNOWN_KINDS } from "./registry.ts";
import type { ProviderSettings } from "./settings.ts";

const text: TextProvider = { async *chat() {}, onDisconnect: "stop" };

describe("registry", () => {
  test("finds a text provider by its name and lists what is configured", () => {
    const registry = createRegistry([{ name: "acme", text }, { name: "mute" }]);
    expect(registry.text("acme")).toBe(text);
    expect([...registry.names]).toEqual(["acme", "mute"]);
  });

  test("knows what each of them makes", () => {
    const registry = createRegistry([{ name: "acme", text }, { name: "mute" }]);
    expect(registry.serves("acme", "text")).toBe(true);
    expect(registry.serves("acme", "image")).toBe(false);
    expect(registry.serves("mute", "text")).toBe(false);
    expect(registry.serves("nobody", "text")).toBe(false);
  });

  test("knows who drops messages that are too many", () => {
    const registry = createRegistry([
      { name: "acme", text: { ...text, dropsMessages: true } },
      { name: "other", text },
    ]);
    expect(["acme", "other", "nobody"].filter(registry.dropsMessages)).toEqual(["acme"]);
  });

  test("knows whose models think beyond a limit", () => {
    const registry = createRegistry([
      { name: "acme", text: { ...text, thinksBeyondLimit: true } },
      { name: "other", text },
    ]);
    expect(["acme", "other", "nobody"].filter(registry.thinksBeyondLimit)).toEqual(["acme"]);
  });

  test("refuses two providers of one name", () => {
    expect(() => createRegistry([{ name: "acme" }, { name: "acme" }])).toThrow(
      "two providers are named acme",
    );
  });

  test("a name that nobody registered, or that serves no text, is a bug of ours", () => {
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
    createProviders(new Map(settings.map((each) => [each.name, each])), { timeouts, sandbox: null });

  test("every kind that the configuration takes has an adapter, and the other way round", () => {
    expect([...KNOWN_KINDS].toSorted()).toEqual([...PROVIDER_KINDS].toSorted());
  });

  test("Ollama alone drops messages without being asked to", () => {
    const providers = make(...PROVIDER_KINDS.map((kind) => settingsOf(kind, { apiKey: "k" })));
    expect(providers.filter(({ text }) => text?.dropsMessages).map(({ name }) => name)).toEqual(["ollama"]);
  });

  test("Alibaba's models think beyond a limit, and others as the operator says", () => {
    const beyond = (...settings: ProviderSettings[]) =>
      make(...settings)
        .filter(({ text }) => text?.thinksBeyondLimit)
        .map(({ name }) => name);
    expect(beyond(...PROVIDER_KINDS.map((kind) => settingsOf(kind, { apiKey: "k" })))).toEqual(["alibaba"]);
    const flow = settingsOf("flow", { kind: "openai-wire", thinksBeyondLimit: true });
    expect(beyond(flow, settingsOf("alibaba", { thinksBeyondLimit: false }))).toEqual(["flow"]);
  });

  test("the configuration knows which kinds speak chat completions, and which make text", () => {
    const wire = PROVIDER_KINDS.filter((kind) => takesField(kind, "stream_usage"));
    expect(wire.toSorted()).toEqual(Object.keys(WIRE_VENDORS).toSorted() as typeof wire);
    const providers = make(...PROVIDER_KINDS.map((kind) => settingsOf(kind, { apiKey: "k" })));
    const texts = providers.filter(({ text }) => text !== undefined).map(({ name }) => name);
    expect(PROVIDER_KINDS.filter((kind) => takesField(kind, "on_disconnect"))).toEqual(
      texts as (typeof PROVIDER_KINDS)[number][],
    );
  });

  const byName = () => make(...VENDORS.map((name) => settingsOf(name, { baseUrl: null, apiKey: "k" })));

  test("every provider known by name serves text or media without further settings", () => {
    const providers = byName();
    expect(providers.map(({ name }) => name)).toEqual([...VENDORS]);
    for (const { text, image, speech } of providers) {
      if (text === undefined) expect(image ?? speech).toBeDefined();
      else expect(text.onDisconnect).toMatch(/^(stop|drain)$/);
    }
  });

  test("each vendor of media serves the media that it makes", () => {
    const serving = byName().map(({ name, text: _text, freeQuestion: _free, ...media }) => [
      name,
      Object.keys(media).toSorted(),
    ]);
    expect(Object.fromEntries(serving)).toMatchObject({
      google: ["image", "music", "speech", "video"],
      xai: ["image", "speech", "video"],
      fal: ["image", "music", "speech", "video"],
      replicate: ["image", "music", "video"],
      elevenlabs: ["music", "speech"],
      anthropic: [],
    });
  });

  test("an entry of the file is of the kind that it says, under its own name", () => {
    const providers = make(
      settingsOf("mine", { kind: "openai-wire" }),
      settingsOf("theirs", { kind: "groq" }),
      settingsOf("openai", { kind: "mistral" }),
    );
    expect(providers.map(({ name }) => name)).toEqual(["mine", "theirs", "openai"]);
    expect(providers.map(({ text }) => text?.onDisconnect)).toEqual(["stop", "drain", "drain"]);
  });

  test("the operator decides what becomes of a call whose client left", () => {
    for (const kind of KNOWN_KINDS) {
      const [provider] = make(settingsOf("mine", { kind, onDisconnect: "drain" }));
      if (provider?.text) expect(provider.text.onDisconnect).toBe("drain");
    }
  });

  test("the sandbox stands beside the others where it may serve", () => {
    const sandbox = { name: "sandbox", text };
    const providers = createProviders(new Map(), { timeouts, sandbox });
    expect(createRegistry(providers).text("sandbox")).toBe(text);
  });

  test("a kind that nobody speaks is a bug of ours", () => {
    expect(() => make(settingsOf("mine", { kind: "telepathy" }))).toThrow("no adapter is of kind telepathy");
  });

  test("only servers whose address nobody can know need one", () => {
    const without = Object.entries(WIRE_VENDORS).filter(([, vendor]) => vendor.baseUrl === null);
    expect(without.map(([name]) => name)).toEqual(["openai-wire", "azure"]);
  });
});
