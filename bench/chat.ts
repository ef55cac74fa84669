import { baselinesAtHand, freePort, startBaseline } from "./baselines.ts";
import { fdatasyncMedianMs } from "./fdatasync.ts";
import { type BenchGateway, startBenchGateway } from "./gateway.ts";
import { type LoadFigures, load, type Target } from "./load.ts";
import { cpuMicros, familyCpuMicros, residentMegabytes } from "./process-cpu.ts";
import { renderTable } from "./table.ts";

type Contender = {
  readonly name: string;
  readonly pid: number | null;
  readonly postgresPid?: number;
  target(stream: boolean): Target;
};
type Row = LoadFigures & {
  readonly name: string;
  readonly cpu: number | null;
  readonly withDatabase: number | null;
};

const MESSAGES = [{ role: "user", content: "Say something of some length for testing." }];

/** CPU per call and added latency of chat, billing on, against the direct upstream and the bare proxy, in one run. */
export async function run(): Promise<void> {
  if (!baselinesAtHand()) {
    console.log("Not run: the baselines (upstream and bare proxy) are not at hand beside the project.");
    return;
  }
  const upstream = await startBaseline("upstream", freePort());
  const url = `http://127.0.0.1:${upstream.port}/v1/chat/completions`;
  const proxy = await startBaseline("bare-proxy", freePort(), url);
  const gateway = await startBenchGateway(upstream.port);
  try {
    const contenders: Contender[] = [
      { name: "direct", pid: null, target: (stream) => wireTarget(upstream.port, stream) },
      { name: "bare proxy", pid: proxy.pid, target: (stream) => wireTarget(proxy.port, stream) },
      bursar("bursar, main", gateway, "/functions/v1/api-v1-chat"),
      bursar("bursar, /v1", gateway, "/v1/chat/completions"),
    ];
    console.log(`fdatasync p50 ${fdatasyncMedianMs(gateway.folder).toFixed(2)} ms\n`);
    await compare("One piece, 64 connections", contenders, { stream: false, connections: 64, calls: 20_000 });
    await compare("One piece, 1 connection", contenders, { stream: false, connections: 1, calls: 1_500 });
    await compare("100 chunks, 64 connections", contenders, { stream: true, connections: 64, calls: 2_000 });
    await compare("100 chunks, 1 connection", contenders, { stream: true, connections: 1, calls: 200 });
    console.log(`memory of the gateway: ${residentMegabytes(gateway.pid).toFixed(0)} MB`);
  } finally {
    await gateway.stop();
    proxy.stop();
    upstream.stop();
  }
}

function bursar(name: string, gateway: BenchGateway, path: string): Contender {
  const headers = { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" };
  return {
    name,
    pid: gateway.pid,
    postgresPid: gateway.postgresPid,
    target: (stream) => ({ url: `${gateway.origin}${path}`, headers, body: bodyFor("bench-chat", stream) }),
  };
}

function bodyFor(model: string, stream: boolean): string {
  return JSON.stringify({ model, messages: MESSAGES, ...(stream ? { stream: true } : {}) });
}

function wireTarget(port: number, stream: boolean): Target {
  return {
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { "content-type": "application/json" },
    body: bodyFor("m", stream),
  };
}

async function compare(
  title: string,
  contenders: readonly Contender[],
  work: { stream: boolean; connections: number; calls: number },
): Promise<void> {
  const rows: Row[] = [];
  for (const contender of contenders) {
    const target = contender.target(work.stream);
    // Long enough for the compiler to have done its work, which a longer run would not pay for again.
    await load(target, work.connections, work.calls);
    const before = usedBy(contender);
    const figures = await load(target, work.connections, work.calls);
    const after = usedBy(contender);
    const per = (used: "own" | "all") =>
      contender.pid === null ? null : (after[used] - before[used]) / figures.calls;
    rows.push({ ...figures, name: contender.name, cpu: per("own"), withDatabase: per("all") });
  }
  print(title, rows);
}

function usedBy({ pid, postgresPid }: Contender): { own: number; all: number } {
  const own = pid === null ? 0 : cpuMicros(pid);
  return { own, all: own + (postgresPid ? familyCpuMicros(postgresPid) : 0) };
}

function print(title: string, rows: readonly Row[]): void {
  const bare = rows.find((row) => row.name === "bare proxy")?.cpu ?? null;
  const direct = rows.find((row) => row.name === "direct");
  const table = rows.map((row) => [
    row.name,
    (row.calls / row.seconds).toFixed(0),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.firstByteP50Ms.toFixed(2),
    direct ? (row.firstByteP50Ms - direct.firstByteP50Ms).toFixed(2) : "",
    row.cpu === null ? "" : row.cpu.toFixed(0),
    row.withDatabase === null ? "" : row.withDatabase.toFixed(0),
    row.cpu === null || bare === null ? "" : (row.cpu / bare).toFixed(2),
  ]);
  const header = [
    "",
    "calls/s",
    "p50 ms",
    "p99 ms",
    "first byte p50",
    "added",
    "CPU µs",
    "with PostgreSQL",
    "× bare proxy",
  ];
  console.log(`${title}\n\n${renderTable(header, table)}\n`);
}
