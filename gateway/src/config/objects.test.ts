import { describe, expect, test } from "bun:test";
import { inspectConfig, loadConfig } from "../app/settings.ts";

const BUCKET = {
  BURSAR_S3_BUCKET: "library",
  BURSAR_S3_ACCESS_KEY_ID: "id",
  BURSAR_S3_SECRET_ACCESS_KEY: "hunter2",
};

const objectsOf = (env: Record<string, string>) => inspectConfig(env, "/nowhere").config.objects;
const problemsOf = (env: Record<string, string>) => inspectConfig(env, "/nowhere").problems;

test("objects are stored in the data folder unless another folder is set", () => {
  expect(objectsOf({})).toEqual({ kind: "files", folder: "/nowhere/data/objects" });
  expect(objectsOf({ BURSAR_DATA_DIR: "/srv" })).toEqual({ kind: "files", folder: "/srv/objects" });
  expect(objectsOf({ BURSAR_OBJECTS_DIR: "../big" })).toEqual({ kind: "files", folder: "/big" });
});

test("objects are stored in a bucket if one is set", () => {
  expect(objectsOf(BUCKET)).toEqual({
    kind: "s3",
    bucket: "library",
    endpoint: null,
    region: "us-east-1",
    accessKeyId: "id",
    secretAccessKey: "hunter2",
    virtualHosted: false,
  });
  const far = {
    ...BUCKET,
    BURSAR_S3_ENDPOINT: "https://s3.example.com/",
    BURSAR_S3_REGION: "eu-central-1",
    BURSAR_S3_VIRTUAL_HOSTED: "true",
  };
  expect(objectsOf(far)).toMatchObject({
    endpoint: "https://s3.example.com",
    region: "eu-central-1",
    virtualHosted: true,
  });
});

describe("an incomplete bucket stops the start, without showing its secret", () => {
  test.each([
    [{ BURSAR_S3_BUCKET: "library" }, "BURSAR_S3_ACCESS_KEY_ID: must be set together with BURSAR_S3_BUCKET"],
    [{ ...BUCKET, BURSAR_S3_SECRET_ACCESS_KEY: "" }, "BURSAR_S3_SECRET_ACCESS_KEY: must be set together"],
    [{ BURSAR_S3_ENDPOINT: "http://127.0.0.1:9000" }, "BURSAR_S3_BUCKET: must be set together with"],
    [{ BURSAR_S3_SECRET_ACCESS_KEY: "hunter2" }, "BURSAR_S3_BUCKET: must be set together with"],
    [{ ...BUCKET, BURSAR_S3_BUCKET: "Not a bucket" }, "BURSAR_S3_BUCKET: must be the name of a bucket"],
    [{ ...BUCKET, BURSAR_S3_ENDPOINT: "ftp://x" }, "BURSAR_S3_ENDPOINT: must be an http"],
    [{ ...BUCKET, BURSAR_S3_REGION: "Europe!" }, "BURSAR_S3_REGION: must be a region"],
  ])("%j", (env, says) => {
    const problems = problemsOf(env as Record<string, string>);
    expect(problems).toEqual(expect.arrayContaining([expect.stringContaining(says)]));
    expect(problems.join()).not.toContain("hunter2");
    expect(() => loadConfig(env as Record<string, string>, "/nowhere")).toThrow(says);
  });
});
