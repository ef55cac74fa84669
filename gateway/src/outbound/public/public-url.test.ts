import { describe, expect, test } from "bun:test";
import { BlockList, isIPv6 } from "node:net";
import fc from "fast-check";
import { ProviderFailure } from "../../contract/index.ts";
import { UnsafeAddress } from "./public-failure.ts";
import { resolveChecked } from "./public-resolve.ts";
import { knowing } from "./public-testing.ts";
import { checkUrl, type UrlRules } from "./public-url.ts";

const RULES: UrlRules = {
  allowedHosts: new Set(["files.internal:9000", "127.0.0.1:9100", "10.0.0.5:443"]),
  ownHosts: new Set(["ai.example.com"]),
};

describe("refused by its spelling", () => {
  test.each([
    ["not a URL", "not an address"],
    ["empty", ""],
    ["no host", "https://"],
    ["http", "http://example.com/a.png"],
    ["ftp", "ftp://example.com/a.png"],
    ["file", "file:///etc/passwd"],
    ["data", "data:image/png;base64,AAAA"],
    ["blob", "blob:https://example.com/1"],
    ["javascript", "javascript:alert(1)"],
    ["gopher", "gopher://example.com/"],
    ["another port", "https://example.com:8443/a.png"],
    ["the port of http", "https://example.com:80/a.png"],
    ["a user", "https://user@example.com/a.png"],
    ["a user and a password", "https://user:secret@example.com/a.png"],
    ["a host that is a user", "https://example.com:443@127.0.0.1/"],
    ["ourselves", "https://ai.example.com/library/x"],
    ["ourselves with a dot", "https://ai.example.com./library/x"],
    ["ourselves in capitals", "https://AI.EXAMPLE.COM/library/x"],
    ["an empty label", "https://a..b/"],
    ["a wildcard", "https://*.example.com/"],
    ["a comma", "https://a,b.example.com/"],
    ["a zone", "https://[fe80::1%25eth0]/"],
    ["too long", `https://example.com/${"a".repeat(9_000)}`],
    ["an allowed host at another port", "http://127.0.0.1:9101/"],
    ["an allowed host at the port of another scheme", "http://10.0.0.5/"],
    ["an allowed host without its port", "http://files.internal/"],
    ["a name that begins like an allowed one", "http://files.internal:9000.example.com/"],
  ])("%s", (_, url) => {
    expect(() => checkUrl(url, RULES)).toThrow(UnsafeAddress);
  });
});

test.each([
  "https://example.com/a.png?x=1#y",
  "https://example.com:443/a.png",
  "https://my_bucket.s3.example.com/a",
  "https://xn--bcher-kva.example/",
  "http://127.0.0.1:9100/a.png",
  "https://files.internal:9000/a.png",
  "https://10.0.0.5/a.png",
])("accepted: %s", (url) => {
  expect(checkUrl(url, RULES).url.href).toBe(new URL(url).href);
});

test("a URL of 8192 characters is accepted, a longer one is not", () => {
  const long = `https://example.com/${"a".repeat(8_172)}`;
  expect(checkUrl(long, RULES).url.href).toHaveLength(8_192);
  expect(() => checkUrl(`${long}a`, RULES)).toThrow(UnsafeAddress);
});

test.each([
  ["https://10.0.0.5/", true],
  ["https://10.0.0.5:443/", true],
  ["http://files.internal:9000/", true],
  ["https://named.internal/", true],
  ["http://plain.internal/", true],
  ["https://plain.internal/", false],
  ["https://example.com/", false],
])("a host that the operator allowed is open only at its port: %s", (url, isAllowed) => {
  const allowedHosts = new Set([...RULES.allowedHosts, "named.internal", "plain.internal:80"]);
  expect(checkUrl(url, { ...RULES, allowedHosts }).isAllowed).toBe(isAllowed);
});

