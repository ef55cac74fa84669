import { z } from "zod";
import { creditsSavedBy, measuredWords, priceWords, readMeasured } from "../catalog/index.ts";
import { createGate, createShares, DAY_MS } from "../kit/index.ts";
import {
  isRequestCursor,
  REQUEST_SORTS,
  REQUEST_STATUSES,
  type RequestPageQuery,
  type RequestRecord,
} from "../usage/index.ts";
import { csvFile, csvLine } from "./csv.ts";
import { ASSET, assetRowsOf } from "./library.ts";
import { type Act, type ActIn, defineOperation, FILE, maySee, serving } from "./operation.ts";
import { invalidInput, noSuch, tooMany } from "./problem.ts";
import { REQUEST_ROW, requestRowOf } from "./request-row.ts";
import { filterFor, inCredits, USAGE_FILTER } from "./usage.ts";

const USUAL_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_CURSOR_CHARS = 200;

/** Sums are not kept by status, so only lists can be filtered by it. */
const FILTER = {
  ...USAGE_FILTER,
  status: z.enum(REQUEST_STATUSES).optional(),
  sort: z.enum(REQUEST_SORTS).optional(),
  order: z.enum(["down", "up"]).optional(),
};

function queryFor(
  act: Act,
  asked: z.output<z.ZodObject<typeof FILTER>>,
): Omit<RequestPageQuery, "limit" | "cursor"> {
  return {
    filter: filterFor(act, asked),
    status: asked.status ?? null,
    sort: asked.sort ?? "time",
    isAscending: asked.order === "up",
  };
}

const listRequests = defineOperation({
  name: "request.list",
  area: "usage",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/requests"],
  input: z.strictObject({
    ...FILTER,
    cursor: z.string().max(MAX_CURSOR_CHARS).optional().describe("`next_cursor` of the previous page"),
    limit: z.int().min(1).max(MAX_LIMIT).optional(),
  }),
  output: z
    .object({
      rows: z.array(REQUEST_ROW),
      nextCursor: z.string().nullable(),
      isCut: z.boolean().describe("true if there were more calls than were considered"),
    })
    .meta({ id: "RequestRows" }),
  words: {
    about: "List calls.",
    notes: "If sorted by anything but time, only the newest 5,000 matches are considered.",
  },
  async run(act, { cursor, limit = USUAL_LIMIT, ...asked }) {
    const query = queryFor(act, asked);
    if (cursor !== undefined && !isRequestCursor(cursor, query.sort))
      throw invalidInput("cursor", "This page link is no longer valid. Reload the list.");
    const page = { ...query, limit, cursor: cursor ?? null };
    const { requests, nextCursor, isCut } = await act.services.usage.requests(act.organization.id, page);
    return { rows: requests.map((record) => requestRowOf(act, record)), nextCursor, isCut };
  },
});

/** Everything about one call. To a member, someone else's call answers as if it did not exist. */
const getRequest = defineOperation({
  name: "request.get",
  area: "usage",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/requests/{request_id}"],
  input: z.strictObject({ requestId: z.string().describe("the call's id") }),
  output: REQUEST_ROW.extend({
    settledAt: z.string().nullable(),
    held: z.int(),
    chargedSubscription: z.int(),
    chargedAnytime: z.int(),
    writtenOff: z.int(),
    leftAfter: z.int().nullable().describe("what could be spent right after it; null while it runs"),
    creditsSaved: z.number(),
    cacheSaved: z
      .number()
      .nullable()
      .describe("credits that the provider's cache saved, net; null if it was not used"),
    price: z.string().nullable().describe("as text: the price at the time of the call"),
    measured: z
      .object({
        input: z.string().nullable().describe("about the input tokens"),
        output: z.string().nullable(),
        work: z.string().nullable(),
      })
      .describe("what the price was applied to, as text; null if the token counts say it"),
    target: z.string().nullable(),
    isGivenUp: z
      .boolean()
      .describe("true if its process was lost before it ended, so the sweeper released the hold"),
    assets: z.array(ASSET),
  }).meta({ id: "RequestReceipt" }),
  words: { about: "Show everything about one call." },
  async run(act, { requestId }) {
    const { id: orgId } = act.organization;
    const isId = z.guid().safeParse(requestId).success;
    const receipt = isId ? await act.services.usage.receipt(orgId, requestId) : null;
    if (!receipt || !maySee(act, receipt.memberId)) throw noSuch("request");
    const made = await serving(act).library.ofRequest(orgId, requestId);
    const { cache_saved: cacheSaved } = readMeasured(receipt.measured);
    return {
      ...requestRowOf(act, receipt),
      settledAt: receipt.settledAt?.toISOString() ?? null,
      held: receipt.held,
      chargedSubscription: receipt.chargedSubscription,
      chargedAnytime: receipt.chargedAnytime,
      writtenOff: receipt.writtenOff,
      leftAfter: receipt.leftAfter,
      creditsSaved: creditsSavedBy(receipt.priceRule, receipt.tokensSaved),
      cacheSaved: cacheSaved === undefined ? null : inCredits(cacheSaved),
      price: priceWords(receipt.priceRule),
      measured: measuredWords(receipt.measured),
      target: receipt.target,
      isGivenUp: receipt.isGivenUp,
      assets: await assetRowsOf(act, made),
    };
  },
});

