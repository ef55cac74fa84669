export type HttpAnswer = {
  /** True once the reply is complete. Throws if it is not a 200, or its end cannot be recognised. */
  take(bytes: Buffer): boolean;
  /** When the first byte of the body arrived. */
  readonly firstByteMs: number;
  readonly bodyBytes: number;
  /** Head and body as received; empty unless `keepsText`. */
  readonly text: string;
};

const HEAD_END = "\r\n\r\n";
/** The last chunk, which is empty. Events contain no carriage return, so nothing else ends like this. */
const LAST_CHUNK = "0\r\n\r\n";

/** Reads one reply from a socket with as little work as possible: clients share the machine with the servers. */
export function readHttpAnswer({ keepsText }: { keepsText: boolean }): HttpAnswer {
  let head: Buffer | null = null;
  let isInBody = false;
  /** Remaining bytes of the body; null if it is chunked. */
  let bytesLeft: number | null = null;
  let ending = "";
  const answer = { take, firstByteMs: 0, bodyBytes: 0, text: "" };

  function take(bytes: Buffer): boolean {
    if (keepsText) answer.text += bytes.toString("latin1");
    if (isInBody) return takeBody(bytes);
    // The socket reuses its buffer for the next data.
    head = head === null ? bytes : Buffer.concat([head, bytes]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      head = Buffer.from(head);
      return false;
    }
    readHead(head.toString("latin1", 0, end));
    return takeBody(head.subarray(end + HEAD_END.length));
  }

  function readHead(text: string): void {
    if (text.slice(9, 12) !== "200") throw new Error(`answered with ${text.split("\r\n")[0]}`);
    const length = /\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (length === undefined && !/\ntransfer-encoding: *chunked/i.test(text))
      throw new Error("an answer without a length");
    bytesLeft = length === undefined ? null : Number(length);
    isInBody = true;
  }

  function takeBody(bytes: Buffer): boolean {
    if (bytes.length > 0 && answer.bodyBytes === 0) answer.firstByteMs = performance.now();
    answer.bodyBytes += bytes.length;
    if (bytesLeft !== null) {
      bytesLeft -= bytes.length;
      return bytesLeft <= 0;
    }
    const from = Math.max(0, bytes.length - LAST_CHUNK.length);
    ending = (ending + bytes.toString("latin1", from)).slice(-LAST_CHUNK.length);
    return ending === LAST_CHUNK;
  }

  return answer;
}
