import { connect } from "node:net";

type RawReply = { readonly status: number; readonly head: string; readonly body: string };

/** A client that sends exact bytes over a bare connection and keeps everything that comes back. */
type RawClient = {
  say(bytes: string | Uint8Array): void;
  /** The next complete reply; null if the connection ended before one. */
  reply(): Promise<RawReply | null>;
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>;
  /** Bytes received and not yet read as a reply. */
  readonly unread: string;
  leave(): void;
};

export function dialRaw(origin: string): RawClient {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = "";
  let ended = false;
  let wake = () => {};
  socket.setEncoding("latin1");
  socket.on("data", (text) => {
    received += text;
    wake();
  });
  socket.on("close", () => {
    ended = true;
    wake();
  });
  socket.on("error", () => {});

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const next = Promise.withResolvers<void>();
      wake = next.resolve;
      await next.promise;
    }
  }

  return {
    say: (bytes) => void socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes),
    async reply() {
      await until(() => ended || wholeReply(received) !== null);
      const whole = wholeReply(received);
      if (whole === null) return null;
      received = received.slice(whole.length);
      return whole.reply;
    },
    closed: () => until(() => ended),
    get unread() {
      return received;
    },
    leave: () => socket.destroy(),
  };
}

/** Interim replies (100) have no body; all our other replies declare their length. */
function wholeReply(text: string): { readonly length: number; readonly reply: RawReply } | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = text.slice(0, end);
  const bodyLength = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  const length = end + 4 + bodyLength;
  if (text.length < length) return null;
  const status = Number(head.split(" ")[1] ?? 0);
  return { length, reply: { status, head, body: text.slice(end + 4, length) } };
}
