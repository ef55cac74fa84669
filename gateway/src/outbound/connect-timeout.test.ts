import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type MisbehavingUpstream,
  startMisbehavingUpstream,
} from "../../../test/upstream/misbehaving-upstream.ts";
import { startUnreachableUpstream } from "../../../test/upstream/unreachable-upstream.ts";
import { UnsentFailure, UnstartedFailure } from "./failures/network-failure.ts";
import { discard } from "./read-body.ts";
import { chatInit, failureFrom, PATIENT, testFetch } from "./testing.ts";

let upstream: MisbehavingUpstream;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
});
afterAll(() => upstream.close());

const timeouts = { ...PATIENT, connectMs: 100 };

test("a host that does not accept connections is given up at the connect timeout, as unsent", async () => {
  const unreachable = await startUnreachableUpstream();
  if (unreachable === null) return console.log("skipped: this machine's kernel answers for a full queue");
  try {
    const startedMs = performance.now();
    const failures = await Promise.all(
      [1, 2, 3].map(() => failureFrom(testFetch({ timeouts })(unreachable.baseUrl, chatInit("m")))),
    );
    expect(performance.now() - startedMs).toBeLessThan(PATIENT.firstByteMs / 2);
    for (const failure of failures) {
      expect(failure.kind).toBe("timeout");
      expect(failure.detail).toMatchObject({
        internal: expect.stringContaining("no connection for 100 ms"),
        reason: "timeout_connect",
      });
      expect(failure).toBeInstanceOf(UnsentFailure);
      // The host was slow already: the next target is better than trying it again.
      expect(failure).not.toBeInstanceOf(UnstartedFailure);
    }
  } finally {
    unreachable.close();
  }
});

test("a host that accepts connections but answers slowly is waited for", async () => {
  const fetcher = testFetch({ timeouts: { ...timeouts, connectMs: 20 } });
  const work = fetcher(`${upstream.baseUrl}/chat/completions`, chatInit("hold", { stream: false }));
  await upstream.arrived(1);
  // The call and, halfway through the connect timeout, the probe beside it.
  while (upstream.connections < 2) await Bun.sleep(2);
  await Bun.sleep(30);
  upstream.openGate();
  const response = await work;
  expect(response.status).toBe(200);
  discard(response);
});

test("behind a proxy the host is not probed", async () => {
  const connections = upstream.connections;
  const fetcher = testFetch({
    timeouts: { ...timeouts, connectMs: 10, firstByteMs: 60 },
    way: { proxies: { http: "proxy.test:3128", https: null, hasExceptions: false }, byRuntime: true },
  });
  const failure = await failureFrom(fetcher(`${upstream.baseUrl}/chat/completions`, chatInit("silent")));
  expect(failure.detail.internal).toContain(
    "/v1/chat/completions through the proxy proxy.test:3128: no byte for 60 ms",
  );
  expect(upstream.connections - connections).toBeLessThanOrEqual(1);
});

test("a call that was sent and not answered in time is a timeout, not unsent", async () => {
  const fetcher = testFetch({ timeouts: { ...PATIENT, firstByteMs: 60 } });
  const failure = await failureFrom(fetcher(`${upstream.baseUrl}/chat/completions`, chatInit("silent")));
  expect(failure.kind).toBe("timeout");
  expect(failure).not.toBeInstanceOf(UnsentFailure);
});
