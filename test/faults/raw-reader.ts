import { connect, type Socket } from "node:net";
import type { ChatAsk } from "./chat-client.ts";

/**
 * A slow reader: reads a stream only as far as told. What it does not read stays in the kernel, then in the gateway.
 */
type RawReader = {
  /** Resolves once the text was seen; nothing is read after that. */
  readUntil(text: string): Promise<void>;
  /** The request's id; known once the head was read. */
  requestId(): string;
  /** Resolves when the gateway has closed the connection. */
  readonly ended: Promise<void>;
  hangUp(): void;
};

const MAX_KEPT_CHARACTERS = 64 * 1024;

export function openRawReader(ask: ChatAsk): Promise<RawReader> {
  const { hostname, port } = new URL(ask.origin);
  const body = JSON.stringify({
    model: ask.model ?? "sandbox-chat",
    stream: true,
    messages: [{ role: "user", content: ask.content }],
  });
  const socket: Socket = connect({ host: hostname, port: Number(port) });
  let text = "";
  let requestId = "";
  let check = () => {};
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    requestId ||= /x-request-id: (\S+)/i.exec(text)?.[1] ?? "";
    text = text.slice(-MAX_KEPT_CHARACTERS);
    check();
  });
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const reader: RawReader = {
    readUntil(wanted) {
      return new Promise((resolve) => {
        check = () => {
          if (!text.includes(wanted)) return;
          socket.pause();
          resolve();
        };
        socket.resume();
        check();
      });
    },
    requestId: () => requestId,
    ended,
    hangUp: () => void socket.destroy(),
  };
  return new Promise((resolve) => {
    socket.once("connect", () => {
      const head = [
        "POST /functions/v1/api-v1-chat HTTP/1.1",
        `host: ${hostname}:${port}`,
        `authorization: Bearer ${ask.of.key}`,
        "content-type: application/json",
        `content-length: ${Buffer.byteLength(body)}`,
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n${body}`, () => resolve(reader));
    });
  });
}
