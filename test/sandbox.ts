import { estimatePromptTokens, estimateTokens } from "../compaction/src/index.ts";
import { startSandboxServer } from "../sandbox/src/index.ts";
import { makeTestFolder } from "./test-folder.ts";

const KEY = "key-of-the-sandbox-in-tests";

let url: string | null = null;

/**
 * The settings with which a gateway reaches the sandbox. One serves all tests of this process, from the first one that
 * asks: it keeps nothing that a test could notice, and loads what it makes on demand.
 */
export function sandboxEnvironment(): Record<string, string> {
  url ??= start();
  return { BURSAR_SANDBOX_URL: `${url}/v1`, BURSAR_SANDBOX_KEY: KEY };
}

function start(): string {
  const server = startSandboxServer({
    port: 0,
    hostname: "127.0.0.1",
    key: KEY,
    folder: makeTestFolder(),
    bounds: { maxBytes: 256 << 20, maxAgeMs: 60 * 60_000 },
    estimator: async () => ({ estimateTokens, estimatePromptTokens }),
  });
  return server.url;
}
