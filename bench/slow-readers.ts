import { join } from "node:path";
import { choiceOption, commandOptions, numberOption } from "../scripts/command-options.ts";
import { saveWholeRun } from "../scripts/figures/whole-run.ts";
import { freePort, untilListening } from "./baselines.ts";
import { type BenchGateway, startBenchGateway } from "./gateway.ts";
import { type ProbeFigures, probe } from "./probe.ts";
import { cpuMicros, residentMegabytes } from "./process-cpu.ts";
import type { ReaderOrders, ReaderTally } from "./slow-readers-clients.ts";
import { median, renderTable } from "./table.ts";

const WORDS = 300;
const STREAM_SECONDS = 100;
const PAUSE_MS = 1_500;
const QUIET_SECONDS = 10;
const SAMPLE_SECONDS = 10;

type Sample = ProbeFigures & {
  readonly seconds: number;
  readonly megabytes: number;
  readonly cpuShare: number;
  readonly tally: ReaderTally;
};

type Crowd = { readonly readers: number; readonly seconds: number; readonly rampMs: number };

/** The size of the run shown in the documents. */
const WHOLE: Crowd = { readers: 2_000, seconds: 900, rampMs: 5_000 };

type Way = { readonly name: string; readonly model: string; readonly content: string };

const WAYS: readonly Way[] = [
  {
    name: "sandbox",
    model: "sandbox-chat",
    content: `[sandbox:delay=${STREAM_SECONDS}s] [sandbox:tokens=${WORDS}] Tell me a long story.`,
  },
  { name: "OpenAI wire", model: "bench-chat", content: "Tell me a long story." },
];

const MODELS = WAYS.map(({ model }) => model);
const USAGE = `Usage: npm run bench slow-readers [-- OPTIONS]
  --way MODEL    one way only: ${MODELS.join(", ")}
  --readers N    how many (2000)
  --minutes N    how long (3); from 15 on the figures are kept
  --ramp N       seconds in which they all come (5)`;

/** Thousands of streams read slowly for minutes: the gateway's memory over time, and the effect on other calls. */
export async function run(args: readonly string[]): Promise<void> {
  const values = commandOptions(
    USAGE,
    {
      minutes: { type: "string", default: "3" },
      readers: { type: "string", default: "2000" },
      way: { type: "string" },
      ramp: { type: "string", default: "5" },
    },
    args,
  );
  const crowd: Crowd = {
    readers: numberOption("--readers", values.readers),
    seconds: numberOption("--minutes", values.minutes) * 60,
    rampMs: numberOption("--ramp", values.ramp) * 1000,
  };
  const { way: wanted } = values;
  const models = wanted === undefined ? MODELS : [choiceOption("--way", wanted, MODELS)];
  const found: Found[] = [];
  for (const way of WAYS.filter(({ model }) => models.includes(model))) found.push(await measure(way, crowd));
  save(found, crowd, args);
}

async function measure(way: Way, crowd: Crowd): Promise<Found> {
  const upstreamPort = freePort();
  const upstream = spawn("slow-readers-upstream.ts", [
    String(upstreamPort),
    String(WORDS),
    String((STREAM_SECONDS * 1000) / WORDS),
  ]);
  await untilListening(upstreamPort);
  const gateway = await startBenchGateway(upstreamPort);
  try {
    await probe(gateway, 3);
    const quiet = await probe(gateway, QUIET_SECONDS);
    const before = residentMegabytes(gateway.pid);
    const samples = await underReaders(gateway, way, crowd);
    const run = { quiet, before, samples };
    print(`${way.name}: ${crowd.readers} slow readers`, run);
    return { name: way.name, ...foundIn(run) };
  } finally {
    await gateway.stop();
    upstream.kill();
  }
}

async function underReaders(gateway: BenchGateway, way: Way, crowd: Crowd): Promise<Sample[]> {
  let tally: ReaderTally = { open: 0, done: 0, failed: 0, megabytes: 0 };
  const orders: ReaderOrders = {
    port: Number(new URL(gateway.origin).port),
    count: crowd.readers,
    request: requestOf(gateway, way),
    pauseMs: PAUSE_MS,
    rampMs: crowd.rampMs,
  };
  const clients = spawn("slow-readers-clients.ts", [JSON.stringify(orders)], (said) => {
    tally = said as ReaderTally;
  });
  const samples: Sample[] = [];
  const startedMs = performance.now();
  try {
    while (performance.now() - startedMs < crowd.seconds * 1000) {
      const [cpuBefore, fromMs] = [cpuMicros(gateway.pid), performance.now()];
      const figures = await probe(gateway, SAMPLE_SECONDS);
      const cpuShare = (cpuMicros(gateway.pid) - cpuBefore) / 1000 / (performance.now() - fromMs);
      const megabytes = residentMegabytes(gateway.pid);
      samples.push({
        ...figures,
        seconds: (performance.now() - startedMs) / 1000,
        megabytes,
        cpuShare,
        tally,
      });
    }
  } finally {
    clients.kill();
  }
  return samples;
}

