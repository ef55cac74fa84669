import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/index.ts";

type Address = Pick<Config, "dataDir" | "publicUrl">;
type OfCommand = Address & Pick<Config, "port" | "portGiven" | "publicUrlGiven">;

const NAME = "address";

/**
 * Notes in the data folder where this gateway serves, for commands that print links: they have neither the port that
 * the gateway was started with nor the one that the system gave it. Returns what removes the note at the end.
 */
export function announceAddress({ dataDir, publicUrl }: Address): () => void {
  const path = join(dataDir, NAME);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${publicUrl}\n`);
  } catch {
    // Nothing but the links of commands depends on it.
  }
  return () => {
    // Another gateway on this folder may have started since.
    if (noted(dataDir) === publicUrl) rmSync(path, { force: true });
  };
}

/**
 * The gateway's origin for commands that print links or look for it. After a `kill -9`, the note says where it last
 * served.
 */
export function servedAddress(config: OfCommand): string {
  const { publicUrlGiven, portGiven, port, publicUrl, dataDir } = config;
  const isTold = publicUrlGiven || (portGiven && port !== 0);
  return isTold ? publicUrl : (noted(dataDir) ?? publicUrl);
}

function noted(dataDir: string): string | null {
  try {
    const url = URL.parse(readFileSync(join(dataDir, NAME), "utf8").trim());
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
      ? url.origin
      : null;
  } catch {
    return null;
  }
}
