import { afterAll, expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { startServer } from "./server.ts";
import { CHAT_BODY, CHAT_PATH, createEdge, principalWith } from "./testing.ts";

const HERE = import.meta.dir;
/** As seen by the first check of every call, the last function first. */
let frames: string[] = [];
const identity = {
  authenticate() {
    frames = framesIn(new Error("here").stack ?? "");
    return { outcome: "ok", principal: principalWith() };
  },
};
const edge = createEdge({ deps: { identity: identity as never } });
const server = startServer({ host: "127.0.0.1", port: 0, log: silentLog, createApp: () => edge.app });
afterAll(() => server.stop(0));

const WAY = [
  "principalOf of authenticate.ts",
  "walk of walk-route.ts",
  "answer of answer-route.ts",
  "fetch of app.ts",
  "answer of server.ts",
];

function framesIn(stack: string): string[] {
  const own = stack.split("\n").filter((line) => line.includes(HERE) && !line.includes(".test.ts"));
  return own.map(
    (line) => /at (?:async )?(\S+) \(.*\/([\w-]+\.ts)/.exec(line)?.slice(1).join(" of ") ?? line,
  );
}

test.each([
  ["the main interface", CHAT_PATH, {}],
  ["the compatible interface", "/v1/chat/completions", {}],
  ["a page of another origin", "/v1/chat/completions", { origin: "https://app.example" }],
  ["a client with an id of its own", CHAT_PATH, { "x-client-request-id": "one" }],
])(
  "at most four functions lie between the socket and the checks, the order of checks included: %s",
  async (_, path, more) => {
    frames = [];
    await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: "POST",
      headers: { authorization: "Bearer good", "content-type": "application/json", ...more },
      body: JSON.stringify(CHAT_BODY),
    });
    expect(frames[0]).toBe(WAY[0]);
    // Code that ran often may leave one of them out of its stack, and no more.
    expect(frames.length).toBeGreaterThanOrEqual(WAY.length - 1);
    expect(frames).toEqual(WAY.filter((frame) => frames.includes(frame)));
  },
);
