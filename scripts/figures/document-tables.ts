import type { FigureFile } from "./figure-file.ts";

/** `<!-- figures NAME TABLE -->` … `<!-- end -->`: the text between is generated, never written by hand. */
const PLACE = /<!-- figures (\S+) (\S+) -->\n[\s\S]*?<!-- end -->/g;

/** A document with each of its tables rendered from the figures. */
export function fillTables(document: string, load: (name: string) => FigureFile): string {
  return document.replace(PLACE, (_, name: string, table: string) => {
    return `<!-- figures ${name} ${table} -->\n${render(load(name), table)}\n<!-- end -->`;
  });
}

function render(file: FigureFile, name: string): string {
  const table = file.tables[name];
  if (table === undefined) throw new Error(`docs/figures/${file.name}.json has no table "${name}"`);
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const { cpu, cores, memoryGb, bun } = file.machine;
  return [
    line(table.header),
    line(table.header.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...table.rows.map(line),
    "",
    `<sub>\`${file.command}\`, commit ${file.commit}, ${file.date}, ${cores} × ${cpu}, ${memoryGb} GB, Bun ${bun}${file.seed === null ? "" : `, seed ${file.seed}`}</sub>`,
  ].join("\n");
}
