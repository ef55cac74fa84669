/**
 * Spreadsheets run cells that begin like this as formulas, full-width forms included, and anyone can choose such a
 * name.
 */
const RUNS = /^[=+\-@\t\r\n＝＋－＠]/u;
const NEEDS_QUOTES = /[",\r\n]/;

/** RFC 4180. A cell that a spreadsheet would run gets a leading apostrophe, which makes it text. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = RUNS.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
