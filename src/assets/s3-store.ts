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
    // Whatever is left out here, the client takes from variables of other programs, such as AWS_ENDPOINT.
    endpoint: endpointOf(settings),
  });

  /** Null: no such object. */
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
        // A 200 may carry an error, or come from somebody in between; what is there is what was taken.
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
      // Whoever may not list the bucket is refused an answer about what is gone, so only one that finds it counts.
      const size = await sizeNow(key).catch(() => null);
      if (size !== null) throw new Error("what was deleted is still there");
    },
  };
}

/** The address of the service; of the bucket, where its name stands in the host's. */
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

/** A bucket that is missing is a wrong setting, and says so itself. */
function isMissing(error: unknown): boolean {
  return ["NoSuchKey", "NotFound"].includes(codeOf(error));
}

/**
 * What no repeat mends. Anything else may be a bucket that is busy, or somebody before it: those often say so by a status
 * alone, of which we are not told. All that we ask of a bucket is safe to ask twice.
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
      if (error instanceof LateAnswer || FINAL.has(codeOf(error))) throw error;
    }
    // Not all at the same moment: those that were refused together would meet again.
    await Bun.sleep(pauseMs * (0.5 + Math.random()));
  }
  try {
    return await ask();
  } catch (error) {
    throw named(error);
  }
}

/** What the client says where there was no answer, or one without a reason; its code knows a little more. */
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

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? "";
}

/** It was waited for long enough already. */
class LateAnswer extends Error {
  override name = "LateAnswer";
  constructor() {
    super("the bucket did not answer in time");
  }
}

/** The client has no limit of its own that we could set; what comes too late is not waited for. */
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
