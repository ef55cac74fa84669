import type { JsonTape } from "./json-tape.ts";

/** A column of a table: its key with quotes, and its value in every row. */
export type Column = {
  readonly key: string;
  readonly values: readonly number[];
  /**
   * "same": every row has the value of the first; "key": every row has its own key as the value; "optional": ABSENT
   * in some rows; "nested": objects with the same keys.
   */
  readonly kind: "values" | "same" | "key" | "optional" | "nested";
  readonly columns: readonly Column[];
};

export function textOf({ text, starts, ends }: JsonTape, value: number): string {
  return text.slice(starts[value], ends[value]);
}

/** The values of an array; for an object, its keys and values alternately. */
export function membersOf({ nexts }: JsonTape, value: number): number[] {
  const members: number[] = [];
  const end = nexts[value] as number;
  for (let at = value + 1; at < end; at = nexts[at] as number) members.push(at);
  return members;
}

/** In `values`: the row does not have this key. */
export const ABSENT = -1;

/** Rows with more optional keys are not alike. */
const MOST_OPTIONAL = 8;

type Named = { readonly key: string; readonly values: number[]; isOptional: boolean };
type Table = { readonly columns: Named[]; optional: number };

/**
 * Null unless every row is an object with the same keys in the same order, except for a few that some rows lack.
 * `keys` are the rows' own keys, if they have some. Bound: a key is looked up only at its own place and at the next
 * few.
 */
export function columnsOf(
  tape: JsonTape,
  rows: readonly number[],
  keys: readonly string[] | null,
): Column[] | null {
  const table: Table = { columns: [], optional: 0 };
  for (const [at, row] of rows.entries()) {
    if (tape.kinds[row] !== "object" || !addRow(tape, table, { row, at })) return null;
  }
  const { columns } = table;
  // In the head of a table an equals sign at the end of a key has a special meaning.
  if (columns.length === 0 || columns.some(({ key }) => key.endsWith('="'))) return null;
  return columns.map((column) => columnOf(tape, column, keys));
}

/** Adds a row's values to their columns, and columns for new keys; false if the row does not fit. */
function addRow(tape: JsonTape, table: Table, { row, at }: { row: number; at: number }): boolean {
  const { columns } = table;
  const members = membersOf(tape, row);
  let next = 0;
  for (let member = 0; member < members.length && table.optional <= MOST_OPTIONAL; member += 2) {
    const key = textOf(tape, members[member] as number);
    const place = at === 0 ? -1 : placeOf(columns, key, next);
    if (place >= 0) for (; next < place; next++) leaveOut(table, next);
    else if (at > 0 && columns.some((column) => column.key === key)) return false;
    else {
      columns.splice(next, 0, { key, values: new Array(at).fill(ABSENT), isOptional: at > 0 });
      if (at > 0) table.optional++;
    }
    (columns[next++] as Named).values.push(members[member + 1] as number);
  }
  for (; next < columns.length; next++) leaveOut(table, next);
  return table.optional <= MOST_OPTIONAL;
}

function leaveOut(table: Table, at: number): void {
  const column = table.columns[at] as Named;
  column.values.push(ABSENT);
  if (!column.isOptional) table.optional++;
  column.isOptional = true;
}

/** The index of a key's column from `next` on; -1 if it is not among the next few. */
function placeOf(columns: readonly Named[], key: string, next: number): number {
  const end = Math.min(columns.length, next + MOST_OPTIONAL + 1);
  for (let at = next; at < end; at++) if (columns[at]?.key === key) return at;
  return -1;
}

function columnOf(
  tape: JsonTape,
  { key, values, isOptional }: Named,
  keys: readonly string[] | null,
): Column {
  if (isOptional) return { key, values, kind: "optional", columns: [] };
  const first = textOf(tape, values[0] as number);
  const isSame = values.every((value) => textOf(tape, value) === first);
  if (isSame) return { key, values, kind: "same", columns: [] };
  if (keys !== null && values.every((value, row) => textOf(tape, value) === keys[row])) {
    return { key, values, kind: "key", columns: [] };
  }
  const columns = tape.kinds[values[0] as number] === "object" ? columnsOf(tape, values, null) : null;
  // Objects with optional keys are as clear when written in the cell, and shorter if each has its own keys.
  return columns === null || columns.some(({ kind }) => kind === "optional")
    ? { key, values, kind: "values", columns: [] }
    : { key, values, kind: "nested", columns };
}
