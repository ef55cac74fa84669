import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

export type Message = {
  title: string;
  text: string;
  /** Further lines below the text. */
  detail?: Html;
  /** Where the one link of the page leads. */
  next?: { href: string; label: string };
};

/** A page that only says something: refusals, dead ends, faults. */
export function messagePage({ title, text, detail, next }: Message): Html {
  const { href, label } = next ?? { href: "/console", label: "To the console" };
  return layout({
    title,
    narrow: true,
    content: html`<section class="card">
<h1>${title}</h1>
<p>${text}</p>
${detail ?? null}
<p><a class="button" href="${href}">${label}</a></p>
</section>`,
  });
}
