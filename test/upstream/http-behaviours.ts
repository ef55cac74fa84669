import { type Behaviours, numberOf } from "./behaviour.ts";
import { completion, errorBody, goodFrames, STREAM_HEAD } from "./chat-wire.ts";
import { chunked, headText } from "./raw-http.ts";

const BOMB_BYTES = 256 << 20;
const HEADER_PAUSE_MS = 10;
const END_PAUSE_MS = 20;
/** Must never reach a client: a key, a host, an address, ids, an email address. */
const LEAK =
  "Bad request from key sk-live-abcdef1234567890 of org-Q1w2E3r4T5 at https://api.upstream-host.com/v1/x " +
  "(10.1.2.3:8443, node-7.cluster.internal, ops@upstream-host.com, req_9f8e7d6c5b, " +
  "0190c5f2-1111-7222-8333-944455556666), Bearer tok_secret_1";

/** Misbehaviour of the HTTP response, whether or not a stream was requested. */
export const HTTP_BEHAVIOURS: Behaviours = {
  silent: { about: "takes the request and never answers", answer() {} },
  close: {
    about: "closes the connection instead of answering",
    answer: ({ socket }) => void socket.destroy(),
  },
  reset: {
    about: "resets the connection instead of answering",
    answer: ({ socket }) => void socket.resetAndDestroy(),
  },
  garbage: {
    about: "answers something that is not HTTP",
    answer: ({ socket }) => void socket.end("\u0016\u0003\u0001 hello\r\n\r\n"),
  },
  "slow-headers": {
    about: "sends header after header, slowly, and never the last one",
    async answer(call) {
      call.write("HTTP/1.1 200 OK\r\n");
      for (let at = 0; await call.push(`x-${at}: y\r\n`); at++) await Bun.sleep(HEADER_PAUSE_MS);
    },
  },
  "huge-headers": {
    about: "headers of 4 MiB",
    answer: (call) => call.respond({ headers: { "x-huge": "a".repeat(4 << 20) }, body: completion() }),
  },
  hold: {
    about: "hold:STATUS (200), answers once the test opens the gate",
    async answer(call) {
      await call.gate();
      const status = numberOf(call, 0, 200);
      call.respond({ status, body: status === 200 ? completion() : errorBody("Scripted failure") });
    },
  },
  barrier: {
    about: "barrier:N answers nobody until N calls are here at once",
    async answer(call) {
      await call.barrier(numberOf(call, 0, 2));
      call.respond({ body: completion() });
    },
  },
  html: {
    about: "200 with a web page",
    answer: (call) =>
      call.respond({
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>Welcome</title>",
      }),
  },
  "error-object": {
    about: "200 with an error object",
    answer: (call) => call.respond({ body: errorBody("The server had an error", { type: "server_error" }) }),
  },
  "empty-body": { about: "200 with nothing", answer: (call) => call.respond({ body: "" }) },
  "not-json": {
    about: "200 with half of a JSON",
    answer: (call) => call.respond({ body: completion().slice(0, 80) }),
  },
  "too-deep": {
    about: "200 with a good answer and 100,000 levels of lists beside it",
    answer: (call) =>
      call.respond({
        body: completion().replace("{", `{"more":${"[".repeat(100_000)}${"]".repeat(100_000)},`),
      }),
  },
  "wrong-shape": {
    about: "200 with JSON of another kind",
    answer: (call) => call.respond({ body: "[1, null]" }),
  },
  "short-length": {
    about: "a Content-Length beyond the body, then the end",
    answer: ({ socket }) =>
      void socket.end(
        `${headText(200, { "content-type": "application/json", "content-length": "100000" })}${completion()}`,
      ),
  },
  "long-length": {
    about: "a Content-Length short of the body",
    answer: ({ socket }) =>
      void socket.end(
        `${headText(200, { "content-type": "application/json", "content-length": "20" })}${completion()}`,
      ),
  },
  "length-off": {
    about:
      "length-off:N, a good answer in the form asked for, whose Content-Length is N too large (or too small)",
    async answer(call) {
      const type = call.isStream ? "text/event-stream" : "application/json";
      const body = call.isStream ? goodFrames().join("") : completion();
      const length = String(Buffer.byteLength(body) + numberOf(call, 0, 1));
      const head = headText(200, { "content-type": type, "content-length": length });
      // Data that arrives together with the end of a connection may be lost.
      if (await call.push(head + body)) await Bun.sleep(END_PAUSE_MS);
      call.socket.end();
    },
  },
  "two-answers": {
    about: "a good answer, and behind it, unasked, a whole second one",
    answer: (call) => {
      call.respond({ body: completion() });
      call.respond({ body: completion().replaceAll("Hello", "GHOST") });
    },
  },
  "endless-json": {
    about: "one JSON whose text never ends",
    async answer(call) {
      const piece = chunked("a".repeat(1 << 20));
      call.write(headText(200, { "content-type": "application/json", "transfer-encoding": "chunked" }));
      call.write(chunked(completion().split("Hello")[0] ?? ""));
      while (await call.push(piece)) await Bun.sleep(0);
    },
  },
  status: {
    about: "status:NNN with an error in the usual shape",
    answer: (call) => call.respond({ status: numberOf(call, 0, 500), body: errorBody("Scripted failure") }),
  },
  "status-stall": {
    about: "status-stall:NNN, the head of an error and half of its body, then silence",
    answer: (call) => {
      const body = errorBody("Scripted failure");
      const head = headText(numberOf(call, 0, 500), {
        "content-type": "application/json",
        "content-length": String(body.length),
      });
      call.write(head + body.slice(0, body.length / 2));
    },
  },
  "429": {
    about: "429:V with Retry-After: V, absurd where not given",
    answer: (call) =>
      call.respond({
        status: 429,
        headers: { "retry-after": call.args.join(":") || "99999999999" },
        body: errorBody("Slow down", { type: "rate_limit_error" }),
      }),
  },
  "401": {
    about: "401 that repeats the key",
    answer: (call) =>
      call.respond({
        status: 401,
        body: errorBody(`Incorrect API key provided: ${call.request.headers["authorization"]}`, {
          code: "invalid_api_key",
        }),
      }),
  },
  leak: {
    about: "leak:STATUS with a key, hosts, addresses and ids in its message",
    answer: (call) => call.respond({ status: numberOf(call, 0, 400), body: errorBody(LEAK) }),
  },
  overflow: {
    about: "overflow:STATUS (400) for a prompt that does not fit",
    answer: (call) =>
      call.respond({
        status: numberOf(call, 0, 400),
        body: errorBody("This model's maximum context length is 8192 tokens. However, you requested 9000.", {
          code: "context_length_exceeded",
        }),
      }),
  },
  redirect: {
    about: "redirect:STATUS (307) to /followed on the same server, which answers well",
    answer: (call) =>
      call.respond({
        status: numberOf(call, 0, 307),
        headers: { location: "/followed/v1/chat/completions" },
        body: "",
      }),
  },
  gzip: {
    about: "a good answer, compressed although nobody asked for it",
    answer: (call) =>
      call.respond({
        headers: {
          "content-encoding": "gzip",
          "content-type": call.isStream ? "text/event-stream" : "application/json",
        },
        body: Bun.gzipSync(call.isStream ? goodFrames().join("") : completion()),
      }),
  },
  "gzip-bomb": {
    about: "256 MiB of one letter in a few hundred kilobytes of gzip",
    answer: (call) => call.respond({ headers: { "content-encoding": "gzip" }, body: gzipBomb() }),
  },
  "headers-only": { about: "the head of a stream, then silence", answer: (call) => call.write(STREAM_HEAD) },
};

let bomb: Uint8Array | undefined;
function gzipBomb(): Uint8Array {
  bomb ??= Bun.gzipSync(new Uint8Array(BOMB_BYTES).fill(97));
  return bomb;
}
