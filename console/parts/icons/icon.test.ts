import { expect, test } from "bun:test";
import { join } from "node:path";
import * as lucide from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Icon, type IconName } from "./icon.tsx";
import shapes from "./shapes.json";

const FILE = join(import.meta.dir, "shapes.json");
const names = Object.keys(shapes) as IconName[];
const ATTRIBUTE = / (\w+)="([^"]*)"/g;
const ELEMENT = new RegExp(`<(\\w+)((?:${ATTRIBUTE.source})+)></\\1>`, "g");

const components: Readonly<Record<string, unknown>> = { ...lucide };

function svgOf(name: IconName): string {
  const inPackage = name.replaceAll(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase());
  const component = components[inPackage] as lucide.LucideIcon;
  return renderToStaticMarkup(createElement(component, { "aria-hidden": true, className: "spin" }));
}

test("the file has the shapes that Lucide gives these icons", async () => {
  const attributesOf = (text = "") => [...text.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value]);
  const shapeOf = (svg: string) =>
    [...svg.matchAll(ELEMENT)].map(([, tag, attributes]) => [
      tag,
      Object.fromEntries(attributesOf(attributes)),
    ]);
  const given = Object.fromEntries(names.map((name) => [name, shapeOf(svgOf(name))]));
  if (process.env["WRITE_GOLDEN"] === "1") await Bun.write(FILE, JSON.stringify(given));
  const kept: unknown = JSON.parse(await Bun.file(FILE).text());
  expect(kept, "`WRITE_GOLDEN=1 npm test -- console/parts/icons`, then `npm run format`").toEqual(given);
});

test("each is drawn as Lucide's own component draws it, hidden from screen readers", () => {
  for (const name of names) {
    const own = renderToStaticMarkup(createElement(Icon, { name, className: "spin" }));
    const given = svgOf(name)
      .replace(/ xmlns="[^"]*"/, "")
      .replace(/ class="[^"]*\bspin"/, ' class="spin"');
    expect(own).toBe(given);
  }
});
