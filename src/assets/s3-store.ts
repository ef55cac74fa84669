import { S3Client } from "bun";
import { assertObjectKey, mediaTypeOfKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

export type S3Settings = {
  readonly bucket: string;
  /** Null: the vendor's own, by region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket's name stands in the host's, not in the path. */
  readonly virtualHosted: boolean;
};

/** For one answer of the bucket; the client's own patience is minutes. */
const ANSWER_MS = 15_000;
/** Slower than this an upload counts as stuck: 1 MiB a second, on top of the answer. */
const BYTES_PER_MS = 1_048;

/** Objects in a private bucket. Nobody is ever sent there: what is read goes through us. */
export function createS3Store(settings: S3Settings, answerMs = ANSWER_MS): ObjectStore {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey, virtualHosted } = settings;
  const client = new S3Client({
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    virtualHostedStyle: virtualHosted,
    ...(endpoint === null ? {} : { endpoint }),
  });

  return {
    description: `bucket ${bucket} at ${endpoint === null ? region : new URL(endpoint).host}`,
    async write(key, bytes) {
      assertObjectKey(key);
      const limitMs = answerMs + bytes.byteLength / BYTES_PER_MS;
      const written = await again(() =>
        within(client.write(key, bytes, { type: mediaTypeOfKey(key) }), limitMs),
      );
      if (written !== bytes.byteLength) throw new Error(`the bucket took ${written} bytes of an object`);
    },
    async sizeOf(key) {
      assertObjectKey(key);
      try {
        return (await again(() => within(client.stat(key), answerMs))).size;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async read(key, start, length) {
      assertObjectKey(key);
      const slice = client.file(key).slice(start, start + length);
      const limitMs = answerMs + length / BYTES_PER_MS;
      const answer = await again(() => within(slice.arrayBuffer(), limitMs));
      // Some servers send all of an object whose first byte is asked for; the rest is then not ours to fail on.
      const bytes = new Uint8Array(answer, 0, start === 0 ? Math.min(length, answer.byteLength) : undefined);
      if (bytes.byteLength !== length) throw new Error("the object is shorter than it should be");
      return bytes;
    },
    blobOf: () => null,
    async delete(key) {
      assertObjectKey(key);
      try {
        await again(() => within(client.delete(key), answerMs));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

/** A bucket that is missing is a wrong setting, and says so itself. */
function isMissing(error: unknown): boolean {
  return ["NoSuchKey", "NotFound"].includes((error as { code?: string }).code ?? "");
}

/** What a bucket says when it is busy. All that we ask of it is safe to ask twice. */
const BUSY: ReadonlySet<string> = new Set([
  "InternalError",
  "SlowDown",
  "ServiceUnavailable",
  "RequestTimeout",
]);
const PAUSES_MS = [50, 250] as const;

async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!BUSY.has((error as { code?: string }).code ?? "")) throw error;
    }
    // Not all at the same moment: those that were refused together would meet again.
    await Bun.sleep(pauseMs * (0.5 + Math.random()));
  }
  return ask();
}

/** The client has no limit of its own that we could set; what comes too late is not waited for. */
async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the bucket did not answer in time")), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
