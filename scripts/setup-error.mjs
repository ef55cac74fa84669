/** What keeps the set-up from finishing, in one sentence for whoever started it. */
export class SetupError extends Error {}

/** Fetching and installing need the network; a dead one must not hang the start for ever. */
export const FETCH_TIMEOUT_MS = 5 * 60_000;

/** Why a program that `spawnSync` ran did not succeed, in its own words where it has any. */
export function reasonOf(result) {
  if (result.error?.code === "ETIMEDOUT") return `it took longer than ${FETCH_TIMEOUT_MS / 60_000} minutes`;
  if (result.error) return result.error.message;
  const lines = `${result.stderr ?? ""}`.split("\n").map((line) => line.trim());
  const said =
    lines.find((line) => /^(npm error|error:)/.test(line)) ?? lines.findLast((line) => line !== "");
  return said ?? `exit code ${result.status}`;
}

/** The first start takes seconds; whoever sits at the terminal is told why. */
export function announce(text) {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`);
}
