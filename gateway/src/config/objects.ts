import { resolve } from "node:path";
import type { EnvReader } from "./env.ts";

/** Where the library's files are stored: in a folder, or in a bucket if one is named. */
export type ObjectSettings =
  | { readonly kind: "files"; readonly folder: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly endpoint: string | null;
      readonly region: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly virtualHosted: boolean;
    };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,63}$/;
const OF_A_BUCKET = ["ENDPOINT", "REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "VIRTUAL_HOSTED"].map(
  (part) => `BURSAR_S3_${part}`,
);

export function readObjectSettings(reader: EnvReader, dataDir: string, cwd: string): ObjectSettings {
  const folder = reader.text("BURSAR_OBJECTS_DIR");
  const bucket = reader.matching(
    "BURSAR_S3_BUCKET",
    BUCKET,
    "must be the name of a bucket: 3 to 63 lower-case letters, digits, - and .",
  );
  const files = {
    kind: "files",
    folder: folder === null ? `${dataDir}/objects` : resolve(cwd, folder),
  } as const;
  const region = reader.matching("BURSAR_S3_REGION", REGION, "must be a region such as eu-central-1");
  const endpoint = reader.httpUrl("BURSAR_S3_ENDPOINT");
  const accessKeyId = reader.secret("BURSAR_S3_ACCESS_KEY_ID", 1);
  const secretAccessKey = reader.secret("BURSAR_S3_SECRET_ACCESS_KEY", 1);
  const virtualHosted = reader.flag("BURSAR_S3_VIRTUAL_HOSTED") ?? false;
  if (bucket === null) {
    const lonely = OF_A_BUCKET.find((name) => reader.text(name) !== null);
    // An incomplete bucket would silently become a folder, and the files of many nodes would be on many disks.
    if (lonely !== undefined && reader.text("BURSAR_S3_BUCKET") === null) {
      reader.wrong("BURSAR_S3_BUCKET", `must be set together with ${lonely}`);
    }
    return files;
  }
  for (const name of ["BURSAR_S3_ACCESS_KEY_ID", "BURSAR_S3_SECRET_ACCESS_KEY"]) {
    if (reader.text(name) === null) reader.wrong(name, "must be set together with BURSAR_S3_BUCKET");
  }
  if (accessKeyId === null || secretAccessKey === null) return files;
  return {
    kind: "s3",
    bucket,
    endpoint,
    region: region ?? "us-east-1",
    accessKeyId,
    secretAccessKey,
    virtualHosted,
  };
}
