import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTested } from "./tested-part.ts";

/** Runs tests that count what they do (`test/report-figures.ts`), and returns their counts. */
export async function reportedFigures(
  paths: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{
  readonly ok: boolean;
  readonly seconds: number;
  readonly reported: Readonly<Record<string, number>>;
}> {
  const folder = mkdtempSync(join(tmpdir(), "bursar-told-"));
  const path = join(folder, "figures.json");
  try {
    const { ok, seconds } = await runTested(paths, { ...environment, BURSAR_TEST_FIGURES: path });
    const reported = ok ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, number>) : {};
    return { ok, seconds, reported };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
