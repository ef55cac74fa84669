import { expect, test } from "bun:test";
import { catalogWith } from "../catalog/testing.ts";
import { createKeyGuard } from "../identity/index.ts";
import { AppError, systemClock } from "../kit/index.ts";
import { createEdge, nativeErrorOf, principalWith } from "./testing.ts";

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
            ? { outcome: "invalid_key", isMalformed: false }
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
