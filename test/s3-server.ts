import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The package has no types of its own; this is what we use of it. */
type S3Server = {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
};
const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => S3Server;

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
  /** What a gateway must be told to keep its objects there. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  close(): Promise<void>;
};

/** A server that speaks S3, in this process, with one empty bucket. */
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
