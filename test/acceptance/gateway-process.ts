import { join } from "node:path";

export const BURSAR = join(import.meta.dir, "..", "..", "bin", "bursar");
const START_LIMIT_MS = 20_000;

/**
 * A gateway started the way an operator starts it: a child process, known only by what it prints and answers. For
 * black-box tests; `startTestGateway` in `test/harness.ts` is faster where the internals may be reached.
 */
export type GatewayProcess = {
  /** The launcher's; every other process descends from it. */
  readonly pid: number;
  readonly origin: string;
  /** What it printed before it was ready. */
  readonly welcome: string;
  stop(signal: NodeJS.Signals): Promise<number | null>;
};

export function environmentFor(dataDir: string, more: Record<string, string> = {}): Record<string, string> {
  const { PATH = "", HOME = "/nonexistent" } = process.env;
  return { PATH, HOME, BURSAR_DATA_DIR: dataDir, PORT: "0", BURSAR_LOG_LEVEL: "error", ...more };
}

export async function startGateway(
  dataDir: string,
  more: Record<string, string> = {},
  flags: readonly string[] = [],
  program: readonly string[] = ["node", BURSAR, "serve"],
): Promise<GatewayProcess> {
  const child = Bun.spawn([...program, ...flags], {
    cwd: dataDir,
    env: environmentFor(dataDir, more),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const welcome = await readUntil(child.stdout, "Ctrl-C");
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(welcome)?.[0];
  if (origin === undefined) throw new Error(`no address in: ${welcome}`);
  return {
    pid: child.pid,
    origin,
    welcome,
    async stop(signal) {
      // The launcher forwards every signal except SIGKILL, which cannot be caught: that one goes straight to its child.
      if (signal === "SIGKILL") process.kill(await onlyChildOf(child.pid), signal);
      else child.kill(signal);
      await child.exited;
      return child.exitCode;
    },
  };
}

async function onlyChildOf(pid: number): Promise<number> {
  return Number((await Bun.$`ps -o pid= --ppid ${pid}`.text()).trim());
}

async function readUntil(output: ReadableStream<Uint8Array>, mark: string): Promise<string> {
  const decoder = new TextDecoder();
  const limit = setTimeout(() => output.cancel().catch(() => {}), START_LIMIT_MS);
  let text = "";
  const reader = output.getReader();
  try {
    while (!text.includes(mark)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the gateway ended before it was up: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    return text;
  } finally {
    clearTimeout(limit);
    reader.releaseLock();
  }
}

/** Runs a CLI command and returns the one JSON object that it prints. */
export function bursar(dataDir: string, ...argv: string[]): Promise<Record<string, unknown>> {
  return runCommand(["node", BURSAR], dataDir, argv);
}

/** Like `bursar`, but with the program of another version. */
export async function runCommand(
  program: readonly string[],
  dataDir: string,
  argv: readonly string[],
): Promise<Record<string, unknown>> {
  const child = Bun.spawn([...program, ...argv, "--json"], {
    cwd: dataDir,
    env: environmentFor(dataDir),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`bursar ${argv.join(" ")} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

/** Runs the `curl` command that the welcome text prints, as a new user would paste it. */
export async function runPrintedCurl(welcome: string): Promise<Record<string, unknown>> {
  const lines = welcome.split("\n");
  const from = lines.findIndex((line) => line.trim().startsWith("curl "));
  const to = lines.findIndex((line, index) => index >= from && !line.trimEnd().endsWith("\\"));
  const child = Bun.spawn(["bash", "-c", lines.slice(from, to + 1).join("\n")], {
    stdout: "pipe",
    stderr: "ignore",
  });
  return JSON.parse(await new Response(child.stdout).text());
}

export async function chatStatus(origin: string, key: string): Promise<number> {
  const response = await fetch(`${origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Where a new picture lies. */
export async function makePicture(origin: string, key: string): Promise<string> {
  const response = await fetch(`${origin}/functions/v1/api-v1-images`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", prompt: "a cat" }),
  });
  return /http[^"]+/.exec(await response.text())?.[0] ?? "";
}

export async function totalCredits(origin: string, key: string): Promise<number> {
  const response = await fetch(`${origin}/functions/v1/api-v1-usage?view=balance`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const view = (await response.json()) as { balance: { total_credits: number } };
  return view.balance.total_credits;
}
