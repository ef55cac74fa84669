import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { silentLog } from "../../telemetry/index.ts";
import { serveWithoutOutput } from "./lost-output.ts";

test("output that cannot be written ends nothing and is logged once", () => {
  const lines: unknown[] = [];
  const output = new EventEmitter();
  serveWithoutOutput({ ...silentLog, warn: (...line) => void lines.push(line) }, output);
  output.emit("error", new Error("ENOSPC: no space left on device"));
  output.emit("error", new Error("EPIPE: broken pipe"));
  expect(lines).toEqual([
    [
      "output_lost",
      {
        error:
          "The start-up output could not be written (ENOSPC: no space left on device). To get a new API key, run bursar key create.",
      },
    ],
  ]);
});
