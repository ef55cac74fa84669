import { expect, test } from "bun:test";
import { ProviderFailure } from "../../contract/index.ts";
import { Stopped } from "../../kit/index.ts";
import { pollBriefly } from "./brief-poll.ts";
import { callContext } from "./media-testing.ts";

const forever = () => new Promise<never>(() => {});

test("a poll without a timely response fails as a timeout, and its request is aborted", async () => {
  const seen: unknown[] = [];
  const looking = pollBriefly(
    callContext(),
    ({ signal }) => {
      signal.addEventListener("abort", () => seen.push(signal.reason), { once: true });
      return forever();
    },
    5,
  );
  const failure = await looking.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderFailure);
  expect((failure as ProviderFailure).kind).toBe("timeout");
  expect(seen).toEqual([failure]);
});

test("a timely response or failure is passed on unchanged", async () => {
  expect(await pollBriefly(callContext(), async () => "done", 1_000)).toBe("done");
  const failure = new ProviderFailure("unavailable", "away");
  await expect(pollBriefly(callContext(), () => Promise.reject(failure), 1_000)).rejects.toBe(failure);
});

test("a stopped call ends the poll with the stop's own reason", async () => {
  const controller = new AbortController();
  const context = { ...callContext(), signal: controller.signal };
  const looking = pollBriefly(context, forever, 1_000);
  const stopped = new Stopped("lease_lost");
  controller.abort(stopped);
  await expect(looking).rejects.toBe(stopped);
  await expect(pollBriefly(context, forever, 1_000)).rejects.toBe(stopped);
});
