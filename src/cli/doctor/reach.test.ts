import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { type CliHarness, createCliHarness } from "../testing.ts";
import { examineWith, listenSilently, named } from "./testing.ts";

let cli: CliHarness;

beforeAll(async () => {
  cli = await createCliHarness();
});

afterAll(() => cli.drop());

const examine = (env: Record<string, string> = {}) => examineWith(cli, env);

describe("who reaches the gateway, and whom it reaches", () => {
  test("a port that another program has is noticed; one that Bursar has is fine", async () => {
    const stranger = await listenSilently();
    const port = String((stranger.address() as { port: number }).port);
    expect(named((await examine({ PORT: port })).checks, "port")[0]).toMatchObject({ state: "warning" });
    stranger.close();
    using gateway = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
    const examinePort = async () => named((await examine({ PORT: String(gateway.port) })).checks, "port");
    expect(await examinePort()).toEqual([
      {
        name: "port",
        state: "warning",
        found: `a Bursar with another database is running on 127.0.0.1:${gateway.port}`,
        mend: "Set BURSAR_DATA_DIR or DATABASE_URL as that gateway has it, or PORT to a free one.",
      },
    ]);
    const { pool } = cli.database.db;
    const id = crypto.randomUUID();
    await pool.query("select lease_acquire($1, $2, 1)", [id, hostname()]);
    expect(await examinePort()).toMatchObject([
      { state: "ok", found: expect.stringContaining("is running") },
    ]);
    await pool.query("select lease_leave($1, 1)", [id]);
    expect(await examinePort()).toMatchObject([{ state: "warning" }]);
  });

  test("production whose addresses are not https is noticed", async () => {
    const production = { BURSAR_ENV: "production", BURSAR_SECRET: "s".repeat(40) };
    const of = async (env: Record<string, string>) =>
      named((await examine({ ...production, ...env })).checks, "public address");
    expect(await of({ HOST: "0.0.0.0", PORT: "0" })).toEqual([
      {
        name: "public address",
        state: "warning",
        found: "BURSAR_PUBLIC_URL is not set: links and files are handed out as http://127.0.0.1:0",
        mend: "Set BURSAR_PUBLIC_URL to the https address that the world sees.",
      },
    ]);
    expect(await of({ BURSAR_PUBLIC_URL: "http://ai.example.com" })).toMatchObject([
      { state: "warning", found: "http://ai.example.com: keys and links travel in the clear" },
    ]);
    expect(await of({ BURSAR_PUBLIC_URL: "https://ai.example.com" })).toMatchObject([{ state: "ok" }]);
    expect(named((await examine()).checks, "public address")).toEqual([]);
  });

  test("a mail server that nobody answers at is noticed", async () => {
    const { checks } = await examine({
      SMTP_URL: "smtp://bursar:canary0123@127.0.0.1:1",
      MAIL_FROM: "bursar@example.com",
    });
    expect(named(checks, "mail")).toEqual([
      {
        name: "mail",
        state: "warning",
        found: expect.stringMatching(/^nobody answers at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)$/),
        mend: "Check host and port of SMTP_URL, and that this machine is let through.",
      },
    ]);
    expect(JSON.stringify(checks)).not.toContain("canary");
  });

  test("an endpoint for traces that is no address is noticed", async () => {
    const tracing = async (endpoint: string) =>
      named((await examine({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).checks, "tracing");
    expect(await tracing("foo")).toEqual([
      {
        name: "tracing",
        state: "warning",
        found: "nothing is traced: OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address",
        mend: "Correct it, such as http://127.0.0.1:4318, or unset it.",
      },
    ]);
    expect(await tracing("http://127.0.0.1:4318")).toMatchObject([
      { state: "ok", found: "spans go to 127.0.0.1:4318" },
    ]);
  });
});
