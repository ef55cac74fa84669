import { expect, test } from "bun:test";
import { join } from "node:path";
import { userName } from "./user-name.ts";

const PROGRAM = `
  import { userName } from ${JSON.stringify(join(import.meta.dir, "user-name.ts"))};
  console.log(userName());
`;

test.each(["somebody-else", ""])("userName is what the system says, although $USER is %o", async (USER) => {
  const { PATH = "" } = process.env;
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { env: { PATH, USER }, stdout: "pipe" });
  expect(await new Response(child.stdout).text()).toBe(await Bun.$`id -un`.text());
});

test("userName is the number of a user without a name", () => {
  expect(userName(4_000_000_001)).toBe("4000000001");
});
