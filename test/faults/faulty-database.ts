import { createTestDatabase, type TestDatabase } from "../../gateway/src/db/testing.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { type FaultProxy, type ProxyTarget, startFaultProxy } from "./fault-proxy.ts";

/** A gateway that reaches PostgreSQL through a fault proxy; `database` is the direct connection. */
export type FaultyGateway = {
  readonly gateway: TestGateway;
  readonly database: TestDatabase;
  readonly link: FaultProxy;
  close(): Promise<void>;
};

export async function startFaultyGateway(environment: Record<string, string> = {}): Promise<FaultyGateway> {
  const database = await createTestDatabase();
  const link = await startFaultProxy(targetOf(database.db.url));
  const gateway = await startTestGateway(
    { ...environment, DATABASE_URL: through(database.db.url, link.port) },
    { database },
  );
  return {
    gateway,
    database,
    link,
    async close() {
      link.set({ kind: "pass" });
      await gateway.close();
      await link.close();
    },
  };
}

/** The server listens on a socket in its folder, or on loopback. */
export function targetOf(databaseUrl: string): ProxyTarget {
  const { host, port } = addressIn(databaseUrl);
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

/** The URL of the same database through a proxy. */
export function through(databaseUrl: string, port: number): string {
  return databaseUrl.replace(/@[^/]*\//, `@127.0.0.1:${port}/`);
}

function addressIn(databaseUrl: string): { host: string; port: number } {
  const [, host = "", port = ""] = /@([^/:]*):(\d+)\//.exec(databaseUrl) ?? [];
  return { host: decodeURIComponent(host), port: Number(port) };
}
