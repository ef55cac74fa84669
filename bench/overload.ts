import { join } from "node:path";
import { commandOptions, numberOption } from "../scripts/command-options.ts";
import type { FigureTable } from "../scripts/figures/figure-file.ts";
import { saveWholeRun } from "../scripts/figures/whole-run.ts";
import { fdatasyncMedianMs } from "./fdatasync.ts";
import { type BenchGateway, startBenchGateway } from "./gateway.ts";
import type { OverloadOrders, OverloadTally } from "./overload-clients.ts";
import { cpuMicros } from "./process-cpu.ts";
import { percentile, renderTable } from "./table.ts";

const CONNECTIONS = 64;
const MOST_CONNECTIONS = 4_000;
const WARM_SECONDS = 3;
const NO_UPSTREAM_PORT = 1;
const LEAST_GOODPUT = 0.9;
const MOST_REFUSAL_MS = 100;

/** The size of the run shown in the documents. */
const WHOLE = { times: 10, seconds: 15, tokens: 1_000 };

const USAGE = "Usage: npm run bench overload [-- --times N] [--seconds N] [--tokens N]";

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
 * What happens to callers when many times more calls come than the gateway can handle: how fast the rest is refused,
 * and how much of its capacity is still used. Calls cost about a millisecond, as a provider's streamed answer does:
 * reading a request and refusing it takes some ten microseconds, so much cheaper calls could not be offered ten times
 * over.
 */
export async function run(args: readonly string[]): Promise<void> {
  const values = commandOptions(
    USAGE,
    {
      times: { type: "string", default: String(WHOLE.times) },
      seconds: { type: "string", default: String(WHOLE.seconds) },
      tokens: { type: "string", default: String(WHOLE.tokens) },
    },
    args,
  );
  const seconds = numberOption("--seconds", values.seconds);
  const times = numberOption("--times", values.times);
  const tokens = numberOption("--tokens", values.tokens);
  const gateway = await startBenchGateway(NO_UPSTREAM_PORT);
  const request = requestOf(gateway, `[sandbox:tokens=${tokens}] Tell me a story.`);
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
    const overload = await offer(`${times} times as many`, capacity.served * times);
    const after = await offer("half as many, right after", capacity.served / 2, WARM_SECONDS);
    const isWhole = times >= WHOLE.times && seconds >= WHOLE.seconds && tokens >= WHOLE.tokens;
    report({ capacity, overload, after }, args, isWhole);
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

/** Prints, and saves a whole run; the exit code is 1 if an overloaded gateway serves too little or refuses slowly. */
function report(
  found: Record<"capacity" | "overload" | "after", Figures>,
  args: readonly string[],
  isWhole: boolean,
): void {
  const { capacity, overload, after } = found;
  const table = tableOf([capacity, overload, after]);
  const goodput = overload.served / capacity.served;
  const recovered = after.served / after.offered;
  const verdicts = [
    ["goodput, % of capacity", (goodput * 100).toFixed(0), `≥ ${LEAST_GOODPUT * 100}`],
    ["refusals, p99 ms", overload.refusedMs[1].toFixed(0), `≤ ${MOST_REFUSAL_MS}`],
    ["served right after, % of offered", (recovered * 100).toFixed(0), `≥ ${LEAST_GOODPUT * 100}`],
  ];
  console.log(renderTable(table.header, table.rows));
  const header = ["", "found", "sought"];
  console.log(`\n${renderTable(header, verdicts)}`);
  const isWell =
    goodput >= LEAST_GOODPUT && recovered >= LEAST_GOODPUT && !(overload.refusedMs[1] > MOST_REFUSAL_MS);
  const figures = {
    name: "overload",
    command: ["npm run bench overload", ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    seed: null,
    figures: found,
    tables: { load: table, verdicts: { header, rows: verdicts } },
  };
  saveWholeRun(figures, { isWhole });
  if (!isWell) process.exitCode = 1;
}

function tableOf(rows: readonly Figures[]): FigureTable {
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
  const cells = rows.map((row) => [
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
  return { header, rows: cells };
}
