import type { NodeProcess } from "../faults/node-process.ts";

/** A gateway that is restarted whenever it ends, as an operator's service manager does. */
export type SupervisedNode = {
  /** Null while it is down. */
  readonly process: NodeProcess | null;
  /** How often it was started, ended without being asked to, and failed to start. */
  readonly counts: { starts: number; crashes: number; failedStarts: number };
  whenUp(): Promise<NodeProcess>;
  kill(): Promise<void>;
  /** Asks it to end; resolves to its exit code, null if a signal had to end it. */
  terminate(): Promise<number | null>;
  /** Like `terminate`, and it is not restarted. */
  close(): Promise<number | null>;
};

const RESTART_PAUSE_MS = 20;
/** After a start that failed because the database is away. */
const FAILED_START_PAUSE_MS = 90;
/** The drain (3 s), releases (5 s), whatever hangs during the close (20 s), and a busy machine. */
const TERMINATE_LIMIT_MS = 40_000;

export function superviseNode(start: () => Promise<NodeProcess>): SupervisedNode {
  const counts = { starts: 0, crashes: 0, failedStarts: 0 };
  let current: NodeProcess | null = null;
  let isWanted = true;
  let isTold = false;
  let waiting: ((node: NodeProcess) => void)[] = [];

  async function run(): Promise<void> {
    while (isWanted) {
      const node = await start().catch(() => null);
      if (node === null) {
        counts.failedStarts++;
        await Bun.sleep(FAILED_START_PAUSE_MS);
        continue;
      }
      counts.starts++;
      isTold = false;
      current = node;
      for (const wake of waiting.splice(0)) wake(node);
      await node.exited;
      current = null;
      if (!isTold) counts.crashes++;
      await node.remove();
      await Bun.sleep(RESTART_PAUSE_MS);
    }
  }
  const running = run();

  async function terminate(): Promise<number | null> {
    const node = current;
    if (node === null) return 0;
    isTold = true;
    node.signal("SIGTERM");
    const limit = setTimeout(() => node.signal("SIGKILL"), TERMINATE_LIMIT_MS);
    const code = await node.exited;
    clearTimeout(limit);
    return code;
  }

  return {
    counts,
    get process() {
      return current;
    },
    whenUp: () =>
      current === null ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(current),
    async kill() {
      isTold = true;
      current?.signal("SIGKILL");
      await current?.exited;
    },
    terminate,
    async close() {
      isWanted = false;
      const code = await terminate();
      waiting = [];
      await running;
      return code;
    },
  };
}
