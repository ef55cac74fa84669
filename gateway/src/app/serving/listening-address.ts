import { CliError } from "../../cli/index.ts";
import type { Config } from "../../config/index.ts";
import { messageOf } from "../../kit/index.ts";

type Address = Pick<Config, "host" | "port">;

/** Explains in one sentence why a process cannot listen on its address; returns other errors unchanged. */
export function explainUnusableAddress(error: unknown, { host, port }: Address): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== "listen" && code !== "EADDRINUSE") return error;
  // The system's message names neither the address nor the settings that define it.
  const place = `${host}:${port}`;
  return new CliError(
    code === "EADDRINUSE"
      ? `${place} is taken, by another Bursar or another program: stop it, or set PORT to a free one.`
      : `${place} cannot be listened on (${messageOf(error)}): set HOST to an address of this machine and PORT to one that this user may use.`,
    1,
  );
}

/**
 * Processes that share a port do not conflict, even with another installation: only a bind without sharing shows them.
 */
export async function requireFreeAddress({ host, port }: Address): Promise<void> {
  try {
    const alone = Bun.serve({ hostname: host, port, fetch: () => new Response(null, { status: 503 }) });
    await alone.stop(true);
  } catch (error) {
    throw explainUnusableAddress(error, { host, port });
  }
}
