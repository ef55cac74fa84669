import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../../../../test/harness.ts";
import { connectDatabase } from "../../db/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { type CliHarness, createCliHarness } from "../testing.ts";
import type { Check } from "./check.ts";
import { examineWith, listenSilently, named } from "./testing.ts";

let cli: CliHarness;
let ours: TestGateway;

beforeAll(async () => {
  [cli, ours] = await Promise.all([createCliHarness(), startTestGateway()]);
});

afterAll(() => Promise.all([cli.drop(), ours.close()]));

const examine = (env: Record<string, string> = {}) => examineWith(cli, env);

/** With the settings of our gateway, except for the port. */
async function examinePort(origin: string, url = ours.database.db.url): Promise<Check[]> {
  const openDatabase = async () => connectDatabase({ url, poolSize: 1, log: silentLog });
  const { checks } = await examineWith(cli, { PORT: new URL(origin).port }, { openDatabase });
  return named(checks, "port");
}

describe("doctor: reachability", () => {
  test("a port used by another program is a warning; one used by this Bursar is ok", async () => {
    const stranger = await listenSilently();
    const port = String((stranger.address() as { port: number }).port);
    expect(named((await examine({ PORT: port })).checks, "port")[0]).toMatchObject({ state: "warning" });
    stranger.close();
    using answering = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
    expect(await examinePort(`http://127.0.0.1:${answering.port}`)).toMatchObject([
      { state: "warning", finding: `another program uses 127.0.0.1:${answering.port}` },
    ]);
    expect(await examinePort(ours.origin)).toEqual([
      { name: "port", state: "ok", finding: `Bursar is running on ${new URL(ours.origin).host}`, fix: null },
    ]);
  });

  test("a running gateway is found, whatever port it was started with", async () => {
    const url = ours.database.db.url;
    const openDatabase = async () => connectDatabase({ url, poolSize: 1, log: silentLog });
    const { checks } = await examineWith(cli, {}, { openDatabase, servedAddress: () => ours.origin });
    expect(named(checks, "port")[0]?.finding).toBe(`Bursar is running on ${new URL(ours.origin).host}`);
    expect(named(checks, "settings")[0]?.finding).toContain(ours.origin);
  });

  test("a gateway with another database on the port is a warning", async () => {
    const stranger = await startTestGateway();
    expect(await examinePort(stranger.origin)).toEqual([
      {
        name: "port",
        state: "warning",
        finding: `a Bursar with another database is running on ${new URL(stranger.origin).host}`,
        fix: "Set BURSAR_DATA_DIR or DATABASE_URL to that gateway's value, or PORT to a free one.",
      },
    ]);
    await stranger.close();
  });

  test("a gateway is reported as unknown if the database does not answer", async () => {
    expect(await examinePort(ours.origin, "postgresql://bursar@127.0.0.1:1/bursar")).toMatchObject([
      { state: "ok", finding: expect.stringMatching(/^a Bursar is running .* it is unknown which one$/) },
    ]);
  });

  test("production without an https address is a warning", async () => {
    const production = { BURSAR_ENV: "production", BURSAR_SECRET: "s".repeat(40) };
    const of = async (env: Record<string, string>) =>
      named((await examine({ ...production, ...env })).checks, "public address");
    expect(await of({ HOST: "0.0.0.0", PORT: "0" })).toEqual([
      {
        name: "public address",
        state: "warning",
        finding: "BURSAR_PUBLIC_URL is not set: links and files are handed out as http://127.0.0.1:0",
        fix: "Set BURSAR_PUBLIC_URL to the public https address.",
      },
    ]);
    expect(await of({ BURSAR_PUBLIC_URL: "http://ai.example.com" })).toMatchObject([
      { state: "warning", finding: "http://ai.example.com: keys and links travel in the clear" },
    ]);
    expect(await of({ BURSAR_PUBLIC_URL: "https://ai.example.com" })).toMatchObject([{ state: "ok" }]);
    expect(named((await examine()).checks, "public address")).toEqual([]);
  });

  test("production behind a proxy that is not trusted is a warning", async () => {
    const production = { BURSAR_ENV: "production", BURSAR_SECRET: "s".repeat(40) };
    const of = async (env: Record<string, string>) =>
      named((await examine({ ...production, ...env })).checks, "proxy");
    const BURSAR_PUBLIC_URL = "https://ai.example.com";
    expect(await of({ BURSAR_PUBLIC_URL })).toEqual([
      {
        name: "proxy",
        state: "warning",
        finding:
          "TRUSTED_PROXIES is not set: every caller seems to have the address of the TLS proxy in front",
        fix: "Set TRUSTED_PROXIES to its addresses, and let it send X-Forwarded-For.",
      },
    ]);
    expect(await of({ BURSAR_PUBLIC_URL, TRUSTED_PROXIES: "127.0.0.1" })).toEqual([]);
    expect(await of({ BURSAR_PUBLIC_URL: "http://ai.example.com" })).toEqual([]);
  });

  test("a mail server that does not answer is a warning, without its password", async () => {
    const { checks } = await examine({
      SMTP_URL: "smtp://bursar:canary0123@127.0.0.1:1",
      MAIL_FROM: "bursar@example.com",
    });
    expect(named(checks, "mail")).toEqual([
      {
        name: "mail",
        state: "warning",
        finding: expect.stringMatching(/^nothing answers at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)$/),
        fix: "Check host and port of SMTP_URL, and that no firewall blocks them.",
      },
    ]);
    expect(JSON.stringify(checks)).not.toContain("canary");
  });

  test("a tracing endpoint that is not an address, or does not answer, is a warning", async () => {
    const tracing = async (endpoint: string) =>
      named((await examine({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).checks, "tracing");
    expect(await tracing("foo")).toEqual([
      {
        name: "tracing",
        state: "warning",
        finding: "nothing is traced: OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address",
        fix: "Correct it, such as http://127.0.0.1:4318, or unset it.",
      },
    ]);
    expect(await tracing("http://user:canary@127.0.0.1:1")).toEqual([
      {
        name: "tracing",
        state: "warning",
        finding: expect.stringMatching(
          /^spans are lost: nothing answers at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)$/,
        ),
        fix: expect.any(String),
      },
    ]);
    const collector = await listenSilently();
    const { port } = collector.address() as { port: number };
    expect(await tracing(`http://127.0.0.1:${port}`)).toMatchObject([
      { state: "ok", finding: `spans go to 127.0.0.1:${port}` },
    ]);
    collector.close();
  });
});
