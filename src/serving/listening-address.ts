import { CliError } from "../cli/index.ts";
import type { Config } from "../config/index.ts";
import { messageOf } from "../kit/index.ts";

type Address = Pick<Config, "host" | "port">;

/** What keeps a process from its address, in one sentence; other errors as they are. */
export function explainUnusableAddress(error: unknown, { host, port }: Address): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== "listen" && code !== "EADDRINUSE") return error;
  // The system's own words name neither the address nor the settings that say it.
  const place = `${host}:${port}`;
  return new CliError(
    code === "EADDRINUSE"
      ? `${place} is taken, by another Bursar or another program: stop it, or set PORT to a free one.`
      : `${place} cannot be listened on (${messageOf(error)}): set HOST to an address of this machine and PORT to one that this user may use.`,
    1,
  );
}

/** Those who share a port let each other in, also workers of another installation: only who asks for it alone is told of them. */
export async function requireFreeAddress({ host, port }: Address): Promise<void> {
  try {
    const alone = Bun.serve({ hostname: host, port, fetch: () => new Response(null, { status: 503 }) });
    await alone.stop(true);
  } catch (error) {
    throw explainUnusableAddress(error, { host, port });
  }
}
