import { afterAll, beforeAll, expect, test } from "bun:test";
import { ANSWER_TEXT } from "../../../test/upstream/chat-wire.ts";
import {
  type MisbehavingUpstream,
  startMisbehavingUpstream,
} from "../../../test/upstream/misbehaving-upstream.ts";
import { asFetch } from "./as-fetch.ts";
import { chatInit, failureFrom, PATIENT, testFetch } from "./testing.ts";

let upstream: MisbehavingUpstream;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
});
afterAll(() => upstream.close());

const call = (model: string, fetcher = testFetch()) =>
  asFetch(fetcher)(new URL(`${upstream.baseUrl}/chat/completions`), chatInit(model, { stream: false }));

test("a library gets a standard Response with status, headers and body", async () => {
  const response = await call("fine");
  expect(response).toBeInstanceOf(Response);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: ANSWER_TEXT } }] });
  expect((await call("status:418")).status).toBe(418);
});

test("a decoded body has no content-encoding header", async () => {
  const response = await call("gzip");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(await response.json()).toMatchObject({ object: "chat.completion" });
});

test("the body has the size limit and timeouts of the call", async () => {
  expect((await failureFrom((await call("endless", testFetch({ maxBodyBytes: 5_000 }))).text())).kind).toBe(
    "unavailable",
  );
  const impatient = testFetch({ timeouts: { ...PATIENT, firstByteMs: 50 } });
  expect((await failureFrom((await call("headers-only", impatient)).text())).kind).toBe("timeout");
});

test("cancelling the body closes its connection", async () => {
  await (await call("endless")).body?.cancel();
  await upstream.closed();
});

test("a redirect and a connection reset are unavailable", async () => {
  expect((await failureFrom(call("redirect"))).kind).toBe("unavailable");
  expect((await failureFrom(call("reset"))).kind).toBe("unavailable");
});
