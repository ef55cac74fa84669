import { z } from "zod";
import { readMeasured } from "../../../catalog/index.ts";
import { createGate, createShares, DAY_MS, type Gate } from "../../../kit/index.ts";
import type { RequestPageQuery, RequestRecord, Usage } from "../../../usage/index.ts";
import type { RequestRow } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Viewer } from "../viewer.ts";
import { csvLine } from "./csv-line.ts";
import type { Download } from "./operation.ts";
import { elsewhere, tooMany } from "./problem.ts";
import { requestFilterFields, requestQueryFor } from "./usage-filter.ts";
import { inCredits, requestRowOf } from "./usage-view.ts";

/** Spreadsheets cannot open larger files; for more, export fewer days at a time. */
const MAX_EXPORTED = 100_000;
const PAGE_ROWS = 1_000;
/** Most pages that one export reads: a few matches among many calls come in many short pages. */
const MAX_PAGES = 1_000;
/** Per person: a second export is for someone who clicks twice, or whose first one hangs. */
const MAX_OF_ONE = 2;
const MAX_AT_ONCE = 1_000;
/** Pages that all exports together read at once. None is held while a file is sent, so slow readers block nobody. */
const PAGES_AT_ONCE = 2;
const MAX_WAIT_MS = 60_000;
const TRY_AGAIN_SECONDS = 10;

/**
 * The requests that the page lists, under the same filters, as a file that is produced while it is sent. Always newest
 * first: spreadsheets can sort, and if we sorted otherwise, only the newest calls would be considered.
 */
export function usageCsvDownload({ usage, clock, log }: ConsoleParts): Download<"usage.csv"> {
  const underWay = createShares({ all: MAX_AT_ONCE, ofOne: MAX_OF_ONE });
  const pages = createGate({ slots: PAGES_AT_ONCE, maxWaiting: MAX_AT_ONCE, maxWaitMs: MAX_WAIT_MS });

  /** Returns the function that ends the export; it may be called more than once. */
  function begin(userId: string): () => void {
    if (!underWay.take(userId, 1))
      throw tooMany(
        "Two of your exports are still running. Try again when one of them has finished.",
        TRY_AGAIN_SECONDS,
      );
    let isUnderWay = true;
    return () => {
      if (isUnderWay) underWay.giveBack(userId, 1);
      isUnderWay = false;
    };
  }

  return {
    who: "member",
    input: z.strictObject({ ...requestFilterFields, organizationId: z.string() }),
    async run({ signedIn, viewer }, { organizationId, ...asked }) {
      const { organization } = viewer;
      if (organizationId !== organization.id) throw elsewhere(organization.name);
      const day = (ago: number) => new Date(clock.nowMs() - ago * DAY_MS).toISOString().slice(0, 10);
      const query = requestQueryFor(viewer, { ...asked, sort: "time", order: "down" });
      const lines = linesOf(inTurn(usage, pages), viewer, query);
      const end = begin(signedIn.userId);
      return {
        fileName: `usage-${organization.slug}-${day(asked.days - 1)}-to-${day(0)}.csv`,
        mimeType: "text/csv; charset=utf-8; header=present",
        body: streamOf(lines, {
          end,
          fail: (error) => log.error("console_export_failed", { org_id: organization.id, error }),
        }),
      };
    },
  };
}

type Row = { readonly row: RequestRow; readonly measured: ReturnType<typeof readMeasured> };

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
  ["reason", ({ row }) => row.reason ?? null],
  [
    "cache_saved",
    ({ measured }) => (measured.cache_saved === undefined ? null : inCredits(measured.cache_saved)),
  ],
];

function rowOf(viewer: Viewer, record: RequestRecord): Row {
  return { row: requestRowOf(viewer, record), measured: readMeasured(record.measured) };
}

function inTurn(usage: Usage, pages: Gate): Pick<Usage, "requests"> {
  return {
    async requests(...asked) {
      const leave = await pages.enter();
      try {
        return await usage.requests(...asked);
      } finally {
        leave();
      }
    },
  };
}

/** Reads one page at a time, after the previous one was sent: nothing waits in memory or holds a connection. */
async function* linesOf(
  usage: Pick<Usage, "requests">,
  viewer: Viewer,
  query: Omit<RequestPageQuery, "limit" | "cursor">,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  let cursor: string | null = null;
  let left = MAX_EXPORTED;
  for (let page = 0; page < MAX_PAGES && left > 0; page++) {
    const limit = Math.min(PAGE_ROWS, left);
    const found = await usage.requests(viewer.organization.id, { ...query, limit, cursor });
    left -= found.requests.length;
    const rows = found.requests.map((record) => rowOf(viewer, record));
    if (rows.length > 0) yield rows.map((row) => csvLine(COLUMNS.map(([, cell]) => cell(row)))).join("");
    cursor = found.nextCursor;
    if (cursor === null) return;
  }
}

/** A partial file must not look complete: if reading fails, the connection breaks, too. */
function streamOf(
  lines: AsyncGenerator<string>,
  { end, fail }: { end(): void; fail(error: unknown): void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await lines.next();
        if (done) {
          end();
          controller.close();
        } else controller.enqueue(encoder.encode(value));
      } catch (error) {
        end();
        fail(error);
        controller.error(error);
      }
    },
    async cancel() {
      end();
      await lines.return(undefined);
    },
  });
}
