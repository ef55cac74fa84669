import { afterAll, expect, test } from "bun:test";
import { createKeyCodec } from "../../gateway/src/identity/index.ts";
import { startTestGateway } from "../harness.ts";

const gateway = await startTestGateway();
const own = await gateway.found();
afterAll(() => gateway.close());

const ALLOWED = 60;

function ask(key: string, address: string): Promise<Response> {
  return fetch(`${gateway.origin}/v1/models`, {
    headers: { authorization: `Bearer ${key}`, "x-forwarded-for": address, forwarded: `for=${address}` },
  });
}

test("a forged X-Forwarded-For does not exempt key guesses from the per-address throttle", async () => {
  const codec = createKeyCodec("svc_live_");
  const { keyGuard } = gateway.services.identity;
  let answered = 0;
  const guesses = Array.from({ length: ALLOWED * 2 }, async (_, at) => {
    const { status } = await ask(codec.mint(), `198.18.0.${at}`);
    answered++;
    return status;
  });
  let mostHeldBack = 0;
  while (answered < guesses.length) {
    mostHeldBack = Math.max(mostHeldBack, keyGuard.waiting);
    await Bun.sleep(5);
  }
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
  // One address is allowed sixty guesses. Had the header been believed, none would have been delayed.
  expect(mostHeldBack).toBeGreaterThan(0);
  expect((await ask(own.key, "198.18.9.9")).status).toBe(200);
});
