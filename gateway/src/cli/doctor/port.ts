import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { Config } from "../../config/index.ts";
import { isProvenByAny } from "../../ledger/index.ts";
import { broken, type Check, fine, reasonOf, warning } from "./check.ts";

const ANSWER_TIMEOUT_MS = 2_000;
/**
 * Whether the port is free or taken by a gateway of ours. `servedBy`: the processes on our database, null if unknown.
 */
export async function checkPort(
  { host, port }: Pick<Config, "host" | "port">,
  servedBy: readonly string[] | null,
): Promise<Check> {
  if (port === 0) return fine("port", "any free one");
  const problem = await tryToListen(host, port);
  const address = `${host}:${port}`;
  if (problem === null) return fine("port", `${address} is free`);
  if (problem.code === "EADDRINUSE") return checkWhoListens({ host, port }, servedBy);
  return broken(
    "port",
    `${address} cannot be listened on (${reasonOf(problem)})`,
    "Set HOST to an address of this machine and PORT to one that this user may use (1024 or above).",
  );
}

function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(error));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

async function checkWhoListens(
  { host, port }: Pick<Config, "host" | "port">,
  servedBy: readonly string[] | null,
): Promise<Check> {
  const address = `${host}:${port}`;
  const challenge = randomBytes(16).toString("hex");
  const proof = await askForProof(host, port, challenge);
  if (proof === null) {
    const fix = "Set PORT to a free one, or stop that program.";
    return warning("port", `another program uses ${address}`, fix);
  }
  if (servedBy === null) {
    return fine("port", `a Bursar is running on ${address}; without the database it is unknown which one`);
  }
  if (isProvenByAny(servedBy, { challenge, proof })) return fine("port", `Bursar is running on ${address}`);
  return warning(
    "port",
    `a Bursar with another database is running on ${address}`,
    "Set BURSAR_DATA_DIR or DATABASE_URL to that gateway's value, or PORT to a free one.",
  );
}

/** Null if whatever listens there is not a gateway. */
async function askForProof(host: string, port: number, challenge: string): Promise<string | null> {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const origin = `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
  try {
    const reply = await fetch(`${origin}/healthz`, {
      headers: { "x-bursar-challenge": challenge },
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await reply.body?.cancel();
    return reply.headers.get("x-bursar-proof");
  } catch {
    return null;
  }
}
