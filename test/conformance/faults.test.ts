/**
 * What a user of each client sees when an upstream misbehaves: an error of the library's own kind, never a silent end
 * and never half an answer for a whole one; one request where the reply says not to retry; no charge. How the gateway
 * itself handles these faults is tested in `test/faults`.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectQuiet } from "../faults/ending.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { ANSWER_TEXT, USAGE } from "../upstream/chat-wire.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { type Access, CLIENTS } from "./clients/index.ts";
import { type Cell, cellsOf, type FaultRow, faultSettings } from "./fault-models.ts";

const CREDITS = 1_000_000;
/** Byte by byte is expensive, and `test/faults` always covers it; a client gets the same as with `split`. */
const SLOW = process.env["BURSAR_TEST_LONG"] === "1" ? ["drip:0"] : [];
/** Odd, but a valid answer. */
const GOOD = [
  ...["ok", "json-anyway", "split", "cr-only", "crlf", "bom", "no-done", "no-blank-line", "done-twice"],
  ...["after-done", "usage-twice", "gzip", ...SLOW],
];
/** Faults that are possible on either wire, by the status that they become. */
const HTTP_FAULTS: Readonly<Record<number, readonly string[]>> = {
  400: ["leak:400", "overflow", "overflow:429"],
  502: [
    ...["close", "reset", "garbage", "huge-headers", "html", "error-object", "empty-body", "not-json"],
    ...["wrong-shape", "empty", "comments", "done-only", "short-length", "long-length"],
    ...["401", "leak:500", "status:503", "redirect:307"],
    ...["broken:reset", "broken:close", "broken:malformed", "broken:page", "broken:error"],
  ],
  503: ["429", "429:7"],
  504: ["silent", "slow-headers", "headers-only", "endless-comments"],
};
/** Text and fault arrive in one piece or in two, depending on the network. */
const CHAT_FAULTS = [
  ...["first-error", "late-error", "no-finish", "usage:nan", "length-off:-30"],
  ...[0, 1, 100, 300, 700, 1_000, 2_000].map((bytes) => `reset-at:${bytes}`),
  ...[0, 300, 700, 2_000].map((bytes) => `close-at:${bytes}`),
];
/** The fault comes after a role and before any text, in one piece with it or in two. */
const ROLE_FAULTS = ["malformed", "broken:malformed:1"];
/** The fault comes after text that the client has seen, too late for a status. */
const LATE_KINDS = ["reset", "close", "end", "done", "malformed", "error"];
const CHAT_LATE = LATE_KINDS.map((kind) => `broken:${kind}:4`);
const RESPONSES_LATE = [...LATE_KINDS, "failed"].map((kind) => `broken:${kind}:6`);
const STALLS: readonly FaultRow[] = [{ behaviour: "stall" }];

const ANSWERED = new RegExp(`^answered ${ANSWER_TEXT}$`);
const BROKE_OFF_LATE = /^refused inside the stream internal_error after text$/;
const BROKE_OFF = new RegExp(`^refused 502 internal_error$|${BROKE_OFF_LATE.source}`);
/** A client that reads a role has begun its stream; one library turns the error after it into a status. */
const BROKE_OFF_UNSAID = /^refused (?:inside the stream internal_error|500 null)$/;
const SECRETS =
  /sk-|canary|127\.0\.0\.1|upstream-host|cluster\.internal|10\.1\.2\.3|req_|org-Q|Bearer|tok_secret/;

const chat = (behaviours: readonly string[]) => behaviours.map((behaviour) => ({ behaviour }));
const both = (behaviours: readonly string[]) =>
  behaviours.map((behaviour) => ({ behaviour, speaksResponses: true }));
const everywhere = (status: number) => [
  ...chat(HTTP_FAULTS[status] ?? []),
  ...both(HTTP_FAULTS[status] ?? []),
];
/** Faults by status, noticed before anything was sent to the client. */
const EARLY: Readonly<Record<number, readonly FaultRow[]>> = {
  400: everywhere(400),
  502: [...everywhere(502), ...both(["broken:failed"])],
  503: everywhere(503),
  504: everywhere(504),
};
const EITHER = chat(CHAT_FAULTS);
const UNSAID = chat(ROLE_FAULTS);
const LATE = [...chat(CHAT_LATE), ...both(RESPONSES_LATE)];
/** Faults that only a timeout ends. */
const TIMED = [...(EARLY[504] ?? []), ...STALLS];

let upstream: MisbehavingUpstream;
const files: SettingsFile[] = [];
/** Its timeouts are never reached, however busy the machine. */
let patient: TestGateway;
let hasty: TestGateway;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  const untimed = [...chat(GOOD), ...[400, 502, 503].flatMap((status) => EARLY[status] ?? [])];
  patient = await start([...untimed, ...EITHER, ...UNSAID, ...LATE], {});
  hasty = await start(TIMED, { connect_ms: 200, first_byte_ms: 200, idle_ms: 200, call_ms: 700 });
});
afterAll(async () => {
  await patient.close();
  await hasty.close();
  await upstream.close();
  for (const file of files) file.remove();
});

