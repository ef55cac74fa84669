/** Where bytes live: a folder of files, or a bucket. Keys are ours alone, see `object-key.ts`. */
export type ObjectStore = {
  /** What it is, for people: `files in <folder>` or `bucket <name> at <host>`. */
  readonly description: string;
  /** Durable when it resolves, and whole or not there at all. A key is written once. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Null: no such object. */
  sizeOf(key: string): Promise<number | null>;
  /** Exactly `length` bytes from `start`; rejects where the object has fewer. */
  read(key: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Bytes that the server sends by itself, without holding them in memory; null where there is no such way and
   * whoever serves them reads piece by piece. Right after `sizeOf`, which is what checks the object.
   */
  blobOf(key: string, start: number, length: number): Blob | null;
  /** Of an object that is not there: nothing happens. */
  delete(key: string): Promise<void>;
};

/** No object is larger; a bound for whoever reads one whole. */
export const MAX_OBJECT_BYTES = 512 * 1024 * 1024;
