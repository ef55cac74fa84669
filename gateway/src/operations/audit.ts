import { z } from "zod";
import { type AuditFilter, type AuditRow, loadActs, OPERATORS_CHAIN } from "./audit-store.ts";
import { csvFile, csvLine } from "./csv.ts";
import { type Act, type ActIn, defineOperation, FILE } from "./operation.ts";

const USUAL_LIMIT = 50;
const MAX_LIMIT = 200;
/** Spreadsheets cannot open larger files. */
const MAX_EXPORTED = 100_000;
const EXPORT_PAGE = 1_000;
const MAX_PAGES = 1_000;
const MAX_NAME_CHARS = 200;

const FACTS = z.record(z.string(), z.unknown()).nullable();
const AUDIT_ROW = z
  .object({
    seq: z.int(),
    at: z.string(),
    actorKind: z.string().describe("person, key or operator"),
    actorId: z.string().nullable(),
    actorName: z.string(),
    face: z.string().describe("console, rest or cli"),
    operation: z.string(),
    objectKind: z.string(),
    objectId: z.string(),
    objectName: z.string().nullable(),
    before: FACTS,
    after: FACTS,
    hash: z.string().describe("over the row before and this one, in hexadecimal"),
  })
  .meta({ id: "AuditRow" });

const FILTER = {
  operation: z.string().max(MAX_NAME_CHARS).optional().describe("only this operation, such as key.create"),
  actorId: z.string().max(MAX_NAME_CHARS).optional().describe("only acts of this person or key"),
  objectId: z.string().max(MAX_NAME_CHARS).optional().describe("only acts on this"),
  face: z.enum(["console", "rest", "cli"]).optional().describe("only acts through this"),
};

const chainOf = ({ organization }: Act & Partial<ActIn>) => organization?.id ?? OPERATORS_CHAIN;

const listActs = defineOperation({
  name: "audit.list",
  area: "audit",
  access: "read",
  place: "either",
  who: "owner",
  rest: ["GET /organizations/{org}/audit", "GET /audit"],
  input: z.strictObject({
    ...FILTER,
    cursor: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, "This page link is no longer valid. Reload the list.")
      .optional()
      .describe("`next_cursor` of the previous page"),
    limit: z.int().min(1).max(MAX_LIMIT).optional(),
  }),
  output: z.object({ rows: z.array(AUDIT_ROW), nextCursor: z.string().nullable() }).meta({ id: "AuditRows" }),
  words: {
    about: "Show who changed what, newest first.",
    notes:
      "With a filter, a page may come short: its cursor goes on. Without an organization, the operator's log.",
  },
  async run(act, { cursor, limit = USUAL_LIMIT, ...filter }) {
    const before = cursor === undefined ? null : Number(cursor);
    const page = await loadActs(act.services.db, { ...filter, chain: chainOf(act), before, limit });
    const nextCursor = page.nextBefore === null ? null : String(page.nextBefore);
    return {
      rows: page.rows.map(({ at, hash, ...row }) => ({
        ...row,
        at: at.toISOString(),
        before: row.before && { ...row.before },
        after: row.after && { ...row.after },
        hash: hash.toString("hex"),
      })),
      nextCursor,
    };
  },
});

const exportActs = defineOperation({
  name: "audit.export",
  area: "audit",
  access: "read",
  place: "either",
  who: "owner",
  rest: ["GET /organizations/{org}/audit.csv", "GET /audit.csv"],
  input: z.strictObject(FILTER),
  output: FILE,
  words: { about: "Export the log as CSV, newest first, one line per act, at most 100,000." },
  async run(act, filter) {
    const { db, log, clock } = act.services;
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    return csvFile(`audit-${act.organization?.slug ?? "operator"}-${day}.csv`, {
      lines: linesOf(db, { ...filter, chain: chainOf(act) }),
      fail: (error) => log.error("console_export_failed", { error }),
    });
  },
});

const COLUMNS: readonly (readonly [string, (row: AuditRow) => string | number | null])[] = [
  ["seq", ({ seq }) => seq],
  ["time", ({ at }) => at.toISOString()],
  ["actor_kind", ({ actorKind }) => actorKind],
  ["actor_id", ({ actorId }) => actorId],
  ["actor", ({ actorName }) => actorName],
  ["face", ({ face }) => face],
  ["operation", ({ operation }) => operation],
  ["object_kind", ({ objectKind }) => objectKind],
  ["object_id", ({ objectId }) => objectId],
  ["object", ({ objectName }) => objectName],
  ["before", ({ before }) => before && JSON.stringify(before)],
  ["after", ({ after }) => after && JSON.stringify(after)],
  ["hash", ({ hash }) => hash.toString("hex")],
];

/** Reads one page at a time, after the previous one was sent. */
async function* linesOf(
  db: ActIn["services"]["db"],
  asked: AuditFilter & { readonly chain: string },
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  let before: number | null = null;
  for (let page = 0, left = MAX_EXPORTED; page < MAX_PAGES && left > 0; page++) {
    const found = await loadActs(db, { ...asked, before, limit: Math.min(EXPORT_PAGE, left) });
    left -= found.rows.length;
    if (found.rows.length > 0)
      yield found.rows.map((row) => csvLine(COLUMNS.map(([, cell]) => cell(row)))).join("");
    before = found.nextBefore;
    if (before === null) return;
  }
}

export const AUDIT_OPERATIONS = [listActs, exportActs] as const;
