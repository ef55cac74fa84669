/** Removes purely visual markup: Markdown, tags, rules and bullets. Each list item still ends like a sentence. */
export function dropMarkup(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/!?\[([^[\]\n]{1,500})\]\([^()\s]{1,2000}\)/g, "$1")
    .replace(/<\/?[a-zA-Z][^<>\n]{0,200}>/g, " ")
    .replace(/&(amp|nbsp|lt|gt|quot|#39);/g, (_all, name: string) => ENTITIES.get(name) ?? " ")
    .replace(/^ {0,3}(?:```|~~~).*$/gm, "")
    .replace(/^ {0,3}#{1,6} +(.*)$/gm, (_all, head: string) => `${head.replace(/(?<!#)#+$/, "")}\n`)
    .replace(/^[ \t]*(?:[-*_=] ?){3,80}$/gm, "\n")
    .replace(/^[ \t]*(?:[-*•‣▪●+]) +(.*)$/gm, (_all, item: string) => ended(item))
    .replace(
      /^[ \t]*(\d{1,3})[.)] +(.*)$/gm,
      (_all, number: string, item: string) => `${number}: ${ended(item)}`,
    )
    .replace(/^>+ ?/gm, "")
    .replace(/\*\*|__|~~|`+/g, "")
    .replace(/(^|[\s(])[*_](\S)/g, "$1$2")
    .replace(/(\S)[*_](?=[\s).,;:!?]|$)/gm, "$1")
    .replace(/^\|(.*)\|$/gm, (_all, row: string) => `${row.replaceAll("|", ", ")}.`);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["#39", "'"],
]);

function ended(item: string): string {
  return /[.!?:;,]\s*$/.test(item) ? item : `${item}.`;
}
