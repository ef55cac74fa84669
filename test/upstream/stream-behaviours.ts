import { type Behaviours, type Call, numberOf } from "./behaviour.ts";
import {
  DONE,
  deltaFrame,
  errorBody,
  frame,
  goodFrames,
  goodStreamBytes,
  ROLE,
  STOP,
  STREAM_HEAD,
  USAGE,
  usageFrame,
  usageOf,
  wordFrames,
} from "./chat-wire.ts";
import { chunked, LAST_CHUNK } from "./raw-http.ts";

function numberedWords(count: number): string[] {
  return wordFrames(Array.from({ length: count }, (_, at) => `word${at} `));
}

const LONG_LINE_BYTES = 50 << 20;
const ENDLESS_PAUSE_MS = 1;

/** A stream with each piece as a chunk, and a proper end. */
export async function stream(call: Call, pieces: readonly (string | Uint8Array)[]): Promise<void> {
  call.write(STREAM_HEAD);
  for (const piece of pieces) call.write(chunked(piece));
  call.write(LAST_CHUNK);
}

/** Misbehaviour inside a stream with a correct head; sent whether or not a stream was requested. */
export const STREAM_BEHAVIOURS: Behaviours = {
  chunks: {
    about: "chunks:N:MS, a good stream of N words, MS milliseconds before each",
    async answer(call) {
      const pauseMs = numberOf(call, 1, 0);
      const words = Array.from({ length: numberOf(call, 0, 100) }, (_, at) => `word${at} `);
      call.write(STREAM_HEAD);
      for (const text of goodFrames(words)) {
        if (pauseMs > 0) await Bun.sleep(pauseMs);
        if (!(await call.push(chunked(text)))) return;
      }
      call.write(LAST_CHUNK);
    },
  },
  thinks: {
    about: "thinks:N:MS, N thoughts, MS milliseconds before each, then a good stream",
    async answer(call) {
      call.write(STREAM_HEAD);
      for (let left = numberOf(call, 0, 20); left > 0; left--) {
        await Bun.sleep(numberOf(call, 1, 5));
        if (!(await call.push(chunked(deltaFrame({ reasoning_content: "hm " }))))) return;
      }
      for (const text of goodFrames()) call.write(chunked(text));
      call.write(LAST_CHUNK);
    },
  },
  stall: {
    about: "stall:N, N (3) words of a good stream, then silence",
    answer: (call) =>
      call.write(
        Buffer.concat([
          Buffer.from(STREAM_HEAD),
          ...goodFrames()
            .slice(0, numberOf(call, 0, 3) + 1)
            .map(chunked),
        ]),
      ),
  },
  drip: {
    about: "drip:MS, a good stream, one byte at a time, MS (1) milliseconds apart",
    async answer(call) {
      for (const byte of goodStreamBytes()) {
        if (!(await call.push(Uint8Array.of(byte)))) return;
        await Bun.sleep(numberOf(call, 0, 1));
      }
    },
  },
  split: {
    about: "a good stream in chunks of one byte, so every character and line is cut",
    answer: (call) =>
      stream(
        call,
        [...Buffer.from(goodFrames().join(""))].map((byte) => Uint8Array.of(byte)),
      ),
  },
  "cr-only": {
    about: "lines that end in CR",
    answer: (call) =>
      stream(
        call,
        goodFrames().map((text) => text.replaceAll("\n", "\r")),
      ),
  },
  crlf: {
    about: "lines that end in CRLF, cut between the two",
    answer: (call) =>
      stream(
        call,
        goodFrames()
          .join("")
          .replaceAll("\n", "\r\n")
          .split(/(?<=\r)/),
      ),
  },
  bom: {
    about: "a good stream after a byte order mark",
    answer: (call) => stream(call, ["\ufeff", ...goodFrames()]),
  },
  "first-error": {
    about: "the first event is an error",
    answer: (call) =>
      stream(call, [frame(errorBody("The server is overloaded", { type: "server_error" })), DONE]),
  },
  "late-error": {
    about: "an error after some text",
    answer: (call) =>
      stream(call, [
        ROLE,
        ...wordFrames().slice(0, 3),
        frame(errorBody("The server died", { type: "server_error" })),
        DONE,
      ]),
  },
  refused: {
    about: "refused:CODE:N, N (40) words, then an error with that code and without a status",
    answer: (call) =>
      stream(call, [
        ROLE,
        ...numberedWords(numberOf(call, 1, 40)),
        frame(errorBody("The content filter flagged it.", { type: "data_error", code: call.args[0] })),
        DONE,
      ]),
  },
  "ends-as": {
    about:
      "ends-as:REASON, 40 words, then that finish_reason; after a comma, the reason of a router's own provider",
    answer: (call) => {
      const [finish_reason, native_finish_reason] = (call.args[0] ?? "").split(",");
      const choices = [{ index: 0, delta: {}, finish_reason, native_finish_reason }];
      return stream(call, [ROLE, ...numberedWords(40), frame({ choices }), DONE]);
    },
  },
  empty: { about: "a stream without a byte", answer: (call) => stream(call, []) },
  comments: {
    about: "comments and nothing else",
    answer: (call) => stream(call, [": wait\n\n", ": wait\n\n"]),
  },
  "done-only": { about: "[DONE] and nothing else", answer: (call) => stream(call, [DONE]) },
  malformed: {
    about: "data that is not JSON",
    answer: (call) => stream(call, [ROLE, "data: {not json\n\n", STOP, DONE]),
  },
  "no-finish": {
    about: "text, then the end, without finish_reason",
    answer: (call) => stream(call, [ROLE, ...wordFrames(), DONE]),
  },
  "no-done": {
    about: "a good stream without [DONE]",
    answer: (call) => stream(call, goodFrames().slice(0, -1)),
  },
  "stays-open": {
    about:
      "stays-open:MS, the same on a connection that stays open; a comment every MS milliseconds, if given",
    async answer(call) {
      call.write(STREAM_HEAD);
      const pauseMs = numberOf(call, 0, 0);
      let isOpen = await call.push(chunked(goodFrames().slice(0, -1).join("")));
      while (isOpen && pauseMs > 0) {
        await Bun.sleep(pauseMs);
        isOpen = await call.push(chunked(": wait\n\n"));
      }
    },
  },
  "no-blank-line": {
    about: "a good stream whose last line has no end",
    answer: (call) => stream(call, [goodFrames().join("").trimEnd()]),
  },
  "done-twice": { about: "[DONE] twice", answer: (call) => stream(call, [...goodFrames(), DONE]) },
  "after-done": {
    about: "text after [DONE]",
    answer: (call) => stream(call, [...goodFrames(), deltaFrame({ content: "GHOST" }), DONE]),
  },
  "long-line": {
    about: "long-line:BYTES, one line of 50 MB where not given",
    async answer(call) {
      call.write(STREAM_HEAD);
      const piece = chunked("a".repeat(1 << 16));
      let leftBytes = numberOf(call, 0, LONG_LINE_BYTES);
      await call.push(chunked('data: {"choices":[{"index":0,"delta":{"content":"'));
      for (; leftBytes > 0; leftBytes -= 1 << 16) if (!(await call.push(piece))) return;
      for (const text of ['"}}]}\n\n', STOP, DONE]) call.write(chunked(text));
      call.write(LAST_CHUNK);
    },
  },
  endless: {
    about: "text until the caller leaves",
    answer: (call) => endlessly(call, deltaFrame({ content: "more " })),
  },
  trickle: {
    about: "trickle:MS, a word every MS (30) milliseconds until the caller leaves",
    answer: (call) => endlessly(call, deltaFrame({ content: "more " }), numberOf(call, 0, 30)),
  },
  flood: {
    about: "flood:CHARACTERS of text a chunk (64 Ki where not given), until the caller leaves",
    answer: (call) =>
      endlessly(call, deltaFrame({ content: "flood ".repeat(numberOf(call, 0, 1 << 16) / 6) }), 0),
  },
  "endless-comments": {
    about: "comments until the caller leaves",
    answer: (call) => endlessly(call, ": wait\n\n"),
  },
  "reset-at": {
    about: "reset-at:K, a good stream of which K bytes of the answer are sent before a reset",
    async answer(call) {
      if (await call.push(goodStreamBytes().subarray(0, numberOf(call, 0, 0)))) call.socket.resetAndDestroy();
    },
  },
  "close-at": {
    about: "close-at:K, the same with an orderly close",
    async answer(call) {
      if (await call.push(goodStreamBytes().subarray(0, numberOf(call, 0, 0)))) call.socket.end();
    },
  },
  "usage-twice": {
    about: "two usage chunks that differ",
    answer: (call) =>
      stream(call, [ROLE, ...wordFrames(), STOP, usageFrame(usageOf(1)), usageFrame(USAGE), DONE]),
  },
};

async function endlessly(call: Call, text: string, pauseMs = ENDLESS_PAUSE_MS): Promise<void> {
  const piece = chunked(text);
  call.write(STREAM_HEAD);
  while (await call.push(piece)) if (pauseMs > 0) await Bun.sleep(pauseMs);
}
