import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { askJson, FORMS, seeJson, seeStream } from "./chat-client.ts";
import { creditsOf, expectEnding, expectQuiet } from "./ending.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { targetOf, through } from "./faulty-database.ts";
import { startNode } from "./node-process.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100;
const TEST_LIMIT_MS = 30_000;
/** Supervisors usually wait thirty seconds before they kill; a drain comes before this. */
const CLOSED_WITHIN_MS = 20_000;
/** A word every 30 ms or so. */
const SLOW = "[sandbox:delay=60s] [sandbox:tokens=2000] Tell me a story.";

let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  settings = writeSettings({ timeouts: { drain_ms: 1_200 } });
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.close();
  settings.remove();
});

test(
  "SIGTERM: calls that end within the drain are charged; the others end in an error and cost nothing",
  async () => {
    const { db } = gateway.database;
    const node = await startNode(db.url, settings.environment);
    try {
      const quick = await gateway.found({ credits: CREDITS });
      const slow = await Promise.all(FORMS.map(() => gateway.found({ credits: CREDITS })));
      const finishing = seeStream({ origin: node.origin, of: quick, content: "[sandbox:delay=150ms] hello" });
      const cut = FORMS.map(([, see], i) =>
        see({ origin: node.origin, of: slow[i] ?? quick, content: SLOW }),
      );
      for (const { id } of [quick, ...slow]) {
        while ((await creditsOf(db, id)).held === 0) await Bun.sleep(2);
      }
      node.signal("SIGTERM");
      const done = await finishing;
      expect(done.ended).toBe("done");
      const [json, stream] = await Promise.all(cut);
      expect([json?.status, json?.ended, stream?.ended]).toEqual([503, "error", "error"]);
      expect(stream?.text.length).toBeGreaterThan(0);
      expect(stream?.body).toMatchObject({
        error: { message: expect.stringContaining("Nothing was charged") },
      });
      expect(await node.exited).toBe(0);
      await expectEnding(
        db,
        { orgId: quick.id, requestId: done.requestId, creditsBefore: CREDITS },
        { status: "succeeded", charged: 1 },
      );
      for (const [i, seen] of [json, stream].entries()) {
        await expectEnding(
          db,
          { orgId: slow[i]?.id ?? "", requestId: seen?.requestId ?? "", creditsBefore: CREDITS },
          { status: "failed", charged: 0, errorCode: "internal_error" },
        );
      }
    } finally {
      await node.remove();
    }
  },
  TEST_LIMIT_MS,
);

test(
  "a draining node takes no more calls, neither on new connections nor on open ones",
  async () => {
    const { db } = gateway.database;
    const node = await startNode(db.url, settings.environment);
    try {
      const of = await gateway.found({ credits: CREDITS });
      const running = seeStream({ origin: node.origin, of, content: "[sandbox:delay=300ms] hello" });
      while ((await creditsOf(db, of.id)).held === 0) await Bun.sleep(2);
      const hello = { origin: node.origin, of, content: "hello" };
      // Its connection is kept alive, and the next request uses it.
      let answered: Response | null = await askJson(hello);
      node.signal("SIGTERM");
      // The signal takes a moment to arrive.
      for (let tries = 0; answered !== null; tries++) {
        expect([tries < 50, answered.status]).toEqual([true, 200]);
        await answered.text();
        answered = await askJson(hello).catch(() => null);
      }
      await expect(askJson(hello)).rejects.toThrow();
      expect((await running).ended).toBe("done");
      expect((await seeJson({ origin: gateway.origin, of, content: "hello" })).status).toBe(200);
      expect(await node.exited).toBe(0);
    } finally {
      await node.remove();
    }
  },
  TEST_LIMIT_MS,
);

test(
  "a call whose client has disconnected may use the whole drain too: it ends and is charged",
  async () => {
    const { db } = gateway.database;
    const patient = writeSettings({ timeouts: { drain_ms: 20_000 } });
    const node = await startNode(db.url, patient.environment);
    try {
      const of = await gateway.found({ credits: CREDITS });
      const leaving = new AbortController();
      // Longer than the time for releases after a drain, so that time alone would not be enough.
      const content = "[sandbox:delay=5500ms] hello";
      const left = askJson({ origin: node.origin, of, content, idempotencyKey: "k", signal: leaving.signal });
      while ((await creditsOf(db, of.id)).held === 0) await Bun.sleep(2);
      leaving.abort();
      await expect(left).rejects.toThrow();
      node.signal("SIGTERM");
      expect(await node.exited).toBe(0);
      await expectQuiet(db, of.id, CREDITS - 1);
    } finally {
      await node.remove();
      patient.remove();
    }
  },
  TEST_LIMIT_MS,
);

test(
  "a node whose database connections are dead still exits soon after SIGTERM",
  async () => {
    const { db } = gateway.database;
    const link = await startFaultProxy(targetOf(db.url));
    const node = await startNode(through(db.url, link.port), settings.environment);
    try {
      const of = await gateway.found({ credits: CREDITS });
      expect((await seeJson({ origin: node.origin, of, content: "hello" })).status).toBe(200);
      link.set({ kind: "half_open" });
      const startedMs = performance.now();
      node.signal("SIGTERM");
      expect(await node.exited).toBe(0);
      expect(performance.now() - startedMs).toBeLessThan(CLOSED_WITHIN_MS);
    } finally {
      await node.remove();
      await link.close();
    }
  },
  TEST_LIMIT_MS,
);
