import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../kit/index.ts";
import { type CliHarness, createCliHarness } from "../testing.ts";
import { examineWith, named } from "./testing.ts";

let cli: CliHarness;

beforeAll(async () => {
  cli = await createCliHarness();
});
afterAll(() => cli.drop());

async function examineNaming(organizations: readonly string[]) {
  const file = join(cli.dataDir, "named.yaml");
  const model = {
    id: "partner-chat",
    name: "Partner Chat",
    type: "text",
    targets: [{ provider: "sandbox", model: "chat" }],
    test: true,
    credits_per_request: 1,
    limits: { context_tokens: 1_000, max_output_tokens: 100 },
    visibility: { organizations },
  };
  writeFileSync(file, JSON.stringify({ models: [model] }));
  const { code, checks } = await examineWith(cli, { BURSAR_CONFIG: file });
  rmSync(file);
  expect(named(checks, "catalog")).toEqual([]);
  return { code, finding: named(checks, "organizations").map(({ state, finding }) => [state, finding]) };
}

test("a model for an existing organization, by id or slug, is in order", async () => {
  const { id } = await cli.json("org", "create", "--name", "Partner");
  expect(await examineNaming([String(id), "partner"])).toEqual({ code: 0, finding: [] });
});

test("a model for an organization that does not exist is a warning that names it", async () => {
  const unknown = newId();
  expect(await examineNaming(["partner", "partnr", unknown])).toEqual({
    code: 0,
    finding: [["warning", `models are visible to organizations that do not exist: ${unknown}, partnr`]],
  });
  const many = Array.from({ length: 12 }, (_, at) => `nobody-${at + 10}`);
  const { finding } = await examineNaming(many);
  expect(finding[0]?.[1]).toEndWith("nobody-19, …");
});
