import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examineWith, named } from "./doctor/testing.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

let cli: CliHarness;
let org: Record<string, unknown>;

beforeAll(async () => {
  cli = await createCliHarness();
  org = await cli.json("org", "create", "--name", "Acme", "--plan", "free");
});

afterAll(() => cli.drop());

describe("bursar models and migrate", () => {
  test("models lists the callable models, without a database, by organization and by type", async () => {
    const opened = () => Promise.reject(new Error("opened"));
    const all = await cli.runWith({ openServices: opened, openDatabase: opened }, "models", "--json");
    const { models } = JSON.parse(all.out);
    expect(models).toContainEqual(
      expect.objectContaining({ id: "sandbox-chat", type: "text", provider: "sandbox" }),
    );
    expect(await cli.json("models", "--org", String(org["slug"]))).toEqual({ models, count: models.length });
    const videos = models.filter((model: { type: string }) => model.type === "video");
    expect(videos).toContainEqual(expect.objectContaining({ id: "sandbox-video" }));
    expect(await cli.json("models", "--type", "video")).toEqual({ models: videos, count: videos.length });
  });

  test("models names each alias once, beside its model, and the minimum price of a call", async () => {
    const inspectConfig = () => cli.inspect({ OPENAI_API_KEY: "sk-1" });
    const { out } = await cli.runWith({ inspectConfig }, "models", "--json");
    const models = JSON.parse(out).models as { id: string; aliases: string[] }[];
    const aliases = models.flatMap((model) => model.aliases);
    expect(aliases.toSorted()).toEqual([...new Set(aliases)].toSorted());
    const holder = models.find((model) => model.aliases.includes("svc-fast"));
    expect(holder?.id).toBe("gpt-5.6-luna");
    const table = await cli.runWith({ inspectConfig }, "models");
    expect(table.out).toMatch(/^MODEL +TYPE +PROVIDER +AT LEAST +ALIASES +NAME$/m);
  });

  test("a model hidden from everybody is not callable, in models and in doctor", async () => {
    const all = (await cli.json("models"))["models"] as { id: string; aliases: string[] }[];
    const file = join(cli.dataDir, "hidden.yaml");
    const hidden = {
      id: "sandbox-chat",
      name: "Hidden",
      type: "text",
      targets: [{ provider: "sandbox", model: "sandbox-chat" }],
      test: true,
      credits_per_request: 1,
      limits: { context_tokens: 1_000, max_output_tokens: 100 },
      visibility: {},
    };
    writeFileSync(file, JSON.stringify({ models: [hidden] }));
    const env = { BURSAR_CONFIG: file };
    const { out } = await cli.runWith({ inspectConfig: () => cli.inspect(env) }, "models", "--json");
    const { checks } = await examineWith(cli, env);
    rmSync(file);
    expect(JSON.parse(out).models).toEqual(all.filter(({ id }) => id !== "sandbox-chat"));
    expect(named(checks, "models")[0]?.finding).toStartWith(`${all.length - 1} models can be called`);
  });

  test("migrate says that nothing was left to apply", async () => {
    expect(await cli.json("migrate")).toEqual({ applied: [], count: 0 });
    expect((await cli.run("migrate")).out).toBe("The database is up to date.\n");
  });
});
