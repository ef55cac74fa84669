import { expect, test } from "bun:test";
import { readHttpAnswer } from "./http-answer.ts";

const ONE_PIECE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const CHUNKED =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n";

test.each([ONE_PIECE, CHUNKED])(
  "a response is complete with its last byte, wherever it was split",
  (text) => {
    for (let cut = 1; cut < text.length; cut++) {
      const answer = readHttpAnswer({ keepsText: true });
      expect(answer.take(Buffer.from(text.slice(0, cut)))).toBe(false);
      expect(answer.take(Buffer.from(text.slice(cut)))).toBe(true);
      expect(answer.text).toBe(text);
      expect(answer.bodyBytes).toBe(text.length - text.indexOf("\r\n\r\n") - 4);
      expect(answer.firstByteMs).toBeGreaterThan(0);
    }
  },
);

test("a response byte by byte is complete with its last byte, although the buffer is reused", () => {
  const answer = readHttpAnswer({ keepsText: false });
  const buffer = Buffer.alloc(1);
  const wholes = [...CHUNKED].map((byte) => {
    buffer.write(byte, "latin1");
    return answer.take(buffer);
  });
  expect(wholes.indexOf(true)).toBe(CHUNKED.length - 1);
});

test("a response other than 200, or without a length, is an error", () => {
  const read = (text: string) => readHttpAnswer({ keepsText: false }).take(Buffer.from(text));
  expect(() => read("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n")).toThrow("503");
  expect(() => read("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")).toThrow("without a length");
});
