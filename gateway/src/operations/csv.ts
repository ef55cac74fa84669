import type { FileReply } from "./operation.ts";

/** Spreadsheets run cells that begin like this (full-width forms, too) as formulas, and users choose the names. */
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

/** Produced while it is sent. A partial file must not look complete: if reading fails, the connection breaks, too. */
export function csvFile(
  fileName: string,
  from: { lines: AsyncGenerator<string>; fail(error: unknown): void; end?(): void },
): FileReply {
  const { lines, fail, end = () => {} } = from;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
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
  return { fileName, mimeType: "text/csv; charset=utf-8; header=present", body };
}
