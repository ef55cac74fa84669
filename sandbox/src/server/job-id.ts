import { deflateRawSync, inflateRawSync } from "node:zlib";
import { isObject } from "../../../gateway/src/kit/index.ts";
import type { Fields } from "./fields.ts";

/** All that makes a job. Its id is this in short, so that any process of the sandbox can answer for it. */
export type Job = {
  readonly model: string;
  /** The caller's own id of the job. */
  readonly key: string;
  /** When it is ready, and how it ends. */
  readonly operation: Fields;
  readonly request: Fields;
};

/** It stands in a URL. */
const MAX_ID_CHARACTERS = 2_000;
const MAX_JOB_BYTES = 64 << 10;
/** Base64 may begin with a sign. */
const FIRST = "j";

/** Null if it would be too long. */
export function encodeJob({ model, key, operation, request }: Job): string | null {
  const packed = deflateRawSync(JSON.stringify([model, key, operation, request]), { level: 9 });
  const id = `${FIRST}${packed.toString("base64url")}`;
  return id.length > MAX_ID_CHARACTERS ? null : id;
}

/** Null if it is none of ours. */
export function decodeJob(id: string): Job | null {
  if (!id.startsWith(FIRST) || id.length > MAX_ID_CHARACTERS) return null;
  try {
    const packed = Buffer.from(id.slice(FIRST.length), "base64url");
    const text = inflateRawSync(packed, { maxOutputLength: MAX_JOB_BYTES }).toString();
    const [model, key, operation, request] = JSON.parse(text) as readonly unknown[];
    const isJob = typeof model === "string" && typeof key === "string";
    return isJob && isObject(operation) && isObject(request) ? { model, key, operation, request } : null;
  } catch {
    return null;
  }
}
