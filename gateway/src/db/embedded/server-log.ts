import { chownSync, closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import type { ClusterPaths } from "./cluster-paths.ts";

const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** A failed start gives its reason in the last lines. */
const TAIL_BYTES = 16 * 1024;

/** Opens the log for a start; a server writes little except when it starts and fails. One older file is kept. */
export function openServerLog(paths: ClusterPaths): number {
  const before = statSync(paths.log, { throwIfNoEntry: false });
  if (before && before.size > MAX_LOG_BYTES) renameSync(paths.log, `${paths.log}.1`);
  const file = openSync(paths.log, "a", 0o600);
  const owner = statSync(paths.home);
  // Root may serve another user's folder; that user must be able to write here afterwards.
  if (process.getuid?.() === 0 && fstatSync(file).uid !== owner.uid) {
    chownSync(paths.log, owner.uid, owner.gid);
  }
  return file;
}

export function logSize(paths: ClusterPaths): number {
  return statSync(paths.log, { throwIfNoEntry: false })?.size ?? 0;
}

export function readLogFrom(paths: ClusterPaths, offset: number): string {
  const size = logSize(paths);
  const start = Math.max(Math.min(offset, size), size - TAIL_BYTES);
  const buffer = Buffer.alloc(size - start);
  const file = openSync(paths.log, "r");
  try {
    readSync(file, buffer, 0, buffer.length, start);
  } finally {
    closeSync(file);
  }
  return buffer.toString();
}

/**
 * The reason in PostgreSQL's own words, without time and pid; for errors from before its log exists, without the
 * program's name.
 */
export function fatalReason(logText: string): string | undefined {
  const lines = logText.split("\n");
  const line =
    lines.findLast((text) => /\b(FATAL|PANIC):/.test(text)) ??
    lines.findLast((text) => text.startsWith("postgres: "));
  return line?.replace(/^(.*\b(FATAL|PANIC)|postgres):\s*/, "");
}
