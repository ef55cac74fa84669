/** Where the body of an answer ends, found while its bytes come. */
export type Framing = {
  readonly isOver: boolean;
  /** What of these bytes belongs to the body, in one piece; the bytes are its own to move. */
  take(bytes: Uint8Array): Uint8Array;
  /** The connection has ended: is the body whole? */
  readonly mayEndHere: boolean;
  /** More came than the answer has. */
  readonly hasSurplus: boolean;
};
