import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { newId } from "../kit/index.ts";
import { createPublicPost } from "../outbound/index.ts";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import type { MintedEndpoint } from "./endpoints.ts";
import type { EventData, Letter } from "./events.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import type { SendDeps } from "./send.ts";

const TEST_SECRET = "a secret of the outbox's tests";

export type OutboxFixture = {
  readonly database: TestDatabase;
  readonly outbox: Outbox;
  /** Emails that were taken. */
  readonly emails: (Letter & { to: string })[];
  /** What the mail server answers next, in order; then it takes everything. */
  readonly mailAnswers: ("taken" | "refused" | "lost")[];
  /** An organization with an owner, an admin and a member, named by their role at the organization's id. */
  found(): Promise<string>;
  event(orgId: string, type?: string, data?: EventData): Promise<void>;
  webhook(orgId: string, url: string, types?: string[]): Promise<MintedEndpoint & { secret: string }>;
  /** Delivers all that is due, as a worker does. */
  deliverDue(by?: Outbox): Promise<void>;
  /** Another node on the same database. */
  open(options?: { mail?: SendDeps["mail"]; isLocal?: boolean; timeoutMs?: number }): Outbox;
  close(): Promise<void>;
};

export async function createOutboxFixture(): Promise<OutboxFixture> {
  const database = await createTestDatabase();
  const { db } = database;
  const emails: OutboxFixture["emails"] = [];
  const mailAnswers: OutboxFixture["mailAnswers"] = [];

  async function mail(message: Letter & { to: string }): Promise<"taken" | "refused" | "lost"> {
    const answer = mailAnswers.shift() ?? "taken";
    if (answer === "taken") emails.push(message);
    return answer;
  }

  const open: OutboxFixture["open"] = (options = {}) =>
    createOutbox({
      db,
      secret: TEST_SECRET,
      post: createPublicPost(),
      mail,
      owners: async (orgId) => ["owner", "admin"].map((role) => ({ email: `${role}@${orgId}.com` })),
      isLocal: true,
      publicUrl: "https://ai.example.com",
      log: silentLog,
      metrics: createMetrics(),
      timeoutMs: 200,
      ...options,
    });
  const outbox = open();

  return {
    database,
    outbox,
    emails,
    mailAnswers,
    open,
    async found() {
      const id = newId();
      await db.pool.query("insert into organization (id, name, slug) values ($1, 'Acme', $2)", [id, id]);
      for (const role of ["owner", "admin", "member"]) {
        const userId = newId();
        await db.pool.query(`insert into "user" (id, name, email) values ($1, $2, $3)`, [
          userId,
          role,
          `${role}@${id}.com`,
        ]);
        await db.pool.query(`insert into member ("organizationId", "userId", role) values ($1, $2, $3)`, [
          id,
          userId,
          role,
        ]);
      }
      await outbox.fanOut();
      return id;
    },
    async event(orgId, type = "video.completed", data = {}) {
      await db.pool.query("select event_append($1, $2, $3::jsonb)", [orgId, type, JSON.stringify(data)]);
    },
    async webhook(orgId, url, types = []) {
      const made = await outbox.endpoints.create(db.pool, { orgId, kind: "webhook", address: url, types });
      if (typeof made === "string" || made.secret === null) throw new Error(String(made));
      return { ...made, secret: made.secret };
    },
    async deliverDue(by = outbox) {
      while (await by.fanOut());
      for (const lane of ["web", "mail"] as const) {
        for (;;) {
          const claims = await by.claim(lane, [100, 100, 100]);
          if (claims.length === 0) break;
          await Promise.all(claims.map((claim) => by.deliver(claim, new AbortController().signal)));
        }
      }
    },
    close: () => database.drop(),
  };
}

type Received = { readonly headers: Headers; readonly body: string; readonly path: string };

/** A receiver on loopback, with what it got. */
export function startReceiver(answer: (received: Received, count: number) => Response | Promise<Response>) {
  const got: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { headers, url } = request;
      const received = { headers, body: await request.text(), path: new URL(url).pathname };
      got.push(received);
      return answer(received, got.length);
    },
  });
  return { url: `http://127.0.0.1:${server.port}/hook`, got, stop: () => server.stop(true) };
}
