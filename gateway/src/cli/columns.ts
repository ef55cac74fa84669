import type { Paint } from "./terminal.ts";

const GAP = 2;

/** Rows with aligned columns for a terminal. No trailing spaces. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell));
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell) + GAP))
        .join("")
        .trimEnd(),
    )
    .join("\n");
}

/** Rows under a heading, or what to say if there are none. */
export function alignTable(
  paint: Paint,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  ifNone: string,
): string {
  if (rows.length === 0) return ifNone;
  return alignColumns([heading.map((title) => paint("bold", title)), ...rows]);
}

/** One line per field, indented. */
export function alignFields(fields: readonly (readonly [name: string, value: string])[]): string {
  return alignColumns(fields.map(([name, value]) => [`  ${name}`, value]));
}
