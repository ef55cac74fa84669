import { mkdtempSync, rmSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The part of the package that we use; it comes without types. */
type S3Server = {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
};
const require = createRequire(import.meta.url);
const S3rver = require("s3rver") as new (options: object) => S3Server;

/**
 * s3rver answers an upload before the last bytes are in the file, so that an immediate read finds a shorter object.
 * This patch waits for the whole file.
 */
type StoredObject = { readonly bucket: string; readonly key: string };
type FileStore = {
  putObject(object: StoredObject): Promise<{ readonly size: number }>;
  deleteObject(bucket: string, key: string): Promise<void>;
  getResourcePath(bucket: string, key: string, resource: string): string;
};
const fileStore = (require("s3rver/lib/stores/filesystem") as { prototype: FileStore }).prototype;
const { putObject } = fileStore;
fileStore.putObject = async function (object) {
  const put = await putObject.call(this, object);
  const path = this.getResourcePath(object.bucket, object.key, "object");
  while ((await stat(path).catch(() => null))?.size !== put.size) await Bun.sleep(1);
  return put;
};

const FILES_OF_OBJECT = ["object", "object.md5", "metadata.json"];
/**
 * s3rver removes the folder of the last object that is deleted from it, also between the moments in which an upload
 * makes sure that the folder exists and opens its file. This patch leaves folders where they are.
 */
fileStore.deleteObject = async function (bucket, key) {
  const paths = FILES_OF_OBJECT.map((resource) => this.getResourcePath(bucket, key, resource));
  await Promise.all(paths.map((path) => rm(path, { force: true })));
};

export type TestBucket = {
  readonly settings: {
    readonly kind: "s3";
    readonly bucket: string;
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly virtualHosted: false;
  };
  /** The environment with which a gateway stores its objects there. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  close(): Promise<void>;
};

/** A real S3 server in this process, with one empty bucket. Use `startScriptedBucket` if the bucket must misbehave. */
export async function startTestBucket(): Promise<TestBucket> {
  const folder = mkdtempSync(join(tmpdir(), "bursar-bucket-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: "library", configs: [] }],
  });
  const { port } = await server.run();
  const settings = {
    kind: "s3",
    bucket: "library",
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    virtualHosted: false,
  } as const;
  return {
    settings,
    environment: {
      BURSAR_S3_BUCKET: settings.bucket,
      BURSAR_S3_ENDPOINT: settings.endpoint,
      BURSAR_S3_ACCESS_KEY_ID: settings.accessKeyId,
      BURSAR_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    folder,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
