import { expect, test } from "bun:test";
import { isOutOfRoom } from "./out-of-room.ts";

test("isOutOfRoom detects a full disk by its code, a program's message or a cause, and nothing else", () => {
  const full = Object.assign(new Error("write failed"), { code: "ENOSPC" });
  const words = 'initdb failed (could not create directory "x": No space left on device)';
  for (const error of [
    full,
    new Error("a", { cause: full }),
    words,
    Object.assign(new Error(""), { code: "EDQUOT" }),
  ]) {
    expect(isOutOfRoom(error)).toBe(true);
  }
  for (const error of [null, undefined, "", new Error("EACCES: permission denied", { cause: "x" })]) {
    expect(isOutOfRoom(error)).toBe(false);
  }
});
