import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** Lines of JSON that are only ever added; one process writes, the oracle reads when all is over. */
type AppendLog = { write(line: object): void; close(): void };

export function createAppendLog(path: string): AppendLog {
  const file = openSync(path, "a");
  return {
    write: (line) => void writeSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  };
}

/** A million lines at a time are too long for one string's sake of simplicity, but not for memory. */
export function* readAppendLog<Line>(path: string): Generator<Line> {
  const bytes = readFileSync(path);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    if (end < 0) return;
    yield JSON.parse(bytes.toString("utf8", start, end)) as Line;
    start = end + 1;
  }
}
