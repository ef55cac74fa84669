/** What keeps the setup from finishing, in one sentence for the user. */
export class SetupError extends Error {}

/** Downloading and installing need the network; a dead one must not hang the start forever. */
export const FETCH_TIMEOUT_MS = 5 * 60_000;

/** Why a program run by `spawnSync` failed, in its own words if it has any. */
export function reasonOf(result) {
  if (result.error?.code === "ETIMEDOUT") return `it took longer than ${FETCH_TIMEOUT_MS / 60_000} minutes`;
  if (result.error) return result.error.message;
  const lines = `${result.stderr ?? ""}`.split("\n").map((line) => line.trim());
  const said =
    lines.find((line) => /^(npm error|error:)/.test(line)) ?? lines.findLast((line) => line !== "");
  return said ?? `exit code ${result.status}`;
}

/** The first start takes seconds, and whoever waits for it is told why. */
export function announce(text) {
  process.stderr.write(`${text}\n`);
}