/** Spreadsheets cannot open larger files; for more, export fewer days at a time. */
const MAX_EXPORTED = 100_000;
const PAGE_ROWS = 1_000;
/** Most pages that one export reads: a few matches among many calls come in many short pages. */
const MAX_PAGES = 1_000;
/** Per caller: a second export is for someone who clicks twice, or whose first one hangs. */
const MAX_OF_ONE = 2;
const MAX_AT_ONCE = 1_000;
/** Pages that all exports together read at once. None is held while a file is sent, so slow readers block nobody. */
const PAGES_AT_ONCE = 2;
const MAX_WAIT_MS = 60_000;
const TRY_AGAIN_SECONDS = 10;

/** Of this process. */
const underWay = createShares({ all: MAX_AT_ONCE, ofOne: MAX_OF_ONE });
const pages = createGate({ slots: PAGES_AT_ONCE, maxWaiting: MAX_AT_ONCE, maxWaitMs: MAX_WAIT_MS });

/** Returns the function that ends the export; it may be called more than once. */
function begin(callerId: string): () => void {
  if (!underWay.take(callerId, 1))
    throw tooMany(
      "Two of your exports are still running. Try again when one of them has finished.",
      TRY_AGAIN_SECONDS,
    );
  let isUnderWay = true;
  return () => {
    if (isUnderWay) underWay.giveBack(callerId, 1);
    isUnderWay = false;
  };
}

/**
 * The requests that the list shows, under the same filters. Always newest first: spreadsheets can sort, and if we
 * sorted otherwise, only the newest calls would be considered.
 */
const exportRequests = defineOperation({
  name: "request.export",
  area: "usage",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/requests.csv"],
  input: z.strictObject(FILTER),
  output: FILE,
  words: { about: "Export calls as CSV, newest first, at most 100,000." },
  async run(act, asked) {
    const { clock, log } = act.services;
    const { id: orgId, slug } = act.organization;
    const day = (ago: number) => new Date(clock.nowMs() - ago * DAY_MS).toISOString().slice(0, 10);
    const query = queryFor(act, { ...asked, sort: "time", order: "down" });
    return csvFile(`usage-${slug}-${day(asked.days - 1)}-to-${day(0)}.csv`, {
      lines: linesOf(act, query),
      end: begin("id" in act.by ? act.by.id : act.by.kind),
      fail: (error) => log.error("console_export_failed", { org_id: orgId, error }),
    });
  },
});

type Row = { readonly row: z.input<typeof REQUEST_ROW>; readonly measured: ReturnType<typeof readMeasured> };

const COLUMNS: readonly (readonly [string, (of: Row) => string | number | null])[] = [
  ["time", ({ row }) => row.createdAt],
  ["request_id", ({ row }) => row.requestId],
  ["endpoint", ({ row }) => row.endpoint],
  ["model", ({ row }) => row.model],
  ["status", ({ row }) => row.status],
  ["error_code", ({ row }) => row.errorCode],
  ["key", ({ row }) => row.keyName],
  ["member", ({ row }) => row.memberName],
  ["credits", ({ row }) => row.credits],
  ["input_tokens", ({ row }) => row.inputTokens],
  ["output_tokens", ({ row }) => row.outputTokens],
  ["tokens_saved", ({ row }) => row.tokensSaved],
  ["latency_ms", ({ row }) => row.latencyMs],
  // Parts of the token counts; empty if there are none, and for calls from before these were recorded.
  ["cached_input_tokens", ({ measured }) => measured.cached_input_tokens ?? null],
  ["cache_write_tokens", ({ measured }) => measured.cache_write_tokens ?? null],
  ["audio_input_tokens", ({ measured }) => measured.audio_input_tokens ?? null],
  ["reasoning_tokens", ({ measured }) => measured.reasoning_tokens ?? null],
  ["reason", ({ row }) => row.reason],
  [
    "cache_saved",
    ({ measured }) => (measured.cache_saved === undefined ? null : inCredits(measured.cache_saved)),
  ],
];

async function pageInTurn(act: ActIn, query: RequestPageQuery) {
  const leave = await pages.enter();
  try {
    return await act.services.usage.requests(act.organization.id, query);
  } finally {
    leave();
  }
}

/** Reads one page at a time, after the previous one was sent: nothing waits in memory or holds a connection. */
async function* linesOf(
  act: ActIn,
  query: Omit<RequestPageQuery, "limit" | "cursor">,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  const lineOf = (record: RequestRecord) => {
    const row = { row: requestRowOf(act, record), measured: readMeasured(record.measured) };
    return csvLine(COLUMNS.map(([, cell]) => cell(row)));
  };
  let cursor: string | null = null;
  let left = MAX_EXPORTED;
  for (let page = 0; page < MAX_PAGES && left > 0; page++) {
    const found = await pageInTurn(act, { ...query, limit: Math.min(PAGE_ROWS, left), cursor });
    left -= found.requests.length;
    if (found.requests.length > 0) yield found.requests.map(lineOf).join("");
    cursor = found.nextCursor;
    if (cursor === null) return;
  }
}

export const REQUEST_OPERATIONS = [listRequests, getRequest, exportRequests] as const;
