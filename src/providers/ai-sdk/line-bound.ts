import { ProviderFailure } from "../contract.ts";

/** One line is one event; the library keeps it whole in memory until its end has come. */
const MAX_LINE_BYTES = 4 << 20;
const NEWLINE = 0x0a;
/** Frames that carry their length; they know no lines. */
const FRAMED = "application/vnd.amazon.eventstream";

/** The same answer, which fails when a line does not end; what stands before that line is handed on first. */
export function boundLines(response: Response): Response {
  if (response.body === null || response.headers.get("content-type")?.startsWith(FRAMED)) return response;
  const reader = response.body.getReader();
  const bytesWithin = createLineBound();
  let failure: ProviderFailure | null = null;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (failure !== null) throw failure;
          const { done, value } = await reader.read();
          if (done) return controller.close();
          const within = bytesWithin(value);
          if (within < value.byteLength) failure = endlessLine();
          if (within === 0 && failure !== null) throw failure;
          controller.enqueue(failure === null ? value : value.subarray(0, within));
        } catch (error) {
          void reader.cancel().catch(() => {});
          // A stream of the library's that fails drops what it holds; a turn later a reader who keeps up has that.
          await new Promise<void>((resolve) => setImmediate(resolve));
          controller.error(error);
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Says how many bytes of each piece come before a line that is too long: all of them, where there is none. */
function createLineBound(): (piece: Uint8Array) => number {
  let lineBytes = 0;
  return (piece) => {
    const sizeBytes = piece.byteLength;
    if (lineBytes + sizeBytes <= MAX_LINE_BYTES) {
      const newline = piece.lastIndexOf(NEWLINE);
      lineBytes = newline < 0 ? lineBytes + sizeBytes : sizeBytes - newline - 1;
      return sizeBytes;
    }
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      if (lineBytes + end - start > MAX_LINE_BYTES) return start;
      lineBytes = 0;
      start = end + 1;
    }
    lineBytes += sizeBytes - start;
    return lineBytes > MAX_LINE_BYTES ? start : sizeBytes;
  };
}

function endlessLine(): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider sent too much.", {
    internal: `a line over ${MAX_LINE_BYTES} bytes`,
  });
}
