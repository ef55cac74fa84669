/**
 * Reads every balance ten times a second during a random run, directly from PostgreSQL. Each read is one snapshot and
 * is compared with the entries that this process has summed up itself since its first read. Logs every entry that it
 * sees, so that one which was committed and then lost is found afterwards.
 */
import { createAppendLog } from "./append-log.ts";
import { createLedgerReplay } from "./ledger-replay.ts";
import { connectReader } from "./ledger-snapshot.ts";

export type ReaderOrders = { readonly url: string; readonly logPath: string };
export type ReaderReport = {
  readonly reads: number;
  readonly missed: number;
  readonly entries: number;
  readonly faults: readonly string[];
};

const READS_PER_SECOND = 10;

// The parent process has died or has closed the channel.
if (import.meta.main) process.on("disconnect", () => process.exit(0));
if (import.meta.main) await run(JSON.parse(process.argv[2] ?? "{}") as ReaderOrders);

async function run({ url, logPath }: ReaderOrders): Promise<void> {
  const log = createAppendLog(logPath);
  const reader = connectReader(url);
  const replay = createLedgerReplay((line) => log.write(line));
  let reads = 0;
  let missed = 0;
  let isStopped = false;
  process.on("message", () => {
    isStopped = true;
  });
  const everyMs = 1000 / READS_PER_SECOND;
  // The last read happens after the order to stop, so that nothing goes unseen.
  for (let isLast = false; !isLast; ) {
    isLast = isStopped;
    const startedMs = performance.now();
    try {
      replay.take(await reader.read(replay.heads));
      reads++;
    } catch {
      // The database is away, which this run causes on purpose.
      missed++;
    }
    await Bun.sleep(Math.max(0, everyMs - (performance.now() - startedMs)));
  }
  await reader.close();
  log.close();
  process.send?.({ reads, missed, entries: replay.entries, faults: replay.faults } satisfies ReaderReport);
  process.disconnect?.();
}
