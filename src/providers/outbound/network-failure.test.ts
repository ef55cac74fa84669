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

describe("a call that died before the headers", () => {
  test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])(
    "%s: nothing was sent, so it may be tried again",
    (code) => {
      const failure = connectionFailure(errorWith(code), where(3_000));
      expect(failure).toBeInstanceOf(UnstartedFailure);
      expect(failure.kind).toBe("unavailable");
      expect(failure.detail.internal).toBe(`api.acme.com: ${code} before the headers, after 3000 ms`);
    },
  );

  test("a reset within a round trip is a connection that was closed already; a later one may have been billed", () => {
    const early = connectionFailure(errorWith("ECONNRESET"), where(20));
    expect(early).toBeInstanceOf(EarlyResetFailure);
    expect(early).not.toBeInstanceOf(UnsentFailure);
    expect(connectionFailure(errorWith("ECONNRESET"), where(2_000))).not.toBeInstanceOf(EarlyResetFailure);
  });

  test.each(["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "Malformed_HTTP_Response"])(
    "%s is unavailable, and not tried again",
    (code) => {
      const failure = connectionFailure(errorWith(code), where(20));
      expect(failure).not.toBeInstanceOf(EarlyResetFailure);
      expect(failure).not.toBeInstanceOf(UnsentFailure);
      expect(failure.kind).toBe("unavailable");
    },
  );

  test("before anything was sent is surely nowhere; only a reset within a round trip is tried again there", () => {
    const unsent = (code: string) => connectionFailure(errorWith(code), { ...where(20), isUnsent: true });
    expect(unsent("ECONNRESET")).toBeInstanceOf(UnstartedFailure);
    expect(unsent("CERT_HAS_EXPIRED")).toBeInstanceOf(UnsentFailure);
    expect(unsent("CERT_HAS_EXPIRED")).not.toBeInstanceOf(UnstartedFailure);
  });
});

test("no host stands in what a caller reads, whatever was thrown", () => {
  for (const error of [errorWith("ECONNREFUSED"), new Error("at api.acme.com"), "api.acme.com", null]) {
    expect(connectionFailure(error, where(1)).publicMessage).not.toContain("acme");
    expect(bodyFailure(error, "api.acme.com").publicMessage).not.toContain("acme");
  }
});
