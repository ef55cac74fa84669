import { expect, test } from "bun:test";
import { isOutOfRoom } from "./out-of-room.ts";

test("a full disk is known by its code, by a program's words and through a cause, and nothing else is", () => {
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
