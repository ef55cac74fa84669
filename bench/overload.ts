import { join } from "node:path";
import { parseArgs } from "node:util";
import { fdatasyncMedianMs } from "./fdatasync.ts";
import { type BenchGateway, startBenchGateway } from "./gateway.ts";
import type { OverloadOrders, OverloadTally } from "./overload-clients.ts";
import { cpuMicros } from "./process-cpu.ts";
import { percentile, renderTable } from "./table.ts";

const CONNECTIONS = 64;
const MOST_CONNECTIONS = 4_000;
const WARM_SECONDS = 3;
const NO_UPSTREAM_PORT = 1;

type Figures = {
  readonly name: string;
  readonly offered: number;
  readonly served: number;
  readonly refused: number;
  readonly other: number;
  readonly servedMs: readonly [number, number];
  readonly refusedMs: readonly [number, number];
  readonly cpuShare: number;
};

/**
 * What becomes of callers when many times more calls come than the gateway can do: how fast the rest is refused, and
 * how much of what it can do is still done. Calls cost about a millisecond, as a streamed answer of a provider does:
 * reading a request and refusing it takes some ten microseconds, so much cheaper calls cannot be had ten times over.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      times: { type: "string", default: "10" },
      seconds: { type: "string", default: "15" },
      tokens: { type: "string", default: "1000" },
    },
  });
  const seconds = Number(values.seconds);
  const gateway = await startBenchGateway(NO_UPSTREAM_PORT);
  const request = requestOf(gateway, `[sandbox:tokens=${values.tokens}] Tell me a story.`);
  const offer = (name: string, ratePerSecond: number | null, forSeconds = seconds) =>
    measure(name, gateway, {
      port: Number(new URL(gateway.origin).port),
      request,
      ratePerSecond,
      maxConnections: ratePerSecond === null ? CONNECTIONS : MOST_CONNECTIONS,
      seconds: forSeconds,
    });
  try {
    console.log(`fdatasync p50 ${fdatasyncMedianMs(gateway.folder).toFixed(2)} ms\n`);
    await offer("", null, WARM_SECONDS);
    const capacity = await offer(`capacity, ${CONNECTIONS} connections`, null);
    const overload = await offer(`${values.times} times as many`, capacity.served * Number(values.times));
    const after = await offer("half as many, right after", capacity.served / 2, WARM_SECONDS);
    print([capacity, overload, after]);
    console.log(`\ngoodput ${((overload.served / capacity.served) * 100).toFixed(0)} % of capacity`);
  } finally {
    await gateway.stop();
  }
}

async function measure(name: string, gateway: BenchGateway, orders: OverloadOrders): Promise<Figures> {
  const before = cpuMicros(gateway.pid);
  const clients = Bun.spawn(
    [process.execPath, join(import.meta.dir, "overload-clients.ts"), JSON.stringify(orders)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const tally = (await new Response(clients.stdout).json()) as OverloadTally;
  const cpuShare = (cpuMicros(gateway.pid) - before) / 1e6 / tally.seconds;
  const count = (status: string) => tally.statuses[status] ?? 0;
  const answered = Object.values(tally.statuses).reduce((sum, each) => sum + each, 0);
  return {
    name,
    offered: (answered + tally.unsent) / tally.seconds,
    served: count("200") / tally.seconds,
    refused: count("503") / tally.seconds,
    other: answered - count("200") - count("503") + tally.unsent,
    servedMs: halfAndMost(tally.served),
    refusedMs: halfAndMost(tally.refused),
    cpuShare,
  };
}

function halfAndMost(times: readonly number[]): [number, number] {
  const sorted = [...times].sort((a, b) => a - b);
  return [percentile(sorted, 0.5), percentile(sorted, 0.99)];
}

function requestOf({ origin, key }: BenchGateway, content: string): string {
  const body = JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content }] });
  const head = [
    "POST /functions/v1/api-v1-chat HTTP/1.1",
    `host: ${new URL(origin).host}`,
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

function print(rows: readonly Figures[]): void {
  const ms = (value: number) => (Number.isNaN(value) ? "" : value.toFixed(0));
  const header = [
    "",
    "offered/s",
    "served/s",
    "p50 ms",
    "p99 ms",
    "refused/s",
    "p50 ms",
    "p99 ms",
    "unsent or broken",
    "CPU",
  ];
  const table = rows.map((row) => [
    row.name,
    row.offered.toFixed(0),
    row.served.toFixed(0),
    ms(row.servedMs[0]),
    ms(row.servedMs[1]),
    row.refused.toFixed(0),
    ms(row.refusedMs[0]),
    ms(row.refusedMs[1]),
    String(row.other),
    `${(row.cpuShare * 100).toFixed(0)} %`,
  ]);
  console.log(renderTable(header, table));
}
