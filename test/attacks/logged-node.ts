import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../faults/node-process.ts";

/** A gateway in its own process, with its whole log kept for inspection. */
export type LoggedNode = NodeProcess & {
  /** Everything it has logged so far. */
  log(): string;
};

const RUN = 'exec "$0" --preload "$BURSAR_TEST_PRELOAD" "$@" 2> "$BURSAR_TEST_LOG"';

export async function startLoggedNode(
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<LoggedNode> {
  const folder = mkdtempSync(join(tmpdir(), "bursar-log-"));
  const path = join(folder, "stderr");
  const node = await startNode(
    databaseUrl,
    {
      BURSAR_LOG_LEVEL: "debug",
      BURSAR_TEST_LOG: path,
      BURSAR_TEST_PRELOAD: join(import.meta.dir, "fail-on-signal.ts"),
      ...environment,
    },
    ["bash", "-c", RUN],
  );
  return {
    ...node,
    log: () => readFileSync(path, "utf8"),
    async remove() {
      await node.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
