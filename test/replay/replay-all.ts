import { expect } from "bun:test";
import { hasFixtures } from "./fixtures-folder.ts";
import type { Recording, Skipped } from "./recording.ts";
import { startReplayServer } from "./replay-server.ts";
import { printReport } from "./report.ts";

/** The minimum share of replayed recordings that must match; those not replayed are printed and counted by reason. */
const LEAST_SHARE = 0.95;

type Replayed = {
  readonly suite: string;
  recordings(): { readonly recordings: readonly Recording[]; readonly skipped: readonly Skipped[] };
  /** Null if the adapter read what the recording says, else the difference. */
  replay(recording: Recording, baseUrl: string): Promise<string | null>;
  readonly leastShare?: number;
};

/** Serves every recording at its own address, replays it and prints a report. */
export async function replayAll(input: Replayed): Promise<void> {
  const { suite, leastShare = LEAST_SHARE } = input;
  if (!hasFixtures) {
    console.log(`replay ${suite}: no recordings here, nothing replayed`);
    return;
  }
  const { recordings, skipped } = input.recordings();
  const server = startReplayServer(recordings);
  try {
    const failures: string[] = [];
    for (const [at, recording] of recordings.entries()) {
      const fault = await input.replay(recording, `http://127.0.0.1:${server.port}/${at}`);
      if (fault !== null) failures.push(`${recording.name}: ${fault}`);
    }
    printReport({ suite, replayed: recordings.length, failures, skipped });
    expect(recordings.length - failures.length).toBeGreaterThanOrEqual(recordings.length * leastShare);
  } finally {
    await server.stop();
  }
}
