import { expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import { mayBeHandedOn } from "./handed-url.ts";

const NONE: ReadonlySet<string> = new Set();

test.each([
  "https://example.com/a.png?x=1#y",
  "http://example.com/a.png",
  "HTTPS://EXAMPLE.COM/a b.png",
  "https://example.com.:8443/a.png",
  "https://my_bucket.s3.example.com/a?u=http://127.0.0.1/",
  "https://bücher.example/",
  "https://example.com/a?x=\\y",
  "https://example.com/a#\\y",
  "https://example.com",
  "https://example.com?x=http://127.0.0.1/",
  "https://storage.googleapis.com/generativelanguage/a.png",
  "https://mygenerativelanguage.googleapis.com/",
  "https://generativelanguage.googleapis.com.example/",
  "http://8.8.8.8/a.png",
  "http://[2606:4700::1]:81/a.png",
])("accepted: %s", (url) => {
  expect(mayBeHandedOn(url, NONE)).toBe(true);
});

test.each([
  ["an empty text", ""],
  ["a path", "/etc/passwd"],
  ["a file", "file:///etc/passwd"],
  ["a file of a host", "file://example.com/a.png"],
  ["a bucket of the operator's", "gs://example.com/a.png"],
  ["ftp", "ftp://example.com/a.png"],
  ["a leading blank", " http://example.com/a.png"],
  ["a blank after the host", "http://example.com /a.png"],
  ["a control character after the host", "http://8.8.8.8\u0001/a.png"],
  ["the last control character before a query", "http://example.com\u001f?x"],
  ["no slashes", "http:example.com/a.png"],
  ["three slashes", "http:///example.com/a.png"],
  ["a user", "http://user@example.com/a.png"],
  ["a host that is a user", "http://example.com@127.0.0.1/"],
  ["a backslash, which some take for a slash", "http://example.com\\@127.0.0.1/"],
  ["a backslash in a path", "http://example.com/a\\b?x=y"],
  ["loopback", "http://127.0.0.1:5432/"],
  ["loopback in IPv6", "http://[::1]/a"],
  ["loopback, shortened", "http://127.1/"],
  ["loopback as one number", "http://2130706433/"],
  ["loopback in full-width digits", "http://１２７.0.0.1/"],
  ["loopback, mapped", "http://[::ffff:127.0.0.1]/"],
  ["any interface", "http://0.0.0.0:8080/metrics"],
  ["private", "https://10.0.0.5/a.png"],
  ["private with a trailing dot", "https://192.168.0.1./a.png"],
  ["metadata", "http://169.254.169.254/latest/meta-data"],
  ["metadata by name", "http://metadata.google.internal/computeMetadata/v1/"],
  ["this machine by name", "http://localhost/a"],
  ["this machine by name, with a dot", "http://LOCALHOST./a"],
  ["this machine below its name", "http://a.localhost/a"],
  ["a host name without a dot", "http://postgres:5432/"],
  ["a service of a cluster", "http://vault.default.svc.cluster.local/"],
  ["a vendor's store", "https://generativelanguage.googleapis.com/v1beta/files/abc"],
  ["a vendor's store with a dot", "https://Generativelanguage.googleapis.com./v1beta/files/abc"],
  ["a vendor's store of a region", "https://us-generativelanguage.googleapis.com/v1beta/files/abc"],
  ["a vendor's store with mTLS", "https://generativelanguage.mtls.googleapis.com/v1beta/files/abc"],
  [
    "a vendor's store in a sandbox",
    "https://autopush-generativelanguage.sandbox.googleapis.com/v1beta/files/abc",
  ],
  ["no host", "http://:80/"],
  ["a label too long", `https://${"a".repeat(64)}.example/`],
  ["a name too long", `https://${"a.".repeat(125)}example/`],
  ["a label that ends with a dash", "https://a-.example/"],
  ["a label that no parser can read", "https://xn--a.example/"],
  ["a tab in its host, which some leave out", "http://127.0.0.1\t.example\t@10.0.0.1/"],
  ["a wildcard", "http://*.example.com/"],
  ["too long", `https://example.com/${"a".repeat(8_192)}`],
])("refused: %s", (_, url) => {
  expect(mayBeHandedOn(url, NONE)).toBe(false);
});

test("a host that the operator allowed is accepted only at its port, over http or https", () => {
  const open = new Set(["files.internal", "10.0.0.5:9000"]);
  for (const url of ["http://files.internal/a", "https://files.internal/a", "http://10.0.0.5:9000/a"])
    expect(mayBeHandedOn(url, open), url).toBe(true);
  for (const url of ["http://files.internal:81/a", "http://10.0.0.5/a", "file://files.internal/a"])
    expect(mayBeHandedOn(url, open), url).toBe(false);
});

test("long host names are refused and long paths accepted, 1,000 of each within 300 ms", () => {
  const label = "ü".repeat(40);
  expect(mayBeHandedOn(`https://${"a".repeat(60)}.${"b".repeat(60)}.example:8443/`, NONE)).toBe(true);
  expect(mayBeHandedOn(`https://${`${label}.`.repeat(8)}example/`, NONE)).toBe(false);
  const name = `https://${"ü.".repeat(3_000)}example/x`;
  const path = `https://bücher.example/${"ü%".repeat(3_000)}`;
  const many = () => {
    for (let at = 0; at < 1_000; at++) {
      expect(mayBeHandedOn(name, NONE)).toBe(false);
      expect(mayBeHandedOn(path, NONE)).toBe(true);
    }
  };
  expect(fastestMs(many, 5, 300)).toBeLessThan(300);
});
