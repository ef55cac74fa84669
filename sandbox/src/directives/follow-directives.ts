import { ProviderFailure } from "../../../gateway/src/contract/index.ts";
import type { StopSignal } from "../../../gateway/src/kit/index.ts";
import { scriptedError, scriptedFailure } from "../scripted-failure.ts";
import { MAX_WAIT_MS, wait } from "../wait.ts";
import { type DirectiveReading, readDirectives, type Script } from "./directives.ts";

/**
 * Follows the directives of a media prompt, of all its lines together: waits first, then fails. Returns the lines
 * without them. A malformed directive is refused, since media cannot explain it.
 */
export async function followDirectives(lines: readonly string[], signal: StopSignal): Promise<string[]> {
  const readings = lines.map((line) => readDirectives(line));
  const scripts = readings.map(scriptOf);
  const waitMs = scripts.reduce((sum, script) => sum + waitMsOf(script), 0);
  await wait(Math.min(waitMs, MAX_WAIT_MS), signal);
  for (const { errorStatus, fails } of scripts) {
    if (errorStatus !== null) throw scriptedError(errorStatus);
    if (fails) throw scriptedFailure();
  }
  return readings.map(({ prompt }) => prompt);
}

/** Media have no visible first byte, so both waits just add up. */
export function waitMsOf({ delayMs, firstByteMs }: Script): number {
  return delayMs + firstByteMs;
}

/** Throws if a directive is malformed. */
export function readableScript(text: string): Script {
  return scriptOf(readDirectives(text));
}

function scriptOf(reading: DirectiveReading): Script {
  if (reading.outcome === "read") return reading.script;
  throw new ProviderFailure(
    "rejected",
    `The sandbox cannot read the directive ${JSON.stringify(reading.written)}; see the reference for how they are written.`,
    { internal: "malformed sandbox directive" },
  );
}