function requestOf({ origin, key }: BenchGateway, { model, content }: Way): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: "user", content }] });
  return [
    "POST /functions/v1/api-v1-chat HTTP/1.1",
    `host: ${new URL(origin).host}`,
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

function spawn(file: string, args: readonly string[], told?: (message: unknown) => void): Bun.Subprocess {
  return Bun.spawn([process.execPath, join(import.meta.dir, file), ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    ...(told === undefined ? {} : { ipc: told }),
  });
}

function print(title: string, run: Run): void {
  const { quiet, before, samples } = run;
  const figures = ({ json, stream, failed }: ProbeFigures) => [
    ...[json.p50Ms, json.p99Ms, stream.p50Ms, stream.p99Ms].map((ms) => ms.toFixed(1)),
    String(failed),
  ];
  const rows = samples.map((sample) => [
    `${sample.seconds.toFixed(0)} s`,
    sample.megabytes.toFixed(0),
    `${(sample.cpuShare * 100).toFixed(0)} %`,
    ...figures(sample),
    String(sample.tally.open),
    String(sample.tally.done),
    String(sample.tally.failed),
  ]);
  const header = [
    ...["", "MB", "CPU", "JSON p50 ms", "p99 ms", "stream p50 ms", "p99 ms", "failed"],
    ...["readers", "done", "failed"],
  ];
  console.log(`${title}\n`);
  console.log(renderTable(header, [["quiet", before.toFixed(0), "", ...figures(quiet)], ...rows]));
}

type Run = { readonly quiet: ProbeFigures; readonly before: number; readonly samples: readonly Sample[] };

/** Peak memory in each half of the run, and how much slower other calls were in its middle sample. */
type Found = {
  readonly name: string;
  readonly firstHalfMegabytes: number;
  readonly secondHalfMegabytes: number;
  readonly jsonP99Ratio: number;
  readonly streamP99Ratio: number;
};

function foundIn({ quiet, samples }: Run): Omit<Found, "name"> {
  const middle = (value: (sample: Sample) => number) => median(samples.map(value));
  const most = (half: readonly Sample[]) => Math.max(...half.map(({ megabytes }) => megabytes));
  return {
    firstHalfMegabytes: most(samples.slice(0, samples.length / 2)),
    secondHalfMegabytes: most(samples.slice(samples.length / 2)),
    jsonP99Ratio: middle((sample) => sample.json.p99Ms) / quiet.json.p99Ms,
    streamP99Ratio: middle((sample) => sample.stream.p99Ms) / quiet.stream.p99Ms,
  };
}

const MOST_MEGABYTES = 512;
/** How much larger the second half may be than the first and still count as flat. */
const FLAT = 1.1;
const MOST_RATIO = 2;

/** The exit code is 1 if memory is not bounded and flat, or other calls were slowed too much. */
function save(found: readonly Found[], crowd: Crowd, args: readonly string[]): void {
  const header = ["", "MB, first half", "MB, second half", "JSON p99 ÷ quiet", "stream p99 ÷ quiet"];
  const rows = [
    ...found.map((one) => [
      `${one.name}, ${crowd.readers} readers, ${(crowd.seconds / 60).toFixed(0)} min`,
      one.firstHalfMegabytes.toFixed(0),
      one.secondHalfMegabytes.toFixed(0),
      one.jsonP99Ratio.toFixed(1),
      one.streamP99Ratio.toFixed(1),
    ]),
    ["sought", `< ${MOST_MEGABYTES}`, "as the first", `< ${MOST_RATIO}`, `< ${MOST_RATIO}`],
  ];
  console.log(renderTable(header, rows));
  const figures = {
    name: "slow-readers",
    command: ["npm run bench slow-readers", ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    seed: null,
    figures: { crowd, found },
    tables: { readers: { header, rows } },
  };
  const isWell = found.every(
    (one) =>
      Math.max(one.firstHalfMegabytes, one.secondHalfMegabytes) < MOST_MEGABYTES &&
      one.secondHalfMegabytes < one.firstHalfMegabytes * FLAT &&
      Math.max(one.jsonP99Ratio, one.streamP99Ratio) < MOST_RATIO,
  );
  const isWhole =
    found.length === WAYS.length &&
    crowd.readers >= WHOLE.readers &&
    crowd.seconds >= WHOLE.seconds &&
    crowd.rampMs <= WHOLE.rampMs;
  saveWholeRun(figures, { isWhole });
  if (!isWell) process.exitCode = 1;
}
