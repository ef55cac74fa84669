import { describe, expect, test } from "bun:test";
import {
  bodyFailure,
  connectionFailure,
  EarlyResetFailure,
  UnsentFailure,
  UnstartedFailure,
} from "./network-failure.ts";

const errorWith = (code: string) =>
  Object.assign(new TypeError("it failed at https://api.acme.com"), { code });
const where = (elapsedMs: number) => ({ where: "api.acme.com", elapsedMs });

describe("a call that fails before the headers", () => {
  test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])(
    "with %s was not sent and may be retried",
    (code) => {
      const failure = connectionFailure(errorWith(code), where(3_000));
      expect(failure).toBeInstanceOf(UnstartedFailure);
      expect(failure.kind).toBe("unavailable");
      expect(failure.detail.internal).toBe(`api.acme.com: ${code} before the headers, after 3000 ms`);
    },
  );

  test("by a reset is an early reset within a round trip, and not later", () => {
    const early = connectionFailure(errorWith("ECONNRESET"), where(20));
    expect(early).toBeInstanceOf(EarlyResetFailure);
    expect(early).not.toBeInstanceOf(UnsentFailure);
    expect(connectionFailure(errorWith("ECONNRESET"), where(2_000))).not.toBeInstanceOf(EarlyResetFailure);
  });

  test.each(["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "Malformed_HTTP_Response"])(
    "with %s is unavailable and not retried",
    (code) => {
      const failure = connectionFailure(errorWith(code), where(20));
      expect(failure).not.toBeInstanceOf(EarlyResetFailure);
      expect(failure).not.toBeInstanceOf(UnsentFailure);
      expect(failure.kind).toBe("unavailable");
    },
  );

  test("and before anything was sent is unsent: an early reset may be retried, a late one or a bad certificate not", () => {
    const unsent = (code: string, elapsedMs: number) =>
      connectionFailure(errorWith(code), { ...where(elapsedMs), isUnsent: true });
    expect(unsent("ECONNRESET", 20)).toBeInstanceOf(UnstartedFailure);
    for (const final of [unsent("ECONNRESET", 2_000), unsent("CERT_HAS_EXPIRED", 20)]) {
      expect(final).toBeInstanceOf(UnsentFailure);
      expect(final).not.toBeInstanceOf(UnstartedFailure);
    }
  });
});

test("the public message contains no host, whatever was thrown", () => {
  for (const error of [errorWith("ECONNREFUSED"), new Error("at api.acme.com"), "api.acme.com", null]) {
    expect(connectionFailure(error, where(1)).publicMessage).not.toContain("acme");
    expect(bodyFailure(error, "api.acme.com").publicMessage).not.toContain("acme");
  }
});
