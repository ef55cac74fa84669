/**
 * How long the sandbox's media take on the first call and afterwards, from request to reply; what a chat caller notices
 * while all of them are made at once; and how much of the gateway's memory a large reference takes. Fails if a limit is
 * missed.
 */
import { type FigureTable, saveFigures } from "../scripts/figures/figure-file.ts";
import { freePort } from "./baselines.ts";
import { type BenchGateway, startBenchGateway } from "./gateway.ts";
import { measureReferences } from "./media-references.ts";
import { mediaWorks, type Work } from "./media-works.ts";
import { type ProbeFigures, probe } from "./probe.ts";
import { median, renderTable } from "./table.ts";

const MADE_TIMES = 5;
/** Quiet and busy phases in turn, so that other load on the machine affects both. */
const CHAT_ROUNDS = 5;
const PHASE_SECONDS = 8;
const MOST_TIMES_SLOWER = 2;
const MOST_EXTRA_MB = 150;

export async function run(): Promise<void> {
  const gateway = await startBenchGateway(freePort());
  const works = mediaWorks(gateway);
  let making: Making[];
  let chat: ChatFigures;
  try {
    making = await timeMaking(works);
    show(makingTable(making));
    chat = await feel(gateway, works);
    show(chatTable(chat));
  } finally {
    await gateway.stop();
  }
  const references = await measureReferences();
  const tables = {
    making: makingTable(making),
    chat: chatTable(chat),
    references: {
      header: ["a picture of 25 MiB to go by", "extra memory, MB", "at most", ""],
      rows: references.map(({ name, extraMb }) => [
        name,
        extraMb.toFixed(0),
        String(MOST_EXTRA_MB),
        verdict(extraMb <= MOST_EXTRA_MB),
      ]),
    },
  };
  show(tables.references);
  saveFigures({
    name: "media",
    command: "npm run bench media",
    seed: null,
    figures: { making, chat, references },
    tables,
  });
  const missed = Object.values(tables).flatMap(({ rows }) => rows.filter((row) => row.at(-1) === MISSED));
  if (missed.length > 0) process.exitCode = 1;
}

type Making = {
  readonly name: string;
  readonly firstMs: number;
  readonly p50Ms: number;
  readonly slowestMs: number;
  readonly limitMs: number;
};

async function timeMaking(works: readonly Work[]): Promise<Making[]> {
  const figures: Making[] = [];
  for (const { name, limitMs, make } of works) {
    const times: number[] = [];
    for (let round = 0; round < MADE_TIMES; round++) {
      const startedMs = performance.now();
      await make(round);
      times.push(performance.now() - startedMs);
    }
    const [firstMs = Number.NaN, ...later] = times;
    figures.push({ name, firstMs, p50Ms: median(later), slowestMs: Math.max(...later), limitMs });
  }
  return figures;
}

type Phase = Pick<ProbeFigures, "json" | "stream">;
type ChatFigures = { readonly quiet: readonly Phase[]; readonly busy: readonly Phase[] };

/** Chat alone, then chat beside everything that can be made, repeatedly. */
async function feel(gateway: BenchGateway, works: readonly Work[]): Promise<ChatFigures> {
  await probe(gateway, 2);
  const quiet: Phase[] = [];
  const busy: Phase[] = [];
  for (let round = 1; round <= CHAT_ROUNDS; round++) {
    quiet.push(await probe(gateway, PHASE_SECONDS));
    const until = performance.now() + PHASE_SECONDS * 1000;
    const makers = works.map(async ({ make }, at) => {
      for (let n = 0; performance.now() < until; n++) await make(10_000 * round + 100 * at + n);
    });
    busy.push(await probe(gateway, PHASE_SECONDS));
    await Promise.all(makers);
  }
  return { quiet, busy };
}

const MISSED = "missed";
const verdict = (isHeld: boolean) => (isHeld ? "held" : MISSED);

function makingTable(figures: readonly Making[]): FigureTable {
  return {
    header: ["made by the sandbox, ms", "first", "median", "slowest", "under", ""],
    rows: figures.map(({ name, firstMs, p50Ms, slowestMs, limitMs }) => [
      name,
      ms(firstMs),
      ms(p50Ms),
      ms(slowestMs),
      ms(limitMs),
      verdict(p50Ms < limitMs),
    ]),
  };
}

/** Medians of the rounds. */
function chatTable({ quiet, busy }: ChatFigures): FigureTable {
  const rows = (["json", "stream"] as const).map((form) => {
    const of = (phases: readonly Phase[], field: "p50Ms" | "p99Ms") =>
      median(phases.map((phase) => phase[form][field]));
    const times = of(busy, "p99Ms") / of(quiet, "p99Ms");
    return [
      form === "json" ? "in one piece" : "streamed",
      ms(of(quiet, "p50Ms")),
      ms(of(busy, "p50Ms")),
      ms(of(quiet, "p99Ms")),
      ms(of(busy, "p99Ms")),
      times.toFixed(2),
      String(MOST_TIMES_SLOWER),
      verdict(times <= MOST_TIMES_SLOWER),
    ];
  });
  return {
    header: ["chat, ms", "p50 alone", "beside media", "p99 alone", "beside media", "times", "at most", ""],
    rows,
  };
}

function show({ header, rows }: FigureTable): void {
  console.log(`${renderTable(header, rows)}\n`);
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}
