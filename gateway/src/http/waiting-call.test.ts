import { expect, test } from "bun:test";
import { catalogWith } from "../catalog/testing.ts";
import { createKeyGuard } from "../identity/index.ts";
import { AppError, type Steps, systemClock } from "../kit/index.ts";
import { CHAT_BODY, createEdge, nativeErrorOf, principalWith, sendChat } from "./testing.ts";

const POLL_MS = 20;
const SONGS = {
  id: "songs",
  name: "Songs",
  type: "audio",
  audio_kind: "music",
  targets: [{ provider: "acme", model: "m" }],
  credits_per_request: 1,
  price: { per_second: 2 },
  limits: { duration_seconds: { min: 1, max: 60, default: 10 }, styles: ["jazz"] },
  capabilities: ["reference_images"],
} as const;
const BODY = JSON.stringify({ model: "songs", audio_kind: "music", prompt: "A calm evening" });
const NOT_MADE = new AppError("internal_error", "Not made here.");

/**
 * A call that waits this long, while its key may be revoked, before it checks again; also counts how often its key was
 * looked up.
 */
async function waitFor(ms: number, { isRevoked }: { isRevoked: boolean }) {
  let looks = 0;
  const edge = createEdge({
    deps: {
      catalog: catalogWith({ models: [SONGS] }),
      identity: {
        authenticate() {
          looks++;
          return isRevoked && looks > 1
            ? { outcome: "invalid_key", fault: "revoked" }
            : { outcome: "ok", principal: principalWith() };
        },
        keyGuard: createKeyGuard({ clock: systemClock, delayMs: 5 }),
        members: { isMember: async () => false },
      },
    },
    generation: {
      async audio(call) {
        const startedMs = performance.now();
        while (performance.now() - startedMs < ms) await Bun.sleep(POLL_MS);
        if (call.kind === "music") await call.askAgain();
        throw NOT_MADE;
      },
    },
  });
  const { code } = await nativeErrorOf(await edge.send("/functions/v1/api-v1-audio", { body: BODY }));
  return { code, looks };
}

test("a call that has waited checks its key again, and is refused if the key was revoked", async () => {
  expect(await waitFor(150, { isRevoked: true })).toEqual({ code: "invalid_key", looks: 2 });
});

test("a call that has waited goes on if its key is still valid", async () => {
  expect(await waitFor(150, { isRevoked: false })).toEqual({ code: "internal_error", looks: 2 });
});

test("a call that has hardly waited does not check its key again", async () => {
  expect(await waitFor(0, { isRevoked: true })).toEqual({ code: "internal_error", looks: 1 });
});

/** Each step keeps the process busy for longer than a call may work in one turn. */
function* longSteps(steps: number, failure?: AppError): Steps<void> {
  for (let step = 0; step < steps; step++) {
    const untilMs = performance.now() + 25;
    while (performance.now() < untilMs);
    yield;
  }
  if (failure !== undefined) throw failure;
}

const LARGE = JSON.stringify({
  ...CHAT_BODY,
  messages: [{ role: "user", content: "The committee met again. ".repeat(4_000) }],
});

/** Chats whose quote needs several turns; `looks` counts how often a key was looked up. */
function createSlowChats({ isRevoked = false, failure }: { isRevoked?: boolean; failure?: AppError }) {
  // Without a failure, for longer than an answer about a key holds.
  const steps = failure === undefined ? 5 : 1;
  const seen = { looks: 0, quoted: 0 };
  const edge = createEdge({
    deps: {
      identity: {
        authenticate() {
          seen.looks++;
          return isRevoked && seen.looks > 1
            ? { outcome: "invalid_key", fault: "revoked" }
            : { outcome: "ok", principal: principalWith() };
        },
        keyGuard: createKeyGuard({ clock: systemClock, delayMs: 5 }),
        members: { isMember: async () => false },
      },
    },
    generation: {
      async chat(call) {
        await call.turns.inTurns(longSteps(steps, failure));
        seen.quoted++;
        throw NOT_MADE;
      },
    },
  });
  return { seen, edge };
}

test("a call that worked for several turns checks its key again before it goes on", async () => {
  const revoked = createSlowChats({ isRevoked: true });
  expect((await nativeErrorOf(await sendChat(revoked.edge, LARGE))).code).toBe("invalid_key");
  expect(revoked.seen).toEqual({ looks: 2, quoted: 0 });
  const valid = createSlowChats({});
  expect((await nativeErrorOf(await sendChat(valid.edge, LARGE))).code).toBe("internal_error");
  expect(valid.seen).toEqual({ looks: 2, quoted: 1 });
});

test("calls of one organization that fail in a further turn keep nobody from theirs", async () => {
  const { seen, edge } = createSlowChats({ failure: new AppError("validation_error", "too long") });
  const replies = await Promise.all([LARGE, LARGE, LARGE].map((body) => sendChat(edge, body)));
  expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect((await sendChat(edge, JSON.stringify(CHAT_BODY))).status).toBe(400);
  expect(seen.quoted).toBe(0);
});
