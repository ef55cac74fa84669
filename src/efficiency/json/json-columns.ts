import type { JsonTape } from "./json-tape.ts";

/** A column of a table: what it is called, with its quotes, and its value in every row. */
export type Column = {
  readonly key: string;
  readonly values: readonly number[];
  /** "same": in every row the first row's; "key": in every row the row's own key; or objects with like keys. */
  readonly kind: "values" | "same" | "key" | "nested";
  readonly columns: readonly Column[];
};

export function textOf({ text, starts, ends }: JsonTape, value: number): string {
  return text.slice(starts[value], ends[value]);
}

/** The values of an array or, with its keys in their turns, of an object. */
export function membersOf({ nexts }: JsonTape, value: number): number[] {
  const members: number[] = [];
  const end = nexts[value] as number;
  for (let at = value + 1; at < end; at = nexts[at] as number) members.push(at);
  return members;
}

/** Null unless every row is an object with the same keys in the same order. `keys` are those of the rows. */
export function columnsOf(
  tape: JsonTape,
  rows: readonly number[],
  keys: readonly string[] | null,
): Column[] | null {
  const names: string[] = [];
  const values: number[][] = [];
  for (const row of rows) {
    if (tape.kinds[row] !== "object") return null;
    const members = membersOf(tape, row);
    const isFirst = row === rows[0];
    if (!isFirst && members.length !== names.length * 2) return null;
    for (let at = 0; at < members.length; at += 2) {
      const name = textOf(tape, members[at] as number);
      if (isFirst) {
        names.push(name);
        values.push([]);
      } else if (name !== names[at / 2]) return null;
      (values[at / 2] as number[]).push(members[at + 1] as number);
    }
  }
  // In the head of a table an equals sign at the end of a name has a meaning.
  if (names.length === 0 || names.some((name) => name.endsWith('="'))) return null;
  return names.map((key, at) => columnOf(tape, { key, values: values[at] as number[], keys }));
}

type ColumnParts = { key: string; values: readonly number[]; keys: readonly string[] | null };

function columnOf(tape: JsonTape, { key, values, keys }: ColumnParts): Column {
  const first = textOf(tape, values[0] as number);
  const isSame = values.every((value) => textOf(tape, value) === first);
  if (isSame) return { key, values, kind: "same", columns: [] };
  if (keys !== null && values.every((value, row) => textOf(tape, value) === keys[row])) {
    return { key, values, kind: "key", columns: [] };
  }
  const columns = tape.kinds[values[0] as number] === "object" ? columnsOf(tape, values, null) : null;
  return columns === null
    ? { key, values, kind: "values", columns: [] }
    : { key, values, kind: "nested", columns };
}
