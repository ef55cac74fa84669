import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { previewBody } from "./preview-body.ts";
import { inspectCatalog } from "./services.ts";
import { inspectConfig } from "./settings.ts";

const WORDS = Array.from({ length: 40 }, (_, at) => `On line ${at} stands ${at * at}.`).join("\n");
const MESSAGES = [
  { role: "user", content: "Go." },
  {
    role: "assistant",
    content: WORDS,
    tool_calls: [{ id: "c", type: "function", function: { name: "Bash", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "c", content: WORDS },
];

test("a catalog model whose server drops messages gets no references, by id or alias", () => {
  const folder = mkdtempSync(join(tmpdir(), "bursar-preview-"));
  const { config } = inspectConfig({ BURSAR_DATA_DIR: folder }, folder);
  const { loaded } = inspectCatalog(config);
  rmSync(folder, { recursive: true, force: true });
  if (loaded.outcome !== "ok") throw new Error("the default catalog is right");
  const { models, aliases } = loaded.catalog;
  const [alias = "", [id = ""] = []] =
    [...aliases].find(([, ids]) => models.get(ids[0] ?? "")?.type === "text") ?? [];
  const model = models.get(id);
  if (model?.type !== "text") throw new Error("there is one");
  const savedBy = (name: string, catalog: Parameters<typeof previewBody>[2]["catalog"]) => {
    const json = new TextEncoder().encode(JSON.stringify({ model: name, messages: MESSAGES }));
    const options = { level: "structural", isMain: false, references: true } as const;
    return previewBody(json, options, { config, catalog }).tokensSaved;
  };
  const forgetful = { ...model, capabilities: ["context_management"] as const };
  const changed = { models: new Map(models).set(id, forgetful), aliases };
  for (const name of [id, alias]) {
    expect(savedBy(name, { models, aliases })).toBeGreaterThan(100);
    expect(savedBy(name, changed)).toBe(0);
  }
  expect(savedBy("another", changed)).toBeGreaterThan(100);
});

test("a tool result is read as by the routes of the compatible interface", () => {
  const folder = mkdtempSync(join(tmpdir(), "bursar-preview-"));
  const { config } = inspectConfig({ BURSAR_DATA_DIR: folder }, folder);
  rmSync(folder, { recursive: true, force: true });
  const preview = (body: unknown, isMain = false) =>
    previewBody(
      new TextEncoder().encode(JSON.stringify(body)),
      { level: "off", isMain, references: true },
      { config, catalog: null },
    );
  const messages = [{ role: "tool", tool_call_id: "c", content: "a\0b" }];
  const input = [{ type: "function_call_output", call_id: "c", output: "a\0b" }];
  for (const body of [{ messages }, messages, { input }])
    expect(JSON.stringify(preview(body))).toContain("a\ufffdb");
  expect(() => preview({ messages }, true)).toThrow("NUL");
});
