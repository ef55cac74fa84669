/** Finds the end of a response body while its bytes arrive. */
export type Framing = {
  readonly isOver: boolean;
  /** The part of `bytes` that belongs to the body, in one piece; may move data within `bytes`. */
  take(bytes: Uint8Array): Uint8Array;
  /** Whether the body is complete if the connection ends now. */
  readonly mayEndHere: boolean;
  /** More bytes arrived than belong to the response. */
  readonly hasSurplus: boolean;
};
