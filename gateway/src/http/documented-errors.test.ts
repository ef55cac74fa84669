import { describe, expect, test } from "bun:test";
import { ERROR_CODES, STATUSES_OF_CODE } from "../kit/index.ts";

const page = await Bun.file(new URL("../../../docs/errors.md", import.meta.url)).text();

/** The rows below a heading, cell by cell. */
function tableUnder(heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const statuses = (cell: string | undefined) => (cell ?? "").split(",").map(Number);

describe("docs/errors.md", () => {
  test("lists exactly the ten codes, each with exactly its statuses", () => {
    const listed = tableUnder("The ten codes").map(([code, status]) => [code, statuses(status)]);
    expect(listed).toEqual(ERROR_CODES.map((code) => [`\`${code}\``, [...STATUSES_OF_CODE[code]]]));
  });

  const several = ERROR_CODES.filter((code) => STATUSES_OF_CODE[code].length > 1);
  test.each(several)("explains every status of %s", (code) => {
    const listed = tableUnder(`Statuses of \`${code}\``).map(([status]) => Number(status));
    expect(listed).toEqual([...STATUSES_OF_CODE[code]]);
  });
});
