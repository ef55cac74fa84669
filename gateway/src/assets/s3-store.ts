import { S3Client } from "bun";
import { codeOf } from "../kit/index.ts";
import { assertObjectKey, mediaTypeOfKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

export type S3Settings = {
  readonly bucket: string;
  /** Null for Amazon's own, by region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** True if the bucket's name is part of the host name rather than of the path. */
  readonly virtualHosted: boolean;
};

/** Timeout of one request; the client's own would be minutes. */
const ANSWER_MS = 15_000;
/** A transfer slower than this, about 1 MiB per second, counts as stuck; the time is added to the timeout. */
const BYTES_PER_MS = 1_048;

/** Objects in a private bucket. Clients are never redirected there: all reads go through us. */
export function createS3Store(settings: S3Settings, answerMs = ANSWER_MS): ObjectStore {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey, virtualHosted } = settings;
  const client = new S3Client({
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    virtualHostedStyle: virtualHosted,
    // The client fills in missing settings from environment variables of other programs, such as AWS_ENDPOINT.
    endpoint: endpointOf(settings),
  });

  /** Null if there is no such object. */
  async function sizeNow(key: string): Promise<number | null> {
    try {
      return (await within(client.stat(key), answerMs)).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return {
    description: `bucket ${bucket} at ${endpoint === null ? region : new URL(endpoint).host}`,
    async write(key, bytes) {
      assertObjectKey(key);
      const limitMs = answerMs + bytes.byteLength / BYTES_PER_MS;
      await again(async () => {
        await within(client.write(key, bytes, { type: mediaTypeOfKey(key) }), limitMs);
        // A 200 may carry an error, or come from a proxy in between; only the stored object itself proves the write.
        const size = await sizeNow(key);
        if (size !== bytes.byteLength)
          throw new Error(`the bucket did not keep an object (${size ?? "none"})`);
      });
    },
    async sizeOf(key) {
      assertObjectKey(key);
      return again(() => sizeNow(key));
    },
    async read(key, start, length) {
      assertObjectKey(key);
      const slice = client.file(key).slice(start, start + length);
      const limitMs = answerMs + length / BYTES_PER_MS;
      const answer = await again(() => within(slice.arrayBuffer(), limitMs));
      // Some servers send the whole object if the range starts at its first byte; the surplus is ignored.
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
      // Without permission to list the bucket, asking about a deleted object is refused, so only finding it counts as a
      // failure.
      const size = await sizeNow(key).catch(() => null);
      if (size !== null) throw new Error("what was deleted is still there");
    },
  };
}

/** Address of the service, or of the bucket if its name is part of the host. */
export function endpointOf({
  bucket,
  endpoint,
  region,
  virtualHosted,
}: Pick<S3Settings, "bucket" | "endpoint" | "region" | "virtualHosted">): string {
  const service = endpoint ?? `https://s3.${region}.amazonaws.com`;
  if (!virtualHosted || new URL(service).host.startsWith(`${bucket}.`)) return service;
  return service.replace("://", `://${bucket}.`);
}

/** A missing bucket is a configuration error with a code of its own. */
function isMissing(error: unknown): boolean {
  return ["NoSuchKey", "NotFound"].includes(codeOf(error) ?? "");
}

/**
 * Errors that no retry fixes. Anything else may be a bucket or a proxy that is busy: those often say so only by an HTTP
 * status, which the client does not pass on. All our requests are safe to repeat.
 */
const FINAL: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AuthorizationHeaderMalformed",
  "EntityTooLarge",
  "InvalidAccessKeyId",
  "InvalidBucketName",
  "MethodNotAllowed",
  "NoSuchBucket",
  "NoSuchKey",
  "NotFound",
  "PermanentRedirect",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
]);
const PAUSES_MS = [50, 250] as const;

async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof LateAnswer || FINAL.has(codeOf(error) ?? "")) throw error;
    }
    // With jitter, so that requests that were refused together do not collide again.
    await Bun.sleep(pauseMs * (0.5 + Math.random()));
  }
  try {
    return await ask();
  } catch (error) {
    throw named(error);
  }
}

/** The client's message if there was no reply, or one without a reason; the error code says a little more. */
const NO_REASON = "an unexpected error has occurred";

function named(error: unknown): unknown {
  if (!(error instanceof Error) || error.message !== NO_REASON) return error;
  const code = codeOf(error);
  const message =
    code === "UnknownError"
      ? "the bucket gives no reason: it is busy, or does not allow it"
      : `the bucket does not answer: ${code}`;
  return new Error(message, { cause: error });
}

/** Not retried: the wait was long enough already. */
class LateAnswer extends Error {
  override name = "LateAnswer";
  constructor() {
    super("the bucket did not answer in time");
  }
}

/** The client has no timeout that we could set; a late result is ignored. */
async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new LateAnswer()), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
