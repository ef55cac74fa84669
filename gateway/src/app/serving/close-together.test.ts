import { expect, test } from "bun:test";
import { createLog } from "../../telemetry/index.ts";
import { closeTogether } from "./close-together.ts";

test("closeTogether closes all parts together; one that hangs or fails is logged and delays nobody", async () => {
  const named: string[] = [];
  const sink = {
    write: (line: string) => void named.push(JSON.parse(line).part),
    flush() {},
    async end() {},
  };
  const log = createLog({ level: "warn", keyPrefix: "svc_live_", sink });
  const begun: string[] = [];
  const part = (name: string, ending: () => Promise<unknown> | undefined) => () => {
    begun.push(name);
    return ending();
  };
  await closeTogether(
    log,
    {
      hanging: part("hanging", () => new Promise(() => {})),
      failing: part("failing", () => Promise.reject(new Error("no"))),
      throwing: part("throwing", () => {
        throw new Error("at once");
      }),
      absent: part("absent", () => undefined),
    },
    1,
  );
  expect(begun).toEqual(["hanging", "failing", "throwing", "absent"]);
  expect(named.toSorted()).toEqual(["failing", "hanging", "throwing"]);
});
