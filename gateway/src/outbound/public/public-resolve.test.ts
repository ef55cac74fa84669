import { describe, expect, test } from "bun:test";
import { failureFrom } from "../testing.ts";
import { UnsafeAddress } from "./public-failure.ts";
import { addressesHere, resolveBySystem, resolveChecked } from "./public-resolve.ts";
import { knowing } from "./public-testing.ts";
import { checkUrl } from "./public-url.ts";

const RULES = { allowedHosts: new Set(["friend.example"]), ownHosts: new Set<string>() };
const names = knowing({
  "here.example": ["93.184.215.14", "198.41.0.4"],
  "friend.example": ["198.41.0.4"],
  "empty.example": [],
});
const own = () => new Set(["198.41.0.4"]);
const reach = (url: string) => resolveChecked(checkUrl(url, RULES), names, own);

describe("a public address that is this machine's own", () => {
  test("is refused, by name and by address", async () => {
    for (const url of ["https://here.example/", "https://198.41.0.4/"]) {
      const failure = await failureFrom(reach(url));
      expect(failure).toBeInstanceOf(UnsafeAddress);
      expect(failure.detail.internal).toBe("an address of this machine");
    }
  });

  test("is accepted if the operator allowed its host", async () => {
    expect(await reach("https://friend.example/")).toEqual(["198.41.0.4"]);
  });

  test("is one of those of its interfaces, such as 127.0.0.1", () => {
    expect(addressesHere().has("127.0.0.1")).toBe(true);
  });
});

test("a name without an address is a failure", async () => {
  expect((await failureFrom(reach("https://empty.example/"))).detail.internal).toBe(
    "a name without an address",
  );
});

test("the system resolves localhost to loopback addresses", async () => {
  const found = await resolveBySystem("localhost");
  expect(found.length).toBeGreaterThan(0);
  expect(found.every((address) => ["127.0.0.1", "::1"].includes(address))).toBe(true);
});