/** Every way in which an IPv4 address can be written in a URL. */
function spellings(bytes: readonly number[]): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const octal = (value: number) => `0${value.toString(8)}`;
  const dotted = bytes.join(".");
  return [
    dotted,
    `${dotted}.`,
    String(number),
    hex(number),
    hex(number).toUpperCase().replace("X", "x"),
    octal(number),
    bytes.map(hex).join("."),
    bytes.map(octal).join("."),
    bytes.map((value) => `0000${octal(value)}`).join("."),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${hex(a)}.${b}.${octal(c * 256 + d)}`,
    dotted.replaceAll(".", "。"),
    dotted.replaceAll(".", "．"),
    [...dotted].map((each) => (each === "." ? each : String.fromCodePoint(0xff10 + Number(each)))).join(""),
    [...dotted].map((each) => (each === "." ? each : `%3${each}`)).join(""),
    `[::ffff:${dotted}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::]`,
  ];
}

const INSIDE = [
  [127, 0, 0, 1],
  [10, 0, 0, 1],
  [169, 254, 169, 254],
  [192, 168, 0, 1],
  [172, 20, 0, 9],
  [0, 0, 0, 0],
  [100, 100, 100, 200],
  [255, 255, 255, 255],
] as const;

/** What the guard would connect to, or null if it refused. */
async function reached(url: string, names: Readonly<Record<string, readonly string[]>> = {}) {
  try {
    // The machine's own interfaces are tested elsewhere; looked up thousands of times, they would take all the time
    // here.
    return await resolveChecked(checkUrl(url, RULES), knowing(names), () => new Set());
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderFailure);
    return null;
  }
}

test("no spelling of an internal address is reached", async () => {
  const cases = INSIDE.flatMap((bytes) => spellings(bytes));
  for (const host of cases) expect(await reached(`https://${host}/x`), host).toBeNull();
});

test("a public IPv4 address is reached in every IPv4 spelling, and always as itself", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom([8, 8, 4, 4], [1, 2, 3, 4], [93, 184, 215, 14], [223, 255, 255, 254]),
      fc.nat({ max: 15 }),
      async (bytes, index) => {
        const host = spellings(bytes)[index] ?? "";
        expect(await reached(`https://${host}/x`)).toEqual([bytes.join(".")]);
      },
    ),
  );
});

/** The runtime's own ranges, independent of ours. */
const SOME_INSIDE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  SOME_INSIDE.addSubnet(network, bits, "ipv4");
}

test("any URL is refused or leads to a public address over https", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "127",
      "0x7f",
      "0177",
      "10",
      "192.168",
      "169.254",
      "::1",
      "::ffff:",
      "[",
      "]",
      "@",
      ":",
      ":443",
    ),
    fc.constantFrom(
      ".",
      "/",
      "\\",
      "%2e",
      "。",
      "１",
      "①",
      "\t",
      "#",
      "?",
      "%00",
      "localhost",
      "example.com",
      "8.8.8.8",
    ),
    fc.string({ maxLength: 3, unit: "binary" }),
    fc.integer({ min: 0, max: 2 ** 32 }).map(String),
  );
  const scheme = fc.constantFrom("https://", "https:/", "https:", "HTTPS://", "http://", "//", "");
  await fc.assert(
    fc.asyncProperty(scheme, fc.array(piece, { maxLength: 7 }), async (start, pieces) => {
      const url = `${start}${pieces.join("")}`;
      const addresses = await reached(url, { "example.com": ["93.184.215.14"] });
      for (const address of addresses ?? []) {
        expect(new URL(url).protocol, url).toBe("https:");
        expect(SOME_INSIDE.check(address, isIPv6(address) ? "ipv6" : "ipv4"), url).toBe(false);
        if (isIPv6(address)) expect(address, url).toMatch(/^[23]/);
      }
    }),
    { numRuns: 5_000 },
  );
}, 60_000);

describe("a name", () => {
  const inside = fc.constantFrom(
    "127.0.0.1",
    "10.9.8.7",
    "169.254.169.254",
    "::1",
    "fe80::1%eth0",
    "fd00::1",
    "::ffff:7f00:1",
  );
  const outside = fc.constantFrom("93.184.215.14", "1.1.1.1", "2606:4700::6810:85e5");

  test("is refused if any of its addresses is internal, in whatever position", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(outside, { maxLength: 4 }),
        inside,
        fc.array(outside, { maxLength: 4 }),
        async (before, bad, after) => {
          expect(
            await reached("https://mixed.example/x", { "mixed.example": [...before, bad, ...after] }),
          ).toBeNull();
        },
      ),
    );
  });

  test("gives the checked addresses, IPv4 first, three at most", async () => {
    const addresses = ["2606:4700::1", "2606:4700::2", "1.1.1.1", "1.0.0.1"];
    expect(await reached("https://good.example/", { "good.example": addresses })).toEqual([
      "1.1.1.1",
      "1.0.0.1",
      "2606:4700::1",
    ]);
  });

  test("that the operator allowed may resolve to an internal address", async () => {
    expect(await reached("http://files.internal:9000/", { "files.internal": ["10.0.0.5"] })).toEqual([
      "10.0.0.5",
    ]);
  });
});
