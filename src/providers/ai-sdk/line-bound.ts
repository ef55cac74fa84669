import { ProviderFailure } from "../contract.ts";

/** One line is one event; the library keeps it whole in memory until its end has come. */
const MAX_LINE_BYTES = 4 << 20;
const NEWLINE = 0x0a;
/** Frames that carry their length; they know no lines. */
const FRAMED = "application/vnd.amazon.eventstream";

/** The same answer, which fails when a line does not end. */
export function boundLines(response: Response): Response {
  if (response.body === null || response.headers.get("content-type")?.startsWith(FRAMED)) return response;
  const reader = response.body.getReader();
  let lineBytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          const newline = value.lastIndexOf(NEWLINE);
          lineBytes = newline < 0 ? lineBytes + value.byteLength : value.byteLength - newline - 1;
          if (lineBytes > MAX_LINE_BYTES) throw endlessLine();
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          void reader.cancel().catch(() => {});
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

function endlessLine(): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider sent too much.", {
    internal: `a line over ${MAX_LINE_BYTES} bytes`,
  });
}
