/** A body of known length that is made while it is sent, and made anew for every try. */
export class StreamedBody {
  constructor(
    readonly sizeBytes: number,
    /** All of them together have `sizeBytes`. */
    readonly pieces: () => AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>,
  ) {}

  /** One sending of it. No piece is made before the last one was taken. */
  open(): OpenedBody {
    const pieces = this.pieces();
    let failure: { readonly error: unknown } | null = null;
    let takenBytes = 0;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          try {
            const { done, value } = await pieces.next();
            if (done) return controller.close();
            takenBytes += value.byteLength;
            controller.enqueue(value);
          } catch (error) {
            failure = { error };
            controller.error(error);
          }
        },
        async cancel() {
          await pieces.return();
        },
      },
      { highWaterMark: 0 },
    );
    return { stream, failed: () => failure, isPartial: () => takenBytes < this.sizeBytes };
  }
}

export type OpenedBody = {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What kept the body from being made, so that nobody can have got all of it. */
  failed(): { readonly error: unknown } | null;
  /** Nobody can have got all of it yet. */
  isPartial(): boolean;
};
