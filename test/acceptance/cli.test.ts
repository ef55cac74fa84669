import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../test-folder.ts";

const BURSAR = join(import.meta.dir, "..", "..", "bin", "bursar");
const START_LIMIT_MS = 15_000;
const DRAIN_LIMIT_MS = 15_000;
/** Starting a process and a database takes a second or two, and longer on a busy machine. */
const TEST_LIMIT_MS = 60_000;

type Run = { code: number; out: string; err: string };
type Fields = Record<string, unknown>;

let dataDir: string;

beforeAll(() => {
  dataDir = makeTestFolder();
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function environment(): Record<string, string> {
  const { PATH = "", HOME = "/nonexistent" } = process.env;
  return { PATH, HOME, BURSAR_DATA_DIR: dataDir, PORT: "0", BURSAR_DEMO: "false", BURSAR_LOG_LEVEL: "error" };
}

function start(...argv: string[]) {
  return Bun.spawn(["node", BURSAR, ...argv], {
    cwd: dataDir,
    env: environment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function bursar(...argv: string[]): Promise<Run> {
  const child = start(...argv);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

/** Expects exit code 0 and one JSON object on stdout. */
async function json(...argv: string[]): Promise<Fields> {
  const { code, out, err } = await bursar(...argv, "--json");
  expect({ argv, code, err }).toEqual({ argv, code: 0, err: "" });
  expect(out.trimEnd()).not.toContain("\n");
  return JSON.parse(out);
}

/** Processes with the data folder as working directory, which are the database's. Null if the system cannot tell. */
function processesInDataDir(): number[] | null {
  if (!existsSync("/proc/self/cwd")) return null;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(join(dataDir, "/"));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The origin in the welcome text. */
async function originOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (origin !== undefined && text.includes("Ctrl-C")) return origin;
  }
  throw new Error(`the gateway ended before it was up: ${text}`);
}

async function within<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

describe("the command line", () => {
  test(
    "works without a running gateway, and leaves no database running",
    async () => {
      const created = await json("org", "create", "--name", "Alone Ltd", "--plan", "pro");
      expect(created).toMatchObject({ slug: "alone-ltd", plan: "pro", granted_credits: 50_000 });
      const again = await json(
        "credits",
        "adjust",
        "--org",
        "alone-ltd",
        "--pool",
        "subscription",
        "--amount",
        "-50",
        "--reason",
        "a test",
      );
      expect(again).toMatchObject({ balance: { subscription_credits: 49_950 } });
      const examined = await json("doctor");
      expect((examined["checks"] as Fields[]).filter((check) => check["state"] === "broken")).toEqual([]);
      expect(processesInDataDir() ?? []).toEqual([]);
    },
    TEST_LIMIT_MS,
  );

  test(
    "explains an error: exit code 2 for wrong usage, 1 for a failure",
    async () => {
      const misused = await bursar("credits", "grant", "--org", "x", "--pool", "anytime", "--amount", "many");
      expect({ code: misused.code, out: misused.out }).toEqual({ code: 2, out: "" });
      expect(misused.err).toStartWith("bursar: --amount takes a whole number from 1 to 1000000000000");
      const failed = await bursar("key", "list", "--org", "nobody", "--json");
      expect(failed.code).toBe(1);
      expect(JSON.parse(failed.out)).toEqual({
        error: { message: expect.stringContaining('no organization "nobody"') },
      });
    },
    TEST_LIMIT_MS,
  );

  test(
    "serve --json prints one JSON object with its addresses, and nothing else",
    async () => {
      const gateway = start("serve", "--json");
      const written = new Response(gateway.stdout.pipeThrough(stopAfterLine(gateway))).text();
      const out = await within(written, START_LIMIT_MS + DRAIN_LIMIT_MS, "start and end");
      expect(out.indexOf("\n")).toBe(out.length - 1);
      const origin = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//);
      expect(JSON.parse(out)).toEqual({
        version: expect.any(String),
        addresses: { console: origin, reference: origin, api: origin, compatible_api: origin },
        demo: null,
      });
      expect(await gateway.exited).toBe(0);
    },
    TEST_LIMIT_MS,
  );

  test(
    "works beside a running gateway, which sees a grant immediately and a revocation within a second and whose links it prints",
    async () => {
      const gateway = start("serve");
      try {
        const origin = await within(originOf(gateway.stdout), START_LIMIT_MS, "the start");
        const org = await json("org", "create", "--name", "Beside Ltd");
        const { id, key } = await json("key", "create", "--org", String(org["id"]), "--name", "First");
        const person = ["--email", "owner@beside.example"];
        const { link } = await json("member", "add", "--org", "beside-ltd", ...person, "--role", "owner");
        expect(link).toStartWith(`${origin}/console/link/`);
        expect((await fetch(String(link))).status).toBe(200);
        const balance = () =>
          fetch(`${origin}/functions/v1/api-v1-usage?view=balance`, {
            headers: { Authorization: `Bearer ${key}` },
          });
        await json(
          "credits",
          "grant",
          "--org",
          "beside-ltd",
          "--pool",
          "anytime",
          "--amount",
          "1000",
          "--reference",
          "r",
        );
        const reply = await balance();
        expect(reply.status).toBe(200);
        expect(await reply.json()).toMatchObject({ org_id: org["id"], balance: { anytime_credits: 1000 } });

        await json("key", "revoke", "--org", "beside-ltd", "--key", String(id));
        const refused = await within(untilStatus(balance, 401), 1_000, "the revocation");
        expect(await refused.json()).toMatchObject({ error: { code: "invalid_key" } });

        expect(await json("ledger", "verify")).toMatchObject({ ok: true, faults: [] });
      } finally {
        gateway.kill("SIGTERM");
        await within(gateway.exited, DRAIN_LIMIT_MS, "the end");
      }
      expect(gateway.exitCode).toBe(0);
      expect(processesInDataDir() ?? []).toEqual([]);
    },
    TEST_LIMIT_MS,
  );
});

/** Passes everything through, and stops the gateway at the first output. */
function stopAfterLine(gateway: { kill(signal: NodeJS.Signals): void }) {
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      gateway.kill("SIGTERM");
    },
  });
}

async function untilStatus(ask: () => Promise<Response>, status: number): Promise<Response> {
  for (;;) {
    const reply = await ask();
    if (reply.status === status) return reply;
    await reply.body?.cancel();
    await Bun.sleep(10);
  }
}

test.skipIf(!existsSync("/dev/full"))(
  "a command fails if its output cannot be written, unless its reader has gone",
  async () => {
    const sh = async (script: string) => {
      const child = Bun.spawn(["bash", "-c", script, "bash", BURSAR], { stdout: "pipe", stderr: "pipe" });
      const [said] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      return { said, code: child.exitCode };
    };
    expect(await sh('node "$1" --version > /dev/full')).toEqual({
      said: expect.stringMatching(
        /^bursar: The output of this command could not be written \(ENOSPC[^\n]*\n$/,
      ),
      code: 1,
    });
    expect(await sh('set -o pipefail; node "$1" --version | true')).toEqual({ said: "", code: 0 });
  },
  TEST_LIMIT_MS,
);
