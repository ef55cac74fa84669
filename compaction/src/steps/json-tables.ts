import type { JsonStyle } from "../json/find-json.ts";
import { ABSENT, type Column, columnsOf, membersOf, textOf } from "../json/json-columns.ts";
import { isPlain, type JsonTape } from "../json/json-tape.ts";
import { COLUMNS, KEY } from "../text/marks.ts";

/** Fewer rows do not make up for the header. */
const LEAST_ROWS = 2;
/** In a header, after the name of a column that some rows lack. */
const OPTIONAL = "absent if empty";
/** What would end a cell, start one of another type, or close the fence around it. */
const NOT_BARE = /[,"`\\{}[\]]|^ | $|^~~~/;

/**
 * Writes arrays of similar objects, and objects of similar objects, as tables: a header with the column names and the
 * values that are the same in every row, then a line per row. Strings are unquoted if they can be nothing else. Null
 * if nothing becomes a table. Inverse: `expandTables` of the tests. Bound: every value is written once, and compared
 * with others once per nesting level; levels are bounded.
 */
export function writeTables(tape: JsonTape, style: JsonStyle): string | null {
  /** Cached: an abandoned table would have its values written again, which would double the work at each level. */
  const written: string[] = [];
  let tables = 0;

  function write(value: number): string {
    const known = written[value];
    if (known !== undefined) return known;
    const text = writeAnew(value);
    written[value] = text;
    return text;
  }

  function writeAnew(value: number): string {
    const kind = tape.kinds[value];
    if (kind !== "object" && kind !== "array") return textOf(tape, value);
    const members = membersOf(tape, value);
    const table = kind === "array" ? writeRows(value, members, null) : writeKeyedRows(value, members);
    if (table === null) return writePlain(value, members);
    tables++;
    return table;
  }

  /** Writes an array or object as JSON, possibly with tables inside. */
  function writePlain(value: number, members: readonly number[]): string {
    if (tape.kinds[value] === "array") return `[${members.map(write).join(style.comma)}]`;
    const pairs: string[] = [];
    for (let at = 0; at < members.length; at += 2) {
      pairs.push(textOf(tape, members[at] as number) + style.colon + write(members[at + 1] as number));
    }
    return `{${pairs.join(style.comma)}}`;
  }

  function writeKeyedRows(value: number, members: readonly number[]): string | null {
    if (members.length < LEAST_ROWS * 2 || tape.kinds[members[1] as number] !== "object") return null;
    const keys = members.filter((_, at) => at % 2 === 0).map((key) => textOf(tape, key));
    const rows = members.filter((_, at) => at % 2 === 1);
    return writeRows(value, rows, keys);
  }

  function writeRows(value: number, rows: readonly number[], keys: readonly string[] | null): string | null {
    if (rows.length < LEAST_ROWS || tape.kinds[rows[0] as number] !== "object") return null;
    const columns = columnsOf(tape, rows, keys);
    if (columns === null) return null;
    const heads = headsOf(columns);
    if (keys !== null) heads.unshift(`"${KEY}"`);
    const lines = rows.map((_, row) => {
      const cells = cellsOf(columns, row);
      if (keys !== null) cells.unshift(bare(keys[row] as string));
      return `\n${cells.join(",")}`;
    });
    const hasOptional = columns.some(({ kind }) => kind === "optional");
    // An empty line means a row with only constant values; that it also lacks the optional ones would be overlooked.
    if (hasOptional && lines.includes("\n")) return null;
    const table = `{"${COLUMNS}"${style.colon}[${heads.join(style.comma)}]${lines.join("")}\n}`;
    // The table must be shorter than the value as it is. With optional columns, whose header may be longer than few
    // rows, it must be shorter than the value without white space, which is dropped without a table as well.
    const otherwise = hasOptional
      ? writePlain(value, membersOf(tape, value)).length
      : (tape.ends[value] as number) - (tape.starts[value] as number);
    return table.length < otherwise ? table : null;
  }

  function headsOf(columns: readonly Column[]): string[] {
    return columns.map(({ key, kind, values, columns: inner }) => {
      if (kind === "values") return key;
      if (kind === "optional") return `{${key}${style.colon}"${OPTIONAL}"}`;
      if (kind === "nested") return `{${key}${style.colon}[${headsOf(inner).join(style.comma)}]}`;
      const value = kind === "key" ? `"${KEY}"` : write(values[0] as number);
      return `{${key.slice(0, -1)}="${style.colon}${value}}`;
    });
  }

  function cellsOf(columns: readonly Column[], row: number): string[] {
    return columns.flatMap(({ kind, values, columns: inner }) => {
      if (kind === "nested") return cellsOf(inner, row);
      if (kind !== "values" && kind !== "optional") return [];
      const value = values[row] as number;
      // Every value has at least one character (an empty string has its quotes), so an empty cell means absent.
      return [value === ABSENT ? "" : cellOf(value)];
    });
  }

  function cellOf(value: number): string {
    return tape.kinds[value] === "string" ? bare(textOf(tape, value)) : write(value);
  }

  const text = write(0);
  return tables === 0 ? null : text;
}

/** A string without its quotes, if it could be nothing else. */
function bare(lexeme: string): string {
  const text = lexeme.slice(1, -1);
  return text === "" || NOT_BARE.test(text) || isPlain(text) ? lexeme : text;
}