async function start(rows: readonly FaultRow[], timeouts: Record<string, number>): Promise<TestGateway> {
  const file = writeSettings(faultSettings(upstream, rows, { clients: CLIENTS, timeouts }));
  files.push(file);
  return startTestGateway(file.environment);
}

/** How a call ended for the client, in one line. */
async function seenBy({ client, form, model }: Cell, access: Access): Promise<string> {
  let text = "";
  try {
    const answer = await client[form](access, { model, prompt: "Hello" }, (piece) => {
      text += piece;
    });
    return `answered ${answer.text}`;
  } catch (error) {
    const { status, code } = client.refusalOf(error);
    const message = error instanceof Error ? error.message : "";
    const leaks = SECRETS.test(message) ? ` and shows ${message}` : "";
    return `refused ${status ?? "inside the stream"} ${code}${text === "" ? "" : " after text"}${leaks}`;
  }
}

/** Runs every client in both forms at once and checks what each saw; nothing may stay held. */
async function expectSeen(
  gateway: TestGateway,
  row: FaultRow,
  expected: { readonly seen: (cell: Cell) => RegExp; readonly charged?: number },
): Promise<readonly string[]> {
  const cells = cellsOf(row, CLIENTS);
  const own = await gateway.found({ credits: CREDITS });
  const before = answeredBy(gateway);
  const saysNotToRetry = row.behaviour === "401";
  const access = (cell: Cell): Access => ({
    origin: gateway.origin,
    key: own.key,
    ...(cell.client.readsShouldRetry && saysNotToRetry ? {} : { maxRetries: 0 }),
  });
  const seen = await Promise.all(cells.map((cell) => seenBy(cell, access(cell))));
  const wrong = cells.flatMap((cell, at) =>
    expected.seen(cell).test(seen[at] ?? "") ? [] : [`${cell.client.name}, ${cell.form}: ${seen[at]}`],
  );
  expect(wrong).toEqual([]);
  expect(answeredBy(gateway) - before).toBe(cells.length);
  await gateway.services.running.idle();
  await expectQuiet(gateway.database.db, own.id, CREDITS - (expected.charged ?? 0) * cells.length);
  return seen;
}

/** How many requests the gateway has answered. */
function answeredBy(gateway: TestGateway): number {
  const counts = gateway.services.metrics.render().matchAll(/^bursar_http_requests_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function nameOf({ behaviour, speaksResponses }: FaultRow): string {
  return speaksResponses === true ? `${behaviour} (both wires)` : behaviour;
}

describe("every client gets the answer of an upstream that is odd but valid", () => {
  test.each(chat(GOOD).map((row) => [nameOf(row), row] as const))("%s", async (_name, row) => {
    await expectSeen(patient, row, { seen: () => ANSWERED, charged: USAGE.total_tokens });
  });
});

for (const [status, rows] of Object.entries(EARLY)) {
  describe(`every client gets ${status} from an upstream that fails, with one request and no charge`, () => {
    test.each(rows.map((row) => [nameOf(row), row] as const))("%s", async (_name, row) => {
      const seen = new RegExp(`^refused ${status} ${codeOf(Number(status), row)}$`);
      await expectSeen(status === "504" ? hasty : patient, row, { seen: () => seen });
    });
  });
}

function codeOf(status: number, { behaviour }: FaultRow): string {
  if (behaviour.startsWith("overflow")) return "context_length_exceeded";
  return status === 400 ? "validation_error" : "internal_error";
}

describe("every client gets an error from an upstream that breaks off, with one request and no charge", () => {
  test.each(EITHER.map((row) => [nameOf(row), row] as const))("%s", async (_name, row) => {
    await expectSeen(patient, row, { seen: () => BROKE_OFF });
  });

  test.each(UNSAID.map((row) => [nameOf(row), row] as const))("%s, after a role", async (_name, row) => {
    const early = /^refused 502 internal_error$/;
    const isReading = ({ client, form }: Cell) => form === "stream" && client.wire === "chat";
    await expectSeen(patient, row, { seen: (cell) => (isReading(cell) ? BROKE_OFF_UNSAID : early) });
  });

  test.each([...LATE, ...STALLS].map((row) => [nameOf(row), row] as const))(
    "%s, after text",
    async (_name, row) => {
      const isTimed = TIMED.includes(row);
      const inOnePiece = new RegExp(`^refused ${isTimed ? 504 : 502} internal_error$`);
      const expected = ({ form }: Cell) => (form === "ask" ? inOnePiece : BROKE_OFF);
      const seen = await expectSeen(isTimed ? hasty : patient, row, { seen: expected });
      // On a busy machine, a client sometimes gets text and error at once.
      expect(seen.some((each) => BROKE_OFF_LATE.test(each))).toBe(true);
    },
  );
});
