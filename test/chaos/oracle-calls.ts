import { readAppendLog } from "./append-log.ts";
import { type PlannedCall, planCall } from "./call-plan.ts";
import { type Check, createFaults } from "./check.ts";
import type { ClientLine } from "./client-call.ts";
import { costOf } from "./run-models.ts";
import type { SettledCall, SettledCalls } from "./settled-rows.ts";
import type { UpstreamLine } from "./upstream-process.ts";

type CallsEvidence = {
  readonly seed: number;
  readonly calls: number;
  readonly organizations: number;
  readonly clientsLog: string;
  readonly upstreamLog: string;
  readonly settled: SettledCalls;
};

/** The most that a partial answer can have cost: what was held for it. */
const MOST_HELD = 6;

/** Compares what clients saw and what the upstream produced with what the ledger says. */
export function checkCalls(evidence: CallsEvidence): readonly Check[] {
  const lines = readClients(evidence);
  return [
    lines.told,
    lines.untold,
    lines.refused,
    lines.right,
    lines.known,
    checkOnce(evidence),
    checkProduced(evidence),
    checkParts(evidence),
  ];
}

function readClients({ clientsLog, settled }: CallsEvidence) {
  const told = createFaults();
  const untold = createFaults();
  const refused = createFaults();
  const right = createFaults();
  const counts = { done: 0, errors: 0, refusals: 0, lines: 0 };
  const open = new Map<number, string>();
  for (const line of readAppendLog<ClientLine>(clientsLog)) {
    counts.lines++;
    if (line.wrong !== null) right.add(`call ${line.tag}: ${line.wrong}`);
    if (line.hasKey) noteEnd(open, line);
    if (line.ended === "done") {
      counts.done++;
      const fault = doneFault(line, settled);
      if (fault !== null) told.add(fault);
    } else if (line.ended === "error" && line.requestId !== null) {
      const row = settled.byRequest.get(line.requestId);
      if (line.status !== null && line.status >= 400 && line.status < 500 && line.kind !== "broken") {
        counts.refusals++;
        if (row !== undefined)
          refused.add(`call ${line.tag}: refused with ${line.status}, yet there is a row`);
      } else if (!line.message?.includes("outcome unknown")) {
        counts.errors++;
        if ((row?.charged ?? 0) > 0) untold.add(`call ${line.tag}: "${line.message}" cost ${row?.charged}`);
      }
    }
  }
  const looked = (count: number, of: string) => `${count} ${of}`;
  return {
    told: check(
      "a reply that says what it cost cost exactly that, once",
      looked(counts.done, "replies"),
      told,
    ),
    untold: check("an error cost nothing", looked(counts.errors, "errors"), untold),
    refused: check("a refusal left no row", looked(counts.refusals, "refusals"), refused),
    right: check("nobody saw another's answer, or a secret", looked(counts.lines, "answers"), right),
    known: {
      what: "every repeated call came to an end that its client knows",
      looked: `${counts.lines} attempts`,
      faults: [...open].slice(0, 20).map(([tag, ended]) => `call ${tag}: ${ended}`),
    },
  };
}

/** A call with an idempotency key stays open until one of its attempts is final. */
function noteEnd(open: Map<number, string>, { tag, kind, ended, status }: ClientLine): void {
  const isRefused = ended === "error" && status !== null && status < 500 && status !== 409 && status !== 429;
  const isJob = kind === "video" && status === 200;
  if (ended === "done" || isJob || (isRefused && status >= 400)) open.delete(tag);
  else open.set(tag, `${ended} ${status ?? ""}`);
}

function doneFault(line: ClientLine, settled: SettledCalls): string | null {
  const rows = settled.byTag.get(line.tag) ?? [];
  const [row] = rows;
  if (row === undefined || rows.length > 1) return `call ${line.tag}: done, and charged ${rows.length} times`;
  if (row.charged !== line.charged) return `call ${line.tag}: told ${line.charged}, charged ${row.charged}`;
  if (row.organization !== line.organization) return `call ${line.tag}: charged to another organization`;
  const isSame = line.replayed || line.requestId === row.requestId;
  return isSame ? null : `call ${line.tag}: told of ${line.requestId}, charged as ${row.requestId}`;
}

function checkOnce({ settled }: CallsEvidence): Check {
  const faults = createFaults();
  for (const [tag, rows] of settled.byTag) {
    if (rows.length > 1)
      faults.add(`call ${tag} was charged as ${rows.map((row) => row.requestId).join(" and ")}`);
  }
  return check(
    "no call was charged twice, however often it was repeated",
    `${settled.byTag.size} calls`,
    faults,
  );
}

function checkProduced(evidence: CallsEvidence): Check {
  const faults = createFaults();
  const produced = new Set<string>();
  for (const { tag, made } of readAppendLog<UpstreamLine>(evidence.upstreamLog))
    produced.add(`${made} ${tag}`);
  let looked = 0;
  for (const row of evidence.settled.all) {
    if (row.status !== "succeeded") continue;
    looked++;
    const fault = producedFault(row, produced, evidence);
    if (fault !== null) faults.add(`request ${row.requestId}: ${fault}`);
  }
  return check(
    "every charge is the price of what the upstream produced for that call",
    `${looked} charges`,
    faults,
  );
}

function producedFault(
  row: SettledCall,
  produced: ReadonlySet<string>,
  { seed, calls, organizations }: CallsEvidence,
): string | null {
  if (row.tag === null || row.tag < 1 || row.tag > calls) return `is of no call that was made (${row.tag})`;
  const planned = planCall(seed, row.tag, organizations);
  if (planned.organization !== row.organization) return `call ${row.tag} was another organization's`;
  if (planned.model !== row.model) return `call ${row.tag} was for ${planned.model}, not ${row.model}`;
  if (!produced.has(`${madeBy(planned)} ${row.tag}`)) return `nothing was produced for call ${row.tag}`;
  const cost = costOf(row.model, row.tag);
  if (row.charged + row.writtenOff === cost) return null;
  return `call ${row.tag} cost ${row.charged}, its price is ${cost}`;
}

function madeBy({ kind }: PlannedCall): UpstreamLine["made"] {
  return kind === "image" || kind === "video" ? kind : "chat";
}

/** A failed call cost nothing; a cancelled one cost at most what was held for it. */
function checkParts({ settled }: CallsEvidence): Check {
  const faults = createFaults();
  let looked = 0;
  for (const row of settled.all) {
    if (row.status === "succeeded") continue;
    looked++;
    if (row.status === "failed" && row.charged > 0) faults.add(`failed ${row.requestId} cost ${row.charged}`);
    if (row.charged > MOST_HELD) faults.add(`left ${row.requestId} cost ${row.charged}`);
  }
  return check("what failed cost nothing, what was left its part", `${looked} calls`, faults);
}

function check(what: string, looked: string, faults: { readonly list: readonly string[] }): Check {
  return { what, looked, faults: faults.list };
}
