import { describe, expect, test } from "bun:test";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { firstCall } from "./first-call.ts";
import { ALL_SCOPES } from "./scopes.ts";

function row(id: string, type: ModelRow["type"], more: Partial<ModelRow> = {}): ModelRow {
  const words = { name: id, provider: "sandbox", description: null, price: "" };
  return { id, type, ...words, aliases: [], capabilities: [], limits: [], isOn: true, choices: {}, ...more };
}

const FAST = row("quick", "text", { aliases: ["acme-fast"] });
const OFF = row("quick", "text", { isOn: false });
const OTHER = row("other", "text");
const IMAGE = row("painter", "image");
const MUSIC = row("band", "audio", { choices: { audioKind: "music" } });
const SPEECH = row("speaker", "audio", { choices: { audioKind: "speech" } });

function call(scopes: Parameters<typeof firstCall>[0]["scopes"], models: readonly ModelRow[] | undefined) {
  return firstCall({ scopes, models, aliasPrefix: "acme-" });
}

describe("the first call", () => {
  test("is a chat with the fast alias if it is on, or while models are unknown", () => {
    const fast = { kind: "chat", model: "acme-fast" } as const;
    expect([call(ALL_SCOPES, [OTHER, FAST]), call(ALL_SCOPES, undefined)]).toEqual([fast, fast]);
  });

  test("is a chat with another model if the fast one is off", () => {
    expect(call(ALL_SCOPES, [OFF, OTHER])).toEqual({ kind: "chat", model: "other" });
  });

  test("matches the scopes of the key, and lists models if nothing else works", () => {
    const models = [FAST, IMAGE, MUSIC, SPEECH];
    expect(call(["images", "audio", "usage"], models)).toEqual({ kind: "images", model: "painter" });
    expect(call(["audio", "usage"], models)).toEqual({ kind: "audio", model: "speaker" });
    expect(call(["audio", "usage"], [FAST, MUSIC])).toEqual({ kind: "models" });
    expect(call(ALL_SCOPES, [OFF])).toEqual({ kind: "models" });
  });

  test("is null if none would work", () => {
    expect([call(["assets", "video"], [FAST, IMAGE]), call(["chat"], [OFF])]).toEqual([null, null]);
    expect(call(["images"], undefined)).toBeNull();
  });
});
