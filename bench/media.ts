/**
 * What the sandbox's media take on the first call and afterwards, from the request to the reply, and what a caller
 * of chat feels meanwhile.
 */
import { freePort } from "./baselines.ts";
import { type BenchGateway, startBenchGateway } from "./gateway.ts";
import { probe } from "./probe.ts";
import { median, renderTable } from "./table.ts";

const ROUNDS = 5;
const PROBE_SECONDS = 10;
const POLL_EVERY_MS = 50;
const PROMPT = "a sailing boat at sunset";

type Work = { readonly name: string; readonly limitMs: number; make(round: number): Promise<void> };

export async function run(): Promise<void> {
  const gateway = await startBenchGateway(freePort());
  try {
    const works = worksOf(gateway);
    const rows: string[][] = [];
    for (const work of works) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => work.make(round)));
      const [first = Number.NaN, ...later] = times;
      rows.push([work.name, ms(first), ms(median(later)), ms(Math.max(...later)), ms(work.limitMs)]);
    }
    console.log(renderTable(["sandbox, ms", "first", "p50", "slowest", "asked"], rows));
    await feel(gateway, works);
  } finally {
    await gateway.stop();
  }
}

/** Chat beside every medium in turn, over and over, against chat alone. */
async function feel(gateway: BenchGateway, works: readonly Work[]): Promise<void> {
  await probe(gateway, 2);
  const quiet = await probe(gateway, PROBE_SECONDS);
  const until = performance.now() + PROBE_SECONDS * 1000;
  const makers = works.map(async (work, at) => {
    for (let round = 0; performance.now() < until; round++) await work.make(100 * (at + 1) + round);
  });
  const busy = await probe(gateway, PROBE_SECONDS);
  await Promise.all(makers);
  const row = (name: string, { json, stream }: typeof quiet) => [
    name,
    ms(json.p50Ms),
    ms(json.p99Ms),
    ms(stream.p50Ms),
    ms(stream.p99Ms),
  ];
  const times = busy.json.p99Ms / quiet.json.p99Ms;
  const streamTimes = busy.stream.p99Ms / quiet.stream.p99Ms;
  const header = ["chat, ms", "JSON p50", "JSON p99", "stream p50", "stream p99"];
  console.log(`\n${renderTable(header, [row("alone", quiet), row("while all media are made", busy)])}`);
  console.log(
    `p99 while media are made: ${times.toFixed(2)} times (JSON), ${streamTimes.toFixed(2)} times (stream)`,
  );
}

function worksOf(gateway: BenchGateway): Work[] {
  const image = (round: number) => ({ model: "sandbox-image", prompt: `${PROMPT} ${round}` });
  const speech = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all. ";
  return [
    { name: "1k picture", limitMs: 500, make: (round) => make(gateway, "images", image(round)) },
    {
      name: "10 s of speech",
      limitMs: 1500,
      make: (round) =>
        make(gateway, "audio", { model: "sandbox-voice", prompt: `${speech.repeat(2)} ${round}` }),
    },
    {
      name: "10 s of music",
      limitMs: 1500,
      make: (round) =>
        make(gateway, "audio", {
          model: "sandbox-music",
          audio_kind: "music",
          prompt: `calm piano ${round}`,
          duration_seconds: 10,
        }),
    },
    { name: "4 s of film, 480p", limitMs: 5000, make: (round) => film(gateway, round, false) },
    { name: "4 s of film, 480p, sound", limitMs: 5000, make: (round) => film(gateway, round, true) },
  ];
}

async function make(gateway: BenchGateway, endpoint: string, body: unknown): Promise<void> {
  await ask(gateway, `api-v1-${endpoint}`, body);
}

async function film(gateway: BenchGateway, round: number, generate_audio: boolean): Promise<void> {
  const body = {
    model: "sandbox-video",
    prompt: PROMPT,
    duration: 4,
    resolution: "480p",
    seed: round,
    generate_audio,
  };
  const { request_id } = await ask(gateway, "api-v1-video", body);
  for (;;) {
    const { status } = await ask(gateway, `api-v1-video?request_id=${request_id}`);
    if (status === "complete") return;
    if (status !== "processing") throw new Error(`the film is ${status}`);
    await Bun.sleep(POLL_EVERY_MS);
  }
}

async function ask({ origin, key }: BenchGateway, path: string, body?: unknown) {
  const response = await fetch(`${origin}/functions/v1/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as { readonly request_id: string; readonly status?: string };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
