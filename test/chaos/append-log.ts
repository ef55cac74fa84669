import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** JSON lines that are only ever appended; one process writes, the oracle reads when the run is over. */
type AppendLog = { write(line: object): void; close(): void };

export function createAppendLog(path: string): AppendLog {
  const file = openSync(path, "a");
  return {
    write: (line) => void writeSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  };
}

/**
 * Decodes line by line: a million lines may be too long for one string, but fit in memory as bytes. Skips an unfinished
 * last line.
 */
export function* readAppendLog<Line>(path: string): Generator<Line> {
  const bytes = readFileSync(path);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    if (end < 0) return;
    yield JSON.parse(bytes.toString("utf8", start, end)) as Line;
    start = end + 1;
  }
}
