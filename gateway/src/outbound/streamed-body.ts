/** A body of known length that is produced while it is sent, and produced again for every attempt. */
export class StreamedBody {
  constructor(
    readonly sizeBytes: number,
    /** The pieces have `sizeBytes` in total. */
    readonly pieces: () => AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>,
  ) {}

  /** The body of one attempt. No piece is produced before the previous one was taken. */
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
  /** The error that interrupted production, if any: then nobody can have received the whole body. */
  failed(): { readonly error: unknown } | null;
  /** Some of it has not been taken yet, so nobody can have received the whole body. */
  isPartial(): boolean;
};
