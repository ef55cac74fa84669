import { describe, expect, test } from "bun:test";
import { OPERATOR } from "../role.ts";
import { SCOPES } from "../scopes.ts";
import { type MintRequest, parseMintRequest } from "./mint-request.ts";

const DAY_MS = 86_400_000;
const asked: MintRequest = {
  organizationId: "01890000-0000-7000-8000-00000000beef",
  name: "CI",
  scopes: ["chat"],
  actor: OPERATOR,
};
const parse = (changes: Partial<MintRequest>) => parseMintRequest({ ...asked, ...changes });

describe("a request for a key", () => {
  test("with only a name and scopes has no expiry and the plan's limits", () => {
    expect(parse({})).toEqual({
      outcome: "ok",
      key: {
        name: "CI",
        scopes: ["chat"],
        limits: { requestsPerMinute: null, inFlight: null },
        expiresInMs: null,
        expiresAt: null,
      },
    });
  });

  test("may have every scope, in any order, each once", () => {
    expect(parse({ scopes: SCOPES.toReversed() })).toMatchObject({ key: { scopes: SCOPES } });
    expect(parse({ scopes: ["chat", "chat"] })).toMatchObject({ key: { scopes: ["chat"] } });
  });

  test.each([[[]], [["admin"]], [["chat", "admin"]], [["CHAT"]], [[...SCOPES, "chat"]]])(
    "with the scopes %j is refused",
    (scopes) => {
      expect(parse({ scopes })).toMatchObject({ outcome: "invalid", field: "scopes" });
    },
  );

  test.each([
    ["expiresInMs", "expires_in", 3_660 * DAY_MS],
    ["requestsPerMinute", "requests_per_minute", 1_000_000],
    ["inFlight", "in_flight", 1_000_000],
  ] as const)("accepts %s from 1 to its maximum, in whole numbers", (name, field, most) => {
    for (const good of [null, 1, most]) expect(parse({ [name]: good }).outcome, `${good}`).toBe("ok");
    for (const bad of [0, -1, 1.5, most + 1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(parse({ [name]: bad }), `${bad}`).toMatchObject({ outcome: "invalid", field });
  });

  test("keeps the requested values", () => {
    expect(parse({ expiresInMs: 5, requestsPerMinute: 6, inFlight: 7 })).toMatchObject({
      key: { expiresInMs: 5, limits: { requestsPerMinute: 6, inFlight: 7 } },
    });
  });

  test("accepts a name of 100 characters at most", () => {
    expect(parse({ name: "a".repeat(100) }).outcome).toBe("ok");
    expect(parse({ name: "a".repeat(101) })).toMatchObject({ outcome: "invalid", field: "name" });
  });
});
