import type { Database } from "../../gateway/src/db/index.ts";
import { PICTURE, VIDEO } from "./run-models.ts";

/** How a call ended, according to the ledger. */
export type SettledCall = {
  readonly organization: number;
  readonly requestId: string;
  readonly status: "succeeded" | "failed" | "cancelled";
  readonly charged: number;
  readonly writtenOff: number;
  readonly model: string;
  /** The tag of the answered call; null unless it succeeded. */
  readonly tag: number | null;
};

export type SettledCalls = {
  readonly all: readonly SettledCall[];
  readonly byRequest: ReadonlyMap<string, SettledCall>;
  /** Calls that succeeded and were charged. */
  readonly byTag: ReadonlyMap<number, readonly SettledCall[]>;
};

const PAGE = 20_000;

type Row = {
  readonly request_id: string;
  readonly status: SettledCall["status"];
  readonly charged: number;
  readonly written_off: number;
  readonly model: string;
  readonly output_tokens: number;
  readonly prompt: string | null;
};

/**
 * Every request row of these organizations. The tag of a text call is its output tokens; that of an image or a video is
 * in its prompt.
 */
export async function loadSettledCalls(db: Database, orgIds: readonly string[]): Promise<SettledCalls> {
  const all: SettledCall[] = [];
  for (const [organization, orgId] of orgIds.entries()) {
    let after = "00000000-0000-0000-0000-000000000000";
    for (;;) {
      const { rows } = await db.pool.query<Row>({
        name: "settled_calls",
        text: `select r.request_id, r.status, (r.charged_subscription + r.charged_anytime)::int as charged,
            r.written_off_credits::int as written_off, r.model, r.output_tokens::int as output_tokens, a.prompt
          from requests r left join (select request_id, min(prompt) as prompt from assets
            where org_id = $1 group by request_id) a on a.request_id = r.request_id
          where r.org_id = $1 and r.request_id > $2 order by r.request_id limit $3`,
        values: [orgId, after, PAGE],
      });
      for (const row of rows) all.push(settledCall(organization, row));
      if (rows.length < PAGE) break;
      after = rows.at(-1)?.request_id ?? after;
    }
  }
  return {
    all,
    byRequest: new Map(all.map((call) => [call.requestId, call])),
    byTag: Map.groupBy(
      all.filter(({ tag, charged }) => tag !== null && charged > 0),
      ({ tag }) => tag ?? 0,
    ),
  };
}

function settledCall(organization: number, row: Row): SettledCall {
  const isMedia = row.model === PICTURE || row.model === VIDEO;
  const named = isMedia ? Number(/tag=(\d+)/.exec(row.prompt ?? "")?.[1] ?? Number.NaN) : row.output_tokens;
  return {
    organization,
    requestId: row.request_id,
    status: row.status,
    charged: row.charged,
    writtenOff: row.written_off,
    model: row.model,
    tag: row.status === "succeeded" && !Number.isNaN(named) ? named : null,
  };
}
