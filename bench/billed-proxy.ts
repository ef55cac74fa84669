/**
 * The bare proxy with a hold before each call and its settlement after it, as a program: `bun billed-proxy.ts PORT
 * UPSTREAM FOLDER`. One organization, one price, no key, no check, no limit in reach, no log: what exact billing alone
 * costs, with Bursar's own batches and PostgreSQL.
 */
import { Hono } from "hono";
import { createAdmitter } from "../gateway/src/admission/index.ts";
import { assert, credits, systemClock } from "../gateway/src/kit/index.ts";
import { createLeaseKeeper, createLedger } from "../gateway/src/ledger/index.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { admissionOf, settlementOf } from "../test/paid-items.ts";
import { foundOrganizations, openBenchDatabase } from "./bench-database.ts";
import { passOn } from "./pass-on.ts";

const [port, upstream = "", folder = ""] = process.argv.slice(2);
const { db, close } = await openBenchDatabase(folder);
const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
const admitter = createAdmitter({ db, lease });
const ledger = createLedger(db);
const [orgId = ""] = await foundOrganizations(db, 1);

const app = new Hono();
app.post("/v1/chat/completions", async (context) => {
  const asked = await context.req.json();
  const call = admissionOf(orgId, 1);
  const { outcome } = await admitter.admit(call);
  assert(outcome === "admitted", outcome);
  const response = await passOn(context, asked, upstream);
  // A stream is settled as soon as it begins: the work is the same, without watching for its end.
  await ledger.settle(settlementOf(call, credits(1)));
  return response;
});

const server = Bun.serve({ hostname: "127.0.0.1", port: Number(port), idleTimeout: 0, fetch: app.fetch });
process.once("SIGTERM", async () => {
  await server.stop(true);
  await lease.leave();
  await close();
  process.exit(0);
});
