import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimatePromptTokens, estimateTokens } from "../../../compaction/src/index.ts";
import { type SandboxServer, type SandboxServerOptions, startSandboxServer } from "./serve.ts";

export const estimator = { estimateTokens, estimatePromptTokens };
export const KEY = "secret-key-1";

export type TestServer = SandboxServer & { readonly folder: string };

/** A server of its own folder, unless it is to share one; the folder goes with the server that made it. */
export function startTestServer(more: Partial<SandboxServerOptions> = {}): TestServer {
  const folder = more.folder ?? mkdtempSync(join(tmpdir(), "bursar-sandbox-test-"));
  const server = startSandboxServer({
    port: 0,
    hostname: "127.0.0.1",
    key: KEY,
    folder,
    bounds: { maxBytes: 64 << 20, maxAgeMs: 60_000 },
    estimator: async () => estimator,
    ...more,
  });
  return {
    url: server.url,
    folder,
    async close() {
      await server.close();
      if (more.folder === undefined) rmSync(folder, { recursive: true });
    },
  };
}
