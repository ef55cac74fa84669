import { afterAll, test } from "bun:test";
import { httpDeps } from "../../gateway/src/app/http-deps.ts";
import { createCliHarness } from "../../gateway/src/cli/testing.ts";
import { createApp } from "../../gateway/src/http/index.ts";
import { writeSettings } from "../faults/settings-file.ts";
import { startTestGateway } from "../harness.ts";
import { recordedCommands } from "./cli.ts";
import { expectGolden, sortedJson, sortedLines } from "./golden.ts";
import { recordedRefusals, SETTINGS } from "./refusals.ts";

const PUBLIC_URL = "https://ai.example.com";
const settings = writeSettings(SETTINGS);
const gateway = await startTestGateway({
  ...settings.environment,
  BURSAR_PUBLIC_URL: PUBLIC_URL,
  TRUSTED_PROXIES: "127.0.0.1",
});
afterAll(async () => {
  await gateway.close();
  settings.remove();
});

const served = async (path: string) => await (await fetch(`${gateway.origin}${path}`)).text();

test("openapi.json is as recorded", async () => {
  const document = JSON.parse(await served("/openapi.json"), (name, value) =>
    // What the sandbox answers stands in a file of its own.
    name === "responses"
      ? JSON.parse(JSON.stringify(value, (key, inner) => (key === "example" ? undefined : inner)))
      : value,
  );
  expectGolden("openapi", sortedJson(document));
});

test("/metrics is as recorded: names, kinds, help and the bounds of histograms", async () => {
  const lines = (await served("/metrics")).split("\n");
  const bounds = lines.map((line) => line.replace(/\{.*(le="[^"]*")\} \S+$/, "{$1}"));
  expectGolden("metrics-served", sortedLines(bounds.filter((line) => /^#|le=/.test(line))));
});

test("refusals are as recorded: what each route answers to bad requests", async () => {
  const { routes } = createApp(httpDeps(gateway.services, gateway.origin));
  expectGolden("refusals", await recordedRefusals(gateway, routes));
});

test("the command line is as recorded: help, answers and --json", async () => {
  const cli = await createCliHarness();
  try {
    await cli.database.freezeClock(new Date("2031-01-01T00:00:00Z"));
    expectGolden("commands", await recordedCommands(cli));
  } finally {
    await cli.drop();
  }
});
