/** The bytes, cut into pieces at these places (modulo the length); no piece is empty. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
  return pieces.filter((piece) => piece.length > 0);
}

/**
 * A response that delivers one piece per read and ends after the last; `type` is its content type. For tests that a
 * parser does not depend on where the network cuts.
 */
export function answerIn(pieces: readonly Uint8Array[], type: string | null = "text/event-stream"): Response {
  let next = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Ensures that two reads are never in the same turn of the event loop.
        await new Promise<void>((resolve) => setImmediate(resolve));
        const piece = pieces[next++];
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: type === null ? {} : { "content-type": type } });
}
