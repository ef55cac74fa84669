import { expect, test } from "bun:test";
import { failureOf } from "./failures/failure-of.ts";

const page = (title: string, rest = "") =>
  `<?xml version="1.0" encoding="utf-8"?>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>${rest}</body></html>`;
const isBroken = (body: unknown, status = 503) => failureOf({ status, body }).detail.isBrokenBehind === true;

test.each<[string, unknown]>([
  [
    "Envoy",
    "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
  ],
  ["Fastly, no first byte", page("503 first byte timeout")],
  ["Fastly, a failed read", page("503 backend read error")],
  ["Fastly, no connection", page("503 connection timed out")],
  ["Varnish", page("503 Backend fetch failed", "<h1>Error 503 Backend fetch failed</h1>")],
  ["Heroku", page("Application Error")],
  ["Heroku, as a router repeats it", { error: { code: "H12", message: "Request failed" } }],
  ["HAProxy", page("503 Gateway Time-out")],
  ["nginx, as a router repeats it", { error: "upstream prematurely closed connection" }],
  ["a router, by its code", { error: { message: "Provider returned error", code: "upstream_timeout" } }],
  ["a router, of a reset", { error: "The connection was reset by the provider." }],
  ["a page with a title of some class", '<html><title class="x">503 Gateway Time-out</title></html>'],
  ["a proxy on Node, of a socket", "Error: socket hang up"],
  ["a proxy on Node, of a read", "read ECONNRESET"],
  ["a proxy on Node, by its code", { error: { code: "ECONNRESET", message: "Request failed" } }],
  ["a proxy in Go, of an early end", "unexpected EOF"],
  ["a proxy in Go, of a write", "write tcp: broken pipe"],
  ["a router, of a closed connection", { error: "The server closed the connection unexpectedly" }],
])("a 503 says that the connection behind a proxy broke: %s", (_, body) => {
  expect(isBroken(body)).toBe(true);
});

test.each<[string, unknown]>([
  ["an empty body", ""],
  ["Envoy without a server", "no healthy upstream"],
  ["nginx", page("503 Service Temporarily Unavailable", "<hr><center>nginx</center>")],
  ["HAProxy", "<html><body><h1>503 Service Unavailable</h1>No server is available.</body></html>"],
  ["Fastly", page("503 No healthy backends")],
  ["a page with a script", page("503", "<script>const timeout = 5</script>")],
  ["a page with another element than a title", "<html><titles>503 Gateway Time-out</titles></html>"],
  ["a provider at its limit", { error: { message: "The queue is full. Limits reset at midnight." } }],
])("a 503 does not say that a connection broke: %s", (_, body) => {
  expect(isBroken(body)).toBe(false);
});

test("a 400 that mentions a timeout is not a broken connection", () => {
  expect(isBroken({ error: "timeout must be a number" }, 400)).toBe(false);
});
